#include "pose_delta.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// A row of several, or the only one.
static const float *row_at(ct_layout layout, size_t count, const float *rows, size_t i)
{
    return count == 1 ? rows : rows + i * ct_row_length(layout);
}

static ct_status check_scales(ct_layout layout, const float *pose, const float *reference, size_t at, ct_error *error)
{
    for (size_t c = CT_SCALE; c < layout.component_count; ++c) {
        for (size_t j = 0; j < layout.joint_count; ++j) {
            float a = pose[c * layout.stride + j], b = reference[c * layout.stride + j];
            if (a / b > 0 && isfinite(a / b)) continue;
            const char *what = a == 0               ? "is 0 in the pose"
                               : b == 0             ? "is 0 in the reference"
                               : (a < 0) != (b < 0) ? "differs in sign from that of the reference"
                                                    : "is too far from that of the reference";
            ct_fail(error, CT_BAD_VALUE, "pose %zu: the %c scale of joint %zu %s, so they have no ratio above 0", at, "xyz"[c - CT_SCALE],
                    j, what);
            if (error) error->joint = (ptrdiff_t)j;
            return CT_BAD_VALUE;
        }
    }
    return CT_OK;
}

ct_status ct_pose_difference(const ct_kernels *kernels, ct_poses poses, ct_poses references, ct_pose_deltas out, ct_error *error)
{
    const ct_layout layout = out.layout;
    assert(ct_same_layout(poses.layout, layout) && ct_same_layout(references.layout, layout));
    assert((poses.count == 1 || poses.count == out.count) && (references.count == 1 || references.count == out.count));
    for (size_t i = 0; i < out.count; ++i) {
        const float *pose = row_at(layout, poses.count, poses.rows, i);
        const float *reference = row_at(layout, references.count, references.rows, i);
        ct_status status = check_scales(layout, pose, reference, i, error);
        if (status != CT_OK) return status;
        kernels->additive.difference(pose, reference, layout.stride, layout.component_count, out.side == CT_SIDE_PARENT,
                                     out.rows + i * ct_row_length(layout));
    }
    return CT_OK;
}

static void add_row(const ct_kernels *kernels, ct_layout layout, const float *base, const ct_pose_deltas *deltas, const float *delta,
                    double weight, const float *mask, float *out)
{
    const size_t length = ct_row_length(layout), shared = weight == 0 ? 0 : ct_row_length(deltas->layout);
    if (weight != 0) {
        kernels->additive.add(base, delta, layout.stride, deltas->layout.component_count, deltas->side == CT_SIDE_PARENT, (float)weight,
                              mask, out);
    }
    if (out != base) memcpy(out + shared, base + shared, (length - shared) * sizeof *out);
}

static void check_layouts(ct_layout base, ct_layout delta)
{
    (void)base, (void)delta;
    assert(base.joint_count == delta.joint_count && base.component_count >= delta.component_count);
}

void ct_pose_add(const ct_kernels *kernels, ct_layout layout, const float *base, ct_pose_deltas delta, double weight, const float *mask,
                 float *out)
{
    check_layouts(layout, delta.layout);
    assert(delta.count == 1);
    add_row(kernels, layout, base, &delta, delta.rows, weight, mask, out);
}

typedef struct addition {
    const ct_kernels *kernels;
    ct_poses base;
    ct_pose_deltas deltas;
    size_t weight_count;
    const double *weights;
    const float *mask;
    ct_poses out;
} addition;

enum { BLOCK = 128 }; // poses a thread takes at a time

static void add_block(void *context, size_t worker, size_t block)
{
    (void)worker;
    const addition *a = context;
    const size_t first = block * BLOCK, end = a->out.count - first < BLOCK ? a->out.count : first + BLOCK;
    for (size_t i = first; i < end; ++i) {
        const float *base = row_at(a->base.layout, a->base.count, a->base.rows, i);
        const float *delta = row_at(a->deltas.layout, a->deltas.count, a->deltas.rows, i);
        add_row(a->kernels, a->out.layout, base, &a->deltas, delta, a->weights[a->weight_count == 1 ? 0 : i], a->mask,
                a->out.rows + i * ct_row_length(a->out.layout));
    }
}

ct_status ct_poses_add(const ct_kernels *kernels, ct_poses base, ct_pose_deltas deltas, size_t weight_count, const double *weights,
                       const float *mask, int workers, const ct_interrupt *interrupt, ct_poses out)
{
    check_layouts(base.layout, deltas.layout);
    assert(ct_same_layout(base.layout, out.layout));
    assert((base.count == 1 || base.count == out.count) && (deltas.count == 1 || deltas.count == out.count));
    assert(weight_count == 1 || weight_count == out.count);
    addition a = {kernels, base, deltas, weight_count, weights, mask, out};
    return ct_parallel(workers, (out.count + BLOCK - 1) / BLOCK, add_block, &a, interrupt);
}
