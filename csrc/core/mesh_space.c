#include "mesh_space.h"

static ct_quaternion above_of(const ct_skeleton *skeleton, const ct_quaternion *globals, size_t joint)
{
    int32_t parent = skeleton->parents[joint];
    return parent == CT_NO_PARENT ? (ct_quaternion){1, 0, 0, 0} : globals[parent];
}

// The global rotation of a joint, made unit, so that its conjugate is its inverse.
static ct_quaternion global_of(ct_quaternion above, ct_layout layout, const float *row, size_t joint)
{
    return ct_quaternion_normalize(ct_quaternion_multiply(above, ct_row_rotation(layout, row, joint)));
}

static ct_quaternion nlerp(ct_quaternion a, ct_quaternion b, double t)
{
    double s = 1 - t;
    if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0) t = -t;
    return ct_quaternion_normalize((ct_quaternion){s * a.w + t * b.w, s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z});
}

ct_status ct_mesh_space_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_mesh_space **out, ct_error *error)
{
    size_t count = skeleton->joint_count;
    ct_mesh_space *self = ct_allocate(allocator, 1, sizeof *self);
    ct_quaternion *globals = self ? ct_allocate(allocator, 3 * count, sizeof *globals) : NULL;
    if (!globals) {
        ct_release(allocator, self);
        return ct_fail_memory(error, "rotations in mesh space");
    }
    *self = (ct_mesh_space){*allocator, skeleton, globals, globals + count, globals + 2 * count};
    ct_poses rest = ct_skeleton_rest(skeleton);
    for (size_t j = 0; j < count; ++j) globals[j] = global_of(above_of(skeleton, globals, j), rest.layout, rest.rows, j);
    *out = self;
    return CT_OK;
}

void ct_mesh_space_destroy(ct_mesh_space *space)
{
    if (!space) return;
    ct_allocator allocator = space->allocator;
    ct_release(&allocator, space->rest);
    ct_release(&allocator, space);
}

void ct_mesh_space_override(ct_mesh_space *space, ct_layout layout, const float *above, float weight, const float *mask, float *row)
{
    const ct_skeleton *skeleton = space->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        const ct_quaternion parent = above_of(skeleton, space->now, j);
        const float t = weight * mask[j];
        space->target[j] = global_of(above_of(skeleton, space->target, j), layout, above, j);
        space->now[j] = global_of(parent, layout, row, j);
        if (t == 0) continue;
        const ct_quaternion global = nlerp(space->now[j], space->target[j], (double)t);
        ct_row_set_rotation(layout, row, j, ct_quaternion_multiply(ct_quaternion_conjugate(parent), global));
        space->now[j] = global_of(parent, layout, row, j); // as rounded
    }
}

void ct_mesh_space_add(ct_mesh_space *space, ct_layout layout, const float *turns, float *row)
{
    const ct_skeleton *skeleton = space->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        const ct_quaternion parent = above_of(skeleton, space->now, j), turn = ct_row_rotation(layout, turns, j);
        if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
            // From the parent's axes of now to those of rest, and back.
            const ct_quaternion axes = ct_quaternion_multiply(ct_quaternion_conjugate(parent), above_of(skeleton, space->rest, j));
            const ct_quaternion about = ct_quaternion_multiply(ct_quaternion_multiply(axes, turn), ct_quaternion_conjugate(axes));
            const ct_quaternion turned = ct_quaternion_multiply(about, ct_row_rotation(layout, row, j));
            ct_row_set_rotation(layout, row, j, ct_quaternion_normalize(turned));
        }
        space->now[j] = global_of(parent, layout, row, j);
    }
}
