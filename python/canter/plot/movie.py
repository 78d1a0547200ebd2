"""Moving bodies, for the screen or as a GIF or an MP4 file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from canter import colors
from canter._core import Clip
from canter.loops import carried_on, own_times
from canter.options import among, checked, listed, text, up_axis
from canter.plot.bones import add_lines, check_size, segments
from canter.plot.figure import as_written, fill_cell, new_axes, new_figure, set_view, shown_figure, shown_name
from canter.plot.ground import round_step

if TYPE_CHECKING:
    import os

    from matplotlib.animation import AbstractMovieWriter, FuncAnimation
    from numpy.typing import NDArray

    from canter.plot.figure import Axes3D

SUFFIXES = (".gif", ".mp4")
_WHERE = "plot.animate"
_MOST = 100_000  # pictures
_NO_FFMPEG = (
    "writing .mp4 needs the program ffmpeg, which is not on the PATH; install it (apt, brew or conda install ffmpeg), or write a .gif"
)
_PRINT = 0.3  # inches, of a line of words above or below


@dataclass(frozen=True)
class _Body:
    """A clip on the frames of the movie, in matplotlib's axes."""

    bones: NDArray[np.float32]  # (N, bones, 2, 3)
    root: NDArray[np.float64]  # (N, 3), on the ground
    ink: Any  # a colour, or one a bone
    label: str


@checked("plot.animate")
def animate(
    clips: Clip | Sequence[Clip],
    path: str | os.PathLike[str] | None = None,
    *,
    labels: Sequence[str] = (),
    layout: Literal["over", "beside"] = "over",
    follow: bool = True,
    view: str | tuple[float, float] = "three-quarter",
    fps: float = 25.0,
    rate: float = 1.0,
    size: tuple[float, float] = (6.0, 4.5),
    dpi: float = 100.0,
    up: str = "y",
    unit: str = "m",
    linewidth: float = 2.5,
) -> FuncAnimation:
    """Show clips as moving bodies in 3D, in real time, and write them as a GIF or an MP4 file.

    A body in a picture of its own has the colours of its sides, several in one have one each. The time and the width of the grid on the
    ground are written below. Clips that loop go on, and travel on, for as long as the longest clip lasts; others wait at their end.

    Parameters
    ----------
    clips : Clip or sequence of Clip
        The skeletons may differ.
    path : path, optional
        A file to write, .gif or .mp4. An MP4 needs the program ffmpeg.
    labels : sequence of str, optional
        What the clips are called; by default their names, where there are several.
    layout : {"over", "beside"}, default "over"
        Several clips in one picture, on the same ground; or each in one of its own, in a row.
    follow : bool, default True
        The camera goes with the root: over each other with that of the first clip. Else it stands still and sees the whole way.
    view : {"three-quarter", "side", "front", "back", "top"} or (elevation, azimuth) in degrees, default "three-quarter"
        From where; all but the first without perspective.
    fps : float, default 25
        Pictures a second. In a GIF each lasts a whole number of hundredths of a second, two at least; the nearest is taken, and the clip is
        sampled at those times, so it plays at the right speed whatever it is.
    rate : float, default 1
        Seconds of the clip in a second; 0.25 is slow motion.
    size : (float, float), default (6, 4.5)
        Of the picture in inches.
    dpi : float, default 100
        Pixels an inch, of the file.
    up : {"y", "x", "z"}
        The axis that is drawn upward.
    unit : str, default "m"
        What the lengths are in; "" for none.
    linewidth : float, default 2.5
        Of the bones, in points.

    Returns
    -------
    matplotlib.animation.FuncAnimation
        Keep it for as long as it plays. In a notebook ``IPython.display.HTML(animation.to_jshtml())`` shows it.

    Raises
    ------
    ImportError
        matplotlib is not there.
    OSError
        The file can't be written, or is an MP4 and ffmpeg is not there.
    ValueError
        There are no clips or a clip has no frames, the suffix is unknown, or an option is out of range.

    Examples
    --------
    >>> import canter as ct
    >>> animation = ct.plot.animate(ct.examples.walk(), "walk.gif", fps=10, view="side")
    """
    given = list(clips) if isinstance(clips, Iterable) and not isinstance(clips, Clip) else [clips]
    labels = listed(_WHERE, "labels", labels, text)
    _check(given, labels, layout, fps, rate)
    target = None if path is None else Path(path)
    writer, fps = (None, float(fps)) if target is None else _writer(target, float(fps))
    order = up_axis(up, _WHERE)
    times = _times(given, fps, rate)
    names = list(labels) or ([clip.name or f"clip {i}" for i, clip in enumerate(given)] if len(given) > 1 else [""])
    alone = len(given) == 1 or layout == "beside"
    bodies = [_body(clip, times, order, up, names[i], None if alone else colors.body(i)) for i, clip in enumerate(given)]

    # A file needs no window.
    figure = shown_figure(size) if writer is None else new_figure(size)
    groups = [[body] for body in bodies] if layout == "beside" else [bodies]
    boxes = [_box(group, follow) for group in groups]
    # One scale for all, so that sizes can be compared.
    largest = np.max([high - low for low, high in boxes], axis=0)
    step = round_step(float(largest.max()), 6)
    footer = _PRINT / figure.get_figheight()
    header = footer if any(names) else 0.0
    stages = []
    for i, (group, (low, high)) in enumerate(zip(groups, boxes, strict=True)):
        middle = (low + high) / 2
        low, high = middle - largest / 2, middle + largest / 2
        axes = new_axes(figure)
        set_view(axes, view, _WHERE)
        cell = (i / len(groups), footer, 1 / len(groups), 1 - footer - header)
        stages.append(_Stage(axes, group, low, high, step, follow, linewidth, cell))
    clock = figure.text(0.02, footer / 2, "", va="center", fontsize=9, family="monospace", color=colors.MIDDLE)
    figure.text(0.98, footer / 2, f"grid {step:g} {unit}".rstrip(), va="center", ha="right", fontsize=9, color=colors.MIDDLE)

    def update(frame: int) -> list[Any]:
        clock.set_text(f"{times[frame]:6.2f} s")
        return [clock, *(artist for stage in stages for artist in stage.show(frame))]

    from matplotlib.animation import FuncAnimation

    animation = FuncAnimation(figure, update, frames=len(times), interval=1000 / fps, blit=False, cache_frame_data=False)
    if target is not None and writer is not None:
        animation.save(target, writer=writer, dpi=dpi)
    return animation


def _check(clips: list[Clip], labels: Sequence[str], layout: str, fps: float, rate: float) -> None:
    if not clips:
        raise ValueError(f"{_WHERE}: there are no clips")
    for i, clip in enumerate(clips):
        if not isinstance(clip, Clip):
            raise ValueError(f"{_WHERE}: clip {i} is {type(clip).__name__}, expected a Clip")
        if not len(clip):
            raise ValueError(f"{_WHERE}: clip {i} ({clip.name!r}) has no frames")
    if labels and len(labels) != len(clips):
        raise ValueError(f"{_WHERE}: {len(labels)} labels for {len(clips)} clips")
    among(_WHERE, "layout", layout, ("over", "beside"))
    for name, value in (("fps", fps), ("rate", rate)):
        if not 0 < value < np.inf:
            raise ValueError(f"{_WHERE}: {name} is {value:g}, expected a number above 0")


def _writer(path: Path, fps: float) -> tuple[AbstractMovieWriter, float]:
    """What writes a file, and how many pictures a second it shows in truth."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{_WHERE}: {path.name} ends in {suffix!r}, expected one of {', '.join(SUFFIXES)}")
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if suffix == ".mp4":
        if not FFMpegWriter.isAvailable():
            raise OSError(f"{_WHERE}: {_NO_FFMPEG}")
        return FFMpegWriter(fps=fps), fps  # type: ignore[arg-type]
    # Viewers show a picture of less than two hundredths for ten.
    hundredths = max(2, round(100 / fps))
    # The writer cuts milliseconds to whole ones; a hair more keeps them.
    return PillowWriter(fps=100 / hundredths * (1 - 1e-9)), 100 / hundredths  # type: ignore[arg-type]


def _times(clips: list[Clip], fps: float, rate: float) -> NDArray[np.float64]:
    """Of the clips, at each picture. A loop's last picture is not its first again."""
    ends = [clip.period if clip.looping else clip.duration for clip in clips]
    pictures = max(ends) / rate * fps
    if pictures > _MOST:
        raise ValueError(f"{_WHERE}: fps {fps:g} and rate {rate:g} make {pictures:.3g} pictures, expected at most {_MOST:,}")
    count = round(pictures) if all(clip.looping for clip in clips) else int(pictures + 1e-6) + 1
    return np.arange(max(count, 1), dtype=np.float64) * (rate / fps)


def _body(clip: Clip, times: NDArray[np.float64], order: tuple[int, ...], up: str, label: str, color: str | None) -> _Body:
    own = own_times(clip, times)
    poses = clip.sample(own, wrap="loop" if clip.looping else "clamp")
    bones, joints = segments(clip.skeleton, poses)
    check_size(bones, _WHERE)
    motion = clip.root_motion(up=up, smoothing=0.1)
    shown = times if clip.looping else own
    bones, root = carried_on(bones[..., order], motion, own, shown, order).astype(np.float32), motion.at(shown)[0][:, order]
    sides = clip.skeleton.sides
    ink = [colors.SIDES[sides[joint]] for joint in joints] if color is None else color
    return _Body(bones, root, ink, shown_name(label))


def _box(bodies: list[_Body], follow: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The corners of all that is ever seen, the ground included."""
    origin = bodies[0].root[:, None, None] if follow else 0.0
    points = np.concatenate([(body.bones - origin).reshape(-1, 3) for body in bodies])
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
    low[2] = min(low[2], 0.0)
    return low, np.maximum(high, low + 1e-3)


class _Stage:
    """Axes with bodies that move on their ground."""

    def __init__(
        self,
        axes: Axes3D,
        bodies: list[_Body],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        step: float,
        follow: bool,
        linewidth: float,
        cell: tuple[float, float, float, float],
    ) -> None:
        from matplotlib.lines import Line2D

        self.bodies, self.step, self.follow = bodies, step, follow
        self.low, self.high = low - (step / 2, step / 2, 0), high + (step / 2, step / 2, 0)
        self.ground = add_lines(axes, [], colors.GROUND, 0.6)
        self.ground.set_zorder(1)
        self.bones = [add_lines(axes, body.bones[0], body.ink, linewidth) for body in bodies]
        axes.set_axis_off()
        axes.patch.set_visible(False)
        axes.computed_zorder = False
        axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]), zlim=(self.low[2], self.high[2]))
        fill_cell(axes, cell)
        if len(bodies) > 1:
            handles = [Line2D([], [], color=body.ink, linewidth=linewidth, label=body.label) for body in bodies]
            legend = axes.get_figure().legend(handles=handles, loc="upper center", ncols=min(len(handles), 3), frameon=False)
            as_written(legend.get_texts())
        elif bodies[0].label:
            x, y, width, height = cell
            axes.get_figure().text(x + width / 2, y + height, bodies[0].label, ha="center", va="bottom", parse_math=False)

    def show(self, frame: int) -> list[Any]:
        origin = self.bodies[0].root[frame] if self.follow else np.zeros(3)
        for drawn, body in zip(self.bones, self.bodies, strict=True):
            drawn.set_segments(body.bones[frame] - origin)
        self.ground.set_segments(self._grid(origin))
        return [self.ground, *self.bones]

    def _grid(self, origin: NDArray[np.float64]) -> NDArray[np.float64]:
        """Lines at round numbers of the world, as far as is seen."""
        lines = []
        for k in range(2):
            low, high = self.low[k] + origin[k], self.high[k] + origin[k]
            places = np.arange(np.ceil(low / self.step), np.floor(high / self.step) + 1) * self.step - origin[k]
            ends = np.zeros((len(places), 2, 3))
            ends[..., k] = places[:, None]
            ends[:, :, 1 - k] = self.low[1 - k], self.high[1 - k]
            lines.append(ends)
        return np.concatenate(lines)
