"""Forward kinematics and skinning a second time: 4x4 matrices in float64, one joint after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def turn(q: npt.ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=np.float64), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def local_matrices(rotations: npt.ArrayLike, translations: npt.ArrayLike, scales: npt.ArrayLike | None = None) -> Floats:
    """(..., J, 4, 4): translation, rotation and scale in this order."""
    turned = turn(rotations)
    if scales is not None:
        turned = turned * np.asarray(scales, dtype=np.float64)[..., None, :]
    matrices = np.zeros((*turned.shape[:-2], 4, 4))
    matrices[..., :3, :3] = turned
    matrices[..., :3, 3] = translations
    matrices[..., 3, 3] = 1
    return matrices


def global_matrices(parents: npt.ArrayLike, local: Floats) -> Floats:
    result = np.empty_like(local)
    for j, parent in enumerate(np.asarray(parents)):
        result[..., j, :, :] = local[..., j, :, :] if parent < 0 else result[..., parent, :, :] @ local[..., j, :, :]
    return result


def skinned(vertices: npt.ArrayLike, joints: npt.ArrayLike, weights: npt.ArrayLike, palette: Floats) -> Floats:
    """Vertices moved by the weighted sum of their matrices, one pose."""
    shares = np.asarray(weights, dtype=np.float64)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    matrices = np.einsum("vk,vkab->vab", shares, palette[np.asarray(joints)])
    points = np.concatenate([np.asarray(vertices, dtype=np.float64), np.ones((len(np.asarray(vertices)), 1))], axis=-1)
    return np.asarray(np.einsum("vab,vb->va", matrices, points)[:, :3])
