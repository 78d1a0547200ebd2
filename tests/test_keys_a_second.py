"""How far the feet of a walk slide when it is kept at few keys a second, and by what lies between the keys."""

import pytest

import canter as ct


@pytest.fixture(scope="module")
def slide():
    walk = ct.examples.walk(speed=1.3, cycle=1.0)
    planted = ct.metrics.foot_slide(walk).ground

    def measured(rate, interpolation):
        clip = ct.record(ct.ClipPlayer(walk.resample(rate), interpolation=interpolation), 5.0)
        return ct.metrics.foot_slide(clip, ground=planted).slide

    return measured


def test_fewer_keys_slide_more(slide):
    assert 35 < slide(4, "nlerp") < 55
    assert 2.0 < slide(8, "nlerp") < 3.5
    assert 0.3 < slide(30, "nlerp") < 0.7
    assert slide(60, "nlerp") < 0.02


def test_held_keys_slide_as_far_as_the_body_goes(slide):
    """The body moves on between the keys, the pose does not: the feet are carried along, then jump back."""
    assert 95 < slide(30, "step") < 130
    assert slide(30, "nlerp") < slide(30, "cubic") < 0.8
    assert slide(8, "nlerp") < slide(8, "cubic") < 6
