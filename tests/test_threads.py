"""Immutable objects are shared between threads: all see the same bits as one alone."""

import importlib
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import canter as ct
from public_calls import BLEND_METHODS

THREADS, REPEATS = 8, 20


def at_once(work):
    """Results of `work` repeated on every thread; all start at the same moment."""
    barrier = threading.Barrier(THREADS)

    def run(_):
        barrier.wait()
        return [work() for _ in range(REPEATS)]

    with ThreadPoolExecutor(THREADS) as pool:
        return [result for results in pool.map(run, range(THREADS)) for result in results]


@pytest.fixture(scope="module")
def skeleton(make_skeleton):
    return make_skeleton(65)


@pytest.fixture
def pose(skeleton, random_rotations):
    return ct.Pose(random_rotations(30, 65), np.tile(skeleton.offsets, (30, 1, 1)))


def same_bits(a, b):
    return all(np.array_equal(x.view(np.uint32), y.view(np.uint32)) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("workers", [1, 3])
def test_forward_kinematics_of_a_shared_skeleton(skeleton, pose, workers):
    alone = skeleton.forward_kinematics(pose)
    assert all(same_bits(alone, result) for result in at_once(lambda: skeleton.forward_kinematics(pose, workers=workers)))


def test_palettes_of_a_shared_skeleton(skeleton, pose):
    alone = skeleton.palette(pose)
    assert all(same_bits([alone], [result]) for result in at_once(lambda: skeleton.palette(pose)))


@pytest.mark.parametrize("interpolation", ["nlerp", "slerp", "step", "cubic"])
def test_samples_of_a_shared_clip(make_clip, interpolation):
    clip = make_clip(40, 65)
    times = np.linspace(-0.2, 1.2 * clip.duration, 300)

    def work():
        sampled = clip.sample(times, interpolation=interpolation, wrap="loop")
        return sampled.rotations, sampled.translations

    alone = work()
    assert all(same_bits(alone, result) for result in at_once(work))


@pytest.mark.parametrize("method", BLEND_METHODS)
def test_weights_of_a_shared_blend_space(method, rng):
    space = ct.BlendSpace2D([(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)], method=method)
    points = rng.standard_normal((1000, 2))
    alone = space.weights(points)
    assert all(np.array_equal(alone, result) for result in at_once(lambda: space.weights(points)))


def test_objects_made_and_dropped_at_once(make_skeleton):
    def work():
        skeleton = make_skeleton(12)
        return np.array(skeleton.offsets), skeleton.forward_kinematics(skeleton.rest)[0]

    alone = work()
    assert all(same_bits(alone, result) for result in at_once(work))


@pytest.mark.parametrize("joints", [18, 65])
def test_examples_are_the_same_objects_on_all_threads(joints):
    for module in ("humanoid", "mesh"):
        importlib.import_module(f"canter.examples.{module}")._made.clear()
    seen = at_once(lambda: (ct.examples.humanoid(joints=joints), ct.examples.skinned_humanoid(joints=joints)))
    assert len({tuple(map(id, pair)) for pair in seen}) == 1
    assert seen[0][1].skeleton is seen[0][0]


def test_a_recording_lets_other_threads_run_and_keeps_them_away():
    walk = ct.examples.walk()
    player, refused = ct.ClipPlayer(walk), []
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(player)])
    thread = threading.Thread(target=ct.record, args=(stack, 600.0))
    thread.start()
    while thread.is_alive():
        for call in (lambda: stack.update(0.1), player.reset, lambda: setattr(player, "time", 0.0)):
            try:
                call()
            except RuntimeError as error:
                refused.append(str(error))
    thread.join()
    assert refused
    assert all("for one thread at a time" in message for message in refused)


def test_players_of_a_shared_clip():
    walk = ct.examples.walk()

    def work():
        clip = ct.record(ct.ClipPlayer(walk), 1.0)
        return clip.rotations, clip.translations

    alone = work()
    assert all(same_bits(alone, result) for result in at_once(work))
