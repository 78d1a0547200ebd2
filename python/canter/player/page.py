"""One HTML page that holds all it needs: the script, the style, the data."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from canter.html.words import said

_TITLE = 200  # letters
# In the order in which they build on each other.
_SCRIPTS = ("motion", "clock", "camera", "canvas", "ground", "body", "curves", "stage", "theme", "controls", "player")


def page(title: str, data: dict[str, Any]) -> str:
    # In a script element only "<" can end the element, and JSON may write it as an escape.
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    head, rest = _template().split("{{title}}")
    middle, tail = rest.split("{{data}}")
    return "".join([head, said(title, _TITLE), middle, text, tail])


def frame(html: str, height: int) -> str:
    """The page in a frame of its own, so that several in one notebook don't meet."""
    style = f"width:100%;height:{height}px;border:0;display:block"
    return f'<iframe srcdoc="{escape(html)}" style="{style}" title="canter player" allowfullscreen></iframe>'


@cache
def _template() -> str:
    folder = files("canter.player")
    script = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    html = (folder / "player.html").read_text(encoding="utf-8")
    return html.replace("{{style}}", (folder / "player.css").read_text(encoding="utf-8")).replace("{{script}}", script)
