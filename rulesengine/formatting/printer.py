"""Items to lines.

An item goes on one line if it fits. If not, its brackets are opened, the `and`s and `or`s that join conditions all
begin lines, and a line is broken before an operator or a label, as late as possible. What an item's further lines
begin with stands two spaces further in than its first one; what an opened bracket holds, two spaces further in than
the line that it is opened in.

Two things are left to the author, who knows what belongs together: a block that is written on one line stays so while
it fits, and a list that is opened at the end of a line stays so, with its own lines. All else comes from the words
alone, so that formatting what is formatted changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesengine.diagnostics.render import cells
from rulesengine.formatting.columns import Entry, align
from rulesengine.formatting.lines import Line
from rulesengine.formatting.roles import Roles
from rulesengine.formatting.spacing import Gap, gaps, is_tight, spelling
from rulesengine.formatting.structure import (
    Bracket,
    Element,
    Item,
    first_word,
    last_word,
    without_lead,
)
from rulesengine.syntax.lossless import Comment, Word

WIDEST = 120  # columns of a line
WIDEST_BLOCK = 100  # of a line that holds a whole block
STEP = 2  # columns a level
BETWEEN_CLAUSES = "  "  # in a block on one line


def printed(items: Sequence[Item], tail: Sequence[Comment], roles: Roles) -> str:
    """Return the text of some statements and the comments that follow the last."""
    printer = _Printer(roles)
    printer.entries(items, 0)
    for comment in tail:
        printer.comment(comment, 0)
    return "".join(f"{line.written()}\n" for line in printer.lines)


class _Printer:
    """Writes lines; the last one is the one that is being written."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.lines: list[Line] = []

    # ---------------------------------------------------------------------------------------- lines

    @property
    def line(self) -> Line:
        """The line that is being written."""
        return self.lines[-1]

    def start_line(self, indent: int, *, after_blank: bool = False) -> None:
        """Begin a line; one that nothing was written in yet is used."""
        after_blank = after_blank and bool(self.lines)
        if self.lines and self.line.is_empty:
            self.line.indent = indent
            self.line.after_blank |= after_blank
        else:
            self.lines.append(Line(indent, after_blank))

    def comment(self, comment: Comment, indent: int) -> None:
        """Write a comment on a line of its own."""
        self.start_line(indent, after_blank=comment.after_blank)
        self.line.comment = comment.text

    def word(self, word: Word, gap: str, indent: int) -> None:
        """Write a word, and its comments; `indent` is that of a line that it has to begin."""
        for comment in word.before:
            self.comment(Comment(comment.text, after_blank=False), indent)
        if self.line.comment:
            self.start_line(indent)
        self.line.add("" if self.line.is_empty else gap, spelling(word))
        self.line.comment = word.after

    # ---------------------------------------------------------------------------------------- items

    def entries(self, items: Sequence[Item], indent: int) -> None:
        """Write items, each on lines of its own, and line up those that follow one another."""
        align([self.entry(item, indent) for item in items], WIDEST)

    def entry(self, item: Item, indent: int) -> Entry:
        """Write an item that begins a line."""
        self.lead(item, indent)
        begin = len(self.lines) - 1
        after_blank = self.line.after_blank or any(each.after_blank for each in item.first.before)
        mark = self.item(item)
        is_long = len(self.lines) - 1 > begin and self.line.indent <= indent
        return Entry(self.lines[begin], mark, after_blank, is_long)

    def lead(self, item: Item, indent: int) -> None:
        """Write the comments before an item, and begin its line."""
        for comment in item.first.before:
            self.comment(comment, indent)
        self.start_line(indent, after_blank=item.first.after_blank)

    def item(self, item: Item) -> tuple[int, str] | None:
        """Write an item from where the line is; return its mark if that stands in the same line.

        A mark is where its sign starts in the text of the line, and which sign it is. One behind a text of several
        lines stands in another line, though both are one of ours.
        """
        begin = self.line
        indent = begin.indent + STEP
        before = gaps(item, self.roles)
        joined = self.joined(item, before)
        mark: tuple[int, str] | None = None
        for index, element in enumerate((without_lead(item.elements[0]), *item.elements[1:])):
            gap = before[index]
            is_flat = index < joined
            if gap is Gap.JOINT and not is_flat:
                self.start_line(indent)
            elif gap is Gap.MAY_BREAK and not is_flat:
                ahead = item.elements[index : _next_break(item, before, index)]
                if self.breaks_before(ahead, indent):
                    self.start_line(indent)
            space = "" if gap is Gap.NOTHING else " "
            if isinstance(element, Bracket):
                rest = item.elements[index + 1 : _end_of_line(item, before, index)]
                self.bracket(element, rest, space, indent, is_flat=is_flat)
                continue
            self.word(element, space, indent)
            is_mark = mark is None and element.token.start_pos in self.roles.marks
            if is_mark and self.line is begin and "\n" not in begin.text:
                mark = len(begin.text) - len(spelling(element)), element.type
        return mark

    def breaks_before(self, ahead: Sequence[Element], indent: int) -> bool:
        """Whether what is ahead begins a line at `indent`.

        It does where it does not fit here but fits there. What fits in neither place has a bracket that is opened
        anyhow: then it is enough if its line fits up to the first one.
        """
        text = self.flat(ahead, is_ahead=True)
        if self.fits(text, gap=1):
            return False
        if self.fits(text, begin=indent):
            return True
        return not self.fits(self.flat(ahead, is_ahead=True, opens_after=0), gap=1)

    def joined(self, item: Item, before: list[Gap]) -> int:
        """Return how many elements go without a break because all that `and` or `or` joins fits."""
        joints = [index for index, gap in enumerate(before) if gap is Gap.JOINT]
        if not joints:
            return 0
        last = first_word(item.elements[joints[-1]])
        end_pos = self.roles.chains[last.token.start_pos]
        count = next(
            (
                index
                for index, element in enumerate(item.elements)
                if first_word(element).token.start_pos >= end_pos
            ),
            len(item.elements),
        )
        whole = item.elements[: _next_break(item, before, count - 1)]
        return count if self.fits(self.flat(whole)) else 0

    # ------------------------------------------------------------------------------------- brackets

    def bracket(
        self, bracket: Bracket, rest: Sequence[Element], gap: str, indent: int, *, is_flat: bool
    ) -> None:
        """Write a bracket: on this line if it fits with the `rest`, else opened."""
        if bracket.is_open:
            self.opened(bracket, gap, indent)
            return
        limit = WIDEST_BLOCK if bracket.is_block else WIDEST
        text = self.flat([bracket, *rest], is_ahead=False, opens_after=1)
        if is_flat or self.fits(text, gap=len(gap), limit=limit):
            self.closed(bracket, gap, indent)
        else:
            self.opened(bracket, gap, indent)

    def closed(
        self, bracket: Bracket, gap: str, indent: int, *, opens: Bracket | None = None
    ) -> None:
        """Write a bracket on one line, apart from what is open in it and the one that it `opens`."""
        self.word(bracket.opener, gap, indent)
        pad = _pad(bracket)
        for item in bracket.items:
            for index, element in enumerate(item.elements):
                space = pad if index == 0 else self.space(item.elements[index - 1], element)
                if isinstance(element, Bracket) and (element.is_open or element is opens):
                    self.opened(element, space, indent)
                elif isinstance(element, Bracket):
                    self.closed(element, space, indent)
                else:
                    self.word(element, space, indent)
            pad = BETWEEN_CLAUSES if bracket.is_block else " "
        self.word(bracket.closer, _pad(bracket), indent)

    def opened(self, bracket: Bracket, gap: str, indent: int) -> None:
        """Write a bracket with what it holds on lines of its own."""
        held = self.held(bracket)
        if held is not None:
            *words, _ = bracket.items[0].elements
            line = self.flat([bracket.opener, *words, held.opener])
            if self.fits(line, gap=len(gap)):
                self.closed(bracket, gap, indent, opens=held)
                return
        self.word(bracket.opener, gap, indent)
        outer = self.line.indent
        inner = outer + STEP
        if bracket.is_block or self.declares(bracket):
            self.entries(bracket.items, inner)
        else:
            self.values(bracket, inner)
        for comment in bracket.closer.before:
            self.comment(comment, inner)
        self.start_line(outer)
        closer = bracket.closer
        self.line.add("", spelling(closer))
        self.line.comment = closer.after

    def held(self, bracket: Bracket) -> Bracket | None:
        """Return the list that ends the only value of a list: the two are opened as one, `f(any of [`."""
        if bracket.is_open or bracket.is_block or len(bracket.items) != 1:
            return None
        (item,) = bracket.items
        *words, last = item.elements
        is_plain = all(isinstance(element, Word) for element in words) and not any(
            gap in (Gap.MAY_BREAK, Gap.JOINT) for gap in gaps(item, self.roles)
        )
        if isinstance(last, Bracket) and last.items and not last.is_block and is_plain:
            return last
        return None

    def declares(self, bracket: Bracket) -> bool:
        """Whether a list says what types its values have: then each has a line."""
        return any(
            isinstance(element, Word) and element.token.start_pos in self.roles.types
            for item in bracket.items
            for element in item.elements
        )

    def values(self, bracket: Bracket, indent: int) -> None:
        """Write the values of an opened list: in the author's lines if it was written open, else as many as fit."""
        items = bracket.items
        keeps_lines = bool(items) and items[0].first.is_first
        for index, item in enumerate(items):
            fits = self.fits(self.flat(item.elements), gap=1)
            if (
                index == 0
                or item.first.before
                or self.line.comment
                or (keeps_lines and item.first.is_first)
                or not fits
            ):
                self.lead(item, indent)
            else:
                self.line.add(" ", "")
            self.item(item)

    # --------------------------------------------------------------------------------------- widths

    def fits(
        self, text: str, *, gap: int = 0, limit: int = WIDEST, begin: int | None = None
    ) -> bool:
        """Whether text can follow in this line, or `begin` one; line feeds in it stand for where lines have to end."""
        further = self.line.indent + STEP
        if begin is None:
            begin = further if self.line.comment else self.line.width + gap
        first, *others = text.split("\n")
        return begin + cells(first) <= limit and all(
            further + cells(other) <= limit for other in others
        )

    def flat(
        self, elements: Sequence[Element], *, is_ahead: bool = False, opens_after: int | None = None
    ) -> str:
        """Return elements on one line, a line feed wherever a line has to end.

        A list that the author opened is taken as closed: where the first run opens one, the second has to decide about
        all around it as the first did.

        Args:
            elements: what is written.
            is_ahead: take blocks as open.
            opens_after: take brackets from this element on as open, since they may well be.
        """
        parts = []
        for index, element in enumerate(elements):
            if index:
                parts.append(self.space(elements[index - 1], element))
            if isinstance(element, Word):
                parts.append(_flat_word(element))
            elif (element.is_block and (element.is_open or is_ahead)) or (
                opens_after is not None and index >= opens_after
            ):
                parts.append(f"{_flat_word(element.opener)}\n{_flat_word(element.closer)}")
            else:
                parts.append(_flat_word(element.opener))
                pad = _pad(element)
                for item in element.items:
                    parts += [pad, self.flat(item.elements)]
                    pad = BETWEEN_CLAUSES if element.is_block else " "
                parts += [_pad(element), _flat_word(element.closer)]
        return "".join(parts)

    def space(self, left: Element, right: Element) -> str:
        """What stands between two elements on one line."""
        return "" if is_tight(last_word(left), first_word(right), self.roles) else " "


def _flat_word(word: Word) -> str:
    """A word; of a text of several lines, the first and the last, since nothing can be done about the others."""
    first, *others = spelling(word).split("\n")
    text = f"{first}\n{others[-1]}" if others else first
    return ("\n" if word.before else "") + text + ("\n" if word.after else "")


def _pad(bracket: Bracket) -> str:
    """What stands within a bracket beside its signs."""
    return " " if bracket.items and bracket.opener.type == "LBRACE" else ""


def _next_break(item: Item, before: list[Gap], index: int) -> int:
    """Where the line may next be broken, after an element that may begin one; a row's result stays together."""
    element = item.elements[index]
    if isinstance(element, Word) and element.type == "ARROW":
        return len(item.elements)
    return _end_of_line(item, before, index)


def _end_of_line(item: Item, before: list[Gap], index: int) -> int:
    return next(
        (
            at
            for at in range(index + 1, len(item.elements))
            if before[at] in (Gap.MAY_BREAK, Gap.JOINT)
        ),
        len(item.elements),
    )
