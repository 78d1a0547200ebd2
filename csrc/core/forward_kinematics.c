#include "forward_kinematics.h"

#include <assert.h>
#include <math.h>

// Joints in a block of frames: about 0.1 ms of work, so that a thread is worth its start and blocks still share out well.
enum { BLOCK_JOINTS = 32768 };

typedef struct job {
    const ct_skeleton *skeleton;
    const ct_kernels *kernels;
    ct_poses poses;
    size_t block_frames;
    float *scratch;
    size_t scratch_size; // floats a worker
    float *positions, *rotations;
    const float *inverse_bind;
    float *matrices;
} job;

static void forward_block(void *context, size_t worker, size_t block)
{
    const job *j = context;
    size_t joints = j->skeleton->joint_count, first = block * j->block_frames, left = j->poses.count - first;
    j->kernels->skeleton.forward_kinematics(
        j->poses.layout, j->skeleton->parents, j->skeleton->rest, left < j->block_frames ? left : j->block_frames,
        j->poses.rows + first * ct_row_length(j->poses.layout), j->scratch + worker * j->scratch_size,
        j->positions ? j->positions + first * joints * 3 : NULL, j->rotations ? j->rotations + first * joints * 4 : NULL);
}

static void matrix_block(void *context, size_t worker, size_t block)
{
    const job *j = context;
    size_t first = block * j->block_frames, left = j->poses.count - first;
    j->kernels->skeleton.matrices(j->poses.layout, j->skeleton->parents, j->skeleton->rest, left < j->block_frames ? left : j->block_frames,
                                  j->poses.rows + first * ct_row_length(j->poses.layout), j->inverse_bind,
                                  j->scratch + worker * j->scratch_size, j->matrices + first * j->skeleton->joint_count * 16);
}

static ct_status run_blocks(job *j, ct_block run, int workers, const ct_interrupt *interrupt, ct_error *error)
{
    const ct_allocator *allocator = &j->skeleton->allocator;
    assert(j->poses.layout.joint_count == j->skeleton->joint_count);
    if (j->poses.count == 0) return CT_OK;

    size_t frames = BLOCK_JOINTS / j->skeleton->joint_count / CT_LANES * CT_LANES;
    j->block_frames = frames > 0 ? frames : CT_LANES;
    size_t blocks = (j->poses.count - 1) / j->block_frames + 1;
    size_t worker_count = ct_worker_count(workers, blocks);

    j->scratch_size = j->poses.layout.stride * CT_SCRATCH_PER_JOINT;
    j->scratch = ct_allocate_raw(allocator, worker_count, j->scratch_size * sizeof *j->scratch);
    if (!j->scratch) return ct_fail_memory(error, "the scratch memory of forward kinematics");
    ct_status status = ct_parallel((int)worker_count, blocks, run, j, interrupt);
    ct_release(allocator, j->scratch);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "forward kinematics was interrupted");
}

ct_status ct_forward_kinematics(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, int workers,
                                const ct_interrupt *interrupt, float *positions, float *rotations, ct_error *error)
{
    job j = {.skeleton = skeleton, .kernels = kernels, .poses = poses, .positions = positions, .rotations = rotations};
    return run_blocks(&j, forward_block, workers, interrupt, error);
}

ct_status ct_global_matrices(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, int workers,
                             const ct_interrupt *interrupt, float *matrices, ct_error *error)
{
    job j = {.skeleton = skeleton, .kernels = kernels, .poses = poses, .matrices = matrices};
    return run_blocks(&j, matrix_block, workers, interrupt, error);
}

ct_status ct_palette(const ct_skeleton *skeleton, const ct_kernels *kernels, ct_poses poses, const float *inverse_bind, int workers,
                     const ct_interrupt *interrupt, float *palette, ct_error *error)
{
    job j = {.skeleton = skeleton, .kernels = kernels, .poses = poses, .inverse_bind = inverse_bind, .matrices = palette};
    return run_blocks(&j, matrix_block, workers, interrupt, error);
}

// The rest pose has no scales, so a matrix is rigid and its inverse is the transposed rotation and the translation turned back.
static void invert_rigid(float m[16])
{
    const float t[3] = {m[3], m[7], m[11]};
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            float swapped = m[4 * i + k];
            m[4 * i + k] = m[4 * k + i];
            m[4 * k + i] = swapped;
        }
    }
    for (int i = 0; i < 3; ++i) m[4 * i + 3] = -(m[4 * i] * t[0] + m[4 * i + 1] * t[1] + m[4 * i + 2] * t[2]);
}

ct_status ct_inverse_bind(const ct_skeleton *skeleton, const ct_kernels *kernels, float *matrices, ct_error *error)
{
    ct_status status = ct_global_matrices(skeleton, kernels, ct_skeleton_rest(skeleton), 1, NULL, matrices, error);
    for (size_t j = 0; j < skeleton->joint_count && status == CT_OK; ++j) invert_rigid(matrices + 16 * j);
    return status;
}
