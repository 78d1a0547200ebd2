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

enum { BLOCK = 64 }; // poses a thread takes at a time

// The poses that have weight, for the kernel; room for all.
typedef struct scratch {
    const float **rows, **masks;
    float *weights;
} scratch;

typedef struct job {
    const ct_blend *blend;
    const ct_kernels *kernels;
    ct_poses out;
    const float **pointers; // [worker][2][pose_count]
    float *weights;         // [worker][pose_count]
} job;

// The weights of one blend, which sum to 1 (all to 0 when they are); returns how many poses have any. Scaled by the largest first, so that
// nothing overflows.
static size_t take_weighted(const ct_blend *blend, size_t at, scratch *s)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < blend->pose_count; ++i) {
        double weight = blend->poses[i].weights[at * blend->poses[i].weight_step];
        largest = weight > largest ? weight : largest;
    }
    if (largest <= 0) return 0;
    for (size_t i = 0; i < blend->pose_count; ++i) sum += blend->poses[i].weights[at * blend->poses[i].weight_step] / largest;

    size_t count = 0;
    for (size_t i = 0; i < blend->pose_count; ++i) {
        const ct_blend_pose *pose = &blend->poses[i];
        float weight = (float)(pose->weights[at * pose->weight_step] / largest / sum);
        if (weight <= 0) continue;
        s->rows[count] = pose->rows + at * pose->row_step;
        s->masks[count] = pose->mask;
        s->weights[count++] = weight;
    }
    return count;
}

// No pose has weight.
static void write_rest(const job *j, size_t at, scratch *s, ct_blend_rows rows, float *out)
{
    const ct_blend *blend = j->blend;
    if (blend->rest) {
        memcpy(out, blend->rest, ct_row_length(j->out.layout) * sizeof *out);
        return;
    }
    for (size_t i = 0; i < blend->pose_count; ++i) {
        s->rows[i] = blend->poses[i].rows + at * blend->poses[i].row_step;
        s->weights[i] = (float)(1 / (double)blend->pose_count);
    }
    rows.count = blend->pose_count;
    rows.masks = NULL;
    j->kernels->blend.blend(&rows, out);
    for (size_t k = 0; k < CT_COMPONENTS_ROTATION * rows.stride; ++k) out[k] = k < rows.stride;
}

static void blend_block(void *context, size_t worker, size_t block)
{
    const job *j = context;
    const ct_blend *blend = j->blend;
    const ct_layout layout = j->out.layout;
    const size_t n = blend->pose_count, first = block * BLOCK, length = ct_row_length(layout);
    const size_t end = j->out.count - first < BLOCK ? j->out.count : first + BLOCK;
    scratch s = {j->pointers + worker * 2 * n, j->pointers + (worker * 2 + 1) * n, j->weights + worker * n};

    for (size_t at = first; at < end; ++at) {
        float *out = j->out.rows + at * length;
        size_t count = take_weighted(blend, at, &s);
        ct_blend_rows rows = {.stride = layout.stride,
                              .linear_count = layout.component_count - CT_COMPONENTS_ROTATION,
                              .count = count,
                              .rows = s.rows,
                              .weights = s.weights,
                              .masks = blend->masked ? s.masks : NULL,
                              .rest = blend->rest};
        if (count == 0)
            write_rest(j, at, &s, rows, out);
        else if (count == 1 && !blend->masked)
            memcpy(out, s.rows[0], length * sizeof *out);
        else
            j->kernels->blend.blend(&rows, out);
    }
}

ct_status ct_blend_poses(const ct_blend *blend, const ct_kernels *kernels, int workers, const ct_interrupt *interrupt, ct_poses out,
                         ct_error *error)
{
    assert(blend->pose_count > 0);
    const size_t blocks = (out.count + BLOCK - 1) / BLOCK, worker_count = ct_worker_count(workers, blocks), n = blend->pose_count;
    job j = {blend, kernels, out, NULL, NULL};
    j.pointers = ct_allocate_raw(&blend->allocator, worker_count * n, 2 * sizeof *j.pointers + sizeof *j.weights);
    if (!j.pointers) return ct_fail_memory(error, "the weights of a blend");
    j.weights = (float *)(j.pointers + worker_count * 2 * n);

    ct_status status = ct_parallel((int)worker_count, blocks, blend_block, &j, interrupt);
    ct_release(&blend->allocator, j.pointers);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "blending was interrupted");
}
