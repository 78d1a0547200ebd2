"""What happens while a clip plays: half-open intervals, round loops, in both directions."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import canter as ct
from conftest import humanoid, wander

SKELETON = humanoid(2)
MARKERS = {"down": [0.0, 0.31, 0.5], "up": [0.2, 0.31], "seam": [0.95 - 1e-9], "never": []}


def loop(markers=MARKERS):
    """Nineteen frames that lead back to the first: a period of 0.95 s."""
    clip = wander(SKELETON, 19, fps=20, looping=True, markers=markers)
    assert clip.period == pytest.approx(0.95)
    return clip


def names(events):
    return [event.name for event in events]


def expected(clip, t0, t1):
    """All that happens from t0 to t1, found by looking at every round."""
    rounds = range(int(min(t0, t1) // clip.period) - 2, int(max(t0, t1) // clip.period) + 3)
    moments = {}
    for name, times in clip.markers.items():
        for time in times:
            at_seam = time > clip.period * (1 - 1e-6)
            moments.update({(((k + 1) if at_seam else k) * clip.period + (0.0 if at_seam else time), name): None for k in rounds})
    inside = [(t, name) for t, name in moments if (t0 <= t < t1 if t1 >= t0 else t1 < t <= t0)]
    return sorted(inside, key=lambda moment: moment[0] if t1 >= t0 else -moment[0])


@given(st.floats(-7, 7), st.floats(-7, 7))
def test_a_loop_happens_again_every_period_in_both_directions(t0, t1):
    clip = loop()
    events = clip.events(t0, t1)
    assert sorted((event.time, event.name) for event in events) == sorted(expected(clip, t0, t1))
    times = [event.time for event in events]
    assert times == sorted(times, reverse=t1 < t0)
    assert all(event.clip is clip and event.weight == 1 for event in events)


moments = st.one_of(st.floats(-4, 4), st.sampled_from([k * 0.95 + t for k in (-2, -1, 0, 1, 2) for t in (0.0, 0.2, 0.31, 0.5)]))


@given(st.lists(moments, min_size=2, max_size=12), st.booleans(), st.sampled_from(["loop", "clamp"]))
def test_intervals_one_after_another_lose_and_double_nothing(cuts, backward, wrap):
    clip = loop()
    cuts = sorted(cuts, reverse=backward)
    parts = [event for a, b in zip(cuts, cuts[1:], strict=False) for event in clip.events(a, b, wrap=wrap)]
    assert parts == clip.events(cuts[0], cuts[-1], wrap=wrap)


@given(st.floats(-50, 50))
def test_an_interval_begins_with_its_first_event_and_ends_before_its_last(t):
    clip = loop()
    time = clip.events(t, t + 1)[0].time
    assert clip.events(time, time + 1)[0].time == time
    assert clip.events(time, time - 1)[0].time == time
    assert all(event.time < time for event in clip.events(time - 1, time))
    assert all(event.time > time for event in clip.events(time + 1, time))


def test_the_seam_is_told_once():
    clip = loop({"step": [0.0, 0.95], "breath": [0.95]})
    assert [event.time for event in clip.events(0, 2 * clip.period)] == [0, 0, clip.period, clip.period]
    assert names(clip.events(0.5, clip.period)) == []
    assert names(clip.events(clip.period, 1)) == ["step", "breath"]
    assert len(clip.events(0, 100 * clip.period)) == 200


def test_an_open_clip_tells_its_end_when_time_goes_past_it(make_clip):
    clip = make_clip(21, 2, fps=20, markers={"start": [0], "end": [1.0]})
    assert names(clip.events(-5, 1)) == ["start"]
    assert names(clip.events(0.5, 1.01)) == ["end"]
    assert names(clip.events(1, 9)) == ["end"]
    assert names(clip.events(9, -9)) == ["end", "start"]
    assert names(clip.events(0.5, 0)) == []
    assert names(clip.events(2, 2)) == []


def test_wrap_says_whether_it_goes_round(make_clip):
    clip = make_clip(19, 2, fps=20, looping=True, markers={"late": [0.93], "step": [0.1]})  # 0.93 s lies after the last frame
    assert names(clip.events(0, 5, wrap="clamp")) == ["step"]
    assert len(clip.events(0, 0.95 * 4)) == len(clip.events(0, 0.95 * 4, wrap="loop")) == 8
    once = clip.replace(looping=False, markers={"step": [0.1]})
    assert len(once.events(0, 0.95 * 4)) == 1
    assert len(once.events(0, 0.95 * 4, wrap="loop")) == 4


def test_events_are_values():
    event = ct.Event("throw", 0.25)
    assert event == ("throw", 0.25, None, 1.0)
    assert pickle.loads(pickle.dumps(event)) == event


def test_what_is_no_time_is_refused(make_clip):
    clip = loop()
    for bad in (np.nan, np.inf, 1e13, -1e300):
        with pytest.raises(ValueError, match=r"Clip\.events: t1"):
            clip.events(0, bad)
    with pytest.raises(TypeError, match=r"Clip\.events: t0"):
        clip.events("now", 1)
    with pytest.raises(ValueError, match="wrap"):
        clip.events(0, 1, wrap="mirror")
    with pytest.raises(ValueError, match="more than 16777216 events"):
        clip.events(0, 1e9)
    assert make_clip(1, 2, markers={"now": [0]}).events(-1, 1)[0].time == 0
    assert make_clip(1, 2)[:0].events(-1, 1) == []
