// skeleton_kernels.h: inner loops that walk the joints of a skeleton.
#ifndef CT_SKELETON_KERNELS_H
#define CT_SKELETON_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"

typedef struct ct_skeleton_kernels {
    size_t scratch_per_joint; // floats a joint that the kernels below need in `scratch`, aligned to CT_ALIGNMENT
    // Global positions (count, J, 3) and rotations (count, J, 4) of `count` rows; either may be NULL. `rest` is a row with
    // translations, read where the rows have none.
    void (*forward_kinematics)(ct_layout layout, const int32_t *parents, const float *rest, size_t count, const float *rows, float *scratch,
                               float *positions, float *rotations);
} ct_skeleton_kernels;

#endif
