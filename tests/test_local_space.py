"""Why poses are mixed as local rotations: means of matrices shrink limbs, means of positions shorten bones."""

import numpy as np
import pytest

import canter as ct


@pytest.fixture(scope="module")
def arms(walk):
    """The rest pose with its arms down, and up: 135 degrees apart at the shoulders."""
    skeleton = walk.skeleton

    def arms_at(degrees):
        rotations = skeleton.rest.rotations.copy()
        for name, sign in [("LeftArm", 1), ("RightArm", -1)]:
            rotations[skeleton.index(name)] = ct.quat.from_axis_angle([0, 0, 1], sign * np.radians(degrees))
        return ct.Pose(rotations, skeleton.rest.translations)

    return skeleton, [arms_at(-75), arms_at(60)]


def test_mean_of_global_matrices_shrinks_what_turns(arms):
    skeleton, poses = arms
    mean = np.mean([skeleton.matrices(pose)[..., :3, :3] for pose in poses], axis=0, dtype=float)
    scales = np.linalg.svd(mean, compute_uv=False)
    arm = skeleton.index("LeftArm")
    # Across the axis of a turn by an angle, the mean of both ends is its cosine of half of it long.
    np.testing.assert_allclose(scales[arm], [1, np.cos(np.radians(67.5)), np.cos(np.radians(67.5))], atol=1e-6)
    np.testing.assert_allclose(scales[skeleton.index("LeftUpLeg")], 1, atol=1e-6)


def test_mean_of_joint_positions_shortens_bones(arms):
    skeleton, poses = arms
    mean = np.mean([skeleton.forward_kinematics(pose)[0] for pose in poses], axis=0, dtype=float)
    forearm = skeleton.index("LeftForeArm")
    length = np.linalg.norm(skeleton.offsets[forearm])
    error = ct.metrics.bone_length_error(mean, skeleton)
    assert error.errors[forearm] == pytest.approx(length * (np.cos(np.radians(67.5)) - 1), abs=1e-6)
    assert error.max > 0.15


def test_blended_local_rotations_keep_every_bone(arms):
    skeleton, poses = arms
    blended = ct.blend([ct.blend(poses, [1 - w, w]) for w in np.linspace(0, 1, 7)], np.ones(7))
    for pose in [blended, *(ct.blend(poses, [1 - w, w]) for w in np.linspace(0, 1, 7))]:
        assert ct.metrics.bone_length_error(skeleton.forward_kinematics(pose)[0], skeleton).max < 5e-7
        scales = np.linalg.svd(skeleton.matrices(pose)[..., :3, :3].astype(float), compute_uv=False)
        np.testing.assert_allclose(scales, 1, atol=2e-6)
