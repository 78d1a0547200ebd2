// forward_kinematics.h: from local poses to where the joints are.
//
// Global = parent's global, then local, walking joints in order. Poses without translations stand on the skeleton's offsets. With
// scales a joint's matrix is translation * rotation * scale and positions go through the full matrices; rotations stay products of
// rotations. All functions write C-contiguous arrays, take `workers` and `interrupt` (NULL: never) as in parallel.h, and fail only with
// CT_OUT_OF_MEMORY (scratch) or CT_INTERRUPTED.
#ifndef CT_FORWARD_KINEMATICS_H
#define CT_FORWARD_KINEMATICS_H

#include "kernels.h"
#include "parallel.h"
#include "skeleton.h"

// positions (count, J, 3), rotations (count, J, 4); either may be NULL. Rotations are unit to 3e-7 however deep the skeleton, a root's are
// the pose's own bits. A pose has the same bits at every level, alone and in any batch, for any `workers`.
ct_status ct_forward_kinematics(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, int workers,
                                const ct_interrupt *interrupt, float *positions, float *rotations, ct_error *error);

// Global matrices (count, J, 4, 4), row-major, columns act on column vectors, the last row 0 0 0 1.
ct_status ct_global_matrices(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, int workers,
                             const ct_interrupt *interrupt, float *matrices, ct_error *error);

// Inverse of the rest pose's global matrices, (J, 4, 4).
ct_status ct_inverse_bind(const ct_skeleton *skeleton, const ct_kernels *kernels, float *matrices, ct_error *error);

// palette (count, J, 4, 4) = global * inverse_bind (J, 4, 4).
ct_status ct_palette(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, const float *inverse_bind, int workers,
                     const ct_interrupt *interrupt, float *palette, ct_error *error);

#endif
