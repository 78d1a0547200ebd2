// clip.h: poses over time.
//
// A clip never changes once made; any number of threads may sample it. Rows are frames in the layout of layout.h, so a row streams
// through wide registers. A clip borrows its skeleton: the owner of both keeps the skeleton alive longer.
//
// Time is in seconds. F frames last (F - 1) * frame_time. The period of a looping clip is that, or one frame_time more when its last
// frame does not repeat the first (ct_clip_period): then the last frame blends back into the first.
#ifndef CT_CLIP_H
#define CT_CLIP_H

#include "kernels.h"
#include "parallel.h"
#include "skeleton.h"

typedef enum ct_interpolation { CT_NLERP, CT_SLERP, CT_STEP, CT_CUBIC } ct_interpolation;
typedef enum ct_wrap { CT_CLAMP, CT_LOOP } ct_wrap;

typedef struct ct_clip {
    ct_allocator allocator;
    const ct_skeleton *skeleton;
    ct_layout layout;   // always with translations
    size_t frame_count; // may be 0: such a clip can be looked at but not sampled
    double frame_time;  // seconds, > 0
    bool looping;
    bool last_repeats_first; // the last frame is the first again, so the period is the duration
    float *rows;             // [frame_count] rows, rotations unit; written only by whoever creates the clip
} ct_clip;

// A clip with room for its rows, the padding joints already identities and the rest not yet written: the caller fills the rows, then calls
// ct_clip_finish. Fails: out of memory; frame_time not positive and finite.
ct_status ct_clip_create(const ct_allocator *allocator, const ct_skeleton *skeleton, size_t frame_count, double frame_time, bool looping,
                         bool scales, ct_clip **out, ct_error *error);
void ct_clip_destroy(ct_clip *clip); // NULL is fine

// Checks and completes a clip whose rows were written: refuses numbers that are not finite and zero rotations (CT_BAD_VALUE with joint and
// frame), normalises rotations that are not unit to 1e-6, flips signs so that neighbouring frames are the short way apart, sets
// last_repeats_first (all rotations within 1e-4 rad and translations within 1e-4 of the skeleton's size, the root's ground travel aside).
ct_status ct_clip_finish(ct_clip *clip, ct_error *error);

double ct_clip_duration(const ct_clip *clip); // (F - 1) * frame_time, 0 without frames
double ct_clip_period(const ct_clip *clip);   // what a loop repeats after; 0 for fewer than two frames

// The poses at `times` (seconds, finite: checked by the caller, asserted here), one row each.
//   out        rows of the clip's layout; rotations are unit
//   velocities NULL, or rows for the velocities of the same interpolation (0 where a clamped time is outside)
// CT_CLAMP holds the ends. CT_LOOP wraps by the period; without a loop in the clip it wraps all the same. The clip must have a frame.
// Times within 1e-6 of a frame's span are that frame to the bit. Nothing is allocated. `workers` as in parallel.h.
ct_status ct_clip_sample(const ct_clip *clip, const ct_kernels *kernels, const double *times, ct_interpolation how, ct_wrap wrap,
                         int workers, ct_poses out, ct_pose_velocities *velocities);

// Velocities at the keys: central differences, one-sided at the ends, around the seam when looping. One row a frame.
void ct_clip_velocities(const ct_clip *clip, const ct_kernels *kernels, ct_pose_velocities out);

// Frames start, start + step, ... (count of them) as a clip of their own; frame_time grows with |step|. A negative step turns time round.
ct_status ct_clip_slice(const ct_clip *clip, size_t start, ptrdiff_t step, size_t count, ct_clip **out, ct_error *error);

// The same motion at another rate, sampled at true times. The duration is kept to within half a new frame when open; a looping clip
// keeps its period exactly, so its frame time is the nearest to 1 / fps that divides it.
ct_status ct_clip_resample(const ct_clip *clip, const ct_kernels *kernels, double fps, ct_interpolation how, ct_clip **out,
                           ct_error *error);

#endif
