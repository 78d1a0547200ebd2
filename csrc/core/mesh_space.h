// mesh_space.h: turning joints in the character's axes, whatever the joints above them do.
//
// A rotation in mesh space is a joint's rotation relative to the character: the product of the local rotations from the root down. Joints
// that are not turned keep their local bits, so they go with what is above them. Only joints that turn and those above them cost time.
#ifndef CT_MESH_SPACE_H
#define CT_MESH_SPACE_H

#include "row.h"
#include "skeleton.h"

typedef struct ct_mesh_space {
    ct_allocator allocator;
    const ct_skeleton *skeleton;
    ct_quaternion *rest; // [joint_count] the rest pose in mesh space
    // For a call's own use, so a mesh space serves one caller at a time:
    ct_quaternion *now;    // [joint_count] the row
    ct_quaternion *target; // [joint_count] the row above
    bool *needed;          // [joint_count] the joint turns, or one below it does
} ct_mesh_space;

// Fails: out of memory. The skeleton is borrowed.
ct_status ct_mesh_space_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_mesh_space **out, ct_error *error);
void ct_mesh_space_destroy(ct_mesh_space *space); // NULL is fine

// Turns each joint of `row` by weight * mask of the way (nlerp, the short way) to the rotation in mesh space that it has in `above`; at 1
// it has that rotation, whatever the joints above it do. At 0 it keeps its bits. Both rows have this layout; weight and mask [joint_count]
// are in 0 .. 1. Nothing but rotations is read or written.
void ct_mesh_space_override(ct_mesh_space *space, ct_layout layout, const float *above, float weight, const float *mask, float *row);

// Turns each joint of `row` by the turn in `turns`, which is about the axes of the joint's parent as they lie in the rest pose: so it turns
// the same way in the world whatever the parent does. A joint whose turn is the identity to the bit keeps its bits.
void ct_mesh_space_add(ct_mesh_space *space, ct_layout layout, const float *turns, float *row);

#endif
