// pose.h: what can be done with poses whatever skeleton they belong to. How they lie in memory is layout.h's.
#ifndef CT_POSE_H
#define CT_POSE_H

#include "kernels.h"
#include "layout.h"

// Normalises the rotations of all poses, in place; a zero quaternion becomes the identity.
void ct_pose_normalize(ct_poses poses, const ct_kernels *kernels);

#endif
