"""The command line: ``canter info``, ``check``, ``convert``, ``plot``, ``demo``.

Results go to stdout, everything else to stderr, an error in one line. Exit codes: 0 fine, 1 a file failed or ``check`` found something,
2 the command line makes no sense.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import canter as ct
from canter.check import Finding, Report, check
from canter.plot.figure import VIEWS
from canter.plot.movie import SUFFIXES as MOVIES

AXES = tuple(sign + letter for letter in "xyz" for sign in ("", "+", "-"))
PAGES = (".html", ".htm")
KNEES = ("LeftLeg", "RightLeg")  # of the example clips
FAILURES = (OSError, ValueError, IndexError, ImportError, MemoryError, zipfile.BadZipFile)


class UsageError(Exception):
    """The command line is well-formed but asks for something that makes no sense."""


# ------------------------------------------------------------------------------------------------------------------------------ inputs


class _Content(io.BytesIO):
    """Bytes with the name of their file, which messages begin with."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


@dataclass(frozen=True)
class Input:
    """A BVH file, or one inside a zip file."""

    path: Path
    member: str | None = None

    @property
    def label(self) -> str:
        return str(self.path) if self.member is None else f"{self.path}:{self.member}"

    @property
    def name(self) -> str:
        return self.path.name if self.member is None else Path(self.member).name

    def read(self) -> bytes:
        if self.member is None:
            return self.path.read_bytes()
        with zipfile.ZipFile(self.path) as archive:
            return archive.read(self.member)


def _inputs(arguments: Sequence[str]) -> list[Input]:
    """The files of the command line, in order; a zip file stands for all .bvh files in it."""
    found: list[Input] = []
    for argument in arguments:
        path = Path(argument)
        if path.suffix.lower() != ".zip":
            found.append(Input(path))
            continue
        with zipfile.ZipFile(path) as archive:
            members = [name for name in sorted(archive.namelist()) if name.lower().endswith(".bvh")]
        if not members:
            raise ValueError(f"{path}: no .bvh files in it")
        found += [Input(path, member) for member in members]
    return found


def _load(item: Input, **options: Any) -> tuple[ct.Clip, bytes, list[str]]:
    """A clip, the bytes that it was read from, and the warnings that came with it."""
    data = item.read()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ct.CanterWarning)
        clip = ct.load_bvh(_Content(data, item.label), **options)
    return clip, data, [str(warning.message) for warning in caught]


def _for_each(inputs: Sequence[Input], work: Callable[[Input], bool]) -> int:
    """Does the work for every file; the exit code. One that fails is told and the others go on."""
    code = 0
    counting = len(inputs) > 1 and sys.stderr.isatty()
    for i, item in enumerate(inputs):
        if counting:
            print(f"\r\x1b[K[{i + 1}/{len(inputs)}] {item.name}", end="", file=sys.stderr, flush=True)
        try:
            fine = work(item)
        except BrokenPipeError:
            raise
        except FAILURES as error:
            if counting:
                print("\r\x1b[K", end="", file=sys.stderr)
            _complain(item, error)
            fine = False
        code = code if fine else 1
    if counting:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return code


def _complain(item: Input, error: BaseException) -> None:
    """One line that begins with the file."""
    message = error.strerror if isinstance(error, OSError) and error.strerror else " ".join(str(error).split()) or type(error).__name__
    text = message if message.startswith(item.label) else f"{item.label}: {message}"
    print(f"canter: error: {text}", file=sys.stderr)


# -------------------------------------------------------------------------------------------------------------------------------- info


def _describe(clip: ct.Clip, report: Report, cautions: Sequence[str]) -> dict[str, Any]:
    facts, source = report.facts, _source(clip)
    channels = facts["channels"]
    orders = Counter("".join(c for c in text if c.isupper()) for text in channels)
    return {
        "joints": len(clip.skeleton.names),
        "tips": len(clip.skeleton.tips),
        "frames": len(clip),
        "fps": clip.fps,
        "frame_time": clip.frame_time,
        "duration": clip.duration,
        "channels": facts["channel_count"],
        "position_joints": sum(any(c.islower() for c in text) for text in channels),
        "rotation_orders": {order or "none": count for order, count in orders.most_common()},
        "height": source.height,
        "floor": source.floor,
        "up": source.up,
        "unit": source.unit,
        "speed": clip.speed,
        "warnings": list(cautions),
    }


def _source(clip: ct.Clip) -> ct.Source:
    """Where a loaded clip came from."""
    assert clip.source is not None
    return clip.source


def _info_block(label: str, info: dict[str, Any]) -> str:
    orders = " ".join(f"{order}:{count}" for order, count in info["rotation_orders"].items())
    unit = info["unit"] or "units"
    lines = [
        ("joints", f"{info['joints']}, and {info['tips']} tips"),
        ("frames", f"{info['frames']} at {info['fps']:.6g} fps: {info['duration']:.2f} s"),
        ("channels", f"{info['channels']}; rotations {orders}; positions on {info['position_joints']} of {info['joints']} joints"),
    ]
    if info["up"]:
        floor = info["floor"] if abs(info["floor"]) > 1e-4 * info["height"] else 0.0
        believed = " (believed)" if info["unit"] else ""
        lines += [("up", info["up"].upper()), ("height", f"{info['height']:.4g} {unit}{believed}"), ("floor", f"{floor:.3g} {unit}")]
    lines += [("speed", f"{info['speed']:.4g} {unit}/s"), *(("warning", warning) for warning in info["warnings"])]
    return "\n".join([label, *(f"  {key:<9} {value}" for key, value in lines)])


def _info(options: argparse.Namespace) -> int:
    blocks: list[dict[str, Any]] = []

    def work(item: Input) -> bool:
        clip, data, cautions = _load(item)
        info = _describe(clip, check(data), cautions)
        if options.json:
            blocks.append({"file": item.label, **info})
        else:
            print(_info_block(item.label, info), flush=True)
        return True

    code = _for_each(_inputs(options.files), work)
    if options.json:
        print(json.dumps(blocks, indent=2))
    return code


# ------------------------------------------------------------------------------------------------------------------------------- check


def _check(options: argparse.Namespace) -> int:
    blocks: list[dict[str, Any]] = []

    def work(item: Input) -> bool:
        findings = check(item.read()).findings
        if options.json:
            blocks.append({"file": item.label, "findings": [finding.as_dict() for finding in findings]})
        else:
            print(_findings_block(item.label, findings), flush=True)
        return not findings

    code = _for_each(_inputs(options.files), work)
    if options.json:
        print(json.dumps(blocks, indent=2))
    return code


def _findings_block(label: str, findings: Sequence[Finding]) -> str:
    if not findings:
        return f"{label}: nothing odd"
    order = ("motion", "rig", "text")
    lines = [f"  {f.kind:<6} {f.message}" for kind in order for f in findings if f.kind == kind]
    return "\n".join([label, *lines])


# ----------------------------------------------------------------------------------------------------------------------------- convert


@dataclass(frozen=True)
class Span:
    """start:stop:step, in frames, or start and stop in seconds."""

    start: float | None
    stop: float | None
    step: int | None
    seconds: bool

    @staticmethod
    def parse(text: str) -> Span:
        parts = text.split(":")
        if not 2 <= len(parts) <= 3:
            raise argparse.ArgumentTypeError(f"{text!r}, expected START:STOP or START:STOP:STEP, e.g. 10:200 (frames) or 0.5s:2s")
        seconds = any(part.endswith("s") for part in parts[:2])
        try:
            ends = [None if not part else float(part.removesuffix("s")) if seconds else int(part) for part in parts[:2]]
            step = int(parts[2]) if len(parts) == 3 and parts[2] else None
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r}: frames are whole numbers, seconds end in s, e.g. 10:200 or 0.5s:2s") from None
        if step == 0:
            raise argparse.ArgumentTypeError(f"{text!r}: the step is 0")
        return Span(ends[0], ends[1], step, seconds)

    def of(self, clip: ct.Clip) -> ct.Clip:
        start, stop = (
            None if end is None else round(end / clip.frame_time) if self.seconds else int(end) for end in (self.start, self.stop)
        )
        part = clip[start : stop : self.step]
        if not len(part):
            raise ValueError(f"the slice leaves none of the {len(clip)} frames")
        return part


def _caution(cautions: Sequence[str]) -> None:
    for caution in cautions:
        print(f"canter: warning: {caution}", file=sys.stderr)


def _turned(options: argparse.Namespace) -> dict[str, str]:
    return {name: axis for name, axis in (("up", options.up), ("forward", options.forward)) if axis}


def _converted(item: Input, options: argparse.Namespace) -> tuple[ct.Clip, list[str]]:
    reading = {"strict": options.strict, "scale": options.scale, "fps": options.assume_fps, "root_offset": options.root_offset}
    clip, _, cautions = _load(item, **reading, **_turned(options))
    if options.slice:
        clip = options.slice.of(clip)
    if options.fps:
        clip = clip.resample(options.fps)
    if options.mirror:
        clip = clip.mirror()
    if options.in_place:
        clip = clip.in_place()
    return clip, cautions


def _targets(inputs: Sequence[Input], out: Path, suffix: str, is_file: bool) -> dict[Input, Path]:
    """OUT itself, which may look like a file, or a file in it for each input."""
    if len(inputs) == 1 and not out.is_dir():
        return {inputs[0]: out}
    if is_file and not out.is_dir():
        raise UsageError(f"{len(inputs)} files don't fit in {out}; give a folder with -o")
    repeated = [name for name, count in Counter(item.name for item in inputs).items() if count > 1]
    if repeated:
        raise UsageError(f"several inputs are called {repeated[0]}; take them one by one")
    out.mkdir(parents=True, exist_ok=True)
    return {item: out / Path(item.name).with_suffix(suffix) for item in inputs}


def _convert(options: argparse.Namespace) -> int:
    inputs = _inputs(options.files)
    out = Path(options.output)
    targets = _targets(inputs, out, ".bvh", out.suffix.lower() == ".bvh")

    def work(item: Input) -> bool:
        clip, cautions = _converted(item, options)
        ct.save(clip, targets[item])
        _caution(cautions)
        print(f"{targets[item]}: {len(clip)} frames at {clip.fps:.6g} fps")
        return True

    return _for_each(inputs, work)


# -------------------------------------------------------------------------------------------------------------------------------- plot


def _view(text: str) -> str | tuple[float, float]:
    if text in VIEWS:
        return text
    try:
        elevation, azimuth = (float(part) for part in text.split(","))
    except ValueError:
        names = ", ".join(VIEWS)
        raise argparse.ArgumentTypeError(f"{text!r}, expected one of {names}, or ELEVATION,AZIMUTH in degrees") from None
    return elevation, azimuth


def _draw(
    clip: ct.Clip,
    target: Path,
    *,
    count: int,
    view: str | tuple[float, float] = "three-quarter",
    spacing: float = 0.0,
    up: str = "+y",
    unit: str = "m",
) -> None:
    """A strobe of `count` poses, evenly spread over the clip, as an image file, or the moving body as a GIF or MP4."""
    if target.suffix.lower() in MOVIES:
        ct.plot.animate(clip, target, view=view, up=up, unit=unit)
        return
    from canter.plot.figure import fill, new_axes, new_figure

    figure = new_figure()
    axes = new_axes(figure)
    ct.plot.skeleton(clip.skeleton, clip, ax=axes, view=view, strobe=count, spacing=spacing, up=up, unit=unit)
    fill(axes)
    figure.savefig(target, dpi=110)


def _drawable(item: Input, options: argparse.Namespace) -> tuple[ct.Clip, str]:
    """The frames to draw, and the axis that is up in them."""
    turned = _turned(options)
    clip, _, cautions = _load(item, root_offset=options.root_offset, **turned)
    _caution(cautions)
    up = _source(clip).up if not turned else ""
    if options.frames:
        clip = options.frames.of(clip)
    if not len(clip):
        raise ValueError("there are no frames to draw")
    return clip, up or "+y"


def _plot(options: argparse.Namespace) -> int:
    inputs = _inputs(options.files)
    out = Path(options.output)
    if out.suffix.lower() in PAGES and not out.is_dir():
        return _play(inputs, out, options)
    targets = _targets(inputs, out, ".png", bool(out.suffix))

    def work(item: Input) -> bool:
        clip, up = _drawable(item, options)
        up = up if up in ("+x", "+z") else "+y"
        _draw(clip, targets[item], count=options.strobe, view=options.view, up=up, unit=_source(clip).unit)
        print(targets[item])
        return True

    return _for_each(inputs, work)


def _play(inputs: Sequence[Input], target: Path, options: argparse.Namespace) -> int:
    """All files in one page, side by side. Those that fail are told and left out."""
    clips: list[ct.Clip] = []

    def work(item: Input) -> bool:
        clip, up = _drawable(item, options)
        # Each file may have an axis of its own.
        clips.append((clip if up == "+y" else clip.converted(up=up)).replace(name=clip.name or item.name))
        return True

    code = _for_each(inputs, work)
    if not clips:
        return code
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ct.CanterWarning)
        clips[0].view(*clips[1:], up="y", view=options.view).save(target)
    _caution([str(warning.message) for warning in caught])
    print(target)
    return code


# -------------------------------------------------------------------------------------------------------------------------------- demo


def _demo(options: argparse.Namespace) -> int:
    """The round that a file of one's own would go, on clips that the package makes."""
    from canter.plot.figure import new_figure

    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    examples = ct.examples.clips()
    walk, run, jump = examples["walk"], examples["run"], examples["jump"]
    source, smaller, player = folder / "walk.bvh", folder / "walk_30fps.bvh", folder / "player.html"

    ct.save(walk, source)
    clip, data, cautions = _load(Input(source))
    report = check(data)
    print(_info_block(str(source), _describe(clip, report, cautions)))
    print(_findings_block(str(source), report.findings))
    ct.save(clip.resample(30), smaller)
    print(f"{smaller}: the walk at 30 fps")

    for moving in (walk, run, jump):
        picture = folder / f"{moving.name}.png"
        still = moving.in_place() if moving is jump else moving
        _draw(still, picture, count=8, view="side", spacing=0.8 if moving is jump else 0.0)
        print(f"{picture}: the {moving.name} at eight moments")

    def draw(name: str, what: str, size: tuple[float, float], picture: Callable[[Any], Any]) -> None:
        figure = new_figure(size)
        picture(figure.add_subplot())
        figure.savefig(folder / name, dpi=110)
        print(f"{folder / name}: {what}")

    draw(
        "knees.png", "how far the knees of the walk bend, and when its feet are down", (8, 4), lambda ax: ct.plot.curves(walk, KNEES, ax=ax)
    )
    draw("footprints.png", "where it steps, from above", (8, 4), lambda ax: ct.plot.footprints(walk, ax=ax))

    walk.view(run, jump, curve=KNEES, quantity="angle").save(player)
    print(f"{player}: walk, run and jump side by side, to play in a browser")
    return 0


# -------------------------------------------------------------------------------------------------------------------------------- main


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number above 0")
    return value


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number above 0")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="canter", description="Look at, check, convert and draw motion-capture files (BVH).")
    parser.add_argument("--version", action="version", version=f"canter {ct.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], summary: str, *, files: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run=run)
        if files:
            sub.add_argument("files", nargs="+", metavar="FILE", help="a BVH file, or a zip file with BVH files in it")
        return sub

    info = command("info", _info, "What is in each file: joints, frames, rate, channels, height, speed.")
    found = command("check", _check, "What is odd in each file; exit code 1 when there is anything.")
    for sub in (info, found):
        sub.add_argument("--json", action="store_true", help="print a JSON array instead, one object a file")

    convert = command("convert", _convert, "Write each file again as BVH: resampled, scaled, turned, mirrored, cut.")
    convert.add_argument("-o", "--output", required=True, metavar="OUT", help="a file, or a folder for several")
    convert.add_argument("--slice", type=Span.parse, metavar="A:B[:STEP]", help="frames A to B (without B), or seconds: 0.5s:2s")
    convert.add_argument("--fps", type=_positive, help="resample to this rate")
    convert.add_argument("--assume-fps", type=_positive, metavar="FPS", help="the rate of the input, whatever its frame time says")
    convert.add_argument("--scale", type=_positive, default=1.0, help="multiply lengths, e.g. 0.01 for cm to m")
    convert.add_argument("--mirror", action="store_true", help="swap left and right")
    convert.add_argument("--in-place", action="store_true", help="take out the travel over the ground")
    convert.add_argument("--strict", action="store_true", help="refuse files that break the format")

    plot = command(
        "plot", _plot, "Draw each file: a few poses over time in one picture, or the moving body; or all of them in a page that plays."
    )
    plot.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="png, svg, pdf: poses; gif, mp4: the motion; html: to play, with all files side by side; or a folder",
    )
    plot.add_argument("--frames", type=Span.parse, metavar="A:B[:STEP]", help="as --slice of convert")
    plot.add_argument("--strobe", type=_count, default=8, metavar="N", help="how many poses (8)")
    plot.add_argument("--view", type=_view, default="three-quarter", help=f"{', '.join(VIEWS)}, or ELEVATION,AZIMUTH")

    for sub in (convert, plot):
        words = "the axis that is up in the input, x to -z; it becomes +Y"
        sub.add_argument("--up", type=str.lower, choices=AXES, metavar="AXIS", help=words)
        words = "the axis that the character faces in the input; it becomes +Z"
        sub.add_argument("--forward", type=str.lower, choices=AXES, metavar="AXIS", help=words)
        words = "what positions of the root do with its OFFSET"
        sub.add_argument("--root-offset", choices=("replace", "add"), default="replace", help=words)

    demo = command("demo", _demo, "Write an example clip as BVH; load, check, convert, draw and play it.", files=False)
    demo.add_argument("-o", "--output", default=".", metavar="FOLDER", help="where walk.bvh and the others go (here)")
    return parser


def _survive_any_name() -> None:
    """File and joint names may hold letters that the terminal's encoding lacks: show them escaped."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code. `arguments` defaults to those of the process."""
    _survive_any_name()
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has had enough (`| head`). Python flushes once more on its way out, which must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except UsageError as error:
        print(f"canter: error: {error}", file=sys.stderr)
        return 2
    except FAILURES as error:
        print(f"canter: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
