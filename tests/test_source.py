"""What a clip remembers of its file."""

import pickle
from dataclasses import replace

import canter as ct

SOURCE = ct.Source(
    path="walk.bvh",
    format="BVH",
    frame_time=1 / 120,
    up="+y",
    unit="cm",
    height=171.5,
    stature=174.0,
    floor=0.1,
    declared_frames=3,
    warnings=("7:3: no end site",),
    channels=(("Xrotation",),) * 500,
    tip_names=("Site",) * 300,
    root_offset="replace",
)


def test_repr_is_one_bounded_line_of_what_is_believed():
    assert repr(SOURCE) == "<Source 'walk.bvh': BVH, 0.00833333 s a frame, +y up, in cm, 1 warning>"
    plain = replace(SOURCE, up="", unit="", warnings=())
    assert repr(plain) == "<Source 'walk.bvh': BVH, 0.00833333 s a frame>"
    long = repr(replace(SOURCE, path="folder\n/" * 100 + "walk.bvh", warnings=("odd",) * 2))
    assert "walk.bvh'" in long
    assert long.endswith("2 warnings>")
    assert len(long) < 140
    assert "\n" not in long


def test_sources_pickle_and_compare():
    assert pickle.loads(pickle.dumps(SOURCE)) == SOURCE
    assert replace(SOURCE, unit="m") != SOURCE
