"""Exit codes, the same for every command; other programs rely on them."""

from __future__ import annotations

CLEAN = 0  # all well
FINDINGS = 1  # an unsound rubric in `check`, a failed case, a rejected record, a failed subject, stale results
USAGE = 2  # the command's own words are off, or a file cannot be opened
UNSOUND = 3  # `score` refuses an unsound rubric
PROVIDER = 4  # a judge or a model failed some subject; goes before 1
INTERNAL = 70  # a bug of ours
INTERRUPTED = 130
