#include "bvh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forward_kinematics.h"
#include "number.h"
#include "root_motion.h"
#include "stance.h"
#include "tips.h"

enum { BLOCK = 256 }; // frames posed at a time

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the values. 0 for none.
static double median(double *values, size_t count)
{
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// ---------------------------------------------------------------------------------------------------------------- angles

// The numbers of the file, a frame at a time.
typedef struct row_reader {
    const char *text;
    size_t size, next, channel_count;
    double *values; // [channel_count]
} row_reader;

// Stores as many numbers of a line as there is room for; returns how many it has.
static size_t read_numbers(const char *at, const char *end, double *values, size_t room)
{
    size_t count = 0;
    while (at < end) {
        double value;
        const char *after = ct_number_read(at, end, &value);
        if (after != at && count++ < room) values[count - 1] = value;
        at = after == at ? at + 1 : after;
    }
    return count;
}

// A frame's numbers may go over several lines; lines that make no whole frame are left out, as the reader has told about them.
static bool read_row(row_reader *r)
{
    size_t count = 0;
    while (r->next < r->size) {
        ct_bvh_span line = ct_bvh_line(r->text, r->size, r->next, &r->next);
        const char *at = r->text + line.start, *end = at + line.length;
        size_t added = read_numbers(at, end, r->values + count, r->channel_count - count);
        if (count && count + added > r->channel_count) {
            count = 0;
            added = read_numbers(at, end, r->values, r->channel_count);
        }
        count = count + added > r->channel_count ? 0 : count + added;
        if (count == r->channel_count) return true;
    }
    return false;
}

static bool is_position(uint8_t channel) { return channel <= CT_CHANNEL_Z_POSITION; }

// How far a step turns, summed over the rotation channels without whole turns; *jumps when some channel steps by more than 180.
static double step_turn(const ct_bvh *bvh, size_t channel_count, const double *from, const double *to, bool *jumps)
{
    double sum = 0;
    *jumps = false;
    for (size_t c = 0; c < channel_count; ++c) {
        if (!ct_channel_is_rotation(bvh->channels[c])) continue;
        double step = to[c] - from[c];
        *jumps |= fabs(step) > 180;
        sum += fabs(remainder(step, 360));
    }
    return sum;
}

// The mean size of the rotations below the roots.
static double mean_angle(const ct_bvh *bvh, const double *values)
{
    double sum = 0;
    size_t count = 0;
    for (size_t j = 0; j < bvh->skeleton->joint_count; ++j) {
        if (bvh->skeleton->parents[j] == CT_NO_PARENT) continue;
        for (size_t c = bvh->channel_starts[j]; c < bvh->channel_starts[j + 1]; ++c) {
            if (ct_channel_is_rotation(bvh->channels[c])) sum += fabs(remainder(values[c], 360)), ++count;
        }
    }
    return count ? sum / (double)count : 0;
}

static void look_at_row(const ct_bvh *bvh, size_t channel_count, const double *values, size_t frame, ct_bvh_check *out)
{
    bool beyond = false, zero = true;
    for (size_t c = 0; c < channel_count; ++c) {
        if (!ct_channel_is_rotation(bvh->channels[c])) continue;
        beyond |= fabs(values[c]) > 180;
        zero &= values[c] == 0;
    }
    if (beyond && out->beyond_frames++ == 0) out->first_beyond = frame;
    if (frame == 0) out->starts_at_zero = zero;
}

enum { LEAD_IN_STEPS = 12 }; // no converter ramps longer

// Frames at the start that do not belong to the motion: steps[] far larger than usual, from frame 0 on.
static size_t lead_in(const double *steps, size_t step_count, double usual, bool starts_near_zero)
{
    enum { LEAST = 90 }; // degrees, summed
    if (step_count < 3 || steps[0] < LEAST) return 0;
    if (steps[0] > 8 * usual && steps[0] > 8 * steps[1]) return 1;
    if (!starts_near_zero || step_count <= 2 * LEAD_IN_STEPS) return 0;
    size_t count = 0;
    while (count < LEAD_IN_STEPS && steps[count] > 4 * usual) ++count;
    return count > 1 && count < LEAD_IN_STEPS ? count : 0;
}

// Fills what concerns angles. values has room for two rows, steps for a step a frame.
static void look_at_angles(const ct_bvh *bvh, row_reader r, double *previous, double *steps, size_t max_steps, ct_bvh_check *out)
{
    double first_angle = 0, largest_angle = 0, first_steps[2 * LEAD_IN_STEPS + 1];
    size_t frame = 0;
    for (; frame <= max_steps && read_row(&r); ++frame) {
        look_at_row(bvh, r.channel_count, r.values, frame, out);
        double angle = mean_angle(bvh, r.values);
        if (frame == 0) first_angle = angle;
        largest_angle = angle > largest_angle ? angle : largest_angle;
        if (frame > 0) {
            bool jumps;
            steps[frame - 1] = step_turn(bvh, r.channel_count, previous, r.values, &jumps);
            if (jumps && out->jump_frames++ == 0) out->first_jump = frame - 1;
        }
        double *swap = previous;
        previous = r.values;
        r.values = swap;
    }
    if (frame < 2) return;
    size_t count = frame - 1, kept = count < 2 * LEAD_IN_STEPS + 1 ? count : 2 * LEAD_IN_STEPS + 1;
    memcpy(first_steps, steps, kept * sizeof *steps);
    out->first_step = steps[0];
    out->usual_step = median(steps, count);
    out->starts_near_zero = first_angle < 1 && largest_angle > 3;
    out->lead_in = lead_in(first_steps, kept, out->usual_step, out->starts_near_zero);
}

// --------------------------------------------------------------------------------------------------------------- channels

static bool has_positions(const ct_bvh *bvh, size_t joint)
{
    for (size_t c = bvh->channel_starts[joint]; c < bvh->channel_starts[joint + 1]; ++c) {
        if (is_position(bvh->channels[c])) return true;
    }
    return false;
}

static void offset_in_row(const ct_clip *clip, size_t frame, size_t joint, double xyz[3])
{
    const float *row = ct_clip_row(clip, frame);
    for (size_t k = 0; k < 3; ++k) xyz[k] = (double)row[(CT_TRANSLATION + k) * clip->layout.stride + joint];
}

static double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void look_at_positions(const ct_bvh *bvh, ct_bvh_check *out)
{
    const ct_skeleton *s = bvh->skeleton;
    if (bvh->clip->frame_count == 0) return;
    for (size_t j = 0; j < s->joint_count; ++j) {
        if (s->parents[j] == CT_NO_PARENT || !has_positions(bvh, j)) continue;
        double place[3], difference[3];
        offset_in_row(bvh->clip, bvh->clip->frame_count / 2, j, place);
        for (size_t k = 0; k < 3; ++k) difference[k] = place[k] - (double)s->offsets[3 * j + k];
        if (length3(difference) <= 1e-3 * out->height)
            ++out->positions_equal;
        else if (length3(place) == 0)
            ++out->positions_zero;
        else
            ++out->positions_other;
    }
}

// goes_on: false for every joint.
static void look_at_bones(const ct_bvh *bvh, bool *goes_on, ct_bvh_check *out)
{
    const ct_skeleton *s = bvh->skeleton;
    for (size_t t = 0; t < s->tip_count; ++t) {
        const float *o = s->tip_offsets + 3 * t;
        goes_on[s->tip_parents[t]] = true;
        out->zero_tips += o[0] == 0 && o[1] == 0 && o[2] == 0;
    }
    for (size_t j = 0; j < s->joint_count; ++j) {
        const float *o = s->offsets + 3 * j;
        out->zero_joints += s->parents[j] != CT_NO_PARENT && o[0] == 0 && o[1] == 0 && o[2] == 0;
        if (s->parents[j] != CT_NO_PARENT) goes_on[s->parents[j]] = true;
    }
    for (size_t j = 0; j < s->joint_count; ++j) out->bare_leaves += !goes_on[j];
}

// ---------------------------------------------------------------------------------------------------------------- posture

typedef struct scratch {
    float *joints, *tips;    // [BLOCK][joint_count][3], [tip_count][3]
    float *lowest, *highest; // [frame_count]
    double *travel;          // [frame_count][3]: where the carrier is
    double *sorted, *steps;  // [frame_count]
    double *values;          // [2][channel_count]
    bool *goes_on;           // [joint_count]: a joint or a tip hangs on this one
} scratch;

static void include(const float *points, size_t count, ct_vector up, double *low, double *high)
{
    for (size_t i = 0; i < count; ++i) {
        double v = ct_vector_dot(ct_vector_of(points + 3 * i), up);
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
}

// How tall the pose without rotations is. Joints before the carrier are no part of the body.
static ct_status look_at_rest(const ct_bvh *bvh, const ct_kernels *kernels, ct_vector up, scratch *t, ct_bvh_check *out, ct_error *error)
{
    const ct_skeleton *s = bvh->skeleton;
    ct_poses rest = ct_skeleton_rest(s);
    ct_status status = ct_forward_kinematics(s, kernels, rest, 1, NULL, t->joints, NULL, error);
    if (status == CT_OK) status = ct_tip_positions(s, kernels, rest, NULL, t->tips, error);
    if (status != CT_OK) return status;
    double low = INFINITY, high = -INFINITY;
    include(t->joints + 3 * out->carrier, s->joint_count - out->carrier, up, &low, &high);
    include(t->tips, s->tip_count, up, &low, &high);
    out->zero_height = high - low;
    return CT_OK;
}

static void look_at_travel(size_t frames, scratch *t, ct_bvh_check *out)
{
    if (frames < 3) return;
    for (size_t f = 0; f + 1 < frames; ++f) {
        double step[3];
        for (size_t k = 0; k < 3; ++k) step[k] = t->travel[3 * (f + 1) + k] - t->travel[3 * f + k];
        t->steps[f] = t->sorted[f] = length3(step);
    }
    out->usual_travel = median(t->sorted, frames - 1);
    for (size_t f = 0; f + 1 < frames; ++f) {
        if (!(t->steps[f] > 8 * out->usual_travel && t->steps[f] > 0.25 * out->height)) continue;
        if (out->teleport_count++ == 0) out->first_teleport = f;
        if (t->steps[f] > out->teleport_step) out->teleport_step = t->steps[f];
    }
}

static ct_status follow_carrier(const ct_bvh *bvh, const ct_kernels *kernels, scratch *t, size_t carrier, ct_error *error)
{
    const ct_clip *clip = bvh->clip;
    for (size_t start = 0; start < clip->frame_count; start += BLOCK) {
        size_t count = clip->frame_count - start < BLOCK ? clip->frame_count - start : BLOCK;
        ct_poses block = {clip->layout, count, ct_clip_row(clip, start)};
        ct_status status = ct_forward_kinematics(bvh->skeleton, kernels, block, 1, NULL, t->joints, NULL, error);
        if (status != CT_OK) return status;
        for (size_t i = 0; i < 3 * count; ++i) {
            t->travel[3 * start + i] = (double)t->joints[3 * (i / 3 * bvh->skeleton->joint_count + carrier) + i % 3];
        }
    }
    return CT_OK;
}

static ct_status look_at_posture(const ct_bvh *bvh, const ct_kernels *kernels, scratch *t, ct_bvh_check *out, ct_error *error)
{
    size_t frames = bvh->clip->frame_count;
    ct_stance stance;
    ct_status status = ct_stance_of(bvh->clip, kernels, &stance, error);
    if (status == CT_OK) status = ct_root_joint(bvh->clip, &out->carrier, error);
    if (status != CT_OK) return status;

    out->up = stance.up;
    ct_axis axis = stance.up == CT_AXIS_UNKNOWN ? CT_PLUS_Y : stance.up;
    ct_vector up = ct_axis_vector(axis);
    status = look_at_rest(bvh, kernels, up, t, out, error);
    if (status == CT_OK) status = ct_clip_extent(bvh->clip, kernels, axis, t->lowest, t->highest, error);
    if (status == CT_OK) status = follow_carrier(bvh, kernels, t, out->carrier, error);
    if (status != CT_OK || frames == 0) return status;

    for (size_t f = 0; f < frames; ++f) t->sorted[f] = (double)t->lowest[f];
    out->floor = median(t->sorted, frames);
    for (size_t f = 0; f < frames; ++f) t->sorted[f] = (double)t->highest[f] - (double)t->lowest[f];
    out->height = median(t->sorted, frames);
    double offset = ct_vector_dot(ct_vector_of(bvh->skeleton->offsets), up); // of the first root
    out->lowest_replacing = (double)t->lowest[0];
    out->lowest_adding = out->lowest_replacing + offset;
    look_at_travel(frames, t, out);
    return CT_OK;
}

// ------------------------------------------------------------------------------------------------------------------- all

ct_status ct_bvh_check_motion(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                              const ct_bvh_style *style, const ct_bvh *bvh, ct_bvh_check *out, ct_error *error)
{
    const ct_skeleton *s = bvh->skeleton;
    size_t frames = bvh->clip->frame_count, joints = s->joint_count, channel_count = bvh->channel_starts[joints];
    size_t block = frames < BLOCK ? frames + 1 : BLOCK; // one at least, for the rest pose
    scratch t = {
        .joints = ct_allocate(allocator, block * joints, 3 * sizeof(float)),
        .tips = ct_allocate(allocator, s->tip_count, 3 * sizeof(float)),
        .lowest = ct_allocate(allocator, frames, sizeof(float)),
        .highest = ct_allocate(allocator, frames, sizeof(float)),
        .travel = ct_allocate(allocator, frames, 3 * sizeof(double)),
        .sorted = ct_allocate(allocator, frames, sizeof(double)),
        .steps = ct_allocate(allocator, frames, sizeof(double)),
        .values = ct_allocate(allocator, channel_count, 2 * sizeof(double)),
        .goes_on = ct_allocate(allocator, joints, sizeof(bool)),
    };
    void *blocks[] = {t.joints, t.tips, t.lowest, t.highest, t.travel, t.sorted, t.steps, t.values, t.goes_on};
    bool allocated = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) allocated &= blocks[i] != NULL;

    *out = (ct_bvh_check){0};
    ct_status status = allocated ? look_at_posture(bvh, kernels, &t, out, error) : ct_fail_memory(error, "the check of a BVH file");
    if (status == CT_OK) {
        look_at_positions(bvh, out);
        look_at_bones(bvh, t.goes_on, out);
        row_reader r = {text, size, style->rows_start, channel_count, t.values};
        if (channel_count && frames) look_at_angles(bvh, r, t.values + channel_count, t.steps, frames - 1, out);
    }

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) ct_release(allocator, blocks[i]);
    return status;
}
