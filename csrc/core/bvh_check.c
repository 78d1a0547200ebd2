#include "bvh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forward_kinematics.h"
#include "number.h"
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

static bool is_rotation(uint8_t channel) { return channel >= CT_CHANNEL_X_ROTATION && channel <= CT_CHANNEL_Z_ROTATION; }

static bool is_position(uint8_t channel) { return channel <= CT_CHANNEL_Z_POSITION; }

// How far a step turns, summed over the rotation channels without whole turns; *jumps when some channel steps by more than 180.
static double step_turn(const ct_bvh *bvh, size_t channel_count, const double *from, const double *to, bool *jumps)
{
    double sum = 0;
    *jumps = false;
    for (size_t c = 0; c < channel_count; ++c) {
        if (!is_rotation(bvh->channels[c])) continue;
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
            if (is_rotation(bvh->channels[c])) sum += fabs(remainder(values[c], 360)), ++count;
        }
    }
    return count ? sum / (double)count : 0;
}

static void look_at_row(const ct_bvh *bvh, size_t channel_count, const double *values, size_t frame, ct_bvh_check *out)
{
    bool beyond = false, zero = true;
    for (size_t c = 0; c < channel_count; ++c) {
        if (!is_rotation(bvh->channels[c])) continue;
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
    const float *row = clip->rows + frame * ct_row_length(clip->layout);
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

static void look_at_bones(const ct_bvh *bvh, ct_bvh_check *out)
{
    const ct_skeleton *s = bvh->skeleton;
    for (size_t t = 0; t < s->tip_count; ++t) {
        const float *o = s->tip_offsets + 3 * t;
        out->zero_tips += o[0] == 0 && o[1] == 0 && o[2] == 0;
    }
    for (size_t j = 0; j < s->joint_count; ++j) {
        const float *o = s->offsets + 3 * j;
        out->zero_joints += s->parents[j] != CT_NO_PARENT && o[0] == 0 && o[1] == 0 && o[2] == 0;
        bool leaf = true;
        for (size_t k = j + 1; k < s->joint_count && leaf; ++k) leaf = s->parents[k] != (int32_t)j;
        for (size_t t = 0; t < s->tip_count && leaf; ++t) leaf = s->tip_parents[t] != (int32_t)j;
        out->bare_leaves += leaf;
    }
}

// ---------------------------------------------------------------------------------------------------------------- posture

// Where all joints and then all tips are, a block of frames at a time.
typedef struct posture {
    size_t point_count;
    size_t body;      // the first point of the body: those before only carry it
    int32_t *side;    // [point_count]: 1 above the hips, -1 below, 0 neither
    bool has_legs;    // three ways or more lead out of the hips
    float *positions; // [BLOCK][joint_count][3]
    float *tips;      // [BLOCK][tip_count][3]
    float *points;    // [point_count][3] of one frame
    double *low;      // [frame_count], then sorted
    double *extent;   // the same
    double *travel;   // [frame_count][3]: where the carrier is
} posture;

static size_t children(const ct_skeleton *s, size_t joint, size_t *last)
{
    size_t count = 0;
    for (size_t k = joint + 1; k < s->joint_count; ++k) {
        if (s->parents[k] == (int32_t)joint) *last = k, ++count;
    }
    return count;
}

// The carrier of the body, and which points lie above and below its hips: the branch with the most joints is the upper body.
static void divide_body(const ct_bvh *bvh, posture *p, ct_bvh_check *out)
{
    const ct_skeleton *s = bvh->skeleton;
    size_t only = 0, hips = 0;
    if (children(s, 0, &only) == 1 && has_positions(bvh, only)) out->carrier = p->body = only;
    while (children(s, hips, &only) == 1) hips = only;

    // side[] holds the branch that each joint is in (the child of the hips at its top) until the largest is known.
    size_t ways = 0, largest = 0, largest_size = 0;
    for (size_t j = 0; j < s->joint_count; ++j) {
        bool below = s->parents[j] != CT_NO_PARENT && j > hips;
        p->side[j] = !below ? 0 : s->parents[j] == (int32_t)hips ? (int32_t)j : p->side[s->parents[j]];
        ways += s->parents[j] == (int32_t)hips;
    }
    for (size_t t = 0; t < s->tip_count; ++t) p->side[s->joint_count + t] = p->side[s->tip_parents[t]];
    for (size_t j = 0; j < s->joint_count; ++j) {
        if (s->parents[j] != (int32_t)hips) continue;
        size_t size = 0;
        for (size_t k = j; k < p->point_count; ++k) size += p->side[k] == (int32_t)j;
        if (size > largest_size) largest = j, largest_size = size;
    }
    for (size_t k = 0; k < p->point_count; ++k) p->side[k] = p->side[k] == 0 ? 0 : p->side[k] == (int32_t)largest ? 1 : -1;
    p->has_legs = ways >= 3;
}

// The points of frame `i` of the block into p->points.
static void gather_points(const ct_skeleton *s, posture *p, size_t i)
{
    memcpy(p->points, p->positions + i * s->joint_count * 3, s->joint_count * 3 * sizeof(float));
    memcpy(p->points + 3 * s->joint_count, p->tips + i * s->tip_count * 3, s->tip_count * 3 * sizeof(float));
}

static ct_status pose_block(const ct_bvh *bvh, const ct_kernels *kernels, posture *p, size_t start, size_t count, ct_error *error)
{
    const ct_clip *clip = bvh->clip;
    ct_poses block = {clip->layout, count, clip->rows + start * ct_row_length(clip->layout)};
    ct_status status = ct_forward_kinematics(bvh->skeleton, kernels, block, 1, NULL, p->positions, NULL, error);
    return status == CT_OK ? ct_tip_positions(bvh->skeleton, kernels, block, NULL, p->tips, error) : status;
}

// Adds to `growth` the way from the centre of what lies below the hips to the centre of what lies above.
static void add_growth(const posture *p, double growth[3])
{
    double above[3] = {0}, below[3] = {0}, above_count = 0, below_count = 0;
    for (size_t i = 0; i < p->point_count; ++i) {
        double *sum = p->side[i] > 0 ? above : below;
        if (p->side[i] == 0) continue;
        for (size_t k = 0; k < 3; ++k) sum[k] += (double)p->points[3 * i + k];
        if (p->side[i] > 0)
            ++above_count;
        else
            ++below_count;
    }
    for (int k = 0; k < 3 && above_count > 0 && below_count > 0; ++k) growth[k] += above[k] / above_count - below[k] / below_count;
}

static ct_axis axis_of(const double growth[3])
{
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        if (fabs(growth[k]) > fabs(growth[best])) best = k;
    }
    if (!(fabs(growth[best]) > 0.8 * length3(growth))) return CT_AXIS_UNKNOWN;
    return (ct_axis)(2 * best + (growth[best] < 0));
}

// The lowest and highest of the body's points along `up`.
static void span_along(const posture *p, const float *points, size_t count, ct_axis up, double *low, double *high)
{
    if (up == CT_AXIS_UNKNOWN) up = CT_PLUS_Y;
    size_t axis = (size_t)up / 2;
    double sign = up % 2 ? -1 : 1;
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = p->body; i < count; ++i) {
        double v = sign * (double)points[3 * i + axis];
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
}

// The pose without rotations into p->points.
static void pose_without_rotations(const ct_skeleton *s, posture *p)
{
    for (size_t i = 0; i < p->point_count; ++i) {
        bool joint = i < s->joint_count;
        const float *offset = joint ? s->offsets + 3 * i : s->tip_offsets + 3 * (i - s->joint_count);
        int32_t parent = joint ? s->parents[i] : s->tip_parents[i - s->joint_count];
        for (size_t k = 0; k < 3; ++k) p->points[3 * i + k] = offset[k] + (parent < 0 ? 0 : p->points[3 * (size_t)parent + k]);
    }
}

static ct_status look_at_up(const ct_bvh *bvh, const ct_kernels *kernels, posture *p, ct_bvh_check *out, ct_error *error)
{
    out->up = CT_AXIS_UNKNOWN;
    if (!p->has_legs) return CT_OK;
    double growth[3] = {0};
    size_t frames = bvh->clip->frame_count, step = frames / 64 + 1; // a few dozen frames tell
    for (size_t f = 0; f < frames; f += step) {
        ct_status status = pose_block(bvh, kernels, p, f, 1, error);
        if (status != CT_OK) return status;
        gather_points(bvh->skeleton, p, 0);
        add_growth(p, growth);
    }
    out->up = axis_of(growth);
    return CT_OK;
}

static void look_at_first_frame(const ct_skeleton *s, posture *p, ct_bvh_check *out)
{
    double high;
    span_along(p, p->points, p->point_count, out->up, &out->lowest_replacing, &high);
    for (size_t i = 0; i < p->point_count; ++i) {
        size_t root = i < s->joint_count ? i : (size_t)s->tip_parents[i - s->joint_count];
        while (s->parents[root] != CT_NO_PARENT) root = (size_t)s->parents[root];
        for (size_t k = 0; k < 3; ++k) p->points[3 * i + k] += s->offsets[3 * root + k];
    }
    span_along(p, p->points, p->point_count, out->up, &out->lowest_adding, &high);
}

static void look_at_travel(posture *p, size_t frames, ct_bvh_check *out)
{
    if (frames < 3) return;
    double *steps = p->low; // free again
    for (size_t f = 0; f + 1 < frames; ++f) {
        double step[3];
        for (size_t k = 0; k < 3; ++k) step[k] = p->travel[3 * (f + 1) + k] - p->travel[3 * f + k];
        steps[f] = p->extent[f] = length3(step);
    }
    out->usual_travel = median(p->extent, frames - 1);
    for (size_t f = 0; f + 1 < frames; ++f) {
        if (!(steps[f] > 8 * out->usual_travel && steps[f] > 0.25 * out->height)) continue;
        if (out->teleport_count++ == 0) out->first_teleport = f;
        if (steps[f] > out->teleport_step) out->teleport_step = steps[f];
    }
}

static ct_status look_at_posture(const ct_bvh *bvh, const ct_kernels *kernels, posture *p, ct_bvh_check *out, ct_error *error)
{
    const ct_skeleton *s = bvh->skeleton;
    size_t frames = bvh->clip->frame_count;
    divide_body(bvh, p, out);
    ct_status status = look_at_up(bvh, kernels, p, out, error);
    for (size_t start = 0; start < frames && status == CT_OK; start += BLOCK) {
        size_t count = frames - start < BLOCK ? frames - start : BLOCK;
        status = pose_block(bvh, kernels, p, start, count, error);
        for (size_t i = 0; i < count && status == CT_OK; ++i) {
            double high;
            gather_points(s, p, i);
            span_along(p, p->points, p->point_count, out->up, &p->low[start + i], &high);
            p->extent[start + i] = high - p->low[start + i];
            for (size_t k = 0; k < 3; ++k) p->travel[3 * (start + i) + k] = (double)p->points[3 * out->carrier + k];
            if (start + i == 0) look_at_first_frame(s, p, out);
        }
    }
    if (status != CT_OK) return status;

    double low, high;
    pose_without_rotations(s, p);
    span_along(p, p->points, p->point_count, out->up, &low, &high);
    out->zero_height = high - low;
    out->floor = median(p->low, frames);
    out->height = median(p->extent, frames);
    look_at_travel(p, frames, out);
    return CT_OK;
}

// ------------------------------------------------------------------------------------------------------------------- all

ct_status ct_bvh_check_motion(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                              const ct_bvh_style *scan, const ct_bvh *bvh, ct_bvh_check *out, ct_error *error)
{
    const ct_skeleton *s = bvh->skeleton;
    size_t frames = bvh->clip->frame_count, joints = s->joint_count, channel_count = bvh->channel_starts[joints];
    size_t block = frames < BLOCK ? frames : BLOCK;
    posture p = {.point_count = joints + s->tip_count};
    p.side = ct_allocate(allocator, p.point_count, sizeof *p.side);
    p.positions = ct_allocate(allocator, block * joints, 3 * sizeof(float));
    p.tips = ct_allocate(allocator, block * s->tip_count, 3 * sizeof(float));
    p.points = ct_allocate(allocator, p.point_count, 3 * sizeof(float));
    p.low = ct_allocate(allocator, frames, sizeof(double));
    p.extent = ct_allocate(allocator, frames, sizeof(double));
    p.travel = ct_allocate(allocator, frames, 3 * sizeof(double));
    double *values = ct_allocate(allocator, channel_count, 2 * sizeof(double));

    *out = (ct_bvh_check){0};
    ct_status status = CT_OK;
    if (!p.side || !p.positions || !p.tips || !p.points || !p.low || !p.extent || !p.travel || !values) {
        status = ct_fail_memory(error, "the check of a BVH file");
    } else {
        status = look_at_posture(bvh, kernels, &p, out, error);
    }
    if (status == CT_OK) {
        look_at_positions(bvh, out);
        look_at_bones(bvh, out);
        row_reader r = {text, size, scan->rows_start, channel_count, values};
        if (channel_count && frames) look_at_angles(bvh, r, values + channel_count, p.low, frames - 1, out);
    }

    void *blocks[] = {p.side, p.positions, p.tips, p.points, p.low, p.extent, p.travel, values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) ct_release(allocator, blocks[i]);
    return status;
}
