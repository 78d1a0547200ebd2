// tips.h: where the ends of the limbs are.
#ifndef CT_TIPS_H
#define CT_TIPS_H

#include "kernels.h"
#include "parallel.h"
#include "skeleton.h"

// Global positions (count, tip_count, 3) of a skeleton's tips, C-contiguous. A tip goes through the whole matrix of its joint, scales
// included. Fails only with CT_OUT_OF_MEMORY (scratch) or CT_INTERRUPTED.
ct_status ct_tip_positions(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, const ct_interrupt *interrupt,
                           float *positions, ct_error *error);

#endif
