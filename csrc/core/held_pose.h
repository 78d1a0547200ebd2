// held_pose.h: the pose source that shows the same pose, or the same delta, in every frame. The character stays where it is.
#ifndef CT_HELD_POSE_H
#define CT_HELD_POSE_H

#include "source.h"

typedef struct ct_held_pose {
    ct_source source;
    ct_allocator allocator;
    float *row; // of the source's layout
} ct_held_pose;

// Holds the one row of `pose`, which is copied; translations that it lacks are those of the rest pose. Fails: out of memory; another number
// of joints than the skeleton's, which is borrowed.
ct_status ct_held_pose_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_poses pose, ct_held_pose **out,
                              ct_error *error);

// The same for a delta: the source is additive. A delta without translations leaves those below it as they are.
ct_status ct_held_delta_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_pose_deltas delta, ct_held_pose **out,
                               ct_error *error);

void ct_held_pose_destroy(ct_held_pose *held); // NULL is fine

#endif
