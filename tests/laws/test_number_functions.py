"""Functions of numbers: rounding, powers and logarithms, and what types of numbers promise."""

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor

import pytest
from engine import sound
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rulesengine.diagnostics import codes
from rulesengine.graph.nodes import Definition
from rulesengine.primitives import BUILT_INS, NoValue
from rulesengine.primitives import number_types as types
from rulesengine.primitives.numbers import MODES, Mode, clamp, max_of, min_of, round_to
from rulesengine.primitives.powers import exp, ln, log, log10, power, sqrt
from rulesengine.types import NumberType
from rulesengine.values import LARGEST_NUMBER

NUMBERS = st.fractions(-1000, 1000, max_denominator=200)
ABOVE_ZERO = st.fractions(Fraction(1, 1000), 10**6, max_denominator=10**6)
STEPS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(5), Fraction(2, 3)])
SMALLEST_STEP = Fraction(1, 10**45)


def value(result: Fraction | NoValue) -> Fraction:
    """The number that came out."""
    assert isinstance(result, Fraction), result
    return result


def chosen(number: Fraction, mode: Mode, step: Fraction) -> Fraction:
    """The multiple that a mode names, among those around a number."""
    first = floor(number / step) - 1
    around = [k * step for k in range(first, first + 4)]
    match mode:
        case "floor":
            return max(each for each in around if each <= number)
        case "ceiling":
            return min(each for each in around if each >= number)
        case "down":
            return chosen(number, "floor" if number > 0 else "ceiling", step)
        case "up":
            return chosen(number, "ceiling" if number > 0 else "floor", step)
    distance = min(abs(each - number) for each in around)
    nearest = [each for each in around if abs(each - number) == distance]
    if mode == "half_up":
        return max(nearest, key=abs)
    return next(each for each in nearest if len(nearest) == 1 or (each / step) % 2 == 0)


@given(
    number=NUMBERS | st.integers(-20, 20).map(lambda n: Fraction(n, 4)),
    mode=st.sampled_from(MODES),
    step=STEPS,
)
def test_rounding_takes_the_multiple_that_the_mode_names(
    number: Fraction, mode: Mode, step: Fraction
) -> None:
    """Of the multiples around a number, the nearest, or the one on the side that the mode names; ties by the mode."""
    assert chosen(number, mode, step) == round_to(number, mode, step)


@given(number=NUMBERS, mode=st.sampled_from(MODES), step=STEPS)
def test_rounding_once_is_enough(number: Fraction, mode: Mode, step: Fraction) -> None:
    """A multiple stays where it is, in every mode, and a number turned around rounds to the opposite or its side."""
    once = value(round_to(number, mode, step))
    turned: dict[Mode, Mode] = {"floor": "ceiling", "ceiling": "floor"}

    assert {once} == {value(round_to(once, each, step)) for each in MODES}
    assert -once == round_to(-number, turned.get(mode, mode), step)


@given(number=NUMBERS, low=NUMBERS, high=NUMBERS)
def test_a_clamp_is_a_least_and_a_greatest(number: Fraction, low: Fraction, high: Fraction) -> None:
    """Between its bounds; bounds the wrong way round have no value."""
    if low > high:
        assert isinstance(clamp(number, low, high), NoValue)
    else:
        assert clamp(number, low, high) == max_of(low, value(min_of(number, high)))


@given(number=ABOVE_ZERO)
def test_exp_and_ln_are_inverse(number: Fraction) -> None:
    """To within 10^-45 of the number, either way round."""
    assume(number < 60_000)

    assert abs(value(ln(value(exp(number)))) - number) <= SMALLEST_STEP * max(number, 1)
    assert abs(value(exp(value(ln(number)))) / number - 1) <= SMALLEST_STEP


@given(number=ABOVE_ZERO, base=ABOVE_ZERO)
@example(number=Fraction(2), base=1 + Fraction(1, 10**300))
@example(number=1 + Fraction(1, 10**300), base=Fraction(1, 7))
def test_log_and_pow_are_inverse(number: Fraction, base: Fraction) -> None:
    """The base to the logarithm is the number again; what an exponent of 50 digits can say of it."""
    assume(base != 1)
    exponent = value(log(number, base))
    again = power(base, exponent)

    assume(isinstance(again, Fraction))  # a base close to 1 takes powers past every limit
    allowed = SMALLEST_STEP * max(1, abs(exponent)) * max(1, abs(value(ln(base))))
    assert abs(value(again) / number - 1) <= allowed


@given(number=ABOVE_ZERO)
def test_a_root_squared_is_the_number(number: Fraction) -> None:
    """To within 10^-48, and exactly for a square."""
    assert abs(value(sqrt(number)) ** 2 / number - 1) <= Fraction(1, 10**48)
    assert number == sqrt(number * number)


@given(number=st.decimals(Decimal("0.0001"), 10**4, places=4))
def test_fifty_digits_are_right(number: Decimal) -> None:
    """They are the first of 200 digits that `decimal` gives, rounded."""
    many, fifty = Context(prec=200), Context(prec=50)
    assume(number != 1)
    fraction = Fraction(number)

    assert Fraction(fifty.plus(many.ln(number))) == ln(fraction)
    assert Fraction(fifty.plus(many.exp(number))) == exp(fraction)
    assert Fraction(fifty.plus(many.log10(number))) == log10(fraction)
    assert Fraction(fifty.plus(many.sqrt(number))) == sqrt(fraction)


@given(
    base=st.fractions(Fraction(1, 9), 9, max_denominator=9).filter(lambda x: x != 1),
    top=st.integers(-30, 30),
    bottom=st.integers(1, 12),
)
def test_what_is_a_fraction_is_exact(base: Fraction, top: int, bottom: int) -> None:
    """Logarithms of powers, powers of roots, whole powers: the fraction itself."""
    exponent = Fraction(top, bottom)
    whole = base**top

    assert exponent == log(whole, base**bottom)
    assert base**top == power(base**bottom, exponent)
    assert whole == power(base, Fraction(top))


@pytest.mark.parametrize("exponent", [9**9, 10**40, Fraction(10**40, 3), -(10**40)])
@pytest.mark.parametrize("base", [9, Fraction(3, 2), -2, Fraction(1, 10**30)])
def test_powers_without_end_are_told_at_once(base: Fraction, exponent: Fraction) -> None:
    """A power too long to go on with is an error, worked out by nobody."""
    result = power(Fraction(base), Fraction(exponent))

    assert isinstance(result, NoValue)
    assert result.code in (codes.OVER_A_LIMIT, codes.NO_VALUE)


@pytest.mark.parametrize("exponent", [0, 1, 2, 10**40, 10**40 + 1])
def test_powers_of_little_numbers_have_no_limit(exponent: int) -> None:
    """0, 1 and -1 to any power are themselves or 1."""
    powers = [power(Fraction(base), Fraction(exponent)) for base in (0, 1, -1)]

    assert [0 if exponent else 1, 1, -1 if exponent % 2 else 1] == powers


@given(
    name=st.sampled_from(["sqrt", "exp", "ln", "log10", "pow", "log"]),
    one=st.fractions(-100, 100) | st.integers(-(10**40), 10**40).map(Fraction),
    other=st.fractions(-100, 100) | st.integers(-(10**40), 10**40).map(Fraction),
)
def test_a_function_gives_a_number_or_says_why_not(
    name: str, one: Fraction, other: Fraction
) -> None:
    """Never an exception, never a number past the limit."""
    primitive = BUILT_INS[name]

    result = primitive.function(*(one, other)[: len(primitive.parameters)])

    if isinstance(result, NoValue):
        assert result.why
    else:
        assert isinstance(result.value, Fraction)
        bits = max(result.value.numerator.bit_length(), result.value.denominator.bit_length())
        assert bits <= 2 * LARGEST_NUMBER  # the evaluator refuses what is above it


# ----------------------------------------------------------------------------------------- types of numbers


@pytest.mark.parametrize(
    ("expression", "exact", "integer"),
    [
        ("x + 2 * x", True, True),
        ("x / 2", True, False),
        ("pow(x, 3) + abs(x)", True, True),
        ("pow(2, 3)", True, True),
        ("round(x / 3, half_up, 1)", True, True),
        ("sqrt(4)", False, False),
        ("1 - log10(y)", False, False),
        ("floor(ln(y))", False, True),
        ("max_of([1, exp(x)])", False, False),
        ("clamp(double(log(y, 2)), 0, 1)", False, False),
        ("double(x)", True, True),
        ("z else pow(y, 0.5)", False, False),
    ],
)
def test_a_type_says_whether_its_numbers_are_exact(
    expression: str, exact: bool, integer: bool
) -> None:
    """What is worked out from the first digits of a number without end is marked, through names and functions."""
    rubric = sound(
        f"""rubric sample version "1" language 1
        evidence {{ key who : text  x : integer  y : number  z : number? }}
        let double(n) = n * 2
        let value = {expression}
        score each who out of 1 {{ criterion c worth 1 {{ when value > x + y -> 1  otherwise -> 0 }} }}
        """
    )
    definition = rubric.graph.nodes["let `value`"]

    assert isinstance(definition, Definition)
    assert NumberType(exact=exact, integer=integer) == definition.type


SOME = st.fractions(-8, 8, max_denominator=3)


@st.composite
def known(draw: st.DrawFn) -> tuple[Fraction, NumberType]:
    """A number and a type that it is of."""
    number = draw(SOME)
    low = draw(st.none() | SOME.map(lambda far: number - abs(far)))
    high = draw(st.none() | SOME.map(lambda far: number + abs(far)))
    integer = number.denominator == 1 and draw(st.booleans())
    return number, NumberType(integer=integer, low=low, high=high)


CALCULATIONS: dict[str, tuple[Callable[..., Fraction], Callable[..., NumberType]]] = {
    "+": (lambda a, b, _: a + b, lambda a, b, _: types.calculated("+", a, b)),
    "-": (lambda a, b, _: a - b, lambda a, b, _: types.calculated("-", a, b)),
    "*": (lambda a, b, _: a * b, lambda a, b, _: types.calculated("*", a, b)),
    "minus": (lambda a, _b, _c: -a, lambda a, _b, _c: types.negative(a)),
    "abs": (lambda a, _b, _c: abs(a), lambda a, _b, _c: types.magnitude(a)),
    "min_of": (lambda a, b, c: min(a, b, c), lambda a, b, c: types.least(a, b, c)),
    "max_of": (lambda a, b, c: max(a, b, c), lambda a, b, c: types.greatest(a, b, c)),
    "either": (lambda a, _b, _c: a, lambda a, b, c: types.either(b, a, c)),
    "floor": (lambda a, _b, _c: Fraction(floor(a)), lambda a, _b, _c: types.rounded_down(a)),
    "ceiling": (lambda a, _b, _c: Fraction(ceil(a)), lambda a, _b, _c: types.rounded_up(a)),
}


@pytest.mark.parametrize("name", CALCULATIONS)
@given(a=known(), b=known(), c=known())
def test_a_result_is_of_the_type_that_is_worked_out_for_it(name: str, a, b, c) -> None:  # type: ignore[no-untyped-def]
    """Whole where the type says so, and in its range."""
    calculate, type_of = CALCULATIONS[name]

    assert type_of(a[1], b[1], c[1]).holds(calculate(a[0], b[0], c[0]))


@given(a=known(), b=known(), c=known(), mode=st.sampled_from(MODES))
def test_partial_functions_keep_to_their_types(a, b, c, mode: Mode) -> None:  # type: ignore[no-untyped-def]
    """The same for division, powers, clamps and rounding, where they have a value."""
    if b[0] != 0:
        assert types.calculated("/", a[1], b[1]).holds(a[0] / b[0])
    if b[0] <= c[0]:
        assert types.clamped(a[1], b[1], c[1]).holds(value(clamp(a[0], b[0], c[0])))
    if b[0] > 0:
        assert types.rounded(a[1], b[1]).holds(value(round_to(a[0], mode, b[0])))
    if b[0].denominator == 1 and (a[0] != 0 or b[0] >= 0):
        assert types.whole_power(a[1], b[1]).holds(value(power(a[0], b[0])))
    if a[0] >= 0:
        assert types.not_below_zero(a[1]).holds(value(sqrt(a[0])))
