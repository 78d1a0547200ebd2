// curve.h: numbers that go along with the frames of a clip: scalars, vectors and rotations.
//
// A curve has `width` numbers a frame. Four are a rotation, a unit quaternion (w, x, y, z); any other count is a vector. Between frames
// rotations go the short way, made unit, and all else along a line, by the same rules of time as the poses (ct_clip_locate).
#ifndef CT_CURVE_H
#define CT_CURVE_H

#include "clip.h"

enum { CT_CURVE_ROTATION = 4 };

// Checks the values of a new curve, [frame_count][width]: refuses what is not finite, and rotations whose length is not 1 to within 1 %
// (CT_BAD_VALUE with the frame). Makes rotations unit to 1e-6 and flips signs so that neighbours are the short way apart.
ct_status ct_curve_finish(size_t frame_count, size_t width, float *values, ct_error *error);

// The values at a time in `out`, [width]. The clip has frames, and so many as the curve (asserted).
void ct_curve_sample(const ct_clip *clip, ct_wrap wrap, size_t width, const float *values, double time, float *out);

// The curve of ct_clip_resample's clip: `to` of a curve of `from`. Then ct_curve_finish is due.
void ct_curve_resample(const ct_clip *from, size_t width, const float *values, const ct_clip *to, float *out);

// The mean of `count` values (at least 1), [count][width], by weights that are above 0. Rotations blend by the rule of blend.h. Fails: out
// of memory.
ct_status ct_curve_blend(const ct_allocator *allocator, const ct_kernels *kernels, size_t width, size_t count, const float *values,
                         const double *weights, float *out, ct_error *error);

#endif
