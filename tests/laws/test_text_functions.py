"""Functions of texts: folds fold once, and a part of a text splits no word."""

from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulesengine.primitives.folds import fold, length, nfkc, normal, trim
from rulesengine.primitives.patterns import matches
from rulesengine.primitives.primitive import NoValue
from rulesengine.primitives.signs import ZERO_WIDTH
from rulesengine.primitives.words import MOST_TRIED, contains, ends_with, starts_with, tokens, words

# Signs of every kind that matters to words, told here once more and by hand.
LETTERS, DIGITS, MARKS, HIDDEN = "abcdefnotBé", "1٣", "\u0301\u3099", "\u00ad\u200d"
UNSPACED, UNSPACED_MARKS, OTHERS = "我かก", "\u0e31", " -.'\u200b_"
SIGNS = "aBé" + DIGITS + MARKS + HIDDEN + UNSPACED + UNSPACED_MARKS + OTHERS
WORDY = st.text(alphabet=SIGNS, max_size=12)


def normal_text(text: str) -> str:
    """What `normal` makes of a text."""
    value = normal(text).value
    assert isinstance(value, str)
    return value


def is_split(text: str, place: int) -> bool:
    """Whether a cut between two signs goes through a word, by the words of the reference."""
    before, after = text[:place], text[place:]
    for hidden in HIDDEN:
        before, after = before.replace(hidden, ""), after.replace(hidden, "")
    if not before or not after:
        return False
    if after[0] in MARKS:
        return before[-1] not in OTHERS
    letters = before.rstrip(MARKS + UNSPACED_MARKS)
    base = letters[-1] if letters and letters[-1] not in OTHERS else (before + " ")[len(letters)]
    return base in LETTERS + DIGITS + MARKS and after[0] in LETTERS + DIGITS


def holds(text: str, part: str) -> bool:
    """Whether a part stands somewhere whole, place by place."""
    places = [i for i in range(len(text)) if text[i : i + len(part)] == part]
    return any(not is_split(text, i) and not is_split(text, i + len(part)) for i in places)


@given(text=WORDY, part=WORDY.filter(bool), before=WORDY, after=WORDY)
@example(text="cat", part="cat", before="con", after="enate")
@example(text="cafe", part="cafe", before="", after="\u0301")
def test_a_part_splits_no_word(text: str, part: str, before: str, after: str) -> None:
    """`contains`, `starts with` and `ends with` are what trying every place by hand gives."""
    for whole in (text, before + part + after):
        start, end = whole.startswith(part), whole.endswith(part)

        assert holds(whole, part) == contains(whole, part)
        assert (start and not is_split(whole, len(part))) == starts_with(whole, part)
        assert (end and not is_split(whole, len(whole) - len(part))) == ends_with(whole, part)


@given(text=WORDY, part=WORDY.filter(bool))
def test_a_beginning_and_an_end_are_contained(text: str, part: str) -> None:
    """What a text starts or ends with it contains, and every text contains itself."""
    assert contains(part, part) is True
    if starts_with(text, part) is True or ends_with(text, part) is True:
        assert contains(text, part) is True


@pytest.mark.parametrize("end", ["", "b", "-"])
def test_a_part_that_overlaps_with_itself_everywhere_is_found_all_the_same(end: str) -> None:
    """Past MOST_TRIED places that split a word, the search goes on another way to the same result."""
    part = "-ab" * MOST_TRIED + "-a"
    text = "-ab" * (3 * MOST_TRIED) + "-a" + end

    assert holds(text, part) == contains(text, part)


def test_the_empty_text_is_no_part() -> None:
    """Every text has it, so to ask for it says nothing: an error, and no silent yes."""
    results = [test("a", "") for test in (contains, starts_with, ends_with)]

    assert [isinstance(result, NoValue) for result in results] == [True, True, True]


@given(text=st.text(max_size=30) | WORDY)
def test_folds_fold_once(text: str) -> None:
    """A fold changes nothing that it has folded."""
    for function in (trim, fold, nfkc, normal_text):
        once = function(text)

        assert once == function(once)


def test_folds_of_single_signs_fold_once() -> None:
    """The same for every sign of Unicode, alone."""
    signs = [chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000]

    unfolded = [s for s in signs if fold(fold(s)) != fold(s)]
    # `normal` goes on until nothing changes; that it ends is the law.
    changed = [s for s in signs if s.casefold() != s or nfkc(s) != s]
    again = [s for s in changed if normal_text(normal_text(s)) != normal_text(s)]

    assert (unfolded, again) == ([], [])


@given(text=st.text(max_size=20), hidden=st.sampled_from(sorted(ZERO_WIDTH)), at=st.integers(0, 20))
def test_what_is_normal_shows(text: str, hidden: str, at: int) -> None:
    """`normal` knows no difference of form, case, outer white space or signs without width."""
    written = [
        normalize("NFC", text),
        normalize("NFD", text),
        f" \u00a0{text}\n",
        text[:at] + hidden + text[at:],
    ]

    assert {normal_text(text)} == {normal_text(each) for each in written}


@given(text=st.text(max_size=30))
def test_normal_tells_whether_it_folded(text: str) -> None:
    """It names folds just where the text is another one."""
    seen = normal(text)

    assert (seen.value != text) == bool(seen.what)


@given(text=WORDY | st.text(max_size=30))
def test_tokens_are_words_of_the_text(text: str) -> None:
    """Tokens stand in the text in their order; none is empty or holds white space, and their number is `words`."""
    found = tokens(text)

    place = 0
    for token in found:
        place = text.find(token, place) + len(token)
        assert token
        assert place >= len(token)
        assert not any(sign.isspace() for sign in token)
    assert len(found) == words(text)


@given(text=WORDY)
def test_a_token_is_contained(text: str) -> None:
    """A text contains each of its tokens."""
    assert [token for token in tokens(text) if contains(text, token) is not True] == []


@given(text=st.text(max_size=30))
def test_length_knows_no_form(text: str) -> None:
    """An accent counts the same joined and apart."""
    assert length(normalize("NFD", text)) == length(normalize("NFC", text))


def test_a_pattern_takes_time_in_proportion() -> None:
    """What takes other engines longer than anyone waits is told at once, for the whole text."""
    assert matches("a" * 200_000, "(a*)*(a|aa)+") is True
    assert matches("a" * 200_000 + "!", "(a*)*(a|aa)+") is False
