// bvh_angles.h: from rotations to the rotation channels of a joint, frame after frame; for the BVH writer.
//
// Angles of a frame are the ones nearest to those of the frame before. Where the middle turn brings the outer two on one axis (gimbal
// lock), only their sum is given by the rotation; their difference is kept.
#ifndef CT_BVH_ANGLES_H
#define CT_BVH_ANGLES_H

#include <stdint.h>

#include "kernels.h"
#include "memory.h"
#include "status.h"

typedef struct ct_bvh_turns {
    uint8_t count;   // 0 to 3
    uint8_t axes[3]; // no two neighbours alike
} ct_bvh_turns;

typedef struct ct_bvh_angles ct_bvh_angles;

// Angles for `joint_count` joints; `turns` [joint_count] is copied.
ct_status ct_bvh_angles_create(const ct_allocator *allocator, const ct_kernels *kernels, size_t joint_count, const ct_bvh_turns *turns,
                               ct_bvh_angles **out, ct_error *error);
void ct_bvh_angles_destroy(ct_bvh_angles *angles, const ct_allocator *allocator); // NULL is fine

// The angles of the next frame, [joint_count][3] degrees, turns that a joint does not have 0. `row` is a row of a clip, `stride` its
// stride.
const double *ct_bvh_angles_next(ct_bvh_angles *angles, const float *row, size_t stride);

// How far (radians) a unit rotation is from the nearest that 0, 1 or 2 turns can make; 0 for three.
double ct_bvh_angles_missed(ct_bvh_turns turns, const double rotation[4]);

#endif
