"""The rule graph: the compiler's product, which everything downstream reads."""
