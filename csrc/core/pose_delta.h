// pose_delta.h: what a pose has beside a reference, to be added to any other pose, with a weight.
//
// A delta knows the side on which its rotations belong, and is never applied on the other:
//   CT_SIDE_LOCAL   inverse(reference) * pose, on the right of a base: turns about the joint's own axes
//   CT_SIDE_PARENT  pose * inverse(reference), on the left of a base: turns about the axes of the joint's parent
// Translations are differences and scales ratios, on either side.
//
// A weight t (times the joint's mask) says how much of a delta is added:
//   0         nothing: the base keeps its bits
//   0 .. 1    nlerp(identity, delta, t) the short way, t times the translation, 1 - t + t times the ratio
//   above 1   the turn's angle times t, t times the translation, the ratio to the power of t; so 2 adds the whole twice
//   below 0   the inverse of what |t| adds: adding at -t undoes adding at t, to rounding
#ifndef CT_POSE_DELTA_H
#define CT_POSE_DELTA_H

#include "kernels.h"
#include "layout.h"
#include "parallel.h"

enum { CT_MAX_DELTA_WEIGHT = 1000 }; // either way, mask included: beyond, angles have no digits left

typedef enum ct_delta_side { CT_SIDE_LOCAL, CT_SIDE_PARENT } ct_delta_side;

// Deltas in a block, one row each, laid out like poses: rotations unit (q and -q are one), scales above 0.
typedef struct ct_pose_deltas {
    ct_delta_side side;
    ct_layout layout;
    size_t count;
    float *rows;
} ct_pose_deltas;

// out = what `poses` have beside `references`, on the side that out says. All have one layout; poses and references have as many rows as
// out, or one, which is the same for all. out.rows may be those of the poses. Fails with CT_BAD_VALUE, naming pose and joint, where scales
// have no ratio above 0: one of them is 0, or they differ in sign.
ct_status ct_pose_difference(const ct_kernels *kernels, ct_poses poses, ct_poses references, ct_pose_deltas out, ct_error *error);

// out = base with the one row of `delta` added; for sources and layers, once a frame. Nothing is allocated.
//   layout  of base and out. The delta's may lack translations or scales: those of the base stay.
//   weight  with the mask at most CT_MAX_DELTA_WEIGHT, either way
//   mask    [stride], anything within those bounds for the padding joints; or NULL: 1 for all
//   out     may be base
void ct_pose_add(const ct_kernels *kernels, ct_layout layout, const float *base, ct_pose_deltas delta, double weight, const float *mask,
                 float *out);

// The same for many: base, deltas and weights have as many rows (numbers) as out, or one, which is the same for all. `workers` and
// `interrupt` as in parallel.h; the bits depend on neither workers nor level. Fails: CT_INTERRUPTED.
ct_status ct_poses_add(const ct_kernels *kernels, ct_poses base, ct_pose_deltas deltas, size_t weight_count, const double *weights,
                       const float *mask, int workers, const ct_interrupt *interrupt, ct_poses out);

#endif
