#include "clip.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "quaternion.h"

static const double UNIT_TOLERANCE = 1e-6;     // of a rotation's length
static const double REPEAT_ANGLE = 1e-4;       // radians between a last and a first rotation that are the same
static const double REPEAT_TRANSLATION = 1e-4; // of the skeleton's size
static const double REPEAT_SCALE = 1e-4;

ct_status ct_clip_check_time(size_t frame_count, double frame_time, ct_error *error)
{
    if (!(frame_time > 0 && isfinite(frame_time))) return ct_fail(error, CT_BAD_VALUE, "the frame time must be positive and finite");
    if (!isfinite(1 / frame_time)) return ct_fail(error, CT_BAD_VALUE, "the frame time is too short; frames a second must be finite");
    if (!isfinite((double)frame_count * frame_time))
        return ct_fail(error, CT_BAD_VALUE, "the frame time is too long; %zu frames must last a finite time", frame_count);
    return CT_OK;
}

ct_status ct_clip_create(const ct_allocator *allocator, const ct_skeleton *skeleton, size_t frame_count, double frame_time, bool looping,
                         bool scales, ct_clip **out, ct_error *error)
{
    ct_status status = ct_clip_check_time(frame_count, frame_time, error);
    if (status != CT_OK) return status;

    ct_layout layout = ct_layout_of(skeleton->joint_count, true, scales);
    size_t length;
    ct_clip *clip = ct_allocate(allocator, 1, sizeof *clip);
    float *rows = ct_multiply(frame_count, ct_row_length(layout), &length) ? ct_allocate_raw(allocator, length, sizeof *rows) : NULL;
    if (!clip || !rows) {
        ct_release(allocator, clip);
        ct_release(allocator, rows);
        return ct_fail_memory(error, "the frames of a clip");
    }

    *clip = (ct_clip){.allocator = *allocator,
                      .skeleton = skeleton,
                      .layout = layout,
                      .frame_count = frame_count,
                      .frame_time = frame_time,
                      .looping = looping,
                      .moving_count = layout.stride,
                      .rows = rows};
    ct_layout_pad(layout, frame_count, rows);
    *out = clip;
    return CT_OK;
}

void ct_clip_destroy(ct_clip *clip)
{
    if (!clip) return;
    ct_allocator allocator = clip->allocator;
    ct_release(&allocator, clip->rows);
    ct_release(&allocator, clip);
}

// True when a row needs nothing done: all numbers finite, rotations unit and on the side of the row before. The usual case, so one pass
// that compilers make wide.
static bool is_clean(ct_layout layout, const float *row, const float *before)
{
    const size_t n = layout.stride;
    const float tolerance = (float)(2 * UNIT_TOLERANCE); // of the squared length
    int odd = 0;
    for (size_t j = 0; j < n; ++j) {
        float w = row[j], x = row[n + j], y = row[2 * n + j], z = row[3 * n + j];
        float square = w * w + x * x + y * y + z * z;
        float dot = w * before[j] + x * before[n + j] + y * before[2 * n + j] + z * before[3 * n + j];
        odd |= !(fabsf(square - 1.0f) <= tolerance);
        odd |= dot < 0;
    }
    for (size_t i = CT_TRANSLATION * n; i < layout.component_count * n; ++i) odd |= !(fabsf(row[i]) <= FLT_MAX);
    return !odd;
}

// Where the joints end, in steps of CT_LANES, whose translations and scales are not those of the first row; at least `known`.
static size_t moving_joints(ct_layout layout, const float *row, const float *first, size_t known)
{
    for (size_t end = layout.stride; end > known; end -= CT_LANES) {
        for (size_t c = CT_TRANSLATION; c < layout.component_count; ++c) {
            size_t i = c * layout.stride + end - CT_LANES;
            if (memcmp(row + i, first + i, CT_LANES * sizeof *row) != 0) return end;
        }
    }
    return known;
}

static ct_status fail_at(const ct_clip *clip, size_t joint, size_t frame, const char *what, ct_error *error)
{
    const char *name = clip->skeleton->names[joint];
    ct_fail(error, CT_BAD_VALUE, "joint %zu ('%.*s'), frame %zu: %s", joint, ct_name_shown(name, strlen(name)), name, frame, what);
    if (error) {
        error->joint = (ptrdiff_t)joint;
        error->frame = (ptrdiff_t)frame;
    }
    return CT_BAD_VALUE;
}

static ct_status clean_rotation(const ct_clip *clip, size_t joint, size_t frame, ct_error *error)
{
    const size_t n = clip->layout.stride;
    float *q = ct_clip_row(clip, frame) + joint;
    const float *before = ct_clip_row(clip, frame ? frame - 1 : 0) + joint;

    double square = 0, dot = 0;
    for (size_t c = 0; c < CT_COMPONENTS_ROTATION; ++c) {
        if (!isfinite(q[c * n])) return fail_at(clip, joint, frame, "the rotation is not finite", error);
        square += (double)q[c * n] * (double)q[c * n];
        dot += (double)q[c * n] * (double)before[c * n];
    }
    if (square == 0) return fail_at(clip, joint, frame, "the rotation is zero; it needs a length to be made unit", error);

    double factor = fabs(square - 1) > 2 * UNIT_TOLERANCE ? 1 / sqrt(square) : 1;
    if (dot < 0) factor = -factor;
    if (factor == 1) return CT_OK;
    for (size_t c = 0; c < CT_COMPONENTS_ROTATION; ++c) q[c * n] = (float)((double)q[c * n] * factor);
    return CT_OK;
}

static ct_status clean_row(const ct_clip *clip, size_t frame, ct_error *error)
{
    const size_t n = clip->layout.stride;
    const float *row = ct_clip_row(clip, frame);
    for (size_t j = 0; j < clip->layout.joint_count; ++j) {
        ct_status status = clean_rotation(clip, j, frame, error);
        if (status != CT_OK) return status;
        for (size_t c = CT_TRANSLATION; c < clip->layout.component_count; ++c) {
            if (isfinite(row[c * n + j])) continue;
            return fail_at(clip, j, frame, c < CT_SCALE ? "the translation is not finite" : "the scale is not finite", error);
        }
    }
    return CT_OK;
}

ct_status ct_clip_size(const ct_clip *clip, double *size, ct_error *error)
{
    *size = 0;
    if (clip->frame_count == 0) return CT_OK;
    const size_t n = clip->layout.stride;
    const float *t = clip->rows + CT_TRANSLATION * n;
    double *reach = ct_allocate(&clip->allocator, clip->layout.joint_count, sizeof *reach);
    if (!reach) return ct_fail_memory(error, "measuring a skeleton");

    for (size_t j = 0; j < clip->layout.joint_count; ++j) {
        int32_t parent = clip->skeleton->parents[j];
        if (parent == CT_NO_PARENT) continue;
        double x = (double)t[j], y = (double)t[n + j], z = (double)t[2 * n + j];
        reach[j] = reach[parent] + sqrt(x * x + y * y + z * z);
        *size = fmax(*size, reach[j]);
    }
    ct_release(&clip->allocator, reach);
    return CT_OK;
}

static ct_quaternion rotation_at(const ct_clip *clip, size_t frame, size_t joint)
{
    const size_t n = clip->layout.stride;
    const float *q = ct_clip_row(clip, frame) + joint;
    return (ct_quaternion){(double)q[0], (double)q[n], (double)q[2 * n], (double)q[3 * n]};
}

// How a joint has turned from the first frame to another; x, y and z are half the angles about the axes when these are small.
static ct_quaternion turn_since_first(const ct_clip *clip, size_t frame, size_t joint)
{
    return ct_quaternion_multiply(rotation_at(clip, frame, joint), ct_quaternion_conjugate(rotation_at(clip, 0, joint)));
}

static bool is_turn(double x, double y, double z) { return x * x + y * y + z * z > REPEAT_ANGLE / 2 * (REPEAT_ANGLE / 2); }

// Does the body do anything but stand, travel and turn as a whole?
static bool body_moves(const ct_clip *clip)
{
    for (size_t i = 1; i < clip->frame_count; ++i) {
        for (size_t j = 0; j < clip->layout.joint_count; ++j) {
            ct_quaternion d = turn_since_first(clip, i, j);
            if (clip->skeleton->parents[j] != CT_NO_PARENT && is_turn(d.x, d.y, d.z)) return true;
        }
    }
    return false;
}

static bool joint_repeats(const ct_clip *clip, size_t joint, double size)
{
    const bool is_root = clip->skeleton->parents[joint] == CT_NO_PARENT;
    const size_t n = clip->layout.stride;
    const float *first = clip->rows + joint, *last = ct_clip_row(clip, clip->frame_count - 1) + joint;

    ct_quaternion d = turn_since_first(clip, clip->frame_count - 1, joint);
    if (is_turn(d.x, is_root ? 0 : d.y, d.z)) return false;
    // A body that came round a corner faces another way; a statue that turns has only its turning to tell where its loop ends.
    if (is_root && is_turn(0, d.y, 0) && !body_moves(clip)) return false;

    for (size_t c = CT_TRANSLATION; c < clip->layout.component_count; ++c) {
        if (is_root && (c == CT_TRANSLATION || c == CT_TRANSLATION + 2)) continue; // travel on the ground
        double a = (double)first[c * n], b = (double)last[c * n];
        double tolerance = c < CT_SCALE ? REPEAT_TRANSLATION * size + FLT_EPSILON * fabs(a) : REPEAT_SCALE;
        if (fabs(a - b) > tolerance) return false;
    }
    return true;
}

ct_status ct_clip_finish(ct_clip *clip, ct_error *error)
{
    clip->moving_count = 0;
    for (size_t i = 0; i < clip->frame_count; ++i) {
        clip->moving_count = moving_joints(clip->layout, ct_clip_row(clip, i), clip->rows, clip->moving_count);
        if (is_clean(clip->layout, ct_clip_row(clip, i), ct_clip_row(clip, i ? i - 1 : 0))) continue;
        ct_status status = clean_row(clip, i, error);
        if (status != CT_OK) return status;
    }

    clip->last_repeats_first = clip->frame_count > 1;
    if (!clip->last_repeats_first) return CT_OK;
    double size = 0;
    ct_status status = ct_clip_size(clip, &size, error);
    if (status != CT_OK) return status;
    for (size_t j = 0; j < clip->layout.joint_count && clip->last_repeats_first; ++j)
        clip->last_repeats_first = joint_repeats(clip, j, size);
    return CT_OK;
}

ct_status ct_clip_copy(const ct_clip *clip, const ct_skeleton *skeleton, ct_clip **out, ct_error *error)
{
    assert(skeleton->joint_count == clip->layout.joint_count);
    ct_clip *copy = NULL;
    ct_status status = ct_clip_create(&clip->allocator, skeleton, clip->frame_count, clip->frame_time, clip->looping,
                                      ct_has_scales(clip->layout), &copy, error);
    if (status != CT_OK) return status;
    memcpy(copy->rows, clip->rows, clip->frame_count * ct_row_length(clip->layout) * sizeof *copy->rows);
    copy->last_repeats_first = clip->last_repeats_first;
    *out = copy;
    return CT_OK;
}

double ct_clip_duration(const ct_clip *clip) { return clip->frame_count ? (double)(clip->frame_count - 1) * clip->frame_time : 0; }

double ct_clip_period(const ct_clip *clip)
{
    if (clip->frame_count < 2) return 0;
    return (double)(clip->frame_count - clip->last_repeats_first) * clip->frame_time;
}

// A part of a loop is a loop when it spans the whole period.
static bool still_loops(const ct_clip *clip, size_t step, size_t count)
{
    size_t repeats = clip->last_repeats_first;
    return clip->looping && count > repeats && (count - repeats) * step == clip->frame_count - repeats;
}

ct_status ct_clip_slice(const ct_clip *clip, size_t start, ptrdiff_t step, size_t count, ct_clip **out, ct_error *error)
{
    if (step == 0) return ct_fail(error, CT_BAD_VALUE, "the step of a slice must not be 0");
    size_t stride = step > 0 ? (size_t)step : (size_t)0 - (size_t)step;
    if (count > 0) {
        size_t room = start >= clip->frame_count ? 0 : step > 0 ? clip->frame_count - 1 - start : start;
        if (start >= clip->frame_count || count - 1 > room / stride)
            return ct_fail(error, CT_BAD_INDEX, "%zu frames from frame %zu on by steps of %td do not lie in a clip of %zu frames", count,
                           start, step, clip->frame_count);
    }

    ct_clip *slice;
    ct_status status = ct_clip_create(&clip->allocator, clip->skeleton, count, clip->frame_time * (double)stride,
                                      still_loops(clip, stride, count), ct_has_scales(clip->layout), &slice, error);
    if (status != CT_OK) return status;
    size_t length = ct_row_length(clip->layout);
    for (size_t i = 0; i < count; ++i) {
        size_t frame = step > 0 ? start + i * stride : start - i * stride;
        memcpy(ct_clip_row(slice, i), ct_clip_row(clip, frame), length * sizeof(float));
    }
    status = ct_clip_finish(slice, error); // frames that were not neighbours may lie on different sides
    if (status != CT_OK) {
        ct_clip_destroy(slice);
        return status;
    }
    *out = slice;
    return CT_OK;
}

// Samples at start + i * step for every frame of `to`, in pieces so that no array of times is needed.
static ct_status sample_evenly(const ct_clip *clip, const ct_kernels *kernels, double step, ct_interpolation how, ct_wrap wrap, ct_clip *to)
{
    enum { PIECE = 256 };
    double times[PIECE];
    for (size_t first = 0; first < to->frame_count; first += PIECE) {
        size_t count = to->frame_count - first < PIECE ? to->frame_count - first : PIECE;
        for (size_t i = 0; i < count; ++i) times[i] = (double)(first + i) * step;
        ct_status status =
            ct_clip_sample(clip, kernels, times, how, wrap, 1, NULL, (ct_poses){to->layout, count, ct_clip_row(to, first)}, NULL);
        if (status != CT_OK) return status;
    }
    return CT_OK;
}

ct_status ct_clip_resample(const ct_clip *clip, const ct_kernels *kernels, double fps, ct_interpolation how, ct_clip **out, ct_error *error)
{
    if (!(fps > 0 && isfinite(fps) && isfinite(1 / fps))) return ct_fail(error, CT_BAD_VALUE, "fps must be positive and finite");

    bool loops = clip->looping && clip->frame_count > 1;
    double span = loops ? ct_clip_period(clip) : ct_clip_duration(clip);
    double intervals = floor(span * fps + 0.5);
    if (loops && intervals < 1) intervals = 1;
    if (intervals > 1e15) return ct_fail_memory(error, "the frames of a clip");
    size_t extra = loops ? clip->last_repeats_first : 1;
    size_t frame_count = clip->frame_count ? (size_t)intervals + extra : 0;
    double frame_time = loops ? span / intervals : 1 / fps;

    ct_clip *clip_at_fps;
    ct_status status = ct_clip_create(&clip->allocator, clip->skeleton, frame_count, frame_time, clip->looping, ct_has_scales(clip->layout),
                                      &clip_at_fps, error);
    if (status != CT_OK) return status;
    status = sample_evenly(clip, kernels, frame_time, how, loops ? CT_LOOP : CT_CLAMP, clip_at_fps);
    // A loop's last frame is the first again but for the way travelled.
    if (status == CT_OK && loops && clip->last_repeats_first)
        memcpy(ct_clip_row(clip_at_fps, frame_count - 1), ct_clip_row(clip, clip->frame_count - 1),
               ct_row_length(clip->layout) * sizeof(float));
    if (status == CT_OK) status = ct_clip_finish(clip_at_fps, error);
    if (status != CT_OK) {
        ct_clip_destroy(clip_at_fps);
        return status;
    }
    *out = clip_at_fps;
    return CT_OK;
}
