"""Recordings of pose sources: the clip that is played comes back in the world."""

import numpy as np
import pytest

import canter as ct


@pytest.fixture(scope="module")
def walk():
    return ct.examples.walk()


class Steered(ct.PoseSource):
    """Moves a metre a second along z times `go`."""

    def __init__(self, clip):
        super().__init__(clip.skeleton)
        self.pose, self.seen = clip[0], []

    def update(self, dt, params):
        self.seen.append(params["go"])
        return ct.Frame(self.pose, ((0, 0, dt * params["go"]), 0))


def at_origin(clip):
    """The clip moved to where it begins at the origin, facing +Z: the rotations and translations of its root."""
    place, heading = clip.root_motion().at(0.0)
    turn = ct.quat.from_axis_angle((0, 1, 0), -heading)
    return ct.quat.multiply(turn, clip.rotations[:, 0]), ct.quat.rotate(turn, clip.translations[:, 0] - place)


@pytest.mark.parametrize("name", ["jump", "start", "stop", "turn_in_place"])
def test_an_open_clip_comes_back_in_the_world(name):
    clip = getattr(ct.examples, name)()
    clip = clip.replace(looping=False)
    recorded = ct.record(ct.ClipPlayer(clip), clip.duration, fps=clip.fps)
    assert len(recorded) == len(clip)
    rotations, translations = at_origin(clip)
    np.testing.assert_allclose(recorded.translations[:, 0], translations, atol=2e-6)
    assert ct.quat.angle(recorded.rotations[:, 0], rotations).max() < 2e-6
    np.testing.assert_allclose(recorded.rotations[:, 1:], clip.rotations[:, 1:], atol=2e-6)


def test_a_recording_goes_on_from_where_the_source_stands(walk):
    player = ct.ClipPlayer(walk)
    player.update(0.4)
    recorded = ct.record(player, 0.5, fps=30)
    assert (len(recorded), recorded.fps, recorded.looping) == (16, pytest.approx(30), False)
    assert player.time == pytest.approx(0.9)
    again = ct.ClipPlayer(walk, start=0.4)
    np.testing.assert_array_equal(recorded.rotations[0, 1:], again.update(0).pose.rotations[1:])


def test_no_time_is_one_frame(walk):
    assert len(ct.record(ct.ClipPlayer(walk), 0)) == 1


def test_a_body_that_is_moved_by_hand_goes_at_that_speed(walk):
    recorded = ct.record(ct.ClipPlayer(walk, root_motion=True), 2, velocity=(0.5, 0, 2))
    spot = ct.record(ct.ClipPlayer(walk), 2, velocity=(0, 0, 0))
    moved = recorded.translations[:, 0] - spot.translations[:, 0]
    np.testing.assert_allclose(moved, np.linspace(0, 2, 121)[:, None] * (0.5, 0, 2), atol=1e-5)


def test_parameters_are_numbers_or_one_for_each_frame(walk):
    source = Steered(walk)
    pace = np.linspace(0, 1, 11)
    recorded = ct.record(source, 1, {"go": pace}, fps=10)
    assert source.seen == pytest.approx(pace)
    np.testing.assert_allclose(recorded.translations[-1, 0, 2] - recorded.translations[0, 0, 2], pace[1:].sum() / 10, rtol=1e-5)
    player = ct.ClipPlayer(walk, rate=ct.param("go"))
    ct.record(player, 1, {"go": 0.5, "unused": 3})
    assert player.time == pytest.approx(0.5)
    ct.record(player, 1, {"go": np.r_[[9.0], np.full(10, 0.25)]}, fps=10)
    assert player.time == pytest.approx(0.75)


@pytest.mark.parametrize("parts", [["player"], ["player", "steered"]])
def test_what_fails_leaves_the_source_where_it_was(walk, parts):
    player = ct.ClipPlayer(walk, rate=ct.param("rate"), start=0.2)
    sources = {"player": player, "steered": Steered(walk)}
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(sources[part]) for part in parts])
    with pytest.raises(ValueError, match="the rate leads out of all times"):
        ct.record(stack, 100, {"rate": np.r_[np.ones(8), [1e308, 1, 1]], "go": 1}, fps=0.1)
    with pytest.raises(ValueError, match="no 'rate'"):
        ct.record(stack, 1, {"go": 1})
    assert player.time == 0.2
    ct.record(stack, 0.5, {"rate": 1, "go": 1})
    assert player.time == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((-1,), {}, "record: seconds"),
        ((np.nan,), {}, "record: seconds"),
        ((1e300,), {}, "record: seconds"),
        ((1,), {"fps": 0}, "record: fps"),
        ((1,), {"velocity": (1, 2)}, "record: velocity"),
        ((1,), {"velocity": (1, 2, np.inf)}, "record: velocity"),
        ((1,), {"name": 3}, "name"),
        ((1, {"a": [1, 2]}), {}, r"record: params\['a'\] has shape \(2,\), expected a number, or \(61,\)"),
        ((1, {"a": np.nan}), {}, r"record: params\['a'\]"),
        ((1, {3: 1}), {}, "record: params has the name 3"),
        ((1, 7), {}, "record: params is int"),
    ],
)
def test_what_can_not_be_recorded_is_refused(walk, arguments, options, message):
    player = ct.ClipPlayer(walk)
    with pytest.raises((ValueError, TypeError), match=message):
        ct.record(player, *arguments, **options)
    assert player.time == 0


def test_only_whole_sources_are_recorded(walk):
    player = ct.ClipPlayer(walk)
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(player)])
    with pytest.raises(ValueError, match="part of another"):
        ct.record(player, 1)
    with pytest.raises(TypeError, match="record: source"):
        ct.record(walk, 1)
    assert ct.record(stack, 1, name="walked").name == "walked"
