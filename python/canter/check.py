"""What is odd in a BVH file, in words: the findings of ``canter check``.

The facts come from the core; here they are only judged and worded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from canter._core import check_bvh


@dataclass(frozen=True)
class Finding:
    """One odd thing.

    Attributes
    ----------
    code : str
        What kind, for scripts; stable.
    kind : str
        ``"text"``: how the file is written, which some programs trip over. ``"rig"``: the skeleton and its channels. ``"motion"``: the
        frames.
    message : str
        For people.
    values : dict
        The numbers in the message.
    """

    code: str
    kind: str
    message: str
    values: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Report:
    """The facts about a file and the findings drawn from them."""

    facts: dict[str, Any]
    findings: tuple[Finding, ...]


def check(data: bytes) -> Report:
    """Look at the bytes of a BVH file.

    Raises
    ------
    ValueError
        The file can't be read at all.
    """
    facts = check_bvh(data)
    findings = (*_of_reading(facts), *_of_text(facts), *_of_names(facts["names"]), *_of_rig(facts), *_of_motion(facts))
    return Report(facts, findings)


def _number(value: float) -> str:
    return f"{value:.4g}"


def _length(value: float, facts: dict[str, Any]) -> str:
    """A height as a number; what rounding left of 0 is 0."""
    return _number(value if abs(value) > 1e-4 * facts["height"] else 0.0)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _of_reading(facts: dict[str, Any]) -> Iterator[Finding]:
    for line, column, count, message in facts["notes"]:
        times = f" ({count} times)" if count > 1 else ""
        where = f"line {line}, column {column}: " if line else ""
        yield Finding("reading", "text", f"{where}{message}{times}", {"line": line, "column": column, "count": count})


def _of_text(facts: dict[str, Any]) -> Iterator[Finding]:
    ends = {end: facts[end.lower()] for end in ("CRLF", "LF", "CR")}
    if sum(count > 0 for count in ends.values()) > 1:
        counts = ", ".join(f"{count} {end}" for end, count in ends.items())
        yield Finding("mixed_line_ends", "text", f"mixed line ends: {counts}", {k.lower(): v for k, v in ends.items()})
    elif ends["CR"]:
        yield Finding("cr_line_ends", "text", "lines end in CR alone", {"cr": ends["CR"]})
    if facts["byte_order_mark"]:
        yield Finding("byte_order_mark", "text", "begins with a byte order mark")
    if not facts["newline_at_end"]:
        yield Finding("no_newline_at_end", "text", "no newline at the end of the file")
    if facts["hierarchy_tabs"]:
        count = facts["hierarchy_tabs"]
        yield Finding("hierarchy_tabs", "text", f"tabs between words in {_counted(count, 'line')} of the hierarchy", {"count": count})
    for where, words in (("hierarchy", "in the hierarchy"), ("header", "between MOTION and the first row"), ("motion", "between rows")):
        if count := facts[f"{where}_blank_lines"]:
            yield Finding(f"{where}_blank_lines", "text", f"{_counted(count, 'blank line')} {words}", {"count": count})
    if count := facts["hierarchy_trailing_blanks"]:
        yield Finding(
            "hierarchy_trailing_blanks", "text", f"blanks at the end of {_counted(count, 'line')} of the hierarchy", {"count": count}
        )
    if re.fullmatch(r"Frames: \d+", facts["frames_line"]) is None and facts["frames_line"]:
        yield Finding("frames_spacing", "text", f"unusual line {facts['frames_line']!r}", {"line": facts["frames_line"]})
    if re.fullmatch(r"Frame Time: \S+", facts["frame_time_line"]) is None and facts["frame_time_line"]:
        yield Finding("frame_time_spacing", "text", f"unusual line {facts['frame_time_line']!r}", {"line": facts["frame_time_line"]})
    rows = facts["rows"]
    for code, words in (
        ("exponent_rows", "numbers with exponents"),
        ("trailing_blank_rows", "blanks at the end"),
        ("tab_rows", "tabs between numbers"),
    ):
        if count := facts[code]:
            yield Finding(code, "text", f"{words} in {count} of {rows} rows", {"count": count, "rows": rows})


def _of_names(names: Sequence[str]) -> Iterator[Finding]:
    for code, pattern, words in (
        ("namespaces", r":", "a colon (namespace)"),
        ("other_characters", r"[^\w:\-]|[^\x00-\x7f]", "other characters"),
    ):
        odd = [name for name in names if re.search(pattern, name)]
        if odd:
            yield Finding(code, "rig", f"names with {words}, e.g. {odd[0]!r}", {"count": len(odd), "example": odd[0]})
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        yield Finding("repeated_names", "rig", f"names that several joints have, e.g. {repeated[0]!r}", {"count": len(repeated)})


def _rotations(channels: str) -> str:
    return "".join(c for c in channels if c.isupper())


def _of_rig(facts: dict[str, Any]) -> Iterator[Finding]:
    channels: list[str] = facts["channels"]
    joints = len(channels)
    orders = Counter(_rotations(c) for c in channels if _rotations(c))
    if facts["roots"] > 1:
        yield Finding("several_roots", "rig", f"{facts['roots']} roots", {"count": facts["roots"]})
    if len(orders) > 1:
        counts = " ".join(f"{order}:{count}" for order, count in orders.most_common())
        yield Finding("rotation_orders", "rig", f"rotation order differs by joint ({counts})", {"orders": dict(orders)})
    for count, code, words in (
        (sum(not _rotations(c) for c in channels), "without_rotations", "without rotation channels"),
        (sum(0 < len(_rotations(c)) < 3 for c in channels), "hinges", "with fewer than three rotation channels"),
    ):
        if count:
            yield Finding(code, "rig", f"{count} of {joints} joints {words}", {"count": count})
    placed = [c for c in channels if c != _rotations(c)]
    if len(placed) > facts["roots"]:
        yield Finding("position_channels", "rig", f"position channels on {len(placed)} of {joints} joints", {"count": len(placed)})
    if turned := sum(c[0].isupper() for c in placed):
        words = f"rotation channels come before position channels on {_counted(turned, 'joint')}"
        yield Finding("rotation_first", "rig", words, {"count": turned})
    if any(facts["root_offset"]) and channels[0] in placed:
        yield _of_root_offset(facts)
    for code, words in (
        ("zero_joints", "OFFSETs of joints have length 0"),
        ("zero_tips", "OFFSETs of end sites have length 0"),
        ("bare_leaves", "joints end a limb without an End Site"),
    ):
        if count := facts[code]:
            yield Finding(code, "rig", f"{count} {words}", {"count": count})
    if facts["frames"] and (facts["positions_equal"] or facts["positions_zero"] or facts["positions_other"]):
        kinds = {kind: facts[f"positions_{kind}"] for kind in ("equal", "zero", "other")}
        words = f"{kinds['equal']} equal OFFSET, {kinds['zero']} all zero, {kinds['other']} other"
        yield Finding("joint_positions", "rig", f"position channels below the root, mid-clip: {words}", kinds)


def _near_floor(facts: dict[str, Any]) -> float:
    return 0.05 * float(facts["height"])


def _stands_when_added(facts: dict[str, Any]) -> bool:
    """Only with positions added to the root's OFFSET does frame 0 stand on the floor."""
    return bool(abs(facts["lowest_adding"]) < _near_floor(facts) < abs(facts["lowest_replacing"]))


def _of_root_offset(facts: dict[str, Any]) -> Finding:
    offset = facts["root_offset"]
    adding, replacing = facts["lowest_adding"], facts["lowest_replacing"]
    near = _near_floor(facts)
    advice = ""
    if _stands_when_added(facts):
        advice = "; only the first stands on the floor: load with root_offset='add'"
    elif abs(replacing) < near < abs(adding):
        advice = "; the second stands on the floor, as it is read by default"
    place = ", ".join(_number(v + 0.0) for v in offset)
    message = (
        f"root OFFSET is not zero ({place}): the lowest point of frame 0 is {_length(adding, facts)} if positions are added to it, "
        f"{_length(replacing, facts)} if they replace it{advice}"
    )
    return Finding("root_offset", "rig", message, {"offset": offset, "lowest_adding": adding, "lowest_replacing": replacing})


def _of_motion(facts: dict[str, Any]) -> Iterator[Finding]:
    if facts["frames"] == 0:
        yield Finding("no_frames", "motion", "no frames")
        return
    yield from _of_frame_time(facts["frame_time"], facts["usual_rate"])
    yield from _of_posture(facts)
    yield from _of_start(facts)
    if count := facts["jump_frames"]:
        message = (
            f"rotation channels step by more than 180 degrees after {_counted(count, 'frame')}, first after frame {facts['first_jump']}"
        )
        yield Finding("jumps", "motion", message, {"count": count, "first": facts["first_jump"]})
    if count := facts["beyond_frames"]:
        message = f"rotation values beyond 180 degrees in {_counted(count, 'frame')}, first in frame {facts['first_beyond']}"
        yield Finding("beyond_180", "motion", message, {"count": count, "first": facts["first_beyond"]})
    if count := facts["teleports"]:
        step, usual = facts["teleport_step"], facts["usual_travel"]
        message = (
            f"the root teleports: a step of {_number(step)} units (usual: {_number(usual)}), first after frame {facts['first_teleport']}"
        )
        yield Finding("teleports", "motion", message, {"count": count, "step": step, "first": facts["first_teleport"]})


def _of_frame_time(frame_time: float, usual_rate: float) -> Iterator[Finding]:
    # Six digits of 1/120 are as exact as such a number gets in practice; fewer are worth a word.
    if abs(frame_time * usual_rate - 1) > 5e-7 and frame_time > 0:
        message = f"frame time {frame_time:.7g} is that of {usual_rate:g} fps, rounded"
        yield Finding("frame_time_rounded", "motion", message, {"fps": usual_rate})


def _of_posture(facts: dict[str, Any]) -> Iterator[Finding]:
    up, height, floor = facts["up"], facts["height"], facts["floor"]
    if not up:
        return
    if up != "+y":
        yield Finding("up_axis", "motion", f"{up.upper()} is up; load with up={up!r} to turn it to +Y", {"up": up})
    if facts["zero_height"] < 0.85 * height:
        message = f"the pose without rotations is not upright: {_number(facts['zero_height'])} tall, posed {_number(height)}"
        yield Finding("zero_pose_not_upright", "motion", message, {"zero_height": facts["zero_height"], "height": height})
    if abs(floor) > 0.02 * height and not _stands_when_added(facts):
        message = f"stands at {_length(floor, facts)}, not at 0 (median lowest point; {_number(height)} tall)"
        yield Finding("floor", "motion", message, {"floor": floor, "height": height})


def _of_start(facts: dict[str, Any]) -> Iterator[Finding]:
    first, usual, lead_in = facts["first_step"], facts["usual_step"], facts["lead_in"]
    if facts["starts_at_zero"]:
        yield Finding("starts_at_zero", "motion", "frame 0 is the pose without rotations")
    if lead_in == 1:
        message = f"frame 0 is a separate pose: {first:.0f} degrees, summed, to frame 1 (usual step: {usual:.0f}); drop it"
        yield Finding("separate_first_frame", "motion", message, {"degrees": first, "usual": usual})
    elif lead_in > 1:
        ramp = f"frames 0 to {lead_in} ramp out of a pose almost without rotations"
        message = f"{ramp} (steps of {first:.0f} degrees, usual {usual:.0f}); drop the first {max(10, 2 * lead_in)}"
        yield Finding("ramp", "motion", message, {"frames": lead_in, "degrees": first, "usual": usual})
    elif facts["starts_near_zero"] and not facts["starts_at_zero"]:
        yield Finding("starts_near_zero", "motion", "frame 0 is almost the pose without rotations; the frames after it leave it")
