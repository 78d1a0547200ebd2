// additive_clip.h: deltas over time, the motion of a clip beside one pose.
//
// It never changes once made, borrows its skeleton, and keeps time as the clip it was made of: the same frame time, duration and period.
#ifndef CT_ADDITIVE_CLIP_H
#define CT_ADDITIVE_CLIP_H

#include "clip.h"
#include "pose_delta.h"

typedef struct ct_additive_clip {
    ct_delta_side side;
    ct_clip *frames; // its rows are deltas, not poses: for ct_additive_clip_sample, and for what they say of time
} ct_additive_clip;

// What every frame of `clip` has beside `reference`, one row of the clip's layout. Fails: out of memory; scales without a ratio, as
// ct_pose_difference.
ct_status ct_additive_clip_create(const ct_clip *clip, const ct_kernels *kernels, ct_poses reference, ct_delta_side side,
                                  ct_additive_clip *out, ct_error *error);
void ct_additive_clip_destroy(ct_additive_clip *clip);

// The deltas at `times`, as ct_clip_sample gives poses; `out` has the layout of clip->frames and the clip's side. Nothing is allocated.
ct_status ct_additive_clip_sample(const ct_additive_clip *clip, const ct_kernels *kernels, const double *times, ct_interpolation how,
                                  ct_wrap wrap, int workers, const ct_interrupt *interrupt, ct_pose_deltas out);

#endif
