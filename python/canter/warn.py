"""Warnings that point at the line of the user's own code."""

from __future__ import annotations

import os
import sys
import warnings

from canter._core import CanterWarning

_PACKAGE = os.path.dirname(__file__) + os.sep


def warn(message: str) -> None:
    """A CanterWarning at the line that called into the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, CanterWarning, stacklevel=level + 1)
