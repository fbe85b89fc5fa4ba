"""Providers: who answers questions and measures likeness, behind protocols."""
