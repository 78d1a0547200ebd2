"""Moving bodies: what is drawn when, and how files play."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")

WALK = ct.examples.walk()
SMALL = {"size": (2.0, 1.5), "dpi": 40}


class Shown:
    """An animation that is shown picture by picture."""

    def __init__(self, *clips, **options):
        self.animation = ct.plot.animate(*clips, **options)
        self.figure = self.animation._fig
        self.count = self.animation._save_count
        self.figure.draw_without_rendering()  # or it complains that nobody looked at it
        self.clock = next(text for text in self.figure.texts if "monospace" in text.get_fontfamily())

    def at(self, frame):
        """The lines of all bodies in the axes, body by body."""
        self.animation._func(frame)
        return [[np.asarray(lines._segments3d) for lines in axes.collections[1:]] for axes in self.figure.axes]

    def ground(self, frame):
        self.animation._func(frame)
        return np.asarray(self.figure.axes[0].collections[0]._segments3d)


def gif(path):
    """The pictures of a GIF and how long each lasts, in milliseconds."""
    from PIL import Image

    with Image.open(path) as image:
        frames = []
        for k in range(image.n_frames):
            image.seek(k)
            frames.append((np.asarray(image.convert("L")), image.info["duration"]))
    return frames


def test_pictures_are_samples_at_even_times():
    shown = Shown(WALK, fps=20, follow=False)
    assert shown.count == 20  # a loop of a second: its end is its start
    lines = shown.at(5)[0][0]
    pose = WALK.sample(0.25)
    hips = WALK.skeleton.forward_kinematics(pose)[0][0]
    assert np.allclose(lines[0, 0], hips[[2, 0, 1]], atol=1e-5)
    assert shown.clock.get_text().split() == ["0.25", "s"]
    assert shown.animation._interval == 50


def test_a_clip_that_ends_shows_its_end():
    shown = Shown(WALK.replace(looping=False), fps=20)
    assert shown.count == 21
    shown.at(20)
    assert shown.clock.get_text().split() == ["1.00", "s"]


def test_a_loop_that_turns_goes_on_along_its_circle():
    turn = ct.examples.turn_left()
    long = turn.replace(looping=False)
    shown = Shown([turn, ct.Clip(turn.skeleton, np.repeat(long.rotations[:1], 121, axis=0), fps=60)], fps=10, follow=False)
    root = turn.root_motion(smoothing=0.1)
    hips = np.array([shown.at(k)[0][0][0, 0] for k in range(20)])
    places = root.at(np.arange(20) / 10)[0][:, [2, 0]]
    assert np.ptp(np.linalg.norm(hips[:, :2] - places, axis=1)) < 0.06
    assert np.allclose(np.linalg.norm(np.diff(hips[:, :2], axis=0), axis=1), 0.13, atol=0.03)


def test_slow_motion_has_more_pictures_of_the_same_clip():
    shown = Shown(WALK, fps=20, rate=0.25)
    assert shown.count == 80
    shown.at(40)
    assert shown.clock.get_text().split() == ["0.50", "s"]


def test_the_camera_goes_with_the_root_and_the_ground_stays_in_the_world():
    followed, fixed = Shown(WALK, fps=10), Shown(WALK, fps=10, follow=False)
    hips = np.array([followed.at(k)[0][0][0, 0] for k in range(10)])
    assert np.ptp(hips[:, :2]) < 0.1
    travelled = np.array([fixed.at(k)[0][0][0, 0] for k in range(10)])
    assert np.ptp(travelled[:, 0]) > 1.0
    # Lines across the way, told in the world, lie at the same round places in every picture.
    step = 0.2
    for k in range(10):
        lines = followed.ground(k)
        across = lines[np.ptp(lines[:, :, 0], axis=1) == 0][:, 0, 0] + (travelled[k, 0] - hips[k, 0])
        assert np.allclose(across / step, np.round(across / step), atol=1e-4)


def test_all_that_moves_stays_in_sight():
    for options in ({}, {"follow": False}, {"view": "side"}, {"view": "top"}, {"layout": "beside"}):
        shown = Shown([WALK, ct.examples.run()], fps=10, **options)
        figure = shown.figure
        for k in range(0, shown.count, 3):
            shown.at(k)
            figure.draw_without_rendering()
            for axes in figure.axes:
                for lines in axes.collections[1:]:
                    seen = axes.transData.transform(np.concatenate(lines.get_segments()))
                    assert np.all(seen >= 0)
                    assert np.all(seen <= figure.bbox.size)


def test_a_body_alone_has_the_colours_of_its_sides_and_several_one_each():
    def inks(shown):
        return [[np.asarray(lines.get_color())[:, :3] for lines in axes.collections[1:]] for axes in shown.figure.axes]

    ((alone,),) = inks(Shown(WALK))
    assert {tuple(ink) for ink in alone} == {to_rgb(color) for color in colors.SIDES.values()}
    ((first, second),) = inks(Shown([WALK, ct.examples.run()]))
    assert np.allclose(first, to_rgb(colors.body(0)))
    assert np.allclose(second, to_rgb(colors.body(1)))


def test_clips_stand_beside_each_other_with_their_names():
    shown = Shown([WALK, ct.examples.run()], layout="beside")
    assert len(shown.figure.axes) == 2
    assert [text.get_text() for text in shown.figure.texts if text is not shown.clock][:2] == ["walk", "run"]
    limits = [np.ptp(axes.get_zlim3d()) for axes in shown.figure.axes]
    assert limits[0] == pytest.approx(limits[1])  # at one scale


def test_a_shorter_loop_goes_round_and_a_shorter_clip_waits():
    run = ct.examples.run()
    shown = Shown([WALK, run], fps=10)
    assert shown.count == 10
    hips = [shown.at(k)[0][1][0, 0] for k in range(10)]
    lines = shown.at(9)[0][1]
    knee = run.skeleton.forward_kinematics(run.sample(0.2))[0]
    assert np.allclose(lines[3, 1] - lines[3, 0], (knee[4] - knee[2])[[2, 0, 1]], atol=1e-5)  # the left arm from the chest
    assert np.allclose(np.diff(hips, axis=0)[:, 0], 0.35 - 0.13, atol=0.05)  # 3.5 m/s, seen from the walk at 1.3 m/s, across the seam too
    stopped = Shown([WALK, run.replace(looping=False)], fps=10, follow=False)
    assert np.allclose(stopped.at(8)[0][1], stopped.at(9)[0][1])


@pytest.mark.parametrize(("asked", "hundredths"), [(25, 4), (30, 3), (60, 2), (7, 14), (12.5, 8)])
def test_a_gif_plays_in_real_time(tmp_path, asked, hundredths):
    ct.plot.animate(WALK, tmp_path / "walk.gif", fps=asked, **SMALL)
    frames = gif(tmp_path / "walk.gif")
    assert {duration for _, duration in frames} == {10 * hundredths}
    assert sum(duration for _, duration in frames) == pytest.approx(1000, abs=10 * hundredths)
    assert any(not np.array_equal(frames[0][0], image) for image, _ in frames[1:])
    assert not plt.get_fignums()


FFMPEG = """#!{python}
import pathlib, sys
if sys.argv[1:] != ["-version"]:
    pixels = sys.stdin.buffer.read()
    pathlib.Path(sys.argv[-1]).write_text(f"{{len(pixels)}} " + " ".join(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script as a program")
def test_an_mp4_goes_to_ffmpeg_at_the_rate_asked_for(tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.write_text(FFMPEG.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ct.plot.animate(WALK, tmp_path / "walk.mp4", fps=30, **SMALL)
    size, *words = (tmp_path / "walk.mp4").read_text().split()
    assert int(size) == 30 * 80 * 60 * 4  # a second of it, in RGBA
    assert float(words[words.index("-framerate") + 1]) == 30


def test_without_ffmpeg_the_message_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OSError, match=r"needs the program ffmpeg.*install it.*or write a \.gif"):
        ct.plot.animate(WALK, tmp_path / "walk.mp4")


def test_one_frame_is_a_picture(tmp_path):
    ct.plot.animate(WALK[:1], tmp_path / "still.gif", **SMALL)
    assert (tmp_path / "still.gif").stat().st_size > 0


def test_settings_are_left_alone():
    before = dict(plt.rcParams)
    Shown(WALK, fps=5).at(0)
    assert dict(plt.rcParams) == before


def test_what_cannot_move_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there are no clips"):
        ct.plot.animate([])
    with pytest.raises(ValueError, match="clip 1 .'walk'. has no frames"):
        ct.plot.animate([WALK, WALK[:0]])
    with pytest.raises(ValueError, match="clip 0 is Pose, expected a Clip"):
        ct.plot.animate([WALK[0]])
    with pytest.raises(ValueError, match="clip 0 is Skeleton, expected a Clip"):
        ct.plot.animate(WALK.skeleton)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="walk.avi ends in '.avi', expected one of .gif, .mp4"):
        ct.plot.animate(WALK, tmp_path / "walk.avi")
    with pytest.raises(ValueError, match="layout is 'stacked'"):
        ct.plot.animate(WALK, layout="stacked")
    with pytest.raises(ValueError, match="fps is 0, expected a number above 0"):
        ct.plot.animate(WALK, fps=0)
    with pytest.raises(ValueError, match="2 labels for 1 clips"):
        ct.plot.animate(WALK, labels=["a", "b"])
    with pytest.raises(ValueError, match="view is 'inside'"):
        ct.plot.animate(WALK, view="inside")
    with pytest.raises(OSError, match="nowhere"):
        ct.plot.animate(WALK, tmp_path / "nowhere" / "walk.gif", **SMALL)
