// bone_length.h: how far bones are from the length that a skeleton gives them, which no rotation changes.
#ifndef CT_BONE_LENGTH_H
#define CT_BONE_LENGTH_H

#include "skeleton.h"

// For every pose and joint, how much longer than at rest the way from its parent is (shorter: negative). A root has no bone: 0.
//   positions  [pose_count][joint_count][3], in the world
//   errors     [pose_count][joint_count]
void ct_bone_length_errors(const ct_skeleton *skeleton, size_t pose_count, const double *positions, double *errors);

#endif
