// blend.h: several poses become one, by weight, joint by joint.
//
// Weights are used after division by their sum, for each joint: a pose's weight times its mask there. Translations and scales are the
// weighted sums. Rotations are the weighted sum of the quaternions made unit, once the signs are chosen: q and -q are one rotation. The
// signs depend neither on the order of the poses nor on the signs that came in:
//   - When every two of them are on one side after flipping some (less than half a turn apart, without contradiction), that is the choice.
//     Two poses so blend the short way.
//   - Otherwise they are taken on the side of the main axis of M = sum of w q qT (the mean of F. L. Markley et al., "Averaging
//     quaternions", 2007), found by applying M 32 times to a quaternion beside the rest rotation. Where there is no single main axis, as
//     for three turns 120 degrees apart, that decides, so the answer is one near the rest rotation. More than 8 poses go this way too
//     unless all are within 90 degrees of the first: too many pairs.
// The sum comes out on the side of the same quaternion. Another order of the poses changes rounding alone, by a few 1e-7.
//
// A joint with one pose's weight alone is that pose's to the bit. A joint without weight (a sum below 1e-30) shows the rest pose; with none
// given, no rotation and the plain mean of the poses' translations and scales, so that bones keep their lengths.
#ifndef CT_BLEND_H
#define CT_BLEND_H

#include "kernels.h"
#include "layout.h"
#include "memory.h"
#include "parallel.h"

// One blend into `out`, for what makes a pose every frame. Allocates nothing, whatever the count.
//   parts   [part_count], at least 1, in any order, with weights of any size. They are used up: those without weight are dropped and the
//           weights of the others divided by their sum, so fill them anew for each frame
//   masks   all parts have one or none has. They are finite, and their sums at a joint too; padding of 1 is quickest
//   rest    a row, or NULL
//   out     a row; may be that of a part, or the rest
// Cost: each row is read once, or twice with masks. Of more than two parts, registers of joints with a rotation over 90 degrees from that
// of the first part are read again and take several times as long.
void ct_blend_frame(const ct_kernels *kernels, ct_layout layout, size_t part_count, ct_blend_part *parts, const float *rest, float *out);

// One of the poses, or a batch of them of which each goes into a blend of its own.
typedef struct ct_blend_pose {
    const float *rows;
    size_t row_step;       // floats from one of the batch to the next; 0: the same for all
    const double *weights; // >= 0
    size_t weight_step;    // doubles from one of the batch to the next; 0: the same for all
    const float *mask;     // [stride], what the weight is multiplied by at each joint; used when `masked`
} ct_blend_pose;

typedef struct ct_blend {
    ct_allocator allocator;     // for one block of scratch memory a call when there are more than 8 poses
    size_t pose_count;          // at least 1
    const ct_blend_pose *poses; // [pose_count]
    bool masked;                // every pose has a mask
    const float *rest;          // a row of the layout of the result, or NULL
} ct_blend;

// CT_BAD_VALUE, naming pose and joint: a mask that is negative, not finite or too large to add up.
ct_status ct_blend_check_masks(const ct_blend *blend, ct_layout layout, ct_error *error);

// Blends into each row of `out`, whose layout all rows have; it overlaps none of them. `workers` and `interrupt` as in parallel.h; the bits
// depend on neither workers nor level. Fails: CT_OUT_OF_MEMORY, CT_INTERRUPTED.
ct_status ct_blend_poses(const ct_blend *blend, const ct_kernels *kernels, int workers, const ct_interrupt *interrupt, ct_poses out,
                         ct_error *error);

#endif
