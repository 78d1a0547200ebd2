"""The commands as a script and a newcomer use them."""

import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import canter as ct
from canter import cli


@pytest.fixture(scope="session")
def walk_bvh(tmp_path_factory, walk):
    path = tmp_path_factory.mktemp("walk") / "walk.bvh"
    ct.save(walk, path)
    return path


@pytest.fixture
def canter(capsys):
    """canter(*words): exit code, lines of stdout, lines of stderr."""

    def run(*words):
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as exit:
            code = exit.code
        text = capsys.readouterr()
        return code, text.out.splitlines(), text.err.splitlines()

    return run


def python(*words, **environment):
    """A process of its own, without the warnings of this one."""
    return subprocess.run(
        [sys.executable, "-m", "canter", *map(str, words)], capture_output=True, env=os.environ | environment, timeout=120
    )


# -------------------------------------------------------------------------------------------------------------------------------- demo


def test_demo_leaves_a_bvh_pictures_and_a_player(canter, tmp_path):
    code, out, err = canter("demo", "-o", tmp_path)
    assert (code, err) == (0, [])
    pictures = ["footprints.png", "jump.png", "knees.png", "run.png", "walk.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*pictures, "player.html", "walk.bvh", "walk_30fps.bvh"])
    for name in pictures:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
        assert any(name in line for line in out)
    assert ct.load(tmp_path / "walk.bvh").speed == pytest.approx(1.3, rel=0.01)
    assert ct.load(tmp_path / "walk_30fps.bvh").fps == 30
    assert "<script" in (tmp_path / "player.html").read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------------------------------------------------- info


def test_info_prints_a_block_for_each_file(canter, walk_bvh):
    code, out, err = canter("info", walk_bvh, walk_bvh)
    assert (code, err) == (0, [])
    assert [line for line in out if not line.startswith(" ")] == [str(walk_bvh)] * 2
    words = {line.split()[0]: line.split(maxsplit=1)[1] for line in out if line.startswith(" ")}
    assert words["frames"] == "199 at 60 fps: 3.30 s"
    assert words["joints"] == "18, and 5 tips"
    assert words["height"].endswith(" m (believed)")
    assert words["up"] == "+Y"


def test_info_as_json_holds_the_same(canter, walk_bvh):
    code, out, _ = canter("info", "--json", walk_bvh)
    (info,) = json.loads("\n".join(out))
    assert code == 0
    assert (info["file"], info["joints"], info["frames"], info["fps"]) == (str(walk_bvh), 18, 199, 60)
    assert info["rotation_orders"] == {"ZXY": 18}
    assert info["speed"] == pytest.approx(1.1, rel=0.02)
    assert info["warnings"] == []


def test_odd_file_is_told_in_one_warning(canter, walk_bvh, tmp_path):
    path = tmp_path / "short.bvh"
    path.write_text(walk_bvh.read_text().replace("Frames: 199", "Frames: 200"))
    _, out, _ = canter("info", path)
    assert sum("warning" in line for line in out) == 1


# ------------------------------------------------------------------------------------------------------------------------------- check


def test_check_of_a_plain_file_is_quiet_and_0(canter, walk_bvh):
    assert canter("check", walk_bvh) == (0, [f"{walk_bvh}: nothing odd"], [])


def test_check_of_an_odd_file_is_1(canter, walk_bvh, tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_bytes(walk_bvh.read_bytes().replace(b"\n", b"\r\n", 3))
    code, out, err = canter("check", path)
    assert (code, err) == (1, [])
    assert out[0] == str(path)
    assert "mixed line ends: 3 CRLF" in out[1]
    code, out, _ = canter("check", path, "--json")
    (report,) = json.loads("\n".join(out))
    assert code == 1
    assert [finding["code"] for finding in report["findings"]] == ["mixed_line_ends"]


# ----------------------------------------------------------------------------------------------------------------------------- convert


def test_convert_resamples_scales_and_cuts(canter, walk_bvh, tmp_path):
    out = tmp_path / "out.bvh"
    code, lines, err = canter("convert", walk_bvh, "-o", out, "--slice", "60:121", "--fps", 30, "--scale", 100)
    assert (code, err) == (0, [])
    clip, original = ct.load(out), ct.load(walk_bvh)
    assert (len(clip), clip.fps) == (31, 30)
    assert lines == [f"{out}: 31 frames at 30 fps"]
    assert np.allclose(clip.translations[0, 0], 100 * original.translations[60, 0], atol=1e-3)


@pytest.mark.parametrize(
    ("span", "first", "count"), [("10:20", 10, 10), (":20:2", 0, 10), ("190:", 190, 9), ("0.5s:1s", 30, 30), ("-9:", 190, 9)]
)
def test_convert_cuts_by_frames_and_seconds(canter, walk_bvh, tmp_path, span, first, count):
    assert canter("convert", walk_bvh, "-o", tmp_path / "o.bvh", f"--slice={span}")[0] == 0
    clip, original = ct.load(tmp_path / "o.bvh"), ct.load(walk_bvh)
    assert len(clip) == count
    assert np.allclose(clip.translations[0, 0], original.translations[first, 0], atol=1e-4)


def test_convert_mirrors(canter, walk_bvh, tmp_path):
    assert canter("convert", walk_bvh, "-o", tmp_path / "o.bvh", "--mirror")[0] == 0
    positions = [ct.load(path).global_positions() for path in (walk_bvh, tmp_path / "o.bvh")]
    skeleton = ct.load(walk_bvh).skeleton
    left, right = skeleton.index("LeftHand"), skeleton.index("RightHand")
    assert np.allclose(positions[0][:, left] * [-1, 1, 1], positions[1][:, right], atol=1e-3)


def test_convert_takes_the_travel_out(canter, walk_bvh, tmp_path):
    assert canter("convert", walk_bvh, "-o", tmp_path / "o.bvh", "--in-place")[0] == 0
    assert np.ptp(ct.load(tmp_path / "o.bvh").translations[:, 0, 2]) < 0.05


def test_convert_turns_other_axes_to_ours(canter, walk_bvh, tmp_path):
    assert canter("convert", walk_bvh, "-o", tmp_path / "z.bvh", "--up", "+Z", "--forward", "+X")[0] == 0
    turned, original = ct.load(tmp_path / "z.bvh").global_positions(), ct.load(walk_bvh).global_positions()
    assert np.allclose(turned[..., 1], original[..., 2], atol=1e-3)  # what was +Z is up
    assert np.allclose(turned[..., 2], original[..., 0], atol=1e-3)  # what was +X is ahead


def test_convert_takes_the_rate_for_granted(canter, walk_bvh, tmp_path):
    assert canter("convert", walk_bvh, "-o", tmp_path / "o.bvh", "--assume-fps", 120)[0] == 0
    assert (ct.load(tmp_path / "o.bvh").fps, len(ct.load(tmp_path / "o.bvh"))) == (120, 199)


def test_several_files_go_into_a_folder(canter, walk_bvh, tmp_path):
    other = tmp_path / "other.bvh"
    other.write_bytes(walk_bvh.read_bytes())
    code, out, _ = canter("convert", walk_bvh, other, "-o", tmp_path / "new" / "folder")
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["other.bvh", "walk.bvh"]
    assert len(out) == 2


def test_zip_file_stands_for_the_files_in_it(canter, walk_bvh, tmp_path):
    archive = tmp_path / "takes.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(walk_bvh, "takes/b.bvh")
        file.write(walk_bvh, "takes/a.BVH")
        file.writestr("takes/readme.txt", "nothing")
    code, out, _ = canter("check", archive)
    assert (code, out) == (0, [f"{archive}:takes/a.BVH: nothing odd", f"{archive}:takes/b.bvh: nothing odd"])
    assert canter("convert", archive, "-o", tmp_path / "out")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.bvh", "b.bvh"]


# -------------------------------------------------------------------------------------------------------------------------------- plot


@pytest.mark.parametrize("view", ["side", "20,45"])
def test_plot_writes_a_picture(canter, walk_bvh, tmp_path, view):
    code, out, err = canter("plot", walk_bvh, "-o", tmp_path / "p.png", "--strobe", 3, "--frames", "0:60", f"--view={view}")
    assert (code, out, err) == (0, [str(tmp_path / "p.png")], [])
    assert (tmp_path / "p.png").stat().st_size > 5000


def test_plot_of_several_files_fills_a_folder(canter, walk_bvh, tmp_path):
    other = tmp_path / "other.bvh"
    other.write_bytes(walk_bvh.read_bytes())
    assert canter("plot", walk_bvh, other, "-o", tmp_path / "pictures")[0] == 0
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["other.png", "walk.png"]
    assert canter("plot", walk_bvh, walk_bvh, "-o", tmp_path / "pictures")[0] == 2  # one would overwrite the other


def test_plot_writes_a_moving_body(canter, walk_bvh, tmp_path):
    code, out, _ = canter("plot", walk_bvh, "-o", tmp_path / "p.gif", "--frames", "0:12", "--view", "side")
    assert code == 0
    assert out == [str(tmp_path / "p.gif")]
    assert (tmp_path / "p.gif").read_bytes().startswith(b"GIF89a")


def test_plot_turns_the_file_only_when_asked(canter, walk_bvh, tmp_path):
    for name, turn in [("as_it_is", ()), ("named", ("--up", "+y", "--forward", "+z")), ("turned", ("--forward", "+x"))]:
        assert canter("plot", walk_bvh, "-o", tmp_path / f"{name}.png", "--strobe", 1, "--view", "front", *turn)[0] == 0
    as_it_is, named, turned = ((tmp_path / f"{name}.png").read_bytes() for name in ("as_it_is", "named", "turned"))
    assert as_it_is == named != turned


# ------------------------------------------------------------------------------------------------------------- errors and exit codes


def test_unreadable_file_is_one_line_and_the_others_go_on(canter, walk_bvh, tmp_path):
    broken, missing = tmp_path / "broken.bvh", tmp_path / "missing.bvh"
    broken.write_text("HIERARCHY\nROOT a\n{\n  OFFSET x 0 0\n}\n")
    code, out, err = canter("info", broken, walk_bvh, missing)
    assert code == 1
    assert out[0] == str(walk_bvh)
    assert len(err) == 2
    assert err[0].startswith(f"canter: error: {broken}:4:")
    assert err[1] == f"canter: error: {missing}: No such file or directory"


def test_name_of_an_unreadable_member_is_told(canter, tmp_path):
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as file:
        file.writestr("in/bad.bvh", "nothing")
    code, _, err = canter("check", tmp_path / "z.zip")
    assert (code, len(err)) == (1, 1)
    assert err[0].startswith(f"canter: error: {tmp_path / 'z.zip'}:in/bad.bvh")


def test_zip_without_motion_is_an_error(canter, tmp_path):
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    (tmp_path / "text.zip").write_text("no zip")
    assert canter("info", tmp_path / "empty.zip")[0] == 1
    code, _, err = canter("info", tmp_path / "text.zip")
    assert (code, len(err)) == (1, 1)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["unknown"],
        ["info"],
        ["convert", "a.bvh"],
        ["convert", "a.bvh", "-o", "b.bvh", "--fps", "0"],
        ["convert", "a.bvh", "-o", "b.bvh", "--scale", "-1"],
        ["convert", "a.bvh", "-o", "b.bvh", "--slice", "5"],
        ["convert", "a.bvh", "-o", "b.bvh", "--slice", "1:2:0"],
        ["convert", "a.bvh", "-o", "b.bvh", "--slice", "a:b"],
        ["convert", "a.bvh", "c.bvh", "-o", "b.bvh"],
        ["convert", "a/x.bvh", "b/x.bvh", "-o", "b"],
        ["plot", "a.bvh", "c.bvh", "-o", "b.png"],
        ["plot", "a.bvh", "-o", "b.png", "--strobe", "0"],
        ["plot", "a.bvh", "-o", "b.png", "--view", "sideways"],
    ],
)
def test_senseless_command_line_is_2(canter, words):
    code, out, err = canter(*words)
    assert code == 2
    assert out == []
    assert "error" in err[-1]


def test_empty_slice_is_an_error(canter, walk_bvh, tmp_path):
    code, _, err = canter("convert", walk_bvh, "-o", tmp_path / "o.bvh", "--slice", "500:600")
    assert code == 1
    assert "leaves none of the 199 frames" in err[0]
    assert not (tmp_path / "o.bvh").exists()


def test_strict_refuses_what_breaks_the_format(canter, walk_bvh, tmp_path):
    path = tmp_path / "more.bvh"
    path.write_text(walk_bvh.read_text().replace("Frames: 199", "Frames: 200"))
    assert canter("convert", path, "-o", tmp_path / "o.bvh", "--strict")[0] == 1
    code, _, err = canter("convert", path, "-o", tmp_path / "o.bvh")
    assert code == 0
    assert len(err) == 1
    assert err[0].startswith("canter: warning: ")


def test_letters_that_the_terminal_lacks_are_escaped(walk_bvh, tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_bytes(walk_bvh.read_text().replace("JOINT Head", "JOINT Tête").encode())
    result = python("check", path, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (1, b"")
    assert b"T\\xeate" in result.stdout


def test_reader_that_hangs_up_is_no_error(walk_bvh):
    words = [sys.executable, "-m", "canter", "check", *[str(walk_bvh)] * 3]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_missing_matplotlib_is_told_in_one_line(walk_bvh, tmp_path):
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("raise ImportError('none here')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    result = python("plot", walk_bvh, "-o", tmp_path / "p.png", PYTHONPATH=path)
    assert result.returncode == 1
    (line,) = result.stderr.decode().splitlines()
    assert "pip install 'canter[plot]'" in line


def test_count_is_shown_on_a_terminal_alone(canter, walk_bvh, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    _, out, err = canter("check", walk_bvh, walk_bvh)
    assert len(out) == 2
    assert "[2/2] walk.bvh" in "".join(err)


def test_version_is_printed(canter):
    code, out, _ = canter("--version")
    assert code == 0
    assert out[0].startswith("canter ")


# -------------------------------------------------------------------------------------------------------------------------- real files


@pytest.mark.slow
def test_every_real_file_goes_through_every_command(canter, shared, tmp_path):
    files = [*sorted((shared / "data/bvh").glob("*.bvh")), *sorted((shared / "data/nc").glob("*.bvh"))]
    archives = sorted((shared / "data/nc").glob("*.zip"))
    assert (len(files), len(archives)) == (51, 4)

    code, out, err = canter("info", "--json", *files, *archives)
    assert (code, err) == (0, [])
    infos = json.loads("\n".join(out))
    assert len(infos) == 51 + 145
    assert all(info["joints"] > 0 and info["frames"] > 0 for info in infos)

    code, out, err = canter("check", *files, *archives)
    assert (code, err) == (1, [])
    assert sum(not line.startswith(" ") for line in out) == 51 + 145

    code, out, err = canter("convert", *files, archives[0], "-o", tmp_path / "bvh", "--fps", 30)
    assert code == 0
    assert all(line.startswith("canter: warning: ") for line in err)
    converted = list((tmp_path / "bvh").iterdir())
    _, out, _ = canter("info", "--json", *converted)
    assert [info["fps"] for info in json.loads("\n".join(out))] == [30] * len(converted)

    code, out, err = canter("plot", *files, "-o", tmp_path / "png", "--strobe", 4)
    assert code == 0
    assert len(list((tmp_path / "png").glob("*.png"))) == 51
