"""Each oddity of a BVH file is found, counted and put into words; a plain file has none."""

import re

import numpy as np
import pytest

import canter as ct
from canter.check import check

# A figure of nine joints in a T pose that stands on the floor: hips, chest, head, two legs, two arms.
HIERARCHY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 0.4 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 0.2 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 0.2 0
      }
    }
    JOINT LeftArm
    {
      OFFSET 0.2 0.1 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0.5 0 0
      }
    }
    JOINT RightArm
    {
      OFFSET -0.2 0.1 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET -0.5 0 0
      }
    }
  }
  JOINT LeftLeg
  {
    OFFSET 0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
  JOINT RightLeg
  {
    OFFSET -0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
}
"""
JOINTS = 7
FRAMES = 40


def wave(frames=FRAMES):
    """Rows of a figure that stands and swings its limbs a little, walking towards +Z."""
    rows = np.zeros((frames, 6 + 3 * (JOINTS - 1)))
    rows[:, 1] = 0.9
    rows[:, 2] = 0.02 * np.arange(frames)
    rows[:, 7] = 5 + 3 * np.sin(0.3 * np.arange(frames))
    rows[:, 12:18:3] = [[20.0, -20.0]] + 4 * np.sin(0.3 * np.arange(frames))[:, None]
    return rows


def text_of(rows, *, hierarchy=HIERARCHY, frame_time="0.025", frames=None):
    lines = "".join(" ".join(f"{v:.6f}" for v in row) + "\n" for row in rows)
    return f"{hierarchy}MOTION\nFrames: {len(rows) if frames is None else frames}\nFrame Time: {frame_time}\n{lines}"


def report_of(text):
    return check(text if isinstance(text, bytes) else text.encode())


def found(text):
    return {finding.code: finding for finding in report_of(text).findings}


def test_plain_file_has_nothing_odd():
    assert found(text_of(wave())) == {}


def test_facts_of_a_plain_file():
    facts = report_of(text_of(wave())).facts
    assert facts["up"] == "+y"
    assert facts["height"] == pytest.approx(1.7, abs=0.02)
    assert facts["floor"] == pytest.approx(0.0, abs=0.02)
    assert facts["channels"] == ["xyzZXY"] + ["ZXY"] * (JOINTS - 1)
    assert facts["channel_count"] == 6 + 3 * (JOINTS - 1)
    assert (facts["lf"], facts["crlf"], facts["cr"]) == (text_of(wave()).count("\n"), 0, 0)
    assert facts["indent"] == "space"
    assert facts["usual_travel"] == pytest.approx(0.02)


TEXT = {
    "mixed_line_ends": (lambda t: t.replace("\n", "\r\n", 5), {"crlf": 5, "cr": 0}),
    "cr_line_ends": (lambda t: t.replace("\n", "\r"), {"cr": text_of(wave()).count("\n")}),
    "byte_order_mark": (lambda t: "\ufeff" + t, {}),
    "no_newline_at_end": (lambda t: t.rstrip("\n"), {}),
    "hierarchy_tabs": (lambda t: t.replace("OFFSET 0.1 0 0", "OFFSET\t0.1 0\t0"), {"count": 1}),
    "hierarchy_blank_lines": (lambda t: t.replace("ROOT", "\n  \nROOT"), {"count": 2}),
    "header_blank_lines": (lambda t: t.replace("Frames", "\nFrames"), {"count": 1}),
    "motion_blank_lines": (lambda t: t.replace("\n0.000000 0.900000 0.020000", "\n\n0.000000 0.900000 0.020000") + "\n\n", {"count": 1}),
    "hierarchy_trailing_blanks": (lambda t: t.replace("JOINT Chest", "JOINT Chest \t").replace("MOTION", "MOTION "), {"count": 2}),
    "frames_spacing": (lambda t: t.replace("Frames: ", "Frames:\t"), {"line": f"Frames:\t{FRAMES}"}),
    "frame_time_spacing": (lambda t: t.replace("Frame Time: ", "Frame Time:  "), {"line": "Frame Time:  0.025"}),
    "exponent_rows": (lambda t: t.replace(" 0.020000 ", " 2.0e-2 ", 1), {"count": 1, "rows": FRAMES}),
    "trailing_blank_rows": (lambda t: t.replace("\n0.0", " \n0.0"), {"count": FRAMES - 1}),
    "tab_rows": (lambda t: t.replace(" 0.900000 ", "\t0.900000 "), {"count": FRAMES}),
    "namespaces": (lambda t: t.replace("JOINT Chest", "JOINT rig:Chest"), {"count": 1, "example": "rig:Chest"}),
    "other_characters": (lambda t: t.replace("JOINT Chest", "JOINT Brust.001"), {"example": "Brust.001"}),
    "repeated_names": (lambda t: t.replace("RightArm", "LeftArm"), {"count": 1}),
    "rotation_orders": (
        lambda t: t.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Xrotation Yrotation Zrotation", 1),
        {"orders": {"ZXY": JOINTS - 1, "XYZ": 1}},
    ),
    "rotation_first": (
        lambda t: t.replace(
            "Xposition Yposition Zposition Zrotation Xrotation Yrotation", "Zrotation Xrotation Yrotation Xposition Yposition Zposition"
        ),
        {"count": 1},
    ),
    "zero_tips": (lambda t: t.replace("OFFSET 0 0.2 0\n      }", "OFFSET 0 0 0\n      }"), {"count": 1}),
    "zero_joints": (lambda t: t.replace("OFFSET 0 0.4 0", "OFFSET 0 0 0"), {"count": 1}),
    "bare_leaves": (lambda t: t.replace("End Site\n      {\n        OFFSET 0 0.2 0\n      }\n", ""), {"count": 1}),
}


@pytest.mark.parametrize("code", TEXT)
def test_oddity_of_the_text_is_found(code):
    change, values = TEXT[code]
    finding = found(change(text_of(wave())))[code]
    assert finding.values.items() >= values.items()
    assert finding.message


def test_every_line_end_is_counted_once():
    facts = report_of(text_of(wave()).replace("\n", "\r\n", 4).replace("JOINT Head\n", "JOINT Head\r")).facts
    assert (facts["crlf"], facts["cr"]) == (4, 1)
    assert facts["crlf"] + facts["cr"] + facts["lf"] == text_of(wave()).count("\n")


def test_hinges_and_still_joints_are_counted():
    rows = wave()
    text = text_of(np.delete(rows, [9, 10, 12, 13, 14], axis=1))
    text = text.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Zrotation Xrotation Zz", 0)
    head, arm = text.index("JOINT Head"), text.index("JOINT LeftArm")
    end = text.index("JOINT RightArm")
    odd = text[:head] + text[head:arm].replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Yrotation")
    odd += text[arm:end].replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 0") + text[end:]
    codes = found(odd)
    assert codes["hinges"].values == {"count": 1}
    assert codes["without_rotations"].values == {"count": 1}


def with_positions(rows, place):
    """The chest has position channels too; `place` fills them."""
    hierarchy = HIERARCHY.replace("OFFSET 0 0.4 0\n    CHANNELS 3", "OFFSET 0 0.4 0\n    CHANNELS 6 Xposition Yposition Zposition")
    return text_of(np.insert(rows, [6, 6, 6], place, axis=1), hierarchy=hierarchy)


@pytest.mark.parametrize(("place", "kind"), [((0, 0.4, 0), "equal"), ((0, 0, 0), "zero"), ((0, 0.5, 0), "other")])
def test_positions_below_the_root_are_compared_with_the_offset(place, kind):
    codes = found(with_positions(wave(), place))
    assert codes["position_channels"].values == {"count": 2}
    assert codes["joint_positions"].values == {"equal": 0, "zero": 0, "other": 0} | {kind: 1}


def test_root_offset_is_judged_by_the_floor():
    hierarchy = HIERARCHY.replace("OFFSET 0 0 0\n  CHANNELS 6", "OFFSET 0 0.9 0\n  CHANNELS 6")
    replaced = found(text_of(wave(), hierarchy=hierarchy))["root_offset"]
    assert replaced.values["lowest_replacing"] == pytest.approx(0, abs=0.02)
    assert replaced.values["lowest_adding"] == pytest.approx(0.9, abs=0.02)
    assert "as it is read by default" in replaced.message
    rows = wave()
    rows[:, 1] = 0
    added = found(text_of(rows, hierarchy=hierarchy))
    assert "root_offset='add'" in added["root_offset"].message
    assert "floor" not in added


def test_what_rounding_leaves_of_the_floor_is_zero(tmp_path):
    ct.save(ct.examples.walk(), tmp_path / "walk.bvh")
    message = found((tmp_path / "walk.bvh").read_text())["root_offset"].message
    assert "is 0.97 if positions are added to it, 0 if they replace it" in message


def test_rounded_frame_time_is_told_with_its_rate():
    assert found(text_of(wave(), frame_time="0.0333333"))["frame_time_rounded"].values == {"fps": 30}
    assert found(text_of(wave(), frame_time="0.008342"))["frame_time_rounded"].values == {"fps": 119.88}
    for exact in ("0.0333333333333", "0.0417083750417", "0.00833333", "0.02"):
        assert "frame_time_rounded" not in found(text_of(wave(), frame_time=exact))
    assert "frame_time_rounded" not in found(text_of(wave(), frame_time="0.0345"))


def test_turns_that_wrap_are_counted_by_frame():
    rows = wave()
    rows[10, 9:11] += 360  # there and back: two steps, two channels each
    codes = found(text_of(rows))
    assert codes["jumps"].values == {"count": 2, "first": 9}
    assert codes["beyond_180"].values == {"count": 1, "first": 10}


def test_wrapped_rows_are_frames_all_the_same():
    rows = wave()
    rows[10, 9] += 360
    text = text_of(rows)
    head, body = text.split("0.025\n")
    wrapped = head + "0.025\n" + "".join(line.replace(" ", "\n", 1) + "\n" for line in body.splitlines())
    assert found(wrapped)["jumps"].values == {"count": 2, "first": 9}


def test_first_frame_that_does_not_belong_is_told():
    rows = wave()
    rows[0, 3:] = 0
    rows[1:, 9:12] += 70
    separate = found(text_of(rows))["separate_first_frame"]
    assert separate.values["degrees"] == pytest.approx(3 * 70 + 40 + 5, abs=20)
    assert "starts_at_zero" in found(text_of(rows))


def test_turn_of_the_writing_alone_is_no_separate_frame():
    rows = wave()
    rows[1:, 9] += 360
    assert "separate_first_frame" not in found(text_of(rows))


def test_ramp_out_of_the_zero_pose_is_told():
    rows = wave(200)
    rows[:, 9:] += 40
    rows[:6, 3:] *= np.array([0, 0.2, 0.4, 0.6, 0.8, 1.0])[:, None]
    ramp = found(text_of(rows))["ramp"]
    assert ramp.values["frames"] == 5
    assert "drop the first" in ramp.message


def test_teleporting_root_is_told_with_its_step():
    rows = wave()
    rows[21:, 0] += 2.4
    teleport = found(text_of(rows))["teleports"]
    assert teleport.values["first"] == 20
    assert teleport.values["count"] == 1
    assert teleport.values["step"] == pytest.approx(2.4, abs=0.01)


def test_fast_run_at_a_low_rate_is_no_teleport():
    rows = wave(20)
    rows[:, 2] = 1.0 * np.arange(20)
    assert "teleports" not in found(text_of(rows))


def test_first_frame_without_rotations_is_told():
    rows = wave()
    rows[:, 3:] -= rows[0, 3:]
    assert "starts_at_zero" in found(text_of(rows))


def turned(text):
    """The same figure with +Z up: (x, y, z) becomes (x, -z, y)."""
    return re.sub(r"OFFSET (\S+) (\S+) (\S+)", lambda m: f"OFFSET {m[1]} {-float(m[3])} {m[2]}", text)


def test_axis_that_is_up_comes_from_the_figure():
    rows = np.zeros((FRAMES, 6 + 3 * (JOINTS - 1)))
    rows[:, 2] = 0.9
    codes = found(text_of(rows, hierarchy=turned(HIERARCHY)))
    assert codes["up_axis"].values == {"up": "+z"}
    assert "floor" not in codes


def test_figure_above_the_floor_is_told():
    rows = wave()
    rows[:, 1] += 0.1
    finding = found(text_of(rows))["floor"]
    assert finding.values["floor"] == pytest.approx(0.1, abs=0.02)


def test_zero_pose_that_lies_down_is_told():
    lying = re.sub(r"OFFSET (\S+) (\S+) (\S+)", r"OFFSET \2 \1 \3", HIERARCHY)  # bones along +X
    rows = np.zeros((FRAMES, 6 + 3 * (JOINTS - 1)))
    rows[:, 1] = 0.9
    rows[:, 3] = 90
    rows[:, 4:] = 0
    assert "zero_pose_not_upright" in found(text_of(rows, hierarchy=lying))


def test_what_the_reader_worked_around_is_told_with_its_line():
    finding = found(text_of(wave(), frames=FRAMES + 2))["reading"]
    assert finding.values["line"] == HIERARCHY.count("\n") + 2
    assert "line" in finding.message


def test_file_without_frames_has_that_one_oddity_of_motion():
    report = report_of(text_of(np.zeros((0, 24))))
    assert [f.code for f in report.findings if f.kind == "motion"] == ["no_frames"]


def test_file_that_cannot_be_read_is_an_error():
    with pytest.raises(ValueError, match="."):
        check(b"not a motion file")


# --------------------------------------------------------------------------------------------- real files, against their own description


def table_of(readme):
    """File name -> cells of the table of what the BVH files hold."""
    rows = {}
    for line in readme.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if len(cells) == 11 and cells[0].startswith("`") and cells[1].isdigit():
            rows[cells[0].strip("`")] = cells
    return rows


# (pattern of a clause, code, what its groups must be in the values)
CLAUSES = [
    (r"mixed line ends CRLF=(\d+) LF=(\d+) CR=(\d+)", "mixed_line_ends", ("crlf", "lf", "cr")),
    (r"rotation order differs by joint \((.*)\)", "rotation_orders", ()),
    (r"frames spacing '(.*)'", "frames_spacing", ("line",)),
    (r"frame time spacing '(.*)'", "frame_time_spacing", ("line",)),
    (r"exponent numbers in (\d+) rows", "exponent_rows", ("count",)),
    (r"trailing blanks in hierarchy", "hierarchy_trailing_blanks", ()),
    (r"trailing blanks in (\d+) of (\d+) rows", "trailing_blank_rows", ("count", "rows")),
    (r"names with other characters e\.g\. '(.*)'", "other_characters", ("example",)),
    (r"colon \(namespace\) in names", "namespaces", ()),
    (r"position channels on (\d+) of \d+ joints", "position_channels", ("count",)),
    (r"root OFFSET not zero .*", "root_offset", ()),
    (
        r"root OFFSET: lowest point on frame 0 is (\S+) if position is added to it, (\S+) if position replaces it",
        "root_offset",
        ("lowest_adding", "lowest_replacing"),
    ),
    (r"(\d+) zero-length joint offsets", "zero_joints", ("count",)),
    (r"(\d+) zero-length end sites", "zero_tips", ("count",)),
    (r"frame time rounded \(\S+ for (\S+) fps\)", "frame_time_rounded", ("fps",)),
    (r"rotation jumps over 180 deg between frames: (\d+)", "jumps", ("count",)),
    (r"rotation values beyond 180 in (\d+) frames", "beyond_180", ("count",)),
    (r"frame 0 is a separate pose \(pop of (\d+) deg summed\)", "separate_first_frame", ("degrees",)),
    (r"root teleports: step of (\d+) units after frame \[(\d+)\]", "teleports", ("step", "first")),
    (r"joint position channels mid-clip: (\d+) equal OFFSET, (\d+) all zero, (\d+) other", "joint_positions", ("equal", "zero", "other")),
    (r"first frame is the zero pose", "starts_at_zero", ()),
    (r"zero-rotation pose is not upright.*", "zero_pose_not_upright", ()),
    (r"no newline at end of file", "no_newline_at_end", ()),
    (r"(\d+) leaf joints without End Site", "bare_leaves", ("count",)),
    (r"root rotation channels before position", "rotation_first", ()),
    (r"tabs between tokens", "hierarchy_tabs", ()),
    (r"blank lines in hierarchy", "hierarchy_blank_lines", ()),
    (r"blank line in MOTION header", "header_blank_lines", ()),
    (r"tab-separated values", "tab_rows", ()),
]

# Codes that the table has no clause for; its other columns and the text below it tell of them.
BESIDE_THE_TABLE = {"floor", "up_axis", "ramp", "starts_near_zero"}

# Its 407 degrees are one angle that goes from -180 to 180: the pose stays.
WRAPS_ONLY = ("bandai2_walk_normal_020.bvh", "separate_first_frame")


def agrees(value, text):
    if isinstance(value, str):
        return value == text.encode().decode("unicode_escape")
    return float(text) == pytest.approx(value, rel=2e-3, abs=0.5 if "." not in text else 1e-9)


def test_findings_in_real_files_are_those_of_their_description(shared):
    data = shared / "data"
    table = table_of(data / "README.md")
    assert len(table) == 51
    for name, cells in table.items():
        path = next(data / folder / name for folder in ("bvh", "nc") if (data / folder / name).exists())
        codes = found(path.read_bytes())
        expected = set()
        for clause in cells[10].split("; ") if cells[10] != "none" else []:
            match, code, keys = next((m, code, keys) for pattern, code, keys in CLAUSES if (m := re.fullmatch(pattern, clause)))
            if (name, code) == WRAPS_ONLY:
                continue
            expected.add(code)
            assert code in codes, (name, clause)
            for key, text in zip(keys, match.groups(), strict=True) if keys else []:
                assert agrees(codes[code].values[key], text), (name, clause, codes[code])
            if code == "rotation_orders":
                assert codes[code].values["orders"] == {k: int(v) for k, v in (part.split(":") for part in match[1].split())}, name
        assert set(codes) - expected - BESIDE_THE_TABLE == set(), name


def test_posture_of_real_files_is_that_of_their_description(shared):
    data = shared / "data"
    for name, cells in table_of(data / "README.md").items():
        path = next(data / folder / name for folder in ("bvh", "nc") if (data / folder / name).exists())
        facts = report_of(path.read_bytes()).facts
        assert facts["channel_count"] == int(cells[1]), name
        assert sum(any(c.islower() for c in channels) for channels in facts["channels"]) == int(cells[2]), name
        assert facts["frame_time"] == float(cells[4]), name
        assert facts["indent"] == cells[9], name
        if cells[5] == "?":
            continue
        assert facts["up"].upper() == cells[5], name
        # The description measured a few frames, one of them a T pose; half of this run lies under another floor.
        if name != "cmu_daz_09_10_run_glitch.bvh":
            assert facts["height"] == pytest.approx(float(cells[6]), rel=0.05), name
            either = (facts["floor"], facts["floor"] + facts["lowest_adding"] - facts["lowest_replacing"])
            assert min(abs(floor - float(cells[7])) for floor in either) < 0.015 * facts["height"], name


def test_ramps_are_told_of_the_files_that_have_them(shared):
    ramps = {path.name for path in (shared / "data/bvh").glob("*.bvh") if "ramp" in found(path.read_bytes())}
    daz = {path.name for path in (shared / "data/bvh").glob("cmu_daz_*.bvh")}
    assert ramps == daz - {"cmu_daz_09_10_run_glitch.bvh"}
    assert "starts_near_zero" in found((shared / "data/bvh/cmu_daz_09_10_run_glitch.bvh").read_bytes())
