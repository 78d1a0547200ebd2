"""Options of what is written in Python, checked as those of the core are: before any work, told by name."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from canter._core import Clip, Skeleton

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHOWN = 60  # letters of what was given
P = ParamSpec("P")
R = TypeVar("R")


def checked(where: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Of a function whose annotations are text: arguments of float become finite ones, of int whole ones; str must be text."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kinds = {name: kind for name, kind in function.__annotations__.items() if kind.removesuffix(" | None") in _KINDS}

        @wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> R:
            for name, kind in kinds.items():
                value = options.get(name)
                if name in options and not (value is None and kind.endswith(" | None")):
                    options[name] = _KINDS[kind.removesuffix(" | None")](where, name, value)
            return function(*arguments, **options)

        function.__qualname__ = where  # what Python calls it when there is no such option
        return call

    return decorate


def number(where: str, name: str, value: Any) -> float:
    """A finite number, of Python or NumPy."""
    try:
        array = np.asarray(value)
        real = float(array[()]) if array.ndim == 0 and array.dtype.kind in "biufO" else None
    except OverflowError:
        real = float("inf")
    except (TypeError, ValueError):
        real = None
    if real is None:
        raise TypeError(f"{where}: {name} is {short(value)}, expected a number")
    if not np.isfinite(real):
        raise ValueError(f"{where}: {name} is {short(value)}, expected a finite number")
    return real


def whole(where: str, name: str, value: Any) -> int:
    """An integer, of Python or NumPy."""
    try:
        if not isinstance(value, (bool, np.bool_)):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{where}: {name} is {short(value)}, expected an integer")


def text(where: str, name: str, value: Any) -> str:
    """A str that can be drawn and written."""
    if not isinstance(value, str):
        raise TypeError(f"{where}: {name} is {short(value)}, expected a str")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{where}: {name} is {short(value)}, which has a lone surrogate")
    return value


def pair(where: str, name: str, value: Any) -> tuple[float, float]:
    """Two finite numbers."""
    try:
        first, second = listed(where, name, value)
    except (TypeError, ValueError):
        raise ValueError(f"{where}: {name} is {short(value)}, expected 2 numbers") from None
    return number(where, name, first), number(where, name, second)


# Which of our axes go along the ground, the first ahead and the second to the left, and which goes up: rotations, so left stays left.
AXES = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}


def up_axis(up: str, where: str) -> tuple[int, int, int]:
    """The two axes along the ground, then the one that goes up: matplotlib's x, y and z."""
    among(where, "up", up.removeprefix("+"), AXES)
    return AXES[up.removeprefix("+")]


_KINDS: dict[str, Callable[[str, str, Any], Any]] = {"float": number, "int": whole, "str": text, "tuple[float, float]": pair}


def among(where: str, name: str, value: object, words: Iterable[str]) -> None:
    if not (isinstance(value, str) and value in words):
        raise ValueError(f"{where}: {name} is {short(value)}, expected one of {', '.join(map(repr, words))}")


def numbers(where: str, name: str, value: Any) -> NDArray[np.float64]:
    """An array of numbers in double precision; what they should be is the caller's to check."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biufO":
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError(f"{where}: {name} is {short(value)}, expected an array of numbers")


def listed(where: str, name: str, values: Any, kind: Callable[[str, str, Any], Any] | None = None) -> list[Any]:
    """Of a sequence, each of its values of a kind."""
    try:
        found = list(values) if not isinstance(values, (str, bytes, Mapping)) else None
    except TypeError:
        found = None
    if found is None:
        raise TypeError(f"{where}: {name} is {short(values)}, expected a sequence")
    return found if kind is None else [kind(where, f"{name}[{i}]", value) for i, value in enumerate(found)]


def joints(where: str, name: str, skeleton: Skeleton, value: Any) -> list[int]:
    """The indices of a joint or several, by names or indices."""
    chosen = [value] if isinstance(value, (str, int, np.integer)) else listed(where, name, value)
    try:
        return [skeleton.index(joint) for joint in chosen]
    except (TypeError, IndexError) as error:
        raise type(error)(f"{where}: {name}: {error}") from None


def expect_skeleton(where: str, skeleton: object) -> None:
    """A clip is taken for its skeleton easily, and would fail far inside."""
    if not isinstance(skeleton, Skeleton):
        advice = "; a clip has one: clip.skeleton" if isinstance(skeleton, Clip) else ""
        raise TypeError(f"{where}: skeleton is {type(skeleton).__name__}, expected a Skeleton{advice}")


def expect_clip(where: str, clip: object) -> None:
    if not isinstance(clip, Clip):
        raise TypeError(f"{where}: clip is {type(clip).__name__}, expected a Clip")


def short(value: object) -> str:
    """What was given, in a line."""
    words = " ".join(repr(value).split())
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."
