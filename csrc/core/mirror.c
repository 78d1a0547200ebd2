#include "mirror.h"

#include <math.h>

#include "row.h"

// A reflection keeps the part of a rotation about its own axis and turns round the others; of a vector it turns round that one.
static ct_quaternion reflect_rotation(ct_quaternion q, int axis)
{
    return (ct_quaternion){q.w, axis == 0 ? q.x : -q.x, axis == 1 ? q.y : -q.y, axis == 2 ? q.z : -q.z};
}

static ct_vector reflect_vector(ct_vector v, int axis)
{
    return (ct_vector){axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z};
}

typedef struct mirror {
    const ct_skeleton *skeleton;
    const int32_t *map;
    int axis;
    ct_quaternion *turns; // [joint_count]: C, with global' = reflect(partner's global) * C
} mirror;

static bool is_identity(ct_quaternion q) { return q.x == 0 && q.y == 0 && q.z == 0; }

// C = reflect(B of the partner)^-1 * B of the joint, from the global rest rotations B.
static void find_turns(const mirror *m, ct_quaternion *globals)
{
    static const double SAME = 1e-6; // a rest pose that is symmetric but for rounding
    const ct_skeleton *skeleton = m->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        ct_quaternion local = ct_quaternion_of(skeleton->rotations + 4 * j);
        int32_t parent = skeleton->parents[j];
        globals[j] = ct_quaternion_normalize(parent == CT_NO_PARENT ? local : ct_quaternion_multiply(globals[parent], local));
    }
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        ct_quaternion reflected = reflect_rotation(globals[m->map[j]], m->axis);
        ct_quaternion turn = ct_quaternion_multiply(ct_quaternion_conjugate(reflected), globals[j]);
        if (fabs(turn.x) + fabs(turn.y) + fabs(turn.z) < SAME) turn = (ct_quaternion){1, 0, 0, 0};
        m->turns[j] = turn;
    }
}

static ct_vector mirrored_translation(const mirror *m, size_t joint, ct_vector partner)
{
    int32_t parent = m->skeleton->parents[joint];
    if (parent == CT_NO_PARENT) return reflect_vector(partner, m->axis);

    const float *own = m->skeleton->offsets + 3 * joint, *other = m->skeleton->offsets + 3 * m->map[joint];
    ct_vector moved = {partner.x - (double)other[0], partner.y - (double)other[1], partner.z - (double)other[2]};
    moved = reflect_vector(moved, m->axis);
    if (!is_identity(m->turns[parent])) moved = ct_quaternion_rotate(ct_quaternion_conjugate(m->turns[parent]), moved);
    return (ct_vector){(double)own[0] + moved.x, (double)own[1] + moved.y, (double)own[2] + moved.z};
}

// local' = C of the parent^-1 * reflect(partner's local) * C. Signs stay as they are where no turn is needed: the bits come back.
static ct_quaternion mirrored_rotation(const mirror *m, size_t joint, ct_quaternion partner)
{
    int32_t parent = m->skeleton->parents[joint];
    ct_quaternion q = reflect_rotation(partner, m->axis);
    if (!is_identity(m->turns[joint])) q = ct_quaternion_multiply(q, m->turns[joint]);
    if (parent != CT_NO_PARENT && !is_identity(m->turns[parent])) q = ct_quaternion_multiply(ct_quaternion_conjugate(m->turns[parent]), q);
    return q;
}

static void mirror_joint(const mirror *m, ct_layout layout, const float *row, size_t joint, float *out)
{
    size_t from = (size_t)m->map[joint];
    ct_row_set_rotation(layout, out, joint, mirrored_rotation(m, joint, ct_row_rotation(layout, row, from)));
    ct_row_set_vector(layout, out, CT_TRANSLATION, joint, mirrored_translation(m, joint, ct_row_vector(layout, row, CT_TRANSLATION, from)));
    if (!ct_has_scales(layout)) return;
    ct_quaternion back = ct_quaternion_conjugate(m->turns[joint]);
    ct_row_set_vector(layout, out, CT_SCALE, joint, ct_scale_turned(back, ct_row_vector(layout, row, CT_SCALE, from)));
}

// Below a joint that has a partner, what has none is carried along as it is.
static bool keeps_its_motion(const mirror *m, size_t joint)
{
    for (int32_t j = (int32_t)joint; j != CT_NO_PARENT && m->map[joint] == (int32_t)joint; j = m->skeleton->parents[j]) {
        if (m->map[j] != j) return true;
    }
    return false;
}

static void mirror_rows(const mirror *m, const ct_clip *clip, float *out)
{
    size_t length = ct_row_length(clip->layout);
    for (size_t j = 0; j < clip->layout.joint_count; ++j) {
        if (keeps_its_motion(m, j)) continue;
        for (size_t i = 0; i < clip->frame_count; ++i) mirror_joint(m, clip->layout, clip->rows + i * length, j, out + i * length);
    }
}

ct_status ct_clip_mirror(const ct_clip *clip, const int32_t *map, int axis, ct_clip **out, ct_error *error)
{
    if (axis < 0 || axis > 2) return ct_fail(error, CT_BAD_VALUE, "the axis of a mirror is 0, 1 or 2 (x, y or z), not %d", axis);

    const ct_skeleton *skeleton = clip->skeleton;
    ct_clip *image = NULL;
    ct_quaternion *turns = ct_allocate(&clip->allocator, skeleton->joint_count, sizeof *turns);
    ct_quaternion *globals = ct_allocate(&clip->allocator, skeleton->joint_count, sizeof *globals);
    ct_status status = turns && globals ? CT_OK : ct_fail_memory(error, "mirroring");
    if (status == CT_OK) status = ct_clip_copy(clip, skeleton, &image, error);
    if (status == CT_OK) {
        mirror m = {skeleton, map, axis, turns};
        find_turns(&m, globals);
        mirror_rows(&m, clip, image->rows);
        status = ct_clip_finish(image, error);
    }
    ct_release(&clip->allocator, turns);
    ct_release(&clip->allocator, globals);
    if (status != CT_OK) {
        ct_clip_destroy(image);
        return status;
    }
    *out = image;
    return CT_OK;
}
