"""Text of others on a page: never longer than there is room for, never more than text."""

from __future__ import annotations

from html import escape

_JOINERS = "\u200c\u200d"  # of letters, in some scripts, and of emoji


def short(text: str, count: int) -> str:
    return text if len(text) <= count else text[: count - 3] + "..."


def said(text: str, count: int) -> str:
    """At most so many characters, as HTML. What can't be printed is a question mark in a diamond."""
    return escape("".join(c if c.isprintable() or c in _JOINERS else "\N{REPLACEMENT CHARACTER}" for c in short(text, count)))
