// mirror.h: left becomes right.
//
// A map says which joint takes the motion of which: map[j] is the partner of j, or j itself for the joints of the middle. A map is its own
// inverse, and the parents of partners are partners too.
//
// Mirroring reflects world space through the plane across `axis` (0 is x: the plane between left and right of a character that faces z).
// The new global rotation of a joint is the reflection of its partner's, times a constant that leaves a rest pose which is its own mirror
// image as it is; so axes of left and right joints may point anywhere at rest.
#ifndef CT_MIRROR_H
#define CT_MIRROR_H

#include "clip.h"

// What ct_mirror_map made of a joint's name.
typedef enum ct_mirror_role {
    CT_MIRROR_MIDDLE,   // names no side
    CT_MIRROR_LEFT,     // has a partner on the right
    CT_MIRROR_RIGHT,    // has a partner on the left
    CT_MIRROR_ALONE,    // names a side, but no joint, or more than one, has the partner's name
    CT_MIRROR_UPROOTED, // has a partner by name, but their parents are not partners
} ct_mirror_role;

// Finds partners by name. Sides are: Left and Right (any of Left, left, LEFT as a word of its own inside the name: LeftArm, rig:LeftArm,
// arm_left; or at its end), the same in Chinese and Japanese characters; a lone l or r, small or capital, set off by separators (L_Arm,
// thigh.L, "Bip01 L Calf", hand.r.001); and l or r as the first letter of a word (lCollar, LThumb, lfemur). Joints are partners only when
// exactly one joint has the name with the other side in its place; words such as Lower, Ribs or lowerback, without one, name no side.
//   map    [joint_count]; joints without a partner map to themselves
//   roles  [joint_count] ct_mirror_role, or NULL
// Fails: out of memory.
ct_status ct_mirror_map(const ct_skeleton *skeleton, int32_t *map, uint8_t *roles, ct_error *error);

// Which side of the body a joint is on.
typedef enum ct_side { CT_SIDE_MIDDLE, CT_SIDE_LEFT, CT_SIDE_RIGHT } ct_side;

// The side of every joint, for drawing and for naming: what its name tells, with a partner or without. A joint whose name tells none is on
// the side of its parent, as a sword is on that of the hand. A joint without a partner that carries joints of both sides is of the middle.
//   sides  [joint_count] ct_side
// Fails: out of memory.
ct_status ct_mirror_sides(const ct_skeleton *skeleton, uint8_t *sides, ct_error *error);

// A name with the first side in it that needs no partner to be told (a word or a letter of its own) changed to the other: "left_down"
// becomes "right_down".
//   out  room for strlen(name) + CT_MIRROR_NAME_ROOM bytes; a copy of the name when it tells no side
// Returns whether it tells one. Twice gives the name back.
enum { CT_MIRROR_NAME_ROOM = 2 };
bool ct_mirror_name(const char *name, char *out);

// A map of the caller's own: CT_BAD_INDEX or CT_BAD_VALUE, naming joints, where it leaves the skeleton, is not its own inverse or has
// partners whose parents are not partners.
ct_status ct_mirror_check(const ct_skeleton *skeleton, const int32_t *map, ct_error *error);

// The mirror image of a clip, on the same skeleton. map must pass ct_mirror_check (asserted by nothing: a bad map reads other memory).
//
// Translations of joints with a parent are mirrored as differences from the offsets, so bones keep their own lengths on a skeleton that is
// not symmetric; those of roots are reflected. A joint without a partner below one that has a partner keeps its own local motion. With
// identity rest rotations mirroring twice gives the rotations back to the bit.
// Fails: out of memory; an axis that is not 0, 1 or 2.
ct_status ct_clip_mirror(const ct_clip *clip, const int32_t *map, int axis, ct_clip **out, ct_error *error);

#endif
