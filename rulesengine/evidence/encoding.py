"""Bytes to text: UTF-8 or nothing, and a guess at what it is instead."""

from __future__ import annotations

from attrs import frozen

BYTE_ORDER_MARK = "\ufeff"
_SIGNATURES = (
    (b"\x1f\x8b", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"PK\x03\x04", "a zip file or a spreadsheet"),
    (b"PAR1", "a Parquet file"),
)


@frozen
class NotText:
    """Why bytes or a text cannot be read, and how many characters stand before the place."""

    message: str
    offset: int
    help: str | None = None
    # Another encoding or format goes for the whole file; one bad byte only for its line.
    whole_file: bool = False


def as_text(data: bytes | str) -> str | NotText:
    """Return `data` as text that UTF-8 can hold, or what is wrong with it. Never raises."""
    if isinstance(data, str):
        offset = lone_surrogate(data)
        if offset is None:
            return data
        point = ord(data[offset])
        if 0xDC80 <= point <= 0xDCFF:  # how Python hands on a byte that is not UTF-8
            return _bad_byte(point - 0xDC00, offset)
        return NotText("half a character (a lone surrogate)", offset)
    if not data.isascii() or b"\0" in data:
        problem = _other_format(data)
        if problem is not None:
            return problem
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _bad_byte(data[error.start], len(data[: error.start].decode("utf-8")))


def _bad_byte(byte: int, offset: int) -> NotText:
    return NotText(
        f"not UTF-8: the byte {byte:#04x} means nothing here",
        offset,
        "it looks like Latin-1 or Windows-1252, or a damaged file; save it as UTF-8",
    )


def lone_surrogate(text: str) -> int | None:
    """Return the offset of the first half character in `text`, or None where all are whole."""
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start
    return None


def printable(data: bytes | str) -> str:
    r"""Return `data` as text; what UTF-8 cannot hold is written as `\xe9` or `\ud800`."""
    if isinstance(data, bytes):
        return data.decode("utf-8", "backslashreplace")
    return data.encode("utf-8", "backslashreplace").decode("utf-8")


def _other_format(data: bytes) -> NotText | None:
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return NotText(f"this looks like {name}, not text", 0, whole_file=True)
    nuls = data.count(0)
    # In UTF-16 every other byte of plain Latin letters is a NUL.
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or nuls * 4 >= len(data) > 1:
        return NotText("this looks like UTF-16, not UTF-8", 0, "save it as UTF-8", whole_file=True)
    if nuls:
        before = data[: data.index(0)].decode("utf-8", "replace")
        return NotText("a NUL byte: this looks like a binary or damaged file", len(before))
    return None
