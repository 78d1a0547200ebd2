"""What a drawing of a skeleton holds, without looking at pixels."""

import subprocess
import sys
from io import BytesIO

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter.colors import LEFT, MIDDLE
from canter.plot.bones import _box_of
from canter.plot.figure import fill, new_axes, new_figure
from canter.plot.ground import round_step

pytestmark = pytest.mark.usefixtures("closed_figures")


@pytest.fixture
def figure_3d():
    return plt.figure().add_subplot(projection="3d")


@pytest.fixture
def tipped():
    """Three joints up a post that leans towards +Z, an arm to the left, two tips."""
    names, parents = ["Hips", "Chest", "Head", "LeftArm"], [-1, 0, 1, 1]
    offsets = [(0.0, 1.0, 0.0), (0.0, 0.5, 0.1), (0.0, 0.3, 0.0), (0.4, 0.0, 0.0)]
    return ct.Skeleton(names, parents, offsets, tips=[("Head", (0.0, 0.2, 0.0)), ("LeftArm", (0.3, 0.0, 0.0))])


def still(skeleton, *shape):
    rotations = np.zeros((*shape, len(skeleton.names), 4))
    rotations[..., 0] = 1
    return ct.Pose(rotations)


def segments(artist):
    return np.asarray(artist._segments3d)


def test_every_bone_and_every_tip_is_a_line(tipped):
    pose, ground = ct.plot.skeleton(tipped, still(tipped))
    assert len(segments(pose)) == 3 + 2
    assert np.all(segments(ground)[..., 2] == 0)


def test_every_pose_of_a_batch_is_drawn_once(tipped, figure_3d):
    artists = ct.plot.skeleton(tipped, still(tipped, 2, 3), ax=figure_3d, ground=False)
    assert len(artists) == 6
    assert list(figure_3d.collections) == artists


def test_plus_y_is_drawn_upward_and_left_stays_left(tipped):
    lines = segments(ct.plot.skeleton(tipped, still(tipped), ground=False)[0])
    chest_to_head, chest_to_arm = lines[1], lines[2]
    assert np.allclose(chest_to_head[1] - chest_to_head[0], [0, 0, 0.3])
    up, left = chest_to_head[1] - chest_to_head[0], chest_to_arm[1] - chest_to_arm[0]
    forward = np.array([1.0, 0.0, 0.0])  # +Z, along matplotlib's x
    assert np.linalg.det([left, up, forward]) > 0  # as x, y, z: right-handed still


def test_other_axes_can_be_up(tipped):
    lines = segments(ct.plot.skeleton(tipped, still(tipped), ground=False, up="+z")[0])
    assert np.allclose(lines[1][1] - lines[1][0], [0, 0.3, 0])


def test_scales_are_equal_on_all_axes(tipped, figure_3d):
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d)
    lengths = np.array([np.ptp(limits) for limits in (figure_3d.get_xlim3d(), figure_3d.get_ylim3d(), figure_3d.get_zlim3d())])
    ratio = figure_3d._box_aspect / lengths
    assert np.allclose(ratio, ratio[0])


def test_arrays_are_drawn_as_poses_are():
    walk = ct.examples.walk()
    poses, positions = walk.poses[::20], walk.global_positions()[::20]
    drawn, of_rotations, of_positions = (
        [segments(each) for each in ct.plot.skeleton(walk.skeleton, given, ground=False)] for given in (poses, poses.rotations, positions)
    )
    bones = len(walk.skeleton) - 1
    root = np.broadcast_to(walk.skeleton.offsets[0], (4, 3))  # rotations alone stay over the origin
    for lines, turned, placed, here, there in zip(drawn, of_rotations, of_positions, poses.translations[:, 0], root, strict=True):
        assert np.allclose(turned, lines + (there - here)[[2, 0, 1]], atol=1e-5)
        assert np.allclose(placed, lines[:bones], atol=1e-5)  # nobody knows where the tips are
    assert len(ct.plot.skeleton(walk.skeleton, positions[0].tolist(), names=True)) == 2 + len(walk.skeleton)


def test_limits_hold_all_points(tipped, figure_3d):
    lines = segments(ct.plot.skeleton(tipped, still(tipped), ax=figure_3d)[0]).reshape(-1, 3)
    for k, (low, high) in enumerate((figure_3d.get_xlim3d(), figure_3d.get_ylim3d(), figure_3d.get_zlim3d())):
        assert low <= lines[:, k].min()
        assert lines[:, k].max() <= high
        assert high - low < 4  # and are not the default of empty axes


def test_what_is_on_the_axes_stays_in_sight(tipped, figure_3d):
    figure_3d.plot([5.0, 6.0], [0.0, 0.0], [0.0, 0.0])
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d)
    assert figure_3d.get_xlim3d()[0] <= 0.0
    assert figure_3d.get_xlim3d()[1] >= 6.0
    assert len(plt.get_fignums()) == 1


def test_earlier_poses_are_fainter(tipped):
    artists = ct.plot.skeleton(tipped, still(tipped, 3), ground=False, fade=0.25)
    strength = [np.linalg.norm(1 - artist.get_color()[0][:3]) for artist in artists]  # away from the white of the paper
    assert strength == sorted(strength)
    assert strength[0] == pytest.approx(0.25 * strength[-1])


def test_left_and_right_have_colours_of_their_own(tipped):
    colors = ct.plot.skeleton(tipped, still(tipped), ground=False)[0].get_color()
    middle, left = to_rgb(MIDDLE), to_rgb(LEFT)
    assert np.allclose(np.array(colors)[:, :3], [middle, middle, left, middle, left])


@pytest.mark.parametrize(("length", "step"), [(8.0, 1.0), (150.0, 20.0), (1.7, 0.2), (0.004, 0.0005), (0.0, 1.0)])
def test_ground_is_divided_by_round_numbers(length, step):
    assert round_step(length) == pytest.approx(step)


def test_axes_carry_the_unit(tipped, figure_3d):
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, unit="cm")
    assert [figure_3d.get_xlabel(), figure_3d.get_ylabel(), figure_3d.get_zlabel()] == ["z [cm]", "x [cm]", "y [cm]"]
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, unit="")
    assert figure_3d.get_zlabel() == "y"


def test_drawing_changes_no_setting_and_shows_nothing(tipped, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("shown"))
    before = dict(matplotlib.rcParams)
    ct.plot.skeleton(tipped, still(tipped, 4))
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(("elevation", "azimuth"), [(12, -60), (4, -90), (4, 0), (89, -90)])
def test_figure_of_its_own_is_filled_and_cuts_nothing(elevation, azimuth):
    clip = ct.examples.walk(cycles=2)
    axes = new_axes(new_figure())
    axes.view_init(elevation, azimuth)
    ct.plot.skeleton(clip.skeleton, clip.sample([0.0, 1.0, 2.0]), ax=axes)
    fill(axes)
    axes.get_figure().savefig(file := BytesIO(), dpi=100)
    file.seek(0)
    ink = (plt.imread(file)[..., :3] < 0.99).any(axis=-1)
    parts = []
    for across in (ink.any(axis=0), ink.any(axis=1)):
        first, last = np.flatnonzero(across)[[0, -1]]
        assert 0 < first < last < len(across) - 1
        parts.append((last - first) / len(across))
    assert max(parts) > 0.9
    assert min(parts) > 0.7  # a long walk seen from above is longer than a figure may be


@pytest.mark.parametrize("view", ["three-quarter", "side", "front", (30, 20)])
def test_names_of_axes_stand_near_their_numbers_and_touch_none(view):
    clip = ct.examples.walk()
    axes = ct.plot.skeleton(clip.skeleton, clip, view=view)[0].axes
    axes.get_figure().draw_without_rendering()
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        low, high = sorted(axis.get_view_interval())
        numbers = [tick.label1.get_window_extent() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        if not axis.get_label_text():
            continue
        name = axis.label.get_window_extent()
        apart = max(
            [np.linalg.norm(np.mean(b, axis=0) - np.mean(a, axis=0)) for a, b in zip(numbers, numbers[1:], strict=False)], default=0
        )
        nearest = min(np.linalg.norm(np.maximum(np.maximum(name.min - box.max, box.min - name.max), 0)) for box in numbers)
        assert nearest < np.hypot(apart / 2, 0.2 * axes.get_figure().dpi)
        assert not any(name.overlaps(box) for box in numbers)


def test_axis_that_points_at_the_eye_has_no_numbers(tipped):
    axes = new_axes(new_figure())
    axes.view_init(90, -90)
    ct.plot.skeleton(tipped, still(tipped), ax=axes)
    fill(axes)
    assert axes.get_zlabel() == ""
    assert not len(axes.get_zticks())
    assert axes.get_xlabel() == "z [m]"


def test_ticks_that_someone_has_set_stay(tipped, figure_3d):
    figure_3d.set_xticks([0.5])
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d)
    assert list(figure_3d.get_xticks()) == [0.5]


def hips_x(artist):
    return segments(artist)[0, 0, 0]


def test_a_clip_is_drawn_as_evenly_spread_poses():
    clip = ct.examples.walk()
    artists = ct.plot.skeleton(clip.skeleton, clip, strobe=5, ground=False)
    places = [hips_x(artist) for artist in artists]
    assert len(artists) == 5
    assert np.allclose(np.diff(places), 1.3 / 4, atol=0.03)


@pytest.mark.parametrize(("clip", "count"), [(ct.examples.walk(), 5), (ct.examples.run(), 8), (ct.examples.walk().in_place(), 4)])
def test_poses_of_a_clip_stand_clear_of_each_other(clip, count):
    assert len(ct.plot.skeleton(clip.skeleton, clip, ground=False)) == count


def test_a_clip_of_one_frame_is_one_pose():
    clip = ct.examples.walk()[:1]
    assert len(ct.plot.skeleton(clip.skeleton, clip, ground=False)) == 1
    assert ct.plot.skeleton(clip.skeleton, clip[:0]) == []


def screen(axes, point):
    from mpl_toolkits.mplot3d import proj3d  # type: ignore[import-untyped]

    return np.array(proj3d.proj_transform(*point, axes.get_proj())[:2])


@pytest.mark.parametrize("heading", [0.0, 2.0, 4.0])
def test_poses_that_travel_are_seen_from_beside_their_way(heading):
    clip = ct.examples.walk()
    turn = ct.quat.from_axis_angle((0, 1, 0), heading)
    root = ct.quat.multiply(turn, clip.rotations[:, 0])[:, None]
    places = ct.quat.rotate(turn, clip.translations[:, 0])[:, None]
    turned = ct.Clip(
        clip.skeleton,
        np.concatenate([root, clip.rotations[:, 1:]], axis=1),
        np.concatenate([places, clip.translations[:, 1:]], axis=1),
        fps=60,
    )
    artists = ct.plot.skeleton(turned.skeleton, turned, ground=False)
    first, *_, last = (screen(artist.axes, segments(artist).mean(axis=(0, 1))) for artist in artists)
    assert last[0] - first[0] > 10 * abs(last[1] - first[1])


def test_from_the_side_nothing_is_foreshortened(tipped):
    axes = ct.plot.skeleton(tipped, still(tipped), view="side")[0].axes
    near, far = (screen(axes, (0, y, 1)) - screen(axes, (0, y, 0)) for y in (-0.5, 0.5))
    assert np.allclose(near, far)


def test_in_place_poses_can_be_set_apart(tipped, figure_3d):
    artists = ct.plot.skeleton(tipped, still(tipped, 3), ax=figure_3d, view="side", spacing=0.7, ground=False)
    assert np.allclose(np.diff([hips_x(artist) for artist in artists]), 0.7)


def test_axes_along_which_poses_were_moved_have_no_numbers(tipped, figure_3d):
    ct.plot.skeleton(tipped, still(tipped, 3), ax=figure_3d, view="side", spacing=0.7)
    figure_3d.get_figure().draw_without_rendering()
    assert (len(figure_3d.get_xticks()), figure_3d.get_xlabel()) == (0, "")
    assert (len(figure_3d.get_zticks()) > 0, figure_3d.get_zlabel()) == (True, "y [m]")


def test_one_pose_is_not_moved_and_keeps_its_numbers(tipped, figure_3d):
    ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, view="side", spacing=0.7)
    assert (len(figure_3d.get_xticks()) > 0, figure_3d.get_xlabel()) == (True, "z [m]")


def test_a_skeleton_alone_is_drawn_in_its_rest_pose(tipped, figure_3d):
    alone, rest = (ct.plot.skeleton(tipped, *pose, ax=figure_3d, ground=False)[0] for pose in ((), (tipped.rest,)))
    assert np.array_equal(alone._segments3d, rest._segments3d)


def test_several_bodies_share_axes_and_ground(tipped, figure_3d):
    *_, ground = ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, color="C0", label="one")
    moved = ct.Pose(still(tipped).rotations, np.array(tipped.offsets) + [[3, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    second, same = ct.plot.skeleton(tipped, moved, ax=figure_3d, color="C1", label="two")
    assert same is ground
    assert len(figure_3d.collections) == 3
    assert np.ptp(segments(ground)[..., 1]) > 3
    assert np.allclose(second.get_color()[:, :3], to_rgb("C1"))
    assert figure_3d.get_legend_handles_labels()[1] == ["one", "two"]


def test_a_figure_is_filled_anew_when_a_body_comes_in(tipped):
    pose = still(tipped)
    moved = ct.Pose(pose.rotations, np.array(tipped.offsets) + [[3, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    axes = ct.plot.skeleton(tipped, pose)[0].axes
    ct.plot.skeleton(tipped, moved, ax=axes)
    figure = axes.get_figure()
    figure.draw_without_rendering()
    seen = np.concatenate([axes.transData.transform(np.concatenate(lines.get_segments())) for lines in axes.collections])
    assert np.all(seen >= 0)
    assert np.all(seen <= figure.bbox.size)
    assert max(np.ptp(seen, axis=0) / figure.bbox.size) > 0.7


def test_joints_carry_their_names(tipped, figure_3d):
    texts = ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, names=["Head", 3], ground=False)[1:]
    assert [text.get_text().strip() for text in texts] == ["Head", "LeftArm"]
    all_names = ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, names=True, ground=False)[1:]
    assert len(all_names) == 4
    assert np.allclose(texts[0].get_position_3d(), (0.1, 0, 1.8))


def test_names_of_a_body_do_not_cover_each_other():
    body = ct.examples.humanoid()
    axes = ct.plot.skeleton(body, ct.examples.walk()[10], view="front", names=True)[0].axes
    axes.get_figure().draw_without_rendering()
    boxes = [_box_of(axes, text) for text in axes.texts]
    assert len(boxes) == 18
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_odd_names_are_drawn(figure_3d):
    odd = ct.Skeleton(["$x_{", "a\nb", "\udcff" * 3, "n" * 500], [-1, 0, 1, 2], np.eye(4, 3))
    texts = ct.plot.skeleton(odd, odd.rest, ax=figure_3d, names=True)[1:5]
    figure_3d.get_figure().draw_without_rendering()
    assert max(len(text.get_text()) for text in texts) < 40


def test_axes_of_joints_have_the_length_asked_for(tipped, figure_3d):
    lines = segments(ct.plot.skeleton(tipped, still(tipped), ax=figure_3d, joint_axes=0.2, ground=False)[1])
    assert np.allclose(lines[:3, 1] - lines[:3, 0], 0.2 * np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0)]))  # x, y, z along z, x, y drawn


def test_ten_thousand_joints_are_drawn(figure_3d):
    many = ct.Skeleton([f"j{i}" for i in range(10_000)], np.arange(-1, 9_999), np.full((10_000, 3), 0.01))
    assert len(segments(ct.plot.skeleton(many, many.rest, ax=figure_3d, ground=False)[0])) == 9_999


def test_no_poses_draw_nothing(tipped, figure_3d):
    assert ct.plot.skeleton(tipped, still(tipped, 0), ax=figure_3d) == []


def test_unusable_arguments_are_refused(tipped):
    pose = still(tipped)
    with pytest.raises(ValueError, match="up is 'up', expected one of"):
        ct.plot.skeleton(tipped, pose, up="up")
    with pytest.raises(ValueError, match="view is 'below', expected one of 'three-quarter', 'side'"):
        ct.plot.skeleton(tipped, pose, view="below")
    with pytest.raises(ValueError, match="strobe is 0, expected 1 or more"):
        ct.plot.skeleton(tipped, pose, strobe=0)
    with pytest.raises(IndexError, match="Heat"):
        ct.plot.skeleton(tipped, pose, names=["Heat"])
    with pytest.raises(ValueError, match="fade is 2, expected 0 to 1"):
        ct.plot.skeleton(tipped, pose, fade=2)
    with pytest.raises(ValueError, match="projection='3d'"):
        ct.plot.skeleton(tipped, pose, ax=plt.figure().add_subplot())
    with pytest.raises(TypeError, match=r"skeleton is Clip, expected a Skeleton; a clip has one: clip\.skeleton"):
        ct.plot.skeleton(ct.examples.walk())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="joints"):
        ct.plot.skeleton(tipped, ct.Pose([[1, 0, 0, 0]]))
    with pytest.raises(ValueError, match=r"pose has shape \(2, 3\), expected \(..., 4, 4\) of rotations"):
        ct.plot.skeleton(tipped, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="positions do not tell joint_axes"):
        ct.plot.skeleton(tipped, np.zeros((4, 3)), joint_axes=0.1)


def test_without_matplotlib_the_message_says_what_to_type(tipped, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'canter\[plot\]'"):
        ct.plot.skeleton(tipped, still(tipped))


def test_matplotlib_is_not_imported_before_something_is_drawn():
    code = "import canter.plot, sys; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "False"


def test_root_that_only_carries_the_body_gets_no_line():
    skeleton = ct.Skeleton(["World", "Hips", "Head"], [-1, 0, 1], [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.7, 0.0)])
    rotations = np.tile([1.0, 0, 0, 0], (2, 3, 1))
    places = np.array([[(0, 0, 0), (0, 1, 0), (0, 0.7, 0)], [(0, 0, 0), (0, 1, 3), (0, 0.7, 0)]])
    assert [len(segments(a)) for a in ct.plot.skeleton(skeleton, ct.Pose(rotations, places), ground=False)] == [1, 1]
    assert [len(segments(a)) for a in ct.plot.skeleton(skeleton, ct.Pose(rotations), ground=False)] == [2, 2]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("skeleton", {"fade": "x"}, "fade is 'x', expected a number"),
        ("skeleton", {"spacing": np.nan}, "spacing is nan, expected a finite number"),
        ("skeleton", {"strobe": 2.5}, "strobe is 2.5, expected an integer"),
        ("skeleton", {"up": 5}, "up is 5, expected a str"),
        ("skeleton", {"view": (1, np.inf)}, "view is inf, expected a finite number"),
        ("skeleton", {"view": (1,)}, r"view is \(1,\), expected 2 numbers"),
        ("skeleton", {"label": "\ud800"}, "label is .* lone surrogate"),
        ("skeleton", {"names": 1.5}, "names is 1.5, expected a sequence"),
        ("trajectory", {"every": 1e-9}, "every is 1e-09, which gives more than 1000 arrows"),
        ("trajectory", {"unit": None}, "unit is None, expected a str"),
        ("curves", {"quantity": ["x"]}, "quantity is .*, expected an array of numbers"),
        ("curves", {"cursor": [1, 2]}, r"cursor is \[1, 2\], expected a number"),
        ("curves", {"labels": ["\udc80"]}, r"labels\[0\] is .* lone surrogate"),
        ("footprints", {"cycles": 10**9}, "cycles is 1000000000, expected 1 to 1000"),
        ("footprints", {"feet": None}, "feet is None, expected a sequence"),
        ("animate", {"rate": 1e-9}, "make 2.5e[+]10 pictures, expected at most 100,000"),
        ("animate", {"size": (np.nan, 1)}, "size is nan, expected a finite number"),
        ("animate", {"labels": [5]}, r"labels\[0\] is 5, expected a str"),
        ("animate", {"layout": None}, "layout is None, expected one of 'over', 'beside'"),
    ],
)
def test_options_are_told_by_name_before_anything_is_drawn(name, options, message):
    clip = ct.examples.walk(fps=10)
    first = {"skeleton": (clip.skeleton, clip), "curves": (clip, () if "quantity" in options else "LeftLeg")}.get(name, (clip,))
    with pytest.raises((TypeError, ValueError), match=rf"^plot\.{name}: .*{message}"):
        getattr(ct.plot, name)(*first, **options)


@pytest.mark.filterwarnings("error")
def test_names_are_written_as_they_are():
    clip = ct.examples.walk(fps=10)
    names = ["$x_$" if name == "LeftLeg" else "b\udcff\n" if name == "RightLeg" else name for name in clip.skeleton.names]
    skeleton = ct.Skeleton(names, clip.skeleton.parents, clip.skeleton.offsets)
    odd = ct.Clip(skeleton, clip.rotations, clip.translations, fps=10, name="$y_$", markers={"$z_$_down": [0.1], "\ud800_up": [0.2]})
    for joints in (["$x_$"], ["$x_$", "b\udcff\n"]):
        artists = ct.plot.curves(odd, joints)
        artists[0].axes.get_figure().canvas.draw()
    both = ct.plot.curves([odd, odd], "$x_$")[0].axes
    both.get_figure().canvas.draw()
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["$y_$", "$y_$"]


def test_a_strobe_of_more_poses_than_frames_draws_each_once():
    clip = ct.examples.walk(fps=10)
    assert len(ct.plot.skeleton(clip.skeleton, clip, strobe=10**9, ground=False)) == len(clip)


@pytest.mark.filterwarnings("error")
def test_bodies_too_far_away_are_refused_without_warnings_of_numpy():
    clip = ct.examples.walk(fps=10)
    far = ct.Clip(clip.skeleton, clip.rotations, np.full(clip.translations.shape, 3e38), fps=10)
    with pytest.raises(ValueError, match=r"plot\.skeleton: a joint is 1e\+30 or more from the origin"):
        ct.plot.skeleton(far.skeleton, far)
    with pytest.raises(ValueError, match=r"plot\.animate: a joint is 1e\+30 or more from the origin"):
        ct.plot.animate(far)


def test_a_body_without_bones_is_drawn_as_what_it_has():
    roots = ct.Skeleton(["a", "b"], [-1, -1], np.zeros((2, 3)))
    assert len(ct.plot.skeleton(roots, roots.rest)) == 1
    assert len(ct.plot.mask(roots, [0, 1])) == 2
    plt.gcf().canvas.draw()
