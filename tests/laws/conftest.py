"""How long the laws are tried: quickly by default, at length with `RUBRIC_LAWS=thorough`."""

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile("quick", deadline=None, max_examples=40, suppress_health_check=_SLOW)
settings.register_profile("thorough", deadline=None, max_examples=2000, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("RUBRIC_LAWS", "quick"))
