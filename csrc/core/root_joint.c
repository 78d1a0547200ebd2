// Which joint tells where a character goes, where its left is, and how fast it goes.
#include <math.h>

#include "mirror.h"
#include "root_motion.h"
#include "row.h"

// Partners by name: map[j], and which of them are on the left.
typedef struct sides {
    int32_t *map;
    uint8_t *roles;
} sides;

static ct_status find_sides(const ct_clip *clip, sides *s, ct_error *error)
{
    size_t count = clip->layout.joint_count;
    *s = (sides){ct_allocate(&clip->allocator, count, sizeof *s->map), ct_allocate(&clip->allocator, count, sizeof *s->roles)};
    if (!s->map || !s->roles) return ct_fail_memory(error, "finding left and right");
    return ct_mirror_map(clip->skeleton, s->map, s->roles, error);
}

static void release_sides(const ct_clip *clip, sides *s)
{
    ct_release(&clip->allocator, s->map);
    ct_release(&clip->allocator, s->roles);
}

// Is j a child of `left_parent` whose partner is a child of `right_parent`?
static bool is_pair_below(const ct_clip *clip, const sides *s, size_t j, int32_t left_parent, int32_t right_parent)
{
    const int32_t *parents = clip->skeleton->parents;
    return s->roles[j] == CT_MIRROR_LEFT && parents[j] == left_parent && parents[s->map[j]] == right_parent;
}

static bool travels(const ct_clip *clip, size_t joint, double least)
{
    size_t length = ct_row_length(clip->layout);
    for (size_t c = CT_TRANSLATION; c < CT_SCALE; ++c) {
        const float *value = clip->rows + c * clip->layout.stride + joint;
        float low = *value, high = *value;
        for (size_t i = 1; i < clip->frame_count; ++i) {
            low = fminf(low, value[i * length]);
            high = fmaxf(high, value[i * length]);
        }
        if ((double)high - (double)low > least) return true;
    }
    return false;
}

ct_status ct_root_joint(const ct_clip *clip, size_t *joint, ct_error *error)
{
    static const double TRAVEL = 0.05; // of the skeleton's size
    *joint = 0;
    sides s;
    ct_status status = find_sides(clip, &s, error);
    bool found = false;
    size_t first = clip->layout.joint_count;
    for (size_t j = 0; status == CT_OK && j < clip->layout.joint_count; ++j) {
        int32_t parent = clip->skeleton->parents[j];
        if (parent == CT_NO_PARENT || !is_pair_below(clip, &s, j, parent, parent) || (size_t)parent >= first) continue;
        first = (size_t)parent;
        found = true;
    }
    release_sides(clip, &s);
    if (found) *joint = first;
    if (status != CT_OK || found || clip->frame_count == 0) return status;

    double size;
    status = ct_clip_size(clip, &size, error);
    for (size_t j = 0; status == CT_OK && j < clip->layout.joint_count; ++j) {
        if (!travels(clip, j, TRAVEL * size)) continue;
        *joint = j;
        break;
    }
    return status;
}

// Where a joint is in the axes of an ancestor in the first frame.
static ct_vector point_below(const ct_clip *clip, size_t joint, size_t ancestor)
{
    ct_vector point = ct_row_vector(clip->layout, clip->rows, CT_TRANSLATION, joint);
    for (size_t j = (size_t)clip->skeleton->parents[joint]; j != ancestor; j = (size_t)clip->skeleton->parents[j]) {
        point = ct_quaternion_rotate(ct_row_rotation(clip->layout, clip->rows, j), point);
        point = ct_vector_add(point, ct_row_vector(clip->layout, clip->rows, CT_TRANSLATION, j));
    }
    return point;
}

// From a pair of partners down their first children that are partners, until the two lie apart.
static bool left_of_pair(const ct_clip *clip, const sides *s, size_t joint, size_t child, ct_vector *left)
{
    static const double APART = 1e-4; // of their distance from the joint
    for (size_t j = child; j < clip->layout.joint_count; ++j) {
        if (j != child && !is_pair_below(clip, s, j, (int32_t)child, s->map[child])) continue;
        child = j;
        ct_vector a = point_below(clip, child, joint), b = point_below(clip, (size_t)s->map[child], joint);
        *left = ct_vector_subtract(a, b);
        if (ct_vector_length(*left) > APART * (ct_vector_length(a) + ct_vector_length(b))) return true;
    }
    return false;
}

ct_status ct_root_left(const ct_clip *clip, size_t joint, ct_vector *left, bool *found, ct_error *error)
{
    sides s;
    ct_status status = find_sides(clip, &s, error);
    ct_vector apart;
    *found = false;
    for (size_t j = 0; status == CT_OK && clip->frame_count > 0 && !*found && j < clip->layout.joint_count; ++j) {
        *found = is_pair_below(clip, &s, j, (int32_t)joint, (int32_t)joint) && left_of_pair(clip, &s, joint, j, &apart);
    }
    release_sides(clip, &s);
    if (*found) *left = apart;
    return status;
}

ct_status ct_clip_speed(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, double *speed, ct_error *error)
{
    static const double ON_THE_SPOT = 0.15; // of the skeleton's size
    *speed = 0;
    if (clip->frame_count < 2) return CT_OK;

    ct_root_motion *motion;
    double size;
    ct_status status = ct_clip_size(clip, &size, error);
    if (status != CT_OK) return status;
    status = ct_root_motion_create(clip, kernels, &(ct_root_options){.joint = CT_NOWHERE, .up = up}, &motion, error);
    if (status != CT_OK) return status;

    double length = 0, farthest = 0, duration = (double)motion->step_count * motion->frame_time;
    for (size_t i = 0; i < motion->step_count; ++i) {
        ct_root_delta step = ct_root_motion_delta(motion, (double)i * motion->frame_time, (double)(i + 1) * motion->frame_time);
        length += ct_vector_length(step.translation);
        farthest = fmax(farthest, ct_vector_length(ct_vector_subtract(motion->places[i].position, motion->places[0].position)));
    }
    if (!motion->looping || farthest > ON_THE_SPOT * size) *speed = length / duration;
    ct_root_motion_destroy(motion);
    return CT_OK;
}
