#include "tips.h"

#include <assert.h>

enum { BLOCK_JOINTS = 4096 }; // their matrices stay in the cache until the tips are placed

typedef struct job {
    const ct_skeleton *skeleton;
    const ct_kernels *kernels;
    ct_poses poses;
    size_t block_frames;
    float *matrices; // of a block
    float *scratch;
    float *positions;
} job;

static void place(const float m[16], const float tip[3], float out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = m[4 * i] * tip[0] + m[4 * i + 1] * tip[1] + m[4 * i + 2] * tip[2] + m[4 * i + 3];
}

static void place_block(void *context, size_t worker, size_t block)
{
    (void)worker;
    const job *j = context;
    const ct_skeleton *skeleton = j->skeleton;
    size_t tips = skeleton->tip_count, first = block * j->block_frames, left = j->poses.count - first;
    size_t count = left < j->block_frames ? left : j->block_frames;

    j->kernels->skeleton.matrices(j->poses.layout, skeleton->parents, skeleton->rest, count,
                                  j->poses.rows + first * ct_row_length(j->poses.layout), NULL, j->scratch, j->matrices);
    for (size_t i = 0; i < count; ++i) {
        for (size_t t = 0; t < tips; ++t) {
            const float *joint = j->matrices + 16 * (i * skeleton->joint_count + (size_t)skeleton->tip_parents[t]);
            place(joint, skeleton->tip_offsets + 3 * t, j->positions + 3 * ((first + i) * tips + t));
        }
    }
}

ct_status ct_tip_positions(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, const ct_interrupt *interrupt,
                           float *positions, ct_error *error)
{
    size_t joints = skeleton->joint_count;
    assert(poses.layout.joint_count == joints);
    if (poses.count == 0 || skeleton->tip_count == 0) return CT_OK;

    size_t most = joints < BLOCK_JOINTS ? BLOCK_JOINTS / joints : 1, frames = poses.count < most ? poses.count : most;
    size_t scratch_size = poses.layout.stride * CT_SCRATCH_PER_JOINT;
    float *scratch = ct_allocate_raw(&skeleton->allocator, scratch_size + frames * joints * 16, sizeof *scratch);
    if (!scratch) return ct_fail_memory(error, "the scratch memory of tips");

    job j = {skeleton, kernels, poses, frames, scratch + scratch_size, scratch, positions};
    ct_status status = ct_parallel(1, (poses.count - 1) / frames + 1, place_block, &j, interrupt);
    ct_release(&skeleton->allocator, scratch);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "finding tips was interrupted");
}
