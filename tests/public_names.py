"""What canter offers to its users: every public name with its object."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType

import canter as ct

# Modules that are part of the public interface, besides canter itself.
MODULES = tuple(name for name in ("quat", "plot", "examples", "metrics") if hasattr(ct, name))


def _members(owner: object, prefix: str) -> Iterator[tuple[str, object]]:
    for name in dir(owner):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(owner, name)
        if isinstance(value, ModuleType):
            continue
        yield f"{prefix}{name}", value
        if inspect.isclass(value):
            yield from _members_of_class(value, f"{prefix}{name}.")


def _members_of_class(cls: type, prefix: str) -> Iterator[tuple[str, object]]:
    bases = (Exception, Warning, tuple)
    inherited = {name for base in bases if issubclass(cls, base) for name in dir(base)}
    for name in dir(cls):
        if not name.startswith("_") and name not in inherited:
            yield f"{prefix}{name}", inspect.getattr_static(cls, name)


def public_objects() -> dict[str, object]:
    found = dict(_members(ct, "canter."))
    for name in MODULES:
        found |= dict(_members(getattr(ct, name), f"canter.{name}."))
    return dict(sorted(found.items()))
