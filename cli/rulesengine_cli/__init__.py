"""The command `rubric`."""

import gc

# A command is short-lived: looking for cycles early takes some 6 % of a check, and begins with the first import.
gc.set_threshold(100_000)
