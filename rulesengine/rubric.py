"""The Python API: load a rubric, score records with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from rulesengine.diagnostics import Diagnostic
from rulesengine.diagnostics.codes import UNREADABLE_RECORD
from rulesengine.errors import UnsoundRubricError
from rulesengine.evidence.conform import conform
from rulesengine.evidence.schema import Record, Rejected, Schema
from rulesengine.files import check_file, find
from rulesengine.graph.nodes import Graph
from rulesengine.pipeline import Checked
from rulesengine.providers.callables import Answering, Measuring, providers_of
from rulesengine.providers.protocols import Embedder, Judge, Measure
from rulesengine.report.run import Run, run
from rulesengine.source import Place
from rulesengine.struct import Struct
from rulesengine.values import Plain


class Rubric(Struct, frozen=True, eq=False, dict=True):
    """A checked rubric, as `load` returns it."""

    checked: Checked

    @property
    def graph(self) -> Graph:
        """The rule graph."""
        return self.checked.graph

    @property
    def name(self) -> str:
        """The name it gives itself."""
        return self.graph.name

    @property
    def version(self) -> str | None:
        """The version it gives itself."""
        return self.graph.version

    @property
    def out_of(self) -> Fraction:
        """The points that can be had."""
        return self.graph.out_of

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what it means: the same for two rubrics that score alike by the same rules."""
        from rulesengine.graph.fingerprint import fingerprint

        return fingerprint(self.graph)

    @property
    def params(self) -> Mapping[str, Plain]:
        """Its params, with the values that hold."""
        return self.graph.params

    def with_params(self, **values: object) -> Rubric:
        """Return the same rubric with params set; those not named keep what they have.

        Raises:
            UnsoundRubricError: there is no such param, the value is of another kind, or weights do not make 100 % now.
        """
        changed = self.checked.with_params({**self.params, **values})
        if not changed.is_sound:
            raise UnsoundRubricError(changed.diagnostics)
        return Rubric(changed)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the checks noted; no errors, since it was loaded."""
        return self.checked.diagnostics

    def score(
        self,
        records: Iterable[Mapping[str, object]],
        *,
        allow_rejects: bool = False,
        allow_unknown: bool = False,
        judge: Judge | Answering | None = None,
        measure: Measure | Embedder | Measuring | None = None,
    ) -> Run:
        """Score records.

        Args:
            records: field name to value. A number may be an int, float (taken as the decimal it shows), Decimal or
                Fraction; a date a datetime.date or its text. The order does not matter.
            allow_rejects: score a subject even without the records of it that were rejected.
            allow_unknown: do not reject a record for a field that looks misspelt.
            judge: answers the questions of the rubric: a judge, or a function of one question.
            measure: tells how alike two texts are: an embedder, a measure, or a function of two texts.

        Returns:
            One result a subject, and every rejected record with why. A bad record never raises.
        """
        schema = self.graph.schema
        return run(
            self.graph,
            (
                _conformed(record, schema, Place("record", number), allow_unknown)
                for number, record in enumerate(records, start=1)
            ),
            allow_rejects=allow_rejects,
            providers=providers_of(judge, measure),
        )


def _conformed(
    record: object, schema: Schema, place: Place, allow_unknown: bool
) -> Record | Rejected:
    """Hold what a caller gave as a record to the schema."""
    try:
        fields = dict(record) if isinstance(record, Mapping) else None
    except Exception as error:  # a mapping of the caller's, which may do anything
        return _no_record(f"the record cannot be read: {error}", place)
    if fields is None:
        return _no_record("a record maps names of fields to values", place)
    odd = [name for name in fields if type(name) is not str]
    if odd:
        return _no_record(f"the name of a field is a text, and `{odd[0]!r}` is none", place)
    return conform(fields, schema, place, allow_unknown=allow_unknown)


def _no_record(message: str, place: Place) -> Rejected:
    return Rejected("", place, (Diagnostic(UNREADABLE_RECORD, message, place),), may_hide_more=True)


def load(path_or_name: str | Path, params: Mapping[str, object] | None = None) -> Rubric:
    """Load and check a rubric.

    Args:
        path_or_name: a file, or the name of a shipped rubric such as `bigaiarena`.
        params: values in place of the defaults of its params.

    Raises:
        RubricNotFoundError: there is no such file or shipped rubric.
        UnsoundRubricError: it has at least one error, or a param cannot have its value; the exception holds every
            finding.
    """
    checked = check_file(find(path_or_name))
    if not checked.is_sound or not checked.is_rubric:
        raise UnsoundRubricError(checked.diagnostics)
    return Rubric(checked).with_params(**params) if params else Rubric(checked)
