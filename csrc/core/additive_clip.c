#include "additive_clip.h"

#include <assert.h>

ct_status ct_additive_clip_create(const ct_clip *clip, const ct_kernels *kernels, ct_poses reference, ct_delta_side side,
                                  ct_additive_clip *out, ct_error *error)
{
    assert(reference.count == 1);
    ct_clip *frames;
    ct_status status = ct_clip_create(&clip->allocator, clip->skeleton, clip->frame_count, clip->frame_time, clip->looping,
                                      ct_has_scales(clip->layout), &frames, error);
    if (status != CT_OK) return status;

    ct_poses poses = {clip->layout, clip->frame_count, clip->rows};
    ct_pose_deltas deltas = {side, frames->layout, frames->frame_count, frames->rows};
    status = ct_pose_difference(kernels, poses, reference, deltas, error);
    if (status == CT_OK) status = ct_clip_finish(frames, error);
    if (status != CT_OK) {
        ct_clip_destroy(frames);
        return status;
    }
    // Differences are too small to tell by where a loop ends.
    frames->last_repeats_first = clip->last_repeats_first;
    *out = (ct_additive_clip){side, frames};
    return CT_OK;
}

void ct_additive_clip_destroy(ct_additive_clip *clip) { ct_clip_destroy(clip->frames); }

ct_status ct_additive_clip_sample(const ct_additive_clip *clip, const ct_kernels *kernels, const double *times, ct_interpolation how,
                                  ct_wrap wrap, int workers, const ct_interrupt *interrupt, ct_pose_deltas out)
{
    assert(out.side == clip->side);
    ct_poses rows = {out.layout, out.count, out.rows};
    return ct_clip_sample(clip->frames, kernels, times, how, wrap, workers, interrupt, rows, NULL);
}
