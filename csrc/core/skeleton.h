// skeleton.h: joints, their parents and their rest pose.
//
// A skeleton never changes once made; any number of threads may read it. Joints are in an order in which parents come first
// (parents[j] < j); roots have parent CT_NO_PARENT, and there may be several. Lengths are in the user's unit.
#ifndef CT_SKELETON_H
#define CT_SKELETON_H

#include <stdint.h>

#include "layout.h"
#include "memory.h"
#include "status.h"

enum { CT_NO_PARENT = -1 };
enum { CT_MAX_JOINTS = 65535 };

typedef struct ct_skeleton {
    ct_allocator allocator;
    size_t joint_count;
    size_t tip_count;           // end sites: points, not joints
    const char **names;         // [joint_count] UTF-8; may repeat
    const int32_t *parents;     // [joint_count]
    const float *offsets;       // [joint_count][3]: a joint's place in its parent's axes at rest
    const float *rotations;     // [joint_count][4]: a joint's rotation in its parent's axes at rest, unit, w first
    const int32_t *tip_parents; // [tip_count]: the joint that a tip ends
    const float *tip_offsets;   // [tip_count][3]: in that joint's axes
    const float *rest;          // one row with translations: rotations and offsets in the layout of a pose
} ct_skeleton;

// The rest pose. Nothing writes to the rows of poses that are read.
static inline ct_poses ct_skeleton_rest(const ct_skeleton *skeleton)
{
    return (ct_poses){ct_layout_of(skeleton->joint_count, true, false), 1, (float *)(uintptr_t)skeleton->rest};
}

// What a skeleton is made of. Arrays are copied. `names` need not end in NUL: name j is name_lengths[j] bytes.
typedef struct ct_skeleton_parts {
    size_t joint_count, tip_count;
    const char *const *names;
    const size_t *name_lengths;
    const int32_t *parents;
    const float *offsets;   // [joint_count][3]
    const float *rotations; // [joint_count][4] or NULL: identities; normalised unless unit to 1e-6
    const int32_t *tip_parents;
    const float *tip_offsets; // [tip_count][3]
} ct_skeleton_parts;

// Fails with CT_BAD_VALUE, naming the joint: a parent that is not before its joint, numbers that are not finite, a zero rotation, no
// joints or too many joints or tips, a NUL inside a name. One block holds it all. Release with ct_skeleton_destroy (NULL is fine).
ct_status ct_skeleton_create(const ct_allocator *allocator, const ct_skeleton_parts *parts, ct_skeleton **out, ct_error *error);
void ct_skeleton_destroy(ct_skeleton *skeleton);

// How many bytes of a name a message shows with %.*s: at most 80, cut at a character.
int ct_name_shown(const char *name, size_t length);

// Are two skeletons the same to the last bit: names, parents, rest pose, tips?
bool ct_skeleton_equal(const ct_skeleton *a, const ct_skeleton *b);

// The joint of a name. Fails with CT_BAD_INDEX when there is none (the message lists at most five near names, best first; case and a
// namespace as in "mixamorig:Hips" don't keep a name from being near) or several (it lists their indices).
ct_status ct_skeleton_find(const ct_skeleton *skeleton, const char *name, size_t name_length, size_t *joint, ct_error *error);

// The joints from `root` down to `tip`, both included, into `joints` (room for joint_count). Fails with CT_BAD_VALUE when root is not
// above tip.
ct_status ct_skeleton_chain(const ct_skeleton *skeleton, size_t root, size_t tip, int32_t *joints, size_t *count, ct_error *error);

// `joint` and all below it, ascending, into `joints` (room for joint_count); returns how many.
size_t ct_skeleton_branch(const ct_skeleton *skeleton, size_t joint, int32_t *joints);

// A weight a joint: 0 outside the branch of `joint`. Inside, a joint d steps below it weighs weight * min(1, (d + 1) / depth); depth 0 or
// 1 is full weight at once. weights[joint_count].
void ct_skeleton_mask(const ct_skeleton *skeleton, size_t joint, size_t depth, float weight, float *weights);

#endif
