// pose.h: what can be done with poses whatever skeleton they belong to. How they lie in memory is layout.h's.
#ifndef CT_POSE_H
#define CT_POSE_H

#include "kernels.h"
#include "layout.h"

// Normalises the rotations of all poses, in place; a zero quaternion becomes the identity. A pose whose rotations are all unit to 1e-6
// keeps its bits, so that a pose made of another's arrays is the same.
void ct_pose_normalize(ct_poses poses, const ct_kernels *kernels);

#endif
