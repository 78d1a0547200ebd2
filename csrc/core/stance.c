#include "stance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forward_kinematics.h"
#include "mirror.h"
#include "root_motion.h"
#include "row.h"
#include "tips.h"

double ct_unit_metres(ct_unit unit)
{
    static const double METRES[CT_UNIT_COUNT] = {
        [CT_METRE] = 1, [CT_CENTIMETRE] = 0.01, [CT_MILLIMETRE] = 0.001, [CT_INCH] = 0.0254, [CT_CMU_UNIT] = 0.0254 / 0.45};
    return METRES[unit];
}

// The poses of a clip, or its rest pose when it has no frames.
static ct_poses poses_of(const ct_clip *clip)
{
    if (clip->frame_count > 0) return (ct_poses){clip->layout, clip->frame_count, clip->rows};
    return ct_skeleton_rest(clip->skeleton);
}

// --- points in the world, some frames at a time ------------------------------------------------------------------------------------------

enum { PIECE = 64 }; // frames

typedef struct points {
    const ct_skeleton *skeleton;
    const ct_kernels *kernels;
    size_t joint_count, tip_count;
    float *joints, *tips; // [PIECE][joint_count][3], [PIECE][tip_count][3]
} points;

// The points of at most PIECE frames from `first` on; *count is how many.
static ct_status place_points(points *p, ct_poses poses, size_t first, size_t *count, ct_error *error)
{
    *count = poses.count - first < PIECE ? poses.count - first : PIECE;
    ct_poses piece = {poses.layout, *count, poses.rows + first * ct_row_length(poses.layout)};
    ct_status status = ct_forward_kinematics(p->skeleton, p->kernels, piece, 1, NULL, p->joints, NULL, error);
    if (status == CT_OK) status = ct_tip_positions(p->skeleton, p->kernels, piece, NULL, p->tips, error);
    return status;
}

// --- the body ----------------------------------------------------------------------------------------------------------------------------

typedef enum part { OUTSIDE, TRUNK, LEG } part;

typedef struct body {
    size_t root;
    int32_t *map;
    uint8_t *parts; // [joint_count]; the root itself is trunk
    double *reach;  // [joint_count]: the way along bones from the root
    bool has_legs;
} body;

static void find_parts(const ct_clip *clip, body *b)
{
    const int32_t *parents = clip->skeleton->parents;
    ct_poses poses = poses_of(clip);
    b->has_legs = false;
    for (size_t j = 0; j < clip->layout.joint_count; ++j) {
        int32_t parent = parents[j];
        b->parts[j] = j == b->root ? TRUNK : parent == CT_NO_PARENT ? OUTSIDE : b->parts[parent];
        if (j == b->root || b->parts[j] == OUTSIDE) continue;

        bool is_leg = parent == (int32_t)b->root && b->map[j] != (int32_t)j && parents[b->map[j]] == parent;
        if (is_leg) {
            b->parts[j] = LEG;
            b->has_legs = true;
        }
        b->reach[j] = b->reach[parent] + ct_vector_length(ct_row_vector(poses.layout, poses.rows, CT_TRANSLATION, j));
    }
    // Without legs there is no telling what else a joint could be.
    if (!b->has_legs) memset(b->parts, TRUNK, clip->layout.joint_count);
}

static ct_status make_body(const ct_clip *clip, const ct_kernels *kernels, body *b, points *p, ct_error *error)
{
    const ct_allocator *allocator = &clip->allocator;
    size_t count = clip->layout.joint_count, tip_count = clip->skeleton->tip_count;
    *b = (body){.map = ct_allocate(allocator, count, sizeof *b->map),
                .parts = ct_allocate(allocator, count, sizeof *b->parts),
                .reach = ct_allocate(allocator, count, sizeof *b->reach)};
    *p = (points){clip->skeleton,
                  kernels,
                  count,
                  tip_count,
                  ct_allocate(allocator, PIECE * 3 * count, sizeof *p->joints),
                  ct_allocate(allocator, PIECE * 3 * tip_count, sizeof *p->tips)};
    if (!b->map || !b->parts || !b->reach || !p->joints || !p->tips) return ct_fail_memory(error, "measuring a skeleton");
    ct_status status = ct_root_joint(clip, &b->root, error);
    if (status == CT_OK) status = ct_mirror_map(clip->skeleton, b->map, NULL, error);
    if (status == CT_OK) find_parts(clip, b);
    return status;
}

static void release_body(const ct_clip *clip, body *b, points *p)
{
    ct_release(&clip->allocator, b->map);
    ct_release(&clip->allocator, b->parts);
    ct_release(&clip->allocator, b->reach);
    ct_release(&clip->allocator, p->joints);
    ct_release(&clip->allocator, p->tips);
}

// The trunk's middle is what has no partner: arms are longer than a neck and a head.
static double stature_of(const ct_skeleton *skeleton, const body *b)
{
    double leg = 0, trunk = 0;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (b->parts[j] == LEG) leg = fmax(leg, b->reach[j]);
        if (b->parts[j] == TRUNK && b->map[j] == (int32_t)j) trunk = fmax(trunk, b->reach[j]);
    }
    for (size_t t = 0; t < skeleton->tip_count; ++t) {
        int32_t j = skeleton->tip_parents[t];
        if (b->parts[j] != TRUNK || b->map[j] != j) continue;
        trunk = fmax(trunk, b->reach[j] + ct_vector_length(ct_vector_of(skeleton->tip_offsets + 3 * t)));
    }
    return leg + trunk;
}

// The sum over frames of the way from the middle of the legs to the middle of the trunk.
static ct_status trunk_above_legs(const body *b, points *p, ct_poses poses, ct_vector *above, ct_error *error)
{
    *above = (ct_vector){0, 0, 0};
    for (size_t first = 0; first < poses.count; first += PIECE) {
        size_t count;
        ct_status status = place_points(p, poses, first, &count, error);
        if (status != CT_OK) return status;
        for (size_t i = 0; i < count; ++i) {
            ct_vector middle[LEG + 1] = {0};
            size_t number[LEG + 1] = {0};
            for (size_t j = 0; j < p->joint_count; ++j) {
                middle[b->parts[j]] = ct_vector_add(middle[b->parts[j]], ct_vector_of(p->joints + 3 * (i * p->joint_count + j)));
                number[b->parts[j]]++;
            }
            *above = ct_vector_add(*above, ct_vector_scale(middle[TRUNK], 1 / (double)number[TRUNK]));
            *above = ct_vector_subtract(*above, ct_vector_scale(middle[LEG], 1 / (double)number[LEG]));
        }
    }
    return CT_OK;
}

static void widen(const float point[3], ct_axis axis, float *lowest, float *highest)
{
    float value = axis % 2 ? -point[axis / 2] : point[axis / 2];
    *lowest = value < *lowest ? value : *lowest;
    *highest = value > *highest ? value : *highest;
}

static ct_status measure_extent(const body *b, points *p, ct_poses poses, ct_axis up, float *lowest, float *highest, ct_error *error)
{
    for (size_t first = 0; first < poses.count; first += PIECE) {
        size_t count;
        ct_status status = place_points(p, poses, first, &count, error);
        if (status != CT_OK) return status;
        for (size_t i = 0; i < count; ++i) {
            float low = INFINITY, high = -INFINITY;
            for (size_t j = 0; j < p->joint_count; ++j) {
                if (b->parts[j] != OUTSIDE) widen(p->joints + 3 * (i * p->joint_count + j), up, &low, &high);
            }
            for (size_t t = 0; t < p->tip_count; ++t) {
                if (b->parts[p->skeleton->tip_parents[t]] != OUTSIDE) widen(p->tips + 3 * (i * p->tip_count + t), up, &low, &high);
            }
            lowest[first + i] = low;
            if (highest) highest[first + i] = high;
        }
    }
    return CT_OK;
}

ct_status ct_clip_extent(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, float *lowest, float *highest, ct_error *error)
{
    body b;
    points p;
    ct_status status = make_body(clip, kernels, &b, &p, error);
    if (status == CT_OK && clip->frame_count > 0) status = measure_extent(&b, &p, poses_of(clip), up, lowest, highest, error);
    release_body(clip, &b, &p);
    return status;
}

static ct_axis nearest_axis(ct_vector v)
{
    static const double UPRIGHT = 0.75; // cosine of the lean
    for (int axis = 0; axis < CT_AXIS_COUNT; ++axis) {
        if (ct_vector_dot(v, ct_axis_vector((ct_axis)axis)) > UPRIGHT * ct_vector_length(v)) return (ct_axis)axis;
    }
    return CT_AXIS_UNKNOWN;
}

static ct_unit nearest_unit(double stature)
{
    static const double HUMAN = 1.7, AT_MOST = 1.5; // metres, ratio
    ct_unit nearest = CT_UNIT_UNKNOWN;
    double least = AT_MOST;
    for (int unit = CT_UNIT_UNKNOWN + 1; unit < CT_UNIT_COUNT; ++unit) {
        double ratio = stature * ct_unit_metres((ct_unit)unit) / HUMAN;
        if (!(fmax(ratio, 1 / ratio) < least)) continue;
        least = fmax(ratio, 1 / ratio);
        nearest = (ct_unit)unit;
    }
    return nearest;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Sorts the values.
static double median_of(size_t count, float *values)
{
    qsort(values, count, sizeof *values, by_value);
    return ((double)values[(count - 1) / 2] + (double)values[count / 2]) / 2;
}

static ct_status measure_height(const ct_clip *clip, const body *b, points *p, ct_poses poses, ct_stance *stance, ct_error *error)
{
    float *lowest = ct_allocate(&clip->allocator, poses.count, sizeof *lowest);
    float *heights = ct_allocate(&clip->allocator, poses.count, sizeof *heights);
    ct_status status = lowest && heights ? CT_OK : ct_fail_memory(error, "the stance of a skeleton");
    if (status == CT_OK) status = measure_extent(b, p, poses, stance->up, lowest, heights, error);
    if (status == CT_OK) {
        for (size_t i = 0; i < poses.count; ++i) heights[i] -= lowest[i];
        stance->height = median_of(poses.count, heights);
        stance->floor = median_of(poses.count, lowest);
    }
    ct_release(&clip->allocator, lowest);
    ct_release(&clip->allocator, heights);
    return status;
}

ct_status ct_stance_of(const ct_clip *clip, const ct_kernels *kernels, ct_stance *stance, ct_error *error)
{
    *stance = (ct_stance){.up = CT_AXIS_UNKNOWN};
    ct_poses poses = poses_of(clip);
    body b;
    points p;
    ct_status status = make_body(clip, kernels, &b, &p, error);
    if (status == CT_OK && b.has_legs) {
        ct_vector above;
        stance->stature = stature_of(clip->skeleton, &b);
        status = trunk_above_legs(&b, &p, poses, &above, error);
        if (status == CT_OK) stance->up = nearest_axis(above);
    }
    if (status == CT_OK && stance->up != CT_AXIS_UNKNOWN) {
        stance->unit = nearest_unit(stance->stature);
        status = measure_height(clip, &b, &p, poses, stance, error);
    }
    release_body(clip, &b, &p);
    return status;
}
