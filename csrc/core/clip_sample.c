// Sampling: which rows a time lies between, then one kernel call a pose.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "clip.h"

static const double SNAP = 1e-6; // of a frame's span

// The steps from frame to frame that a time can fall in; the last step of a loop may lead back to frame 0.
static size_t step_count(const ct_clip *clip, ct_wrap wrap) { return clip->frame_count - (wrap == CT_CLAMP || clip->last_repeats_first); }

static size_t step_end(const ct_clip *clip, size_t step) { return step + 1 == clip->frame_count ? 0 : step + 1; }

static ct_moment clamp(const ct_clip *clip, double time)
{
    double frame = time / clip->frame_time, last = (double)(clip->frame_count - 1);
    if (frame <= SNAP) return (ct_moment){0, 1, 0, frame < -SNAP};
    if (frame >= last - SNAP) return (ct_moment){clip->frame_count - 2, clip->frame_count - 1, 1, frame > last + SNAP};

    double whole = floor(frame), part = frame - whole;
    size_t from = (size_t)whole;
    if (part >= 1 - SNAP) return (ct_moment){from + 1, from + 2, 0, false};
    return (ct_moment){from, from + 1, part <= SNAP ? 0 : (float)part, false};
}

static ct_moment wrap_around(const ct_clip *clip, double time)
{
    size_t steps = step_count(clip, CT_LOOP);
    double period = ct_clip_period(clip), phase = time;
    if (phase < 0 || phase >= period) {
        phase = fmod(time, period);
        if (phase < 0) phase += period;
    }

    double frame = phase / clip->frame_time, whole = floor(frame), part = frame - whole;
    // Far from 0 a double can't hold a time to 1e-6 of a frame: then its own spacing is the tolerance.
    double snap = fmin(0.5, SNAP + fabs(time) * DBL_EPSILON / clip->frame_time);
    if (part >= 1 - snap) whole += 1, part = 0;
    if (part <= snap) part = 0;
    size_t from = (size_t)whole;
    if (from >= steps) from = 0, part = 0;
    return (ct_moment){from, step_end(clip, from), (float)part, false};
}

ct_moment ct_clip_locate(const ct_clip *clip, double time, ct_wrap wrap)
{
    assert(isfinite(time));
    if (clip->frame_count == 1) return (ct_moment){0, 0, 0, true};
    return wrap == CT_CLAMP ? clamp(clip, time) : wrap_around(clip, time);
}

// The interval of a curve through the keys around `at`: Catmull-Rom tangents. Where the clip begins or ends the curve leaves straight
// (no second derivative), round the seam of a loop it goes on.
static ct_cubic_interval interval_at(const ct_clip *clip, ct_moment at, ct_wrap wrap)
{
    size_t steps = step_count(clip, wrap);
    bool is_first = wrap == CT_CLAMP && at.from == 0, is_last = wrap == CT_CLAMP && at.from + 1 == steps;
    size_t before = at.from ? at.from - 1 : steps - 1, after = at.from + 1 == steps ? 0 : at.from + 1;
    if (is_first) before = at.from;
    if (is_last) after = at.from;

    ct_cubic_interval interval = {
        {ct_clip_row(clip, before), ct_clip_row(clip, at.from), ct_clip_row(clip, after)},
        {ct_clip_row(clip, step_end(clip, before)), ct_clip_row(clip, at.to), ct_clip_row(clip, step_end(clip, after))},
        {{0.5f, 0.5f, 0}, {0, 0.5f, 0.5f}}};
    if (is_first) memcpy(interval.tangents[0], is_last ? (float[]){0, 1, 0} : (float[]){0, 1.25f, -0.25f}, sizeof interval.tangents[0]);
    if (is_last) memcpy(interval.tangents[1], is_first ? (float[]){0, 1, 0} : (float[]){-0.25f, 1.25f, 0}, sizeof interval.tangents[1]);
    return interval;
}

typedef struct sampling {
    const ct_clip *clip;
    const ct_clip_kernels *kernels;
    const double *times;
    ct_interpolation how;
    ct_wrap wrap;
    ct_poses out;
    const ct_pose_velocities *velocities;
} sampling;

static void write_pose(const sampling *s, ct_moment at, float *out)
{
    const ct_clip *clip = s->clip;
    const ct_row_parts parts = {clip->layout.stride, clip->layout.component_count - CT_COMPONENTS_ROTATION, clip->moving_count, clip->rows};
    const float *from = ct_clip_row(clip, at.from), *to = ct_clip_row(clip, at.to);

    if (at.t == 0 || at.t == 1 || s->how == CT_STEP) {
        memcpy(out, at.t == 1 ? to : from, ct_row_length(clip->layout) * sizeof *out);
    } else if (s->how == CT_CUBIC) {
        ct_cubic_interval interval = interval_at(clip, at, s->wrap);
        s->kernels->cubic(&interval, at.t, &parts, out);
    } else {
        ct_between between = s->how == CT_SLERP ? s->kernels->slerp : s->kernels->nlerp;
        between(from, to, at.t, &parts, out);
    }
}

static void write_velocity(const sampling *s, ct_moment at, float *velocity)
{
    const ct_clip *clip = s->clip;
    size_t stride = clip->layout.stride, linear_count = clip->layout.component_count - CT_COMPONENTS_ROTATION;
    float rate = (float)(1 / clip->frame_time);

    if (at.outside || s->how == CT_STEP) {
        memset(velocity, 0, s->velocities->component_count * stride * sizeof *velocity);
    } else if (s->how == CT_CUBIC) {
        ct_cubic_interval interval = interval_at(clip, at, s->wrap);
        s->kernels->cubic_velocity(&interval, at.t, rate, stride, linear_count, velocity);
    } else {
        ct_between_velocity between = s->how == CT_SLERP ? s->kernels->slerp_velocity : s->kernels->nlerp_velocity;
        between(ct_clip_row(clip, at.from), ct_clip_row(clip, at.to), at.t, rate, stride, linear_count, velocity);
    }
}

// Times in any order read rows from anywhere in a large clip, which no processor foresees. Where a component begins is enough: from there
// it sees them coming.
static void prefetch(const ct_clip *clip, ct_moment at)
{
    const float *from = ct_clip_row(clip, at.from), *to = ct_clip_row(clip, at.to);
    for (size_t i = 0; i < ct_row_length(clip->layout); i += clip->layout.stride) {
        __builtin_prefetch(from + i);
        __builtin_prefetch(to + i);
    }
}

enum { BLOCK = 128 }; // poses a thread takes at a time

static void sample_block(void *context, size_t worker, size_t block)
{
    (void)worker;
    const sampling *s = context;
    size_t first = block * BLOCK, end = s->out.count - first < BLOCK ? s->out.count : first + BLOCK;
    size_t length = ct_row_length(s->clip->layout);

    ct_moment at = ct_clip_locate(s->clip, s->times[first], s->wrap);
    for (size_t i = first; i < end; ++i) {
        ct_moment next = at;
        if (i + 1 < end) {
            next = ct_clip_locate(s->clip, s->times[i + 1], s->wrap);
            if (next.from != at.from) prefetch(s->clip, next);
        }
        write_pose(s, at, s->out.rows + i * length);
        if (s->velocities) write_velocity(s, at, s->velocities->rows + i * s->velocities->component_count * s->velocities->stride);
        at = next;
    }
}

ct_status ct_clip_sample(const ct_clip *clip, const ct_kernels *kernels, const double *times, ct_interpolation how, ct_wrap wrap,
                         int workers, const ct_interrupt *interrupt, ct_poses out, const ct_pose_velocities *velocities)
{
    assert(clip->frame_count > 0);
    assert(out.layout.stride == clip->layout.stride && out.layout.component_count == clip->layout.component_count);
    assert(!velocities || (velocities->count == out.count && velocities->stride == clip->layout.stride &&
                           velocities->component_count == clip->layout.component_count - 1));

    sampling s = {clip, &kernels->clip, times, how, wrap, out, velocities};
    return ct_parallel(workers, (out.count + BLOCK - 1) / BLOCK, sample_block, &s, interrupt);
}

void ct_clip_velocities(const ct_clip *clip, const ct_kernels *kernels, ct_pose_velocities out)
{
    assert(out.count == clip->frame_count && out.stride == clip->layout.stride);
    size_t length = out.component_count * out.stride, linear_count = clip->layout.component_count - CT_COMPONENTS_ROTATION;
    if (clip->frame_count < 2) {
        memset(out.rows, 0, out.count * length * sizeof *out.rows);
        return;
    }

    ct_wrap wrap = clip->looping ? CT_LOOP : CT_CLAMP;
    size_t steps = step_count(clip, wrap);
    for (size_t i = 0; i < clip->frame_count; ++i) {
        // Half of the step that leads to the frame and half of the one that leaves it; all of the only one at an end.
        bool is_first = wrap == CT_CLAMP && i == 0, is_last = wrap == CT_CLAMP && i == steps;
        size_t leading = is_first ? 0 : i ? i - 1 : steps - 1, leaving = is_last ? i - 1 : i % steps;
        ct_cubic_interval interval = {{ct_clip_row(clip, leading), ct_clip_row(clip, leaving), ct_clip_row(clip, leaving)},
                                      {ct_clip_row(clip, step_end(clip, leading)), ct_clip_row(clip, step_end(clip, leaving)),
                                       ct_clip_row(clip, step_end(clip, leaving))},
                                      {{0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}}};
        kernels->clip.cubic_velocity(&interval, 0, (float)(1 / clip->frame_time), out.stride, linear_count, out.rows + i * length);
    }
}
