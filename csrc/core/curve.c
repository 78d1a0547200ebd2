#include "curve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "blend.h"

static const double UNIT_TOLERANCE = 1e-6; // of a rotation's length
static const double MOST_OFF_UNIT = 0.01;  // numbers that are rotations, but rounded, are nearer

static double dot_of(const float *a, const float *b, size_t width)
{
    double dot = 0;
    for (size_t c = 0; c < width; ++c) dot += (double)a[c] * (double)b[c];
    return dot;
}

// Makes a rotation unit, on the side of the one before it.
static void set_unit(float *q, const float *before)
{
    double length = sqrt(dot_of(q, q, CT_CURVE_ROTATION)), factor = fabs(length - 1) > UNIT_TOLERANCE ? 1 / length : 1;
    if (dot_of(q, before, CT_CURVE_ROTATION) < 0) factor = -factor;
    for (size_t c = 0; factor != 1 && c < CT_CURVE_ROTATION; ++c) q[c] = (float)((double)q[c] * factor);
}

static ct_status fail_at(size_t frame, const char *what, ct_error *error)
{
    ct_fail(error, CT_BAD_VALUE, "frame %zu %s", frame, what);
    if (error) error->frame = (ptrdiff_t)frame;
    return CT_BAD_VALUE;
}

ct_status ct_curve_finish(size_t frame_count, size_t width, float *values, ct_error *error)
{
    for (size_t i = 0; i < frame_count; ++i) {
        float *now = values + i * width;
        for (size_t c = 0; c < width; ++c) {
            if (!isfinite(now[c])) return fail_at(i, "is not finite", error);
        }
        if (width != CT_CURVE_ROTATION) continue;
        if (!(fabs(sqrt(dot_of(now, now, width)) - 1) <= MOST_OFF_UNIT))
            return fail_at(
                i, "is no rotation: four numbers are a unit quaternion (w, x, y, z); other numbers go in curves of another width", error);
        set_unit(now, i ? now - width : now);
    }
    return CT_OK;
}

void ct_curve_sample(const ct_clip *clip, ct_wrap wrap, size_t width, const float *values, double time, float *out)
{
    assert(clip->frame_count > 0);
    ct_moment at = ct_clip_locate(clip, time, wrap);
    const float *from = values + at.from * width, *to = values + at.to * width;
    if (at.t == 0 || at.t == 1) {
        memcpy(out, at.t == 1 ? to : from, width * sizeof *out);
        return;
    }
    // At the seam of a loop the sides may differ.
    double t = (double)at.t, side = width == CT_CURVE_ROTATION && dot_of(from, to, width) < 0 ? -1 : 1;
    for (size_t c = 0; c < width; ++c) out[c] = (float)((double)from[c] + (side * (double)to[c] - (double)from[c]) * t);
    if (width == CT_CURVE_ROTATION) set_unit(out, out);
}

void ct_curve_resample(const ct_clip *from, size_t width, const float *values, const ct_clip *to, float *out)
{
    bool loops = from->looping && from->frame_count > 1;
    for (size_t i = 0; i < to->frame_count; ++i)
        ct_curve_sample(from, loops ? CT_LOOP : CT_CLAMP, width, values, (double)i * to->frame_time, out + i * width);
    // As of the poses, the last frame of a loop that repeats the first is kept: it may have gone on from it.
    if (loops && from->last_repeats_first)
        memcpy(out + (to->frame_count - 1) * width, values + (from->frame_count - 1) * width, width * sizeof *out);
}

static ct_status blend_rotations(const ct_allocator *allocator, const ct_kernels *kernels, size_t count, const float *values,
                                 const double *weights, float *out, ct_error *error)
{
    ct_layout layout = ct_layout_of(1, false, false);
    size_t length = ct_row_length(layout);
    float *rows = ct_allocate(allocator, count + 1, length * sizeof *rows);
    ct_blend_part *parts = ct_allocate(allocator, count, sizeof *parts);
    ct_status status = rows && parts ? CT_OK : ct_fail_memory(error, "a blend of curves");
    if (status == CT_OK) {
        float *blended = rows + count * length;
        ct_layout_pad(layout, count, rows);
        ct_layout_write(layout, CT_ROTATION, count, values, rows);
        for (size_t i = 0; i < count; ++i) parts[i] = (ct_blend_part){.row = rows + i * length, .weight = weights[i]};
        ct_blend_frame(kernels, layout, count, parts, NULL, blended);
        for (size_t c = 0; c < CT_CURVE_ROTATION; ++c) out[c] = blended[c * layout.stride];
    }
    ct_release(allocator, parts);
    ct_release(allocator, rows);
    return status;
}

ct_status ct_curve_blend(const ct_allocator *allocator, const ct_kernels *kernels, size_t width, size_t count, const float *values,
                         const double *weights, float *out, ct_error *error)
{
    if (width == CT_CURVE_ROTATION) return blend_rotations(allocator, kernels, count, values, weights, out, error);
    double total = 0;
    for (size_t i = 0; i < count; ++i) total += weights[i];
    for (size_t c = 0; c < width; ++c) {
        double sum = 0;
        for (size_t i = 0; i < count; ++i) sum += weights[i] * (double)values[i * width + c];
        out[c] = (float)(sum / total);
    }
    return CT_OK;
}
