"""The order of work: text, syntax, checks, graph, evidence, results. No other module knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from rulesengine.check.bands import check_bands
from rulesengine.check.cases import check_cases
from rulesengine.check.cost import check_cost
from rulesengine.check.definitions import check_definitions
from rulesengine.check.fits import check_fits
from rulesengine.check.grain import check_grain
from rulesengine.check.missing import check_missing
from rulesengine.check.names import check_names
from rulesengine.check.rows import check_rows
from rulesengine.check.scales import check_scales
from rulesengine.check.scope import Scope, declare
from rulesengine.check.shape import check_shape
from rulesengine.check.types import check_types
from rulesengine.check.unused import check_unused
from rulesengine.check.weights import check_weights
from rulesengine.diagnostics import Diagnostic, codes
from rulesengine.diagnostics.diagnostic import has_errors, in_order
from rulesengine.diagnostics.suggest import did_you_mean
from rulesengine.resources import library_names
from rulesengine.source import Source, Span
from rulesengine.struct import Struct
from rulesengine.syntax import nodes as n
from rulesengine.syntax.parser import parse

if TYPE_CHECKING:
    from rulesengine.graph.nodes import Graph

Loader = Callable[[str, Source], Source | None]

# Each stage may rely on the stages before it having found no error; within a stage all are run.
Check = Callable[[Scope], list[Diagnostic]]


def _asking(scope: Scope) -> list[Diagnostic]:
    # Imported where there is something to look at, as the next one is.
    if not scope.asks and not scope.children and not scope.functions:
        return []
    from rulesengine.check.asking import check_asking

    return check_asking(scope)


def _decisions(scope: Scope) -> list[Diagnostic]:
    if not scope.decisions:
        return []
    from rulesengine.check.decisions import check_decisions

    return check_decisions(scope)


STAGES: tuple[tuple[Check, ...], ...] = (
    (check_names, check_definitions, check_types, check_weights, check_rows),
    (check_grain, check_scales, check_cost, _asking, _decisions),
    (check_missing, check_cases),
    (check_fits, check_bands, check_unused),
)
CASE_STAGES: tuple[tuple[Check, ...], ...] = ((check_names, check_types), (check_cases,))


class Checked(Struct, frozen=True, eq=False, dict=True, kw_only=True):
    """A file that was checked.

    Attributes:
        source: its text.
        scope: what it declares; for a file of cases, what the file it is about declares. None where it could not
            be read.
        diagnostics: every finding, in order of place, those of the files it uses included.
        target: the file that a file of cases is about.
    """

    source: Source
    scope: Scope | None
    diagnostics: tuple[Diagnostic, ...]
    target: Checked | None = None

    @property
    def is_sound(self) -> bool:
        """Whether no finding is an error."""
        return self.scope is not None and not has_errors(self.diagnostics)

    @property
    def is_rubric(self) -> bool:
        """Whether it can score: it is no library and no file of cases."""
        return self.scope is not None and isinstance(self.scope.module.header, n.RubricHeader)

    @cached_property
    def cases(self) -> tuple[n.Case, ...]:
        """The cases that stand in the file."""
        if self.scope is None:
            return ()
        return tuple(each for each in self.scope.module.statements if isinstance(each, n.Case))

    def with_params(self, values: Mapping[str, object]) -> Checked:
        """Return the same file with params set; what is wrong with the values are its findings then."""
        # Imported here, since a check needs no reader of evidence.
        from rulesengine.check.params import with_params

        assert self.scope is not None
        scope, errors = with_params(self.scope, values)
        diagnostics = errors or self.diagnostics
        return msgspec.structs.replace(self, scope=scope, diagnostics=diagnostics)

    @cached_property
    def graph(self) -> Graph:
        """The rule graph of a sound file; of a library, one without a score."""
        if self.target is not None:
            return self.target.graph
        # Imported here, since a check needs no graph.
        from rulesengine.graph.from_syntax import build_graph

        assert self.scope is not None
        return build_graph(self.scope)


def check(source: Source, load: Loader) -> Checked:
    """Check a file and all that it uses.

    Args:
        source: the text of the file.
        load: called with what a `use` or `cases of` names and the source that names it; returns the text, or None.
    """
    return _Checker(load).check(source, ())


class _Checker(msgspec.Struct, eq=False):
    """Checks files, each used one once."""

    load: Loader
    done: dict[str, Checked] = msgspec.field(default_factory=dict)

    def check(self, source: Source, users: tuple[str, ...]) -> Checked:
        """Check one file; `users` are the names of the files that led to it."""
        parsed = parse(source)
        module = parsed.module
        if module is None:
            return Checked(source=source, scope=None, diagnostics=parsed.diagnostics)
        found = [*parsed.diagnostics, *check_shape(module)]
        if isinstance(module.header, n.CasesHeader):
            return self._cases(source, module, found, users)
        libraries, unread = {}, set[str]()
        for use in module.statements:
            if isinstance(use, n.Use):
                used = self._used(use.target, source, users, found)
                name = use.target.text.replace("/", ".").rpartition(".")[2]
                if used is None or used.scope is None:
                    unread.add(name)
                else:
                    libraries[name] = used.scope
        is_standard = isinstance(
            module.header, n.LibraryHeader
        ) and module.header.path.text.startswith("std.")
        module = self._with_tables(module, libraries, source, found)
        scope, declared = declare(module, libraries, is_standard=is_standard)
        found.extend(declared)
        own = _staged(STAGES, scope, has_errors(found))
        found.extend(each for each in own if not _is_of(each, unread))
        return Checked(source=source, scope=scope, diagnostics=tuple(in_order(found)))

    def _with_tables(
        self,
        module: n.Module,
        libraries: Mapping[str, Scope],
        source: Source,
        found: list[Diagnostic],
    ) -> n.Module:
        """Fill decision tables that stand in files beside the rubric."""
        if not any(isinstance(s, n.Decide) and s.source is not None for s in module.statements):
            return module
        from rulesengine.check.decisions import with_rows

        scope, _ = declare(module, libraries)
        statements: list[n.Statement] = []
        for statement in module.statements:
            if isinstance(statement, n.Decide) and statement.source is not None:
                table = self.load(f"./{statement.source.text}", source)
                statement, errors = with_rows(statement, table, scope)
                found.extend(errors)
            statements.append(statement)
        return msgspec.structs.replace(module, statements=tuple(statements))

    def _cases(
        self, source: Source, module: n.Module, found: list[Diagnostic], users: tuple[str, ...]
    ) -> Checked:
        assert isinstance(module.header, n.CasesHeader)
        target = self._used(module.header.target, source, users, found)
        if target is None or target.scope is None or has_errors(found):
            return Checked(source=source, scope=None, diagnostics=tuple(in_order(found)))
        scope = msgspec.structs.replace(target.scope, module=module, target=target.scope.module)
        found.extend(_staged(CASE_STAGES, scope, failed=False))
        return Checked(
            source=source, scope=scope, diagnostics=tuple(in_order(found)), target=target
        )

    def _used(
        self, target: n.Target, source: Source, users: tuple[str, ...], found: list[Diagnostic]
    ) -> Checked | None:
        """Check a file that another one uses; its errors count as findings of the user."""
        loaded = self.load(target.text, source)
        if loaded is None:
            known = library_names()
            found.append(
                Diagnostic(
                    codes.UNKNOWN_MODULE,
                    f"there is no file for `{target.text}`"
                    if target.is_relative
                    else f"no library is called `{target.text}`",
                    target.span,
                    help=did_you_mean(target.text, known)
                    or (
                        "a path begins at the file that names it, and stays in its folder"
                        if target.is_relative
                        else f"the libraries are {', '.join(known)}"
                    ),
                )
            )
            return None
        trail = (*users, source.name)
        if loaded.name in trail:
            steps = " -> ".join([*trail[trail.index(loaded.name) :], loaded.name])
            found.append(
                Diagnostic(codes.CYCLE, f"this file comes back to itself: {steps}", target.span)
            )
            return None
        if loaded.name not in self.done:
            self.done[loaded.name] = self.check(loaded, trail)
        used = self.done[loaded.name]
        found.extend(d for d in used.diagnostics if d.severity == "error")
        return used


def _is_of(finding: Diagnostic, unread: set[str]) -> bool:
    """Whether a finding says no more than that a library could not be read, which is told where it is used."""
    if finding.code is not codes.UNKNOWN_FUNCTION or not isinstance(finding.span, Span):
        return False
    return finding.span.text.rpartition(".")[0] in unread


def _staged(
    stages: tuple[tuple[Check, ...], ...], scope: Scope, failed: bool
) -> Iterator[Diagnostic]:
    """Run stages until one has found an error; what was found before counts for the first."""
    for number, stage in enumerate(stages):
        if failed and number > 0:
            return
        for one in stage:
            found = one(scope)
            yield from found
            failed = failed or has_errors(found)
