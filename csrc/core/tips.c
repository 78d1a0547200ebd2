#include "tips.h"

#include "forward_kinematics.h"

enum { BLOCK_JOINTS = 32768 }; // matrices of 2 MB

static void place(const float m[16], const float tip[3], float out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = m[4 * i] * tip[0] + m[4 * i + 1] * tip[1] + m[4 * i + 2] * tip[2] + m[4 * i + 3];
}

ct_status ct_tip_positions(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, const ct_interrupt *interrupt,
                           float *positions, ct_error *error)
{
    size_t joints = skeleton->joint_count, tips = skeleton->tip_count;
    if (poses.count == 0 || tips == 0) return CT_OK;
    size_t most = joints < BLOCK_JOINTS ? BLOCK_JOINTS / joints : 1;
    size_t frames = poses.count < most ? poses.count : most;
    float *matrices = ct_allocate_raw(&skeleton->allocator, frames * joints, 16 * sizeof *matrices);
    if (!matrices) return ct_fail_memory(error, "the scratch memory of tips");

    ct_status status = CT_OK;
    for (size_t first = 0; first < poses.count && status == CT_OK; first += frames) {
        size_t left = poses.count - first;
        ct_poses block = {poses.layout, left < frames ? left : frames, poses.rows + first * ct_row_length(poses.layout)};
        status = ct_global_matrices(skeleton, kernels, block, 1, interrupt, matrices, error);
        for (size_t i = 0; i < block.count * tips && status == CT_OK; ++i) {
            const float *joint = matrices + 16 * (i / tips * joints + (size_t)skeleton->tip_parents[i % tips]);
            place(joint, skeleton->tip_offsets + 3 * (i % tips), positions + 3 * (first * tips + i));
        }
    }
    ct_release(&skeleton->allocator, matrices);
    return status;
}
