#include "blend.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

ct_status ct_blend_check_masks(const ct_blend *blend, ct_layout layout, ct_error *error)
{
    const float most = FLT_MAX / (float)(blend->pose_count + 1); // sums of these can't overflow
    for (size_t i = 0; blend->masked && i < blend->pose_count; ++i) {
        for (size_t j = 0; j < layout.joint_count; ++j) {
            float mask = blend->poses[i].mask[j];
            if (mask >= 0 && mask <= most) continue;
            const char *what = !isfinite(mask) ? "not finite" : mask < 0 ? "negative" : "too large to add up";
            return ct_fail(error, CT_BAD_VALUE, "the mask of pose %zu is %s at joint %zu", i, what, j);
        }
    }
    return CT_OK;
}

// Drops the parts without weight and divides the others' weights by their sum; returns how many are left. 0: none has weight, all are as
// they were.
static size_t keep_weighted(size_t count, ct_blend_part *parts)
{
    double sum = 0, scale = 1;
    for (size_t i = 0; i < count; ++i) sum += parts[i].weight;
    if (sum > DBL_MAX) {
        scale = 0x1p-64; // more than `count`
        sum = 0;
        for (size_t i = 0; i < count; ++i) sum += parts[i].weight * scale;
    }
    if (sum <= 0) return 0;

    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        double weight = parts[i].weight * scale / sum;
        if ((float)weight <= 0) continue;
        parts[kept] = parts[i];
        parts[kept++].weight = weight;
    }
    return kept;
}

// No part has weight.
static void write_rest(const ct_kernels *kernels, ct_blend_parts in, ct_blend_part *parts, float *out)
{
    size_t turns = CT_COMPONENTS_ROTATION * in.stride;
    if (in.rest) {
        memmove(out, in.rest, (turns + in.linear_count * in.stride) * sizeof *out);
        return;
    }
    for (size_t i = 0; i < in.count; ++i) parts[i].weight = 1 / (double)in.count;
    in.masked = false;
    kernels->blend.blend(&in, out);
    for (size_t k = 0; k < turns; ++k) out[k] = k < in.stride;
}

void ct_blend_frame(const ct_kernels *kernels, ct_layout layout, size_t part_count, ct_blend_part *parts, const float *rest, float *out)
{
    assert(part_count > 0);
    ct_blend_parts in = {layout.stride, layout.component_count - CT_COMPONENTS_ROTATION, part_count, parts, parts[0].mask != NULL, rest};
    size_t kept = keep_weighted(part_count, parts);
    if (kept == 0) {
        write_rest(kernels, in, parts, out);
    } else if (kept == 1 && !in.masked) {
        memmove(out, parts[0].row, ct_row_length(layout) * sizeof *out);
    } else {
        in.count = kept;
        kernels->blend.blend(&in, out);
    }
}

enum {
    BLOCK = 64, // poses a thread takes at a time
    FEW = 8,    // up to so many parts lie on the stack
};

typedef struct job {
    const ct_blend *blend;
    const ct_kernels *kernels;
    ct_poses out;
    ct_blend_part *parts; // [worker][pose_count]; NULL for few
} job;

static void blend_block(void *context, size_t worker, size_t block)
{
    const job *j = context;
    const ct_blend *blend = j->blend;
    const size_t n = blend->pose_count, first = block * BLOCK, length = ct_row_length(j->out.layout);
    const size_t end = j->out.count - first < BLOCK ? j->out.count : first + BLOCK;
    ct_blend_part few[FEW], *parts = j->parts ? j->parts + worker * n : few;

    for (size_t at = first; at < end; ++at) {
        for (size_t i = 0; i < n; ++i) {
            const ct_blend_pose *pose = &blend->poses[i];
            parts[i] =
                (ct_blend_part){pose->rows + at * pose->row_step, pose->weights[at * pose->weight_step], blend->masked ? pose->mask : NULL};
        }
        ct_blend_frame(j->kernels, j->out.layout, n, parts, blend->rest, j->out.rows + at * length);
    }
}

ct_status ct_blend_poses(const ct_blend *blend, const ct_kernels *kernels, int workers, const ct_interrupt *interrupt, ct_poses out,
                         ct_error *error)
{
    assert(blend->pose_count > 0);
    const size_t blocks = (out.count + BLOCK - 1) / BLOCK, worker_count = ct_worker_count(workers, blocks);
    job j = {blend, kernels, out, NULL};
    if (blend->pose_count > FEW) {
        j.parts = ct_allocate_raw(&blend->allocator, worker_count * blend->pose_count, sizeof *j.parts);
        if (!j.parts) return ct_fail_memory(error, "the weights of a blend");
    }
    ct_status status = ct_parallel((int)worker_count, blocks, blend_block, &j, interrupt);
    ct_release(&blend->allocator, j.parts);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "blending was interrupted");
}
