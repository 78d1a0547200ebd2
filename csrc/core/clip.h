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

// What lies between two frames. Rotations go the short way, all else along a line, unless said otherwise.
typedef enum ct_interpolation {
    CT_NLERP, // the straight way, made unit: fast, and never more than 8.2 degrees from slerp, at a pace that varies inside a step
    CT_SLERP, // an even pace
    CT_STEP,  // the frame before, until the next one begins; velocities are 0
    CT_CUBIC, // a smooth curve through the frames, without corners in velocity: Catmull-Rom tangents; rotations by the cumulative Bezier
              // curve of Kim, Kim and Shin (SIGGRAPH 1995). An open clip begins and ends without acceleration (a natural end).
} ct_interpolation;

typedef enum ct_wrap {
    CT_CLAMP, // hold the ends
    CT_LOOP,  // repeat after ct_clip_period, for ever in both directions; also when the clip does not say that it loops
} ct_wrap;

typedef struct ct_clip {
    ct_allocator allocator;
    const ct_skeleton *skeleton;
    ct_layout layout;   // always with translations
    size_t frame_count; // may be 0: such a clip can be looked at but not sampled
    double frame_time;  // seconds, > 0
    bool looping;
    bool last_repeats_first; // the last frame is the first again, so the period is the duration
    size_t moving_count;     // translations and scales of the joints from here on are the same in all frames; a multiple of CT_LANES
    float *rows;             // [frame_count] rows, rotations unit; written only by whoever creates the clip
} ct_clip;

// The row of a frame.
static inline float *ct_clip_row(const ct_clip *clip, size_t frame) { return clip->rows + frame * ct_row_length(clip->layout); }

// A clip with room for its rows, the padding joints already identities and the rest not yet written: the caller fills the rows, then calls
// ct_clip_finish. Fails: out of memory; frame_time not positive and finite.
// Fails with CT_BAD_VALUE unless the frame time is above 0 and it, its inverse and the time of all frames are finite.
ct_status ct_clip_check_time(size_t frame_count, double frame_time, ct_error *error);

ct_status ct_clip_create(const ct_allocator *allocator, const ct_skeleton *skeleton, size_t frame_count, double frame_time, bool looping,
                         bool scales, ct_clip **out, ct_error *error);
void ct_clip_destroy(ct_clip *clip); // NULL is fine

// Checks and completes a clip whose rows were written: refuses numbers that are not finite and zero rotations (CT_BAD_VALUE with joint and
// frame), normalises rotations that are not unit to 1e-6, flips signs so that neighbouring frames are the short way apart, sets
// moving_count, and last_repeats_first (all rotations within 1e-4 rad and translations within 1e-4 of the skeleton's size, a root's travel
// on the ground aside, and its turning about +Y when other joints turn, too).
ct_status ct_clip_finish(ct_clip *clip, ct_error *error);

// The same frames on `skeleton` (of as many joints: asserted; often the clip's own), for callers that change rows and finish them.
ct_status ct_clip_copy(const ct_clip *clip, const ct_skeleton *skeleton, ct_clip **out, ct_error *error);

double ct_clip_duration(const ct_clip *clip); // (F - 1) * frame_time, 0 without frames
double ct_clip_period(const ct_clip *clip);   // what a loop repeats after; 0 for fewer than two frames

// How large the body is: the longest way from a root to a joint along the bones of the first frame, 0 without frames or for roots alone.
// (Not of the rest pose: some files keep their bones in the translations alone.) Fails: out of memory.
ct_status ct_clip_size(const ct_clip *clip, double *size, ct_error *error);

// Where a time lies: `t` of the way from one frame to another, 0 and 1 being these to the bit.
typedef struct ct_moment {
    size_t from, to;
    float t;
    bool outside; // held at an end of the clip
} ct_moment;

// Time to frames, as ct_clip_sample takes it, for what goes along with the poses. The clip has a frame, the time is finite (asserted).
ct_moment ct_clip_locate(const ct_clip *clip, double time, ct_wrap wrap);

// The poses at `times` (seconds, finite: checked by the caller, asserted here), one row each.
//   out        rows of the clip's layout; rotations are unit
//   velocities NULL, or rows for the derivatives of the same interpolation: of the interval that begins at the time where two meet, 0 where
//              a clamped time is outside
// The clip must have a frame. Times within 1e-6 of a frame's span of a frame are that frame to the bit (with CT_LOOP far from 0, within
// what a double can tell apart there). Nothing is allocated. `workers` and `interrupt` as in parallel.h. Cost: two rows read and one
// written a time, four read with CT_CUBIC. Fails: CT_INTERRUPTED.
ct_status ct_clip_sample(const ct_clip *clip, const ct_kernels *kernels, const double *times, ct_interpolation how, ct_wrap wrap,
                         int workers, const ct_interrupt *interrupt, ct_poses out, const ct_pose_velocities *velocities);

// Velocities at the frames, one row each: the mean of the step before and the step after (turns as rotation vectors), the only one at the
// ends of an open clip, around the seam when the clip loops. 0 for a single frame.
void ct_clip_velocities(const ct_clip *clip, const ct_kernels *kernels, ct_pose_velocities out);

// Frames start, start + step, ... (count of them, 0 is fine) as a clip of their own; frame_time grows with |step|. A negative step turns
// time round. It loops when the clip does and the frames span its whole period. Fails: a step of 0; frames outside the clip.
ct_status ct_clip_slice(const ct_clip *clip, size_t start, ptrdiff_t step, size_t count, ct_clip **out, ct_error *error);

// The same motion at another rate, sampled at true times. The duration is kept to within half a new frame when open; a looping clip
// keeps its period exactly, so its frame time is the nearest to 1 / fps that divides it. Fails: fps not positive and finite.
ct_status ct_clip_resample(const ct_clip *clip, const ct_kernels *kernels, double fps, ct_interpolation how, ct_clip **out,
                           ct_error *error);

#endif
