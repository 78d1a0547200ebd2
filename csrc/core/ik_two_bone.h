// ik_two_bone.h: a limb of two bones, bent so that its tip reaches a target.
//
// The answer is exact, by the law of cosines: no iterations and no tolerance. The limb stays in the plane of root, target and pole, and its
// middle joint on the pole's side of the line from root to target. Works on points, so any limb of any skeleton can use it; a limb in the
// plane is one whose z are 0.
#ifndef CT_IK_TWO_BONE_H
#define CT_IK_TWO_BONE_H

#include "vector.h"

typedef struct ct_two_bone {
    ct_vector mid, tip;
} ct_two_bone;

// Where the middle joint and the tip go, for any finite input.
//   root    where the limb begins
//   target  where the tip shall be
//   upper   length from root to mid, not negative
//   lower   length from mid to tip, not negative
//   pole    the direction in which the middle joint bends, of any length: a direction, not a point
//
// A target within reach, |upper - lower| .. upper + lower from the root, is the tip to the bit. Farther away the limb is straight at the
// target; nearer it is folded along the same line, so the tip is the nearest it can be. Both bones keep their lengths to round-off.
// What has no direction of its own gets one: with the target on the root the limb folds along the pole; with a pole along the line to
// the target, or none, the bend goes across that line, by v = e x line, e the axis that it is shortest along (the last of equal ones).
//
// Costs four square roots. Sums that lie beyond the largest double become infinite; nothing becomes NaN, and no other input raises a
// floating-point flag but inexact and underflow. Infinite or NaN input is the caller's mistake: the result means nothing.
ct_two_bone ct_ik_two_bone(ct_vector root, ct_vector target, double upper, double lower, ct_vector pole);

#endif
