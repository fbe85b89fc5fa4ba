"""Every code: 1xx syntax, 2xx names, 3xx types and grain, 4xx soundness, 5xx evidence and runtime, 6xx results.

An id is never used again; a retired one stays here, marked. Each has a page in `pages/` and, where a rubric can
show it, a case in tests/conformance.
"""

from __future__ import annotations

from rulesengine.diagnostics.diagnostic import Code

# --------------------------------------------------------------------------------------------------- syntax
STRAY_SIGN = Code("R101", "a sign the language does not have")
UNEXPECTED = Code("R102", "a word or sign in the wrong place")
NOT_CLOSED = Code("R103", "a bracket that is never closed")
NOT_OPENED = Code("R104", "a bracket that closes nothing")
TEXT_NOT_CLOSED = Code("R105", "a text that is never closed")
TOO_DEEP = Code("R106", "nested too deep")
AND_WITH_OR = Code("R107", "`and` mixed with `or`")
CHAINED_COMPARISON = Code("R108", "a chained comparison")
NEWER_LANGUAGE = Code("R109", "written for another version of the language")
BAD_HEADER = Code("R110", "the first line does not say what the file is")
BAD_NUMBER = Code("R111", "not a number")
RESERVED_WORD = Code("R112", "a word of the language as a name")
BAD_ESCAPE = Code("R113", "an unknown escape in a text")
UNCLEAR_ELSE = Code("R114", "`else` beside arithmetic")
NOT_UTF8 = Code("R115", "not UTF-8 text")
WRONG_STATEMENT = Code("R116", "a statement this kind of file does not have")
MISSING_STATEMENT = Code("R117", "a statement is missing")
BAD_DATE = Code("R118", "a date that no calendar has")

# ---------------------------------------------------------------------------------------------------- names
UNKNOWN_NAME = Code("R201", "unknown name")
DECLARED_TWICE = Code("R202", "declared twice")
UNUSED_DEFINITION = Code("R203", "a definition that nothing uses", "warning")
UNKNOWN_MODULE = Code("R204", "unknown file or library")
CYCLE = Code("R205", "a definition that needs itself")
OUT_OF_PLACE = Code("R206", "a name that means nothing here")
AMBIGUOUS_NAME = Code("R207", "a name with two meanings")
UNKNOWN_FUNCTION = Code("R208", "unknown function")
UNKNOWN_TYPE = Code("R209", "unknown type")
ITEM_WITHOUT_KEY = Code("R210", "an item that no key has")
UNUSED_FIELD = Code("R211", "a field that no rule reads", "note")
OPTION_WITHOUT_ITEM = Code("R212", "an option that no item scores", "warning")
UNKNOWN_OPERATION = Code("R213", "unknown way to combine")

# ------------------------------------------------------------------------------------------ types and grain
WRONG_TYPE = Code("R301", "values of different kinds")
UNKNOWN_OPTION = Code("R302", "not one of the options")
NOT_YES_NO = Code("R303", "a condition that is not yes or no")
NEVER_MISSING = Code("R304", "a test for something that is never missing", "warning")
MISSING_NOT_COVERED = Code("R305", "a missing value is not covered")
WRONG_ARGUMENTS = Code("R306", "wrong arguments")
WRONG_DEFAULT = Code("R307", "a default of another kind")
BAD_RANGE = Code("R308", "a range that fits no value")
BAD_PATTERN = Code("R309", "a pattern that cannot be read")
NOT_COMBINED = Code("R310", "a key that nothing combines")
NOTHING_TO_COMBINE = Code("R311", "nothing to combine")
NOT_A_KEY = Code("R312", "not a key of the evidence")

# ------------------------------------------------------------------------------------------------ soundness
WORTH_DOES_NOT_ADD_UP = Code("R401", "points that do not add up")
OUTSIDE_WORTH = Code("R402", "a row outside what its item is worth")
FALLS_THROUGH = Code("R403", "rows that an input falls through")
NEVER_FIRES = Code("R404", "a row that can never fire")
BAND_GAP = Code("R405", "a score without a band")
BAND_OVERLAP = Code("R406", "bands that overlap")
BAND_NEVER_REACHED = Code("R407", "a band that no score reaches", "note")
BAND_HIDDEN = Code("R408", "a band hidden by an earlier one")
BAND_GAP_UNREACHABLE = Code("R409", "a gap between bands that no score reaches", "note")
BAD_WORTH = Code("R410", "points that are not above zero")
WORTH_NEVER_REACHED = Code("R411", "points that no row gives", "warning")
NO_SCALE = Code("R412", "results without a scale")
NEVER_FAILS = Code("R413", "a condition that is always the same")
BAND_BACKWARDS = Code("R414", "a band that ends before it begins")
TOO_COSTLY = Code("R415", "too many steps")
BAD_STEP = Code("R416", "a step that cannot be done")
BAD_LADDER = Code("R417", "a ladder that cannot be climbed")
BAD_ASK = Code("R418", "a question that cannot be asked")
BAD_COMPARISON = Code("R419", "a comparison that cannot be made")
BAD_CASE = Code("R420", "a case that cannot run")
BAD_DECISION = Code("R421", "a decision table that does not hold together")
BAD_CLAIM = Code("R422", "a claim that cannot be looked at")

# ------------------------------------------------------------------------------------- evidence and runtime
UNREADABLE_RECORD = Code("R501", "a record that cannot be read")
WRONG_VALUE = Code("R502", "a value of another kind")
ABSENT_FIELD = Code("R503", "a required field is absent")
MISSPELT_FIELD = Code("R504", "a field that looks misspelt")
SAME_KEYS = Code("R505", "two records with the same keys")
UNKNOWN_FIELD = Code("R506", "a field the rubric does not declare", "warning")
NULL_FIELD = Code("R507", "null where a value is needed")
REPEATED_FIELD = Code("R508", "a field written twice")
NOT_UNICODE = Code("R509", "not UTF-8 text")
OFF_THE_SCALE = Code("R510", "a result off its scale")
DIVISION_BY_ZERO = Code("R511", "a division by zero")
OVER_A_LIMIT = Code("R512", "larger than a limit")
NESTED_FIELD = Code("R513", "a field inside another")
DIFFERING_FIELD = Code("R514", "records that differ where they agree")
REQUIRED = Code("R515", "what the rubric requires does not hold")
NO_VALUE = Code("R516", "a function that has no value for what it is given")
NO_RECORD = Code("R520", "unscored: no record")
ALL_EXCLUDED = Code("R521", "unscored: every record excluded")
UNSCORED_ROW = Code("R522", "unscored: a row says so")
NOTHING_SCORED = Code("R523", "unscored: no record with a score")
NO_QUORUM = Code("R524", "unscored: too few results")
LOST_RECORD = Code("R530", "a subject that lost a record")
NO_ANSWER = Code("R540", "a judge or model that gave no answer")
BAD_ANSWER = Code("R541", "an answer that is none")
INCOMPARABLE = Code("R542", "values that cannot be compared")
UNDECIDED = Code("R543", "judges that did not agree")

# -------------------------------------------------------------------------------------------------- results
OTHER_RUBRIC = Code("R601", "results of another rubric")
OTHER_EVIDENCE = Code("R602", "results of other evidence")
CASE_FAILED = Code("R610", "a case that does not hold")
CLAIM_BROKEN = Code("R611", "a claim that evidence breaks")


def all_codes() -> dict[str, Code]:
    """Return every code by its id, in order."""
    codes = [value for value in globals().values() if isinstance(value, Code)]
    return {code.id: code for code in sorted(codes, key=lambda code: code.id)}
