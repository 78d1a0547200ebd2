"""What drawings are given, checked."""

from __future__ import annotations

from canter._core import Clip, Skeleton


def expect_skeleton(skeleton: object, where: str) -> None:
    """A clip is taken for its skeleton easily, and would fail far inside."""
    if not isinstance(skeleton, Skeleton):
        advice = "; a clip has one: clip.skeleton" if isinstance(skeleton, Clip) else ""
        raise TypeError(f"{where}: skeleton is {type(skeleton).__name__}, expected a Skeleton{advice}")


def expect_clip(clip: object, where: str) -> None:
    if not isinstance(clip, Clip):
        raise TypeError(f"{where}: clip is {type(clip).__name__}, expected a Clip")
