#include "mesh_space.h"

static ct_quaternion parent_of(const ct_skeleton *skeleton, const ct_quaternion *globals, size_t joint)
{
    int32_t parent = skeleton->parents[joint];
    return parent == CT_NO_PARENT ? (ct_quaternion){1, 0, 0, 0} : globals[parent];
}

static ct_quaternion scaled(ct_quaternion q, double s) { return (ct_quaternion){q.w * s, q.x * s, q.y * s, q.z * s}; }

static double dot(ct_quaternion a, ct_quaternion b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

// Unit, from what the rounding of rows has moved from it: one Newton step.
static ct_quaternion unit_again(ct_quaternion q) { return scaled(q, 1.5 - 0.5 * dot(q, q)); }

static ct_quaternion nlerp(ct_quaternion a, ct_quaternion b, double t)
{
    a = scaled(a, 1 - t);
    b = scaled(b, dot(a, b) < 0 ? -t : t);
    return ct_quaternion_normalize((ct_quaternion){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z});
}

// From the joints that turn to those and all above them.
static void mark_above(const ct_skeleton *skeleton, bool *needed)
{
    for (size_t j = skeleton->joint_count; j-- > 0;) {
        if (needed[j] && skeleton->parents[j] != CT_NO_PARENT) needed[skeleton->parents[j]] = true;
    }
}

ct_status ct_mesh_space_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_mesh_space **out, ct_error *error)
{
    size_t count = skeleton->joint_count;
    ct_mesh_space *self = ct_allocate(allocator, 1, sizeof *self);
    if (!self) return ct_fail_memory(error, "rotations in mesh space");
    ct_quaternion *globals = ct_allocate(allocator, 3 * count, sizeof *globals);
    if (!globals) {
        ct_release(allocator, self);
        return ct_fail_memory(error, "rotations in mesh space");
    }
    *self = (ct_mesh_space){*allocator, skeleton, globals, globals + count, globals + 2 * count, NULL};
    self->needed = ct_allocate(allocator, count, sizeof *self->needed);
    if (!self->needed) {
        ct_mesh_space_destroy(self);
        return ct_fail_memory(error, "rotations in mesh space");
    }
    ct_poses rest = ct_skeleton_rest(skeleton);
    for (size_t j = 0; j < count; ++j) {
        ct_quaternion local = ct_row_rotation(rest.layout, rest.rows, j);
        globals[j] = unit_again(ct_quaternion_multiply(parent_of(skeleton, globals, j), local));
    }
    *out = self;
    return CT_OK;
}

void ct_mesh_space_destroy(ct_mesh_space *space)
{
    if (!space) return;
    ct_allocator allocator = space->allocator;
    ct_release(&allocator, space->rest);
    ct_release(&allocator, space->needed);
    ct_release(&allocator, space);
}

void ct_mesh_space_override(ct_mesh_space *space, ct_layout layout, const float *above, float weight, const float *mask, float *row)
{
    const ct_skeleton *skeleton = space->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) space->needed[j] = weight * mask[j] != 0;
    mark_above(skeleton, space->needed);
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (!space->needed[j]) continue;
        const float t = weight * mask[j];
        const ct_quaternion parent = parent_of(skeleton, space->now, j), target_parent = parent_of(skeleton, space->target, j);
        const ct_quaternion carried = ct_quaternion_multiply(parent, ct_row_rotation(layout, row, j));
        const ct_quaternion target = ct_quaternion_multiply(target_parent, ct_row_rotation(layout, above, j));
        space->target[j] = target;
        space->now[j] = t == 0 ? carried : nlerp(carried, target, (double)t);
        if (t == 0) continue;
        const ct_quaternion local = ct_quaternion_multiply(ct_quaternion_conjugate(parent), space->now[j]);
        ct_row_set_rotation(layout, row, j, unit_again(local));
    }
}

static bool turns_at(ct_layout layout, const float *turns, size_t joint)
{
    const float *x = turns + layout.stride + joint, *y = x + layout.stride, *z = y + layout.stride;
    return *x != 0 || *y != 0 || *z != 0;
}

void ct_mesh_space_add(ct_mesh_space *space, ct_layout layout, const float *turns, float *row)
{
    const ct_skeleton *skeleton = space->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) space->needed[j] = turns_at(layout, turns, j);
    mark_above(skeleton, space->needed);
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (!space->needed[j]) continue;
        const ct_quaternion parent = parent_of(skeleton, space->now, j);
        ct_quaternion local = ct_row_rotation(layout, row, j);
        if (turns_at(layout, turns, j)) {
            // The axis, from the parent's axes at rest to those of now.
            const ct_quaternion turn = ct_row_rotation(layout, turns, j), rest = parent_of(skeleton, space->rest, j);
            ct_vector axis = ct_quaternion_rotate(rest, (ct_vector){turn.x, turn.y, turn.z});
            axis = ct_quaternion_rotate(ct_quaternion_conjugate(parent), axis);
            local = unit_again(ct_quaternion_multiply((ct_quaternion){turn.w, axis.x, axis.y, axis.z}, local));
            ct_row_set_rotation(layout, row, j, local);
        }
        space->now[j] = unit_again(ct_quaternion_multiply(parent, local));
    }
}
