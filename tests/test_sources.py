"""Pose sources written in Python: alone, part of others, and what goes wrong in them; and the frames that sources show."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import canter as ct


@pytest.fixture(scope="module")
def walk():
    return ct.examples.walk()


class Played(ct.PoseSource):
    """Shows what a player inside it shows, or what `answer` says."""

    def __init__(self, clip, answer=None):
        super().__init__(clip.skeleton)
        self.player = ct.ClipPlayer(clip)
        self.answer = answer
        self.seen = []

    def update(self, dt, params):
        self.seen.append((dt, params))
        frame = self.player.update(dt)
        return frame if self.answer is None else self.answer(frame)

    def reset(self):
        self.player.reset()


def stack_of(source, *others):
    return ct.LayerStack(source.skeleton, [ct.Layer(source), *(ct.Layer(other) for other in others)])


def bits(pose):
    return pose.rotations.tobytes(), pose.translations.tobytes()


def test_a_frame_of_an_inner_player_is_shown_with_its_way_and_its_clip(walk):
    frame, alone = stack_of(Played(walk)).update(0.3), ct.ClipPlayer(walk).update(0.3)
    assert bits(frame.pose) == bits(alone.pose)
    assert frame.root.turn == alone.root.turn
    np.testing.assert_array_equal(frame.root.translation, alone.root.translation)
    assert [event.name for event in frame.events] == [event.name for event in alone.events]


def test_a_pose_is_a_frame_that_stays_where_it_is(walk):
    frame = stack_of(Played(walk, lambda frame: frame.pose)).update(0.3)
    assert bits(frame.pose) == bits(ct.ClipPlayer(walk).update(0.3).pose)
    assert (frame.root.turn, *frame.root.translation) == (0, 0, 0, 0)


def test_it_gets_the_step_and_the_parameters_as_they_were_given(walk):
    source = Played(walk)
    stack, params = stack_of(source), {"speed": 1, "mood": "glad"}
    stack.update(0.25, params)
    stack.update(0)
    assert source.seen == [(0.25, params), (0.0, {})]
    assert source.seen[0][1] is params


def test_a_pose_without_translations_stands_as_the_skeleton_rests(walk):
    frame = stack_of(Played(walk, lambda frame: ct.Pose(frame.pose.rotations))).update(0.1)
    np.testing.assert_array_equal(frame.pose.translations, walk.skeleton.rest.translations)


def test_poses_have_scales_where_the_source_says_so(walk):
    scaled = ct.Pose(walk[0].rotations, walk[0].translations, np.full((18, 3), 2.0))

    class Scaled(ct.PoseSource):
        def update(self, dt, params):
            return scaled if dt else walk[0]

    stack = stack_of(Scaled(walk.skeleton, scales=True))
    assert (stack.update(0.1).pose.scales == 2).all()
    assert (stack.update(0).pose.scales == 1).all()
    with pytest.raises(ValueError, match="make the source with scales=True"):
        stack_of(Scaled(walk.skeleton)).update(0.1)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda frame: 3, TypeError, "Played.update gave 3, expected a single Pose"),
        (lambda frame: (frame.pose, frame.root), TypeError, "expected a single Pose"),
        (lambda frame: ct.Pose(np.stack([frame.pose.rotations] * 2)), TypeError, "expected a single Pose"),
        (lambda frame: ct.Pose(frame.pose.rotations[:5]), ValueError, "a pose of 5 joints, its skeleton has 18"),
        (lambda frame: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_what_goes_wrong_moves_no_other_source(walk, answer, error, message):
    player, source = ct.ClipPlayer(walk, start=0.1), Played(walk)
    stack = stack_of(player, source)
    stack.update(0.2)
    source.answer = answer
    for call in (lambda: stack.update(0.2), lambda: ct.record(stack, 0.5)):
        with pytest.raises(error, match=message):
            call()
        assert player.time == pytest.approx(0.3)
    source.answer = None
    stack.update(0.2)
    assert player.time == pytest.approx(0.5)


def test_super_init_forgotten_is_told(walk):
    class Forgetful(ct.PoseSource):
        def __init__(self):
            pass

        def update(self, dt, params):
            return walk[0]

    for use in (lambda source: ct.Layer(source), lambda source: ct.record(source, 1), lambda source: source.skeleton):
        with pytest.raises(RuntimeError, match=r"Forgetful.*never made; call super\(\).__init__\(skeleton\)"):
            use(Forgetful())


def test_a_source_without_update_says_what_to_define(walk):
    source = ct.PoseSource(walk.skeleton)
    with pytest.raises(NotImplementedError, match="PoseSource has no update of its own"):
        source.update(0.1)
    with pytest.raises(NotImplementedError, match="PoseSource has no update of its own"):
        stack_of(source).update(0.1)
    assert source.reset() is None


def test_a_source_is_made_once_of_a_skeleton(walk):
    source = ct.PoseSource(walk.skeleton)
    with pytest.raises(RuntimeError, match="made already"):
        source.__init__(walk.skeleton)
    with pytest.raises(TypeError, match="skeleton"):
        ct.PoseSource(walk)
    assert source.skeleton is walk.skeleton


def test_reset_reaches_it_and_what_it_raises_comes_through(walk):
    source = Played(walk)
    stack = stack_of(source)
    stack.update(0.3)
    stack.reset()
    assert source.player.time == 0
    source.player = None
    with pytest.raises(AttributeError, match="reset"):
        stack.reset()
    source.player = ct.ClipPlayer(walk)
    stack.update(0.1)


def test_the_whole_tree_is_busy_while_a_part_runs_python(walk):
    player, source, refused = ct.ClipPlayer(walk), Played(walk), []
    stack = stack_of(player, source)

    def meddle(frame):
        for call in (player.reset, stack.reset, lambda: setattr(player, "time", 0.5), lambda: ct.record(stack, 1)):
            with pytest.raises(RuntimeError, match="update of this source.* is going on"):
                call()
            refused.append(call)
        return frame

    source.answer = meddle
    stack.update(0.2)
    assert (len(refused), player.time) == (4, 0.2)
    player.time = 0.5
    assert player.time == 0.5


def test_sources_that_hold_each_other_are_collected(walk):
    class Holder(ct.PoseSource):
        def update(self, dt, params):
            return walk[0]

    holder = Holder(walk.skeleton)
    holder.stack = stack_of(holder)
    holder.stack.update(0.1)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_sources_and_frames_are_not_copied(walk, copied):
    for thing in (ct.PoseSource(walk.skeleton), ct.ClipPlayer(walk).update(0.1)):
        with pytest.raises(TypeError, match="cannot pickle"):
            copied(thing)


# -------------------------------------------------------------------------------------------------------------------------- frames


def test_a_frame_is_a_pose_and_a_way(walk):
    frame = ct.Frame(walk[0], ((0.1, 0, 0.2), 0.3))
    assert frame.pose.joint_count == 18
    assert (frame.root.turn, *frame.root.translation) == (0.3, 0.1, 0, 0.2)
    assert tuple(ct.Frame(walk[0]).root.translation) == (0, 0, 0)
    again = ct.Frame(walk[0], root=frame.root).root
    assert (again.turn, *again.translation) == (0.3, 0.1, 0, 0.2)


@pytest.mark.parametrize("root", [3, (1, 2, 3), ((1, 2), 0), ((1, 2, np.nan), 0), ((1, 2, 3), np.inf), [(1, 2, 3), 0]])
def test_what_is_no_way_is_refused(walk, root):
    with pytest.raises((TypeError, ValueError), match="Frame: root"):
        ct.Frame(walk[0], root)


def test_what_is_no_single_pose_is_refused(walk):
    for pose in (3, walk, walk.poses):
        with pytest.raises(TypeError, match="Frame: pose"):
            ct.Frame(pose)


def test_deltas_of_root_motion_are_of_the_same_type(walk):
    motion = walk.root_motion()
    for delta in (motion.delta(0.0, 0.5), motion.delta(0.0, [0.5, 1.0]), ct.ClipPlayer(walk).update(0.1).root):
        translation, turn = delta
        assert type(delta) is ct.RootDelta
        assert delta.translation is translation
        assert delta.turn is turn
    assert translation.shape == (3,)
    assert isinstance(motion.delta(0.0, 0.5).turn, float)
    assert motion.delta(0.0, [0.5, 1.0]).translation.shape == (2, 3)
    assert ct.Frame(walk[0], motion.delta(0.0, 0.5)).root.turn == motion.delta(0.0, 0.5).turn
    assert pickle.loads(pickle.dumps(delta)).turn == delta.turn
