"""Blend spaces: where each sample has how much weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors
from canter._core import BlendSpace1D, BlendSpace2D
from canter.options import checked, listed, numbers, short, text
from canter.plot.figure import as_written, axes_2d, legend_above, shown_figure, shown_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]

_WHERE = "plot.blend_weights"
_PIXELS = 240  # along the longer side of a map
_MAPS = 40  # at most
_ROOM = 0.25  # around the samples, a part of their extent
_CELL = 1.9  # inches of a map


@checked("plot.blend_weights")
def blend_weights(
    space: BlendSpace1D | BlendSpace2D,
    query: ArrayLike | None = None,
    *,
    ax: Any = None,
    combined: bool = False,
    samples: Sequence[str] = (),
    extent: Sequence[float] | None = None,
    xlabel: str = "x",
    ylabel: str = "y",
) -> list[Artist]:
    """Draw the weight of every sample of a blend space at every place.

    A space on a line is one curve a sample. One on a plane is a map a sample, darker where the sample has more weight, with the place of
    the sample as a large dot and those of the others as small ones; or, combined, one map in which every sample has a colour and every
    place a mixture of them. The triangles of a Delaunay space are drawn too.

    Parameters
    ----------
    space : BlendSpace1D or BlendSpace2D
    query : float or array_like of shape (2,), optional
        A place to mark, with the weights there.
    ax : Axes or sequence of Axes, optional
        One, or for maps that are not combined one a sample, such as ``figure.subplots(2, 3).flat``. A new figure by default.
    combined : bool, default False
        Draw one map of the plane for all samples. Colours come round again after the seventh.
    samples : sequence of str, optional
        Their names. The default tells where they are.
    extent : (low, high) or (left, right, bottom, top), optional
        What is shown. The default holds all samples and the query, with room around.
    xlabel, ylabel : str
        What the axes of the space are called, best with a unit: "speed [m/s]".

    Returns
    -------
    list of Artist
        A `Line2D` for each sample of a line, an `AxesImage` for each map; then a `PathCollection` for the dots of each axes; then what
        marks the query in each.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        `space` is no blend space.
    ValueError
        Names, axes or numbers do not fit the space; or there are more than 40 samples on a plane and they are not combined.

    Examples
    --------
    >>> import canter as ct
    >>> space = ct.BlendSpace2D([(0, 0), (0, 1.4), (0, -1.4), (1.4, 0), (-1.4, 0)])
    >>> *maps, dots = ct.plot.blend_weights(space, samples=["idle", "ahead", "back", "left", "right"])[:6]
    >>> [image.axes.get_title() for image in maps]
    ['idle', 'ahead', 'back', 'left', 'right']
    """
    if not isinstance(space, BlendSpace1D | BlendSpace2D):
        raise TypeError(f"{_WHERE}: space is {type(space).__name__}, expected a BlendSpace1D or BlendSpace2D")
    places = _places(space)
    names = [shown_name(name) for name in listed(_WHERE, "samples", samples, text)] or [_place_name(place) for place in places]
    if len(names) != len(space):
        raise ValueError(f"{_WHERE}: {len(names)} names of samples, expected {len(space)}")
    here = None if query is None else _finite("query", query, places.shape[1] - 1).reshape(places.shape[1])
    box = _box(extent, places, here)
    if isinstance(space, BlendSpace1D):
        return _curves(space, names, here, box, axes_2d(ax, _WHERE, size=(7.0, 3.6)), xlabel)
    if combined:
        all_axes = [axes_2d(ax, _WHERE, size=(6.0, 5.0))]
        artists = _mixture(space, names, here, box, all_axes[0])
    else:
        all_axes = _axes_of_maps(ax, len(space), box)
        artists = _maps(space, names, here, box, all_axes)
    if ax is None and not combined:
        figure = all_axes[0].get_figure()
        figure.supxlabel(xlabel, fontsize="medium")
        figure.supylabel(ylabel, fontsize="medium")
        figure.colorbar(artists[0], ax=all_axes, label="weight", aspect=30, shrink=0.8)
        return artists
    for axes in all_axes:
        axes.set(xlabel=xlabel, ylabel=ylabel)
    return artists


def _places(space: BlendSpace1D | BlendSpace2D) -> Doubles:
    """Of all samples, (S, 1) or (S, 2)."""
    return space.positions[:, None] if isinstance(space, BlendSpace1D) else space.points


def _place_name(place: Doubles) -> str:
    numbers_ = ", ".join(f"{number:.3g}" for number in place + 0.0)
    return numbers_ if len(place) == 1 else f"({numbers_})"


def _finite(name: str, value: Any, rank: int) -> Doubles:
    found = numbers(_WHERE, name, value)
    if found.shape != (2,) * rank:
        raise ValueError(f"{_WHERE}: {name} has shape {found.shape}, expected {'(2,)' if rank else 'a number'}")
    if not np.isfinite(found).all():
        raise ValueError(f"{_WHERE}: {name} is {short(value)}, expected finite numbers")
    return found


def _box(extent: Any, places: Doubles, query: Doubles | None) -> Doubles:
    """What is shown, from and to along each axis."""
    dimensions = places.shape[1]
    if extent is not None:
        ends = numbers(_WHERE, "extent", extent)
        if ends.shape != (2 * dimensions,) or not np.isfinite(ends).all() or not (ends[::2] < ends[1::2]).all():
            expected = "(low, high)" if dimensions == 1 else "(left, right, bottom, top)"
            raise ValueError(f"{_WHERE}: extent is {short(extent)}, expected finite {expected}, each pair ascending")
        return ends.reshape(dimensions, 2)
    held = places if query is None else np.vstack([places, query])
    low, high = held.min(axis=0), held.max(axis=0)
    room = _ROOM * ((high - low).max() or 2.0)
    return np.stack([low - room, high + room], axis=-1)


def _curves(space: BlendSpace1D, names: list[str], here: Doubles | None, box: Doubles, axes: Any, xlabel: str) -> list[Artist]:
    """A weight has its corners at samples."""
    low, high = box[0]
    x = np.unique(np.concatenate([[low, high], space.positions[(low < space.positions) & (space.positions < high)]]))
    lines: list[Any] = []
    for k, (name, weights) in enumerate(zip(names, space.weights(x).T, strict=True)):
        lines += axes.plot(x, weights, color=colors.body(k), label=name, linewidth=1.6)
    ink = [line.get_color() for line in lines]
    marks = [axes.scatter(space.positions, np.ones(len(space)), c=ink, s=36, clip_on=False, zorder=4)]
    if here is not None:
        weights = space.weights(here[0])
        marks.append(axes.axvline(here[0], color="black", linewidth=1, label="_query"))
        marks.append(axes.scatter(np.full(len(space), here[0]), weights, c=ink, s=36, edgecolors="black", clip_on=False, zorder=5))
        for line, name, weight in zip(lines, names, weights, strict=True):
            line.set_label(f"{name}: {weight:.2f}")
    axes.set(xlim=(low, high), ylim=(0, 1.0), xlabel=xlabel, ylabel="weight")
    legend_above(axes, lines)
    return [*lines, *marks]


def _grid(box: Doubles) -> Doubles:
    """The middles of the pixels of a map, (rows, columns, 2)."""
    size = box[:, 1] - box[:, 0]
    counts = np.maximum(np.ceil(_PIXELS * size / size.max()), 1).astype(int)
    x, y = (low + (np.arange(count) + 0.5) / count * (high - low) for (low, high), count in zip(box, counts, strict=True))
    return np.stack(np.meshgrid(x, y), axis=-1)


def _maps(space: BlendSpace2D, names: list[str], here: Doubles | None, box: Doubles, all_axes: list[Any]) -> list[Artist]:
    from matplotlib.colors import LinearSegmentedColormap

    palette = LinearSegmentedColormap.from_list("canter influence", ("#ffffff", *colors.WEIGHTS[1:]))
    weights = space.weights(_grid(box))
    images, dots = [], []
    for k, axes in enumerate(all_axes):
        images.append(_image(axes, weights[..., k], box, cmap=palette, vmin=0, vmax=1))
        _draw_triangles(axes, space, colors.MIDDLE)
        sizes = np.where(np.arange(len(space)) == k, 60, 12)
        dots.append(axes.scatter(*space.points.T, s=sizes, color=colors.AXES[0], edgecolors="white", linewidths=0.8, zorder=4))
        axes.set_title(names[k] if here is None else f"{names[k]}: {space.weights(here)[k]:.2f}", fontsize="medium")
        as_written([axes.title])
    return [*images, *dots, *_marks(all_axes, here)]


def _mixture(space: BlendSpace2D, names: list[str], here: Doubles | None, box: Doubles, axes: Any) -> list[Artist]:
    from matplotlib.colors import to_rgb

    ink = np.array([to_rgb(colors.body(k)) for k in range(len(space))])
    image = _image(axes, np.clip(space.weights(_grid(box)) @ ink, 0, 1), box)
    _draw_triangles(axes, space, "white")
    dots = axes.scatter(*space.points.T, s=60, c=ink, edgecolors="white", linewidths=1.2, zorder=4)
    weights = None if here is None else space.weights(here)
    for k, (name, place) in enumerate(zip(names, space.points, strict=True)):
        words = name if weights is None else f"{name}: {weights[k]:.2f}"
        label = axes.annotate(words, place, (0, 7), textcoords="offset points", ha="center", fontsize="small", annotation_clip=True)
        label.set_bbox({"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75})
        as_written([label])
    return [image, dots, *_marks([axes], here)]


def _image(axes: Any, values: Doubles, box: Doubles, **look: Any) -> Any:
    return axes.imshow(values, extent=box.ravel().tolist(), origin="lower", interpolation="bilinear", aspect="equal", **look)


def _draw_triangles(axes: Any, space: BlendSpace2D, color: str) -> None:
    if space.triangles is not None and len(space.triangles):
        limits = axes.axis()
        axes.triplot(*space.points.T, space.triangles, color=color, linewidth=0.5, alpha=0.7)
        axes.axis(limits)


def _marks(all_axes: list[Any], here: Doubles | None) -> list[Artist]:
    if here is None:
        return []
    return [axes.plot(*here, marker="+", color="black", markersize=11, markeredgewidth=1.8, zorder=6)[0] for axes in all_axes]


def _axes_of_maps(ax: Any, count: int, box: Doubles) -> list[Any]:
    """One a map: those given, or of a new figure."""
    if ax is not None:
        given = [ax] if hasattr(ax, "plot") else listed(_WHERE, "ax", ax)
        if len(given) != count:
            raise ValueError(f"{_WHERE}: {len(given)} axes, expected {count}, one a sample, or one and combined=True")
        return [axes_2d(each, _WHERE) for each in given]
    if count > _MAPS:
        raise ValueError(f"{_WHERE}: {count} samples, expected at most {_MAPS} for a map each; draw them into one with combined=True")
    width, height = box[:, 1] - box[:, 0]
    shape = float(np.clip(height / width, 0.3, 3))
    wanted = max(1, round((count * 1.6 * shape) ** 0.5))
    columns = min((wanted, wanted - 1 or 1, wanted + 1), key=lambda columns: -count % columns)  # few cells stay empty
    columns = min(columns, count)
    rows = -(-count // columns)
    figure = shown_figure((_CELL * columns + 1.2, (_CELL * shape + 0.35) * rows + 0.5), layout="constrained")
    cells = list(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)
    for cell in cells[count:]:
        cell.remove()
    for cell in cells[count - columns : count]:
        cell.tick_params(labelbottom=True)
    return cells[:count]
