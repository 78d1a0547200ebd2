// skeleton_kernels.h: inner loops that walk the joints of a skeleton.
#ifndef CT_SKELETON_KERNELS_H
#define CT_SKELETON_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"

enum { CT_SCRATCH_PER_JOINT = 16 * CT_LANES }; // floats for each of `stride` joints that every kernel finds room in

typedef struct ct_skeleton_kernels {
    // Global positions (count, J, 3) and rotations (count, J, 4) of `count` rows; either may be NULL. `rest` is a row with
    // translations, read where the rows have none. scratch: stride * CT_SCRATCH_PER_JOINT floats. A pose gives the same bits in any batch.
    void (*forward_kinematics)(ct_layout layout, const int32_t *parents, const float *rest, size_t count, const float *rows, float *scratch,
                               float *positions, float *rotations);
    // Global matrices (count, J, 4, 4), each multiplied by its inverse_bind (J, 4, 4) from the right unless that is NULL.
    void (*matrices)(ct_layout layout, const int32_t *parents, const float *rest, size_t count, const float *rows,
                     const float *inverse_bind, float *scratch, float *matrices);
} ct_skeleton_kernels;

#endif
