"""Reading and writing motion files. The format goes by the suffix of the name."""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Literal, TypeAlias

from canter import _core
from canter._core import Clip, Skeleton
from canter.source import Source
from canter.warn import warn

_Path: TypeAlias = str | os.PathLike[str] | BinaryIO

# Kinds of oddities that one warning spells out; Source.warnings has all.
_SHOWN = 4


def load(path: str | os.PathLike[str], **options: Any) -> Clip:
    """Read a clip from a file, by its suffix.

    Parameters
    ----------
    path : path_like
        A name that ends in .bvh, in any case.
    **options
        Those of the format's own function, `load_bvh`.

    Returns
    -------
    Clip

    Raises
    ------
    ValueError
        The suffix is unknown, or the file can't be read as what it claims to be.
    OSError
        There is no such file, or it can't be opened.
    """
    _check_suffix(path, "load")
    return load_bvh(path, **options)


def save(clip: Clip, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a clip to a file, by its suffix.

    Parameters
    ----------
    clip : Clip
    path : path_like
        A name that ends in .bvh, in any case.
    **options
        Those of the format's own function, `save_bvh`.

    Raises
    ------
    ValueError
        The suffix is unknown, or the clip does not fit the format.
    OSError
        The file can't be written. What was there before is still there.
    """
    _check_clip(clip, "save")
    _check_suffix(path, "save")
    save_bvh(clip, path, **options)


def load_bvh(
    path: _Path,
    *,
    strict: bool = False,
    scale: float = 1.0,
    fps: float | None = None,
    up: str | None = None,
    forward: str | None = None,
    root_offset: Literal["replace", "add"] = "replace",
    rest_from: Literal["first", "mean"] | None = None,
    tips_as_joints: bool = False,
    rename: Mapping[str, str] | Callable[[str], str] | None = None,
) -> Clip:
    """Read a clip from a BVH file.

    Parameters
    ----------
    path : path_like or binary file object
    strict : bool
        Refuse what the format forbids. By default a file is read as far as that needs no guessing, and one warning lists what was odd.
    scale : float
        Multiplies all lengths: 0.01 makes metres of centimetres. The default keeps the unit of the file, whatever it is.
    fps : float, optional
        Frames a second in place of the file's frame time, for files that are known to lie.
    up, forward : {'x', '+x', '-x', 'y', ..., '-z'}, optional
        The axes of the file: the clip is turned so that up is +Y and forward +Z. The default turns nothing; with up
        alone, forward is -Y where Z is up, else +Z. What the file looks like is in `Clip.source`.
    root_offset : {'replace', 'add'}
        Position channels of a root replace its OFFSET, or are added to it, as some Blender exports need. Other joints' always replace.
    rest_from : {'first', 'mean'}, optional
        Take the offsets of the skeleton from the first frame's translations or from their mean, for files whose OFFSETs are empty. Roots
        keep theirs.
    tips_as_joints : bool
        Make joints of the end sites, each named after its joint with "_end" behind it.
    rename : mapping or callable, optional
        New names by old ones; names that a mapping does not have stay.

    Returns
    -------
    Clip
        Its `source` says what was read.

    Raises
    ------
    ValueError
        The file is not BVH, or strict is set and it is not as it should be; the message begins with file:line:column.
    OSError
        There is no such file, or it can't be opened.

    Warns
    -----
    CanterWarning
        Once, when anything was odd.
    """
    name = _name_of(path)
    if not isinstance(tips_as_joints, bool):
        raise TypeError(f"load_bvh: tips_as_joints is {tips_as_joints!r}, expected True or False")
    if not (rename is None or callable(rename) or isinstance(rename, Mapping)):
        raise TypeError(f"load_bvh: rename is {rename!r}, expected a mapping of names or a callable")
    with _content_of(path) as content:
        clip, facts = _core.read_bvh(content, name, strict=strict, scale=scale, fps=fps, root_offset=root_offset)

    notes = [f"{line}:{column}: {text}" + (f" ({count} times)" if count > 1 else "") for line, column, count, text in facts.pop("notes")]
    clip = clip.replace(source=Source(path=name, format="BVH", warnings=tuple(notes), root_offset=root_offset, **facts))
    if rest_from is not None:
        clip = clip.with_rest_from(rest_from)
    if tips_as_joints:
        clip = clip.with_tips_as_joints()
    if up is not None or forward is not None:
        clip = clip.converted(up="y" if up is None else up, forward=forward)
    if rename is not None:
        clip = clip.replace(skeleton=_renamed(clip.skeleton, rename))

    if notes:
        shown = "; ".join(notes[:_SHOWN]) + (f"; and {len(notes) - _SHOWN} more, see Clip.source" if len(notes) > _SHOWN else "")
        kinds = "1 oddity" if len(notes) == 1 else f"{len(notes)} oddities"
        warn(f"{name} was read with {kinds}: {shown}")
    return clip


def save_bvh(
    clip: Clip,
    path: _Path,
    *,
    layout: Literal["source", "default"] | Sequence[Sequence[str]] = "source",
) -> None:
    """Write a clip to a BVH file.

    Parameters
    ----------
    clip : Clip
    path : path_like or binary file object
        A file that exists is replaced once the new one is complete; an error leaves it as it was.
    layout : {'source', 'default'} or sequence of sequence of str
        The channels. 'source': those of `Clip.source`, if there is one and it still fits the clip, else the default. 'default': positions
        and ZXY rotations for roots, rotations for other joints, with positions where they leave their offsets and scales where the clip
        has them. Or the names of the channels of every joint, in any order: "Xposition", "Zrotation", "Yscale", ...; unknown names take
        the clip's scalar curves called "joint.channel", as they are read, or else all of them in their order when there are as many.

    Raises
    ------
    ValueError
        The layout can't hold the motion, or a name can't be written; the message names joint and frame.
    OSError
        The file can't be written.

    Warns
    -----
    CanterWarning
        Curves of the clip have no channel in the layout and were left out.

    Notes
    -----
    Numbers are plain decimals, whatever the locale. Reading back gives the same motion to 1e-4 degrees and max(1e-5, 1e-7 |x|) units.
    Angles are continuous from frame to frame. Rest rotations, markers, tags, and curves of vectors and rotations have no place in the
    format; scalar curves have none in the default layout.
    """
    _check_clip(clip, "save_bvh")
    _name_of(path)  # refuses what is neither a path nor a file object
    source = clip.source
    if isinstance(layout, str) and layout not in ("source", "default"):
        raise ValueError(f"save_bvh: layout is {layout!r}, expected 'source', 'default' or the channels of every joint")
    tip_names = (
        source.tip_names if source is not None and len(source.tip_names) == len(clip.skeleton.tips) else ("Site",) * len(clip.skeleton.tips)
    )
    channels: tuple[tuple[str, ...], ...] | None = None
    if not isinstance(layout, str):
        channels = _channels(layout)
    elif layout == "source" and source is not None and len(source.channels) == len(clip.skeleton):
        channels = source.channels

    with _replacing(path) as write:
        begun = False

        def take(piece: bytes) -> object:
            nonlocal begun
            begun = True
            return write(piece)

        try:
            left_out = _core.write_bvh(clip, take, channels, tip_names)
        except ValueError:
            if begun or layout != "source" or channels is None:
                raise
            left_out = _core.write_bvh(clip, take, None, ())
    if left_out:
        curves = "1 curve of the clip has" if left_out == 1 else f"{left_out} curves of the clip have"
        warn(f"save_bvh: {curves} no channel in the layout and stayed out of the file")


def _channels(layout: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    try:
        joints = [(names, tuple(names)) for names in layout]
    except TypeError:
        joints = [("", ())]
    if all(not isinstance(names, str) and all(isinstance(name, str) for name in kept) for names, kept in joints):
        return tuple(kept for _, kept in joints)
    raise TypeError(f"save_bvh: layout is {layout!r}, expected 'source', 'default' or the names of the channels of every joint")


def _renamed(skeleton: Skeleton, rename: Mapping[str, str] | Callable[[str], str]) -> Skeleton:
    names = [rename(name) if callable(rename) else rename.get(name, name) for name in skeleton.names]
    return Skeleton(names, skeleton.parents, skeleton.offsets, rotations=skeleton.rotations, tips=skeleton.tips)


def _check_clip(clip: object, where: str) -> None:
    if not isinstance(clip, Clip):
        raise TypeError(f"{where}: clip is {type(clip).__name__}, expected a canter.Clip")


def _check_suffix(path: str | os.PathLike[str], function: str) -> None:
    suffix = os.path.splitext(os.fsdecode(path))[1].lower()
    if suffix == ".bvh":
        return
    name = repr(os.fsdecode(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"{function}: {name} is a folder, expected a .bvh file")
    hint = "; open a file in it with zipfile and give that to load_bvh" if (function, suffix) == ("load", ".zip") else ""
    raise ValueError(f"{function}: {name} ends in {suffix!r}, expected .bvh{hint}")


def _name_of(path: _Path) -> str:
    if isinstance(path, bytes | bytearray | memoryview):
        raise TypeError("expected a path or a binary file object, not bytes; io.BytesIO makes a file object of bytes")
    if hasattr(path, "read") or hasattr(path, "write"):
        name = getattr(path, "name", None)
        return name if isinstance(name, str) else "<file>"
    return os.fsdecode(path)


@contextlib.contextmanager
def _content_of(path: _Path) -> Iterator[bytes | mmap.mmap]:
    """The bytes of a file, mapped where that can be done."""
    if not isinstance(path, str | os.PathLike):
        content = path.read()
        if isinstance(content, str):
            raise TypeError(f"{_name_of(path)} is open as text; open it in binary mode ('rb')")
        yield content
        return
    with open(path, "rb") as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (ValueError, OSError):  # an empty file, a pipe
            mapped = None
        if mapped is None:
            yield file.read()
            return
        with mapped:
            yield mapped


@contextlib.contextmanager
def _replacing(path: _Path) -> Iterator[Callable[[bytes], object]]:
    """What takes the bytes of a file that appears under its name only when it is complete."""
    if not isinstance(path, str | os.PathLike):
        yield path.write
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe can't be replaced; a folder fails here
        with open(target, "wb") as file:
            yield file.write
        return
    if os.path.exists(target) and not os.access(target, os.W_OK):  # a new file could take its name all the same
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    part = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    try:
        with open(part, "xb") as file:
            yield file.write
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename == part:  # nobody knows that name
            error.filename = os.fsdecode(path)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(part)
        raise
