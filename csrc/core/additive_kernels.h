// additive_kernels.h: inner loops of pose deltas. Rows as in layout.h.
#ifndef CT_ADDITIVE_KERNELS_H
#define CT_ADDITIVE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_additive_kernels {
    // out = what the row `pose` has beside `reference`: turns on the left of the reference when `parent`, else on its right. w is not below
    // 0. out may be either.
    void (*difference)(const float *pose, const float *reference, size_t stride, size_t component_count, bool parent, float *out);

    // out = base with weight (times mask, [stride] or NULL) of `delta` added; weight is not 0. See pose_delta.h. out may be base.
    void (*add)(const float *base, const float *delta, size_t stride, size_t component_count, bool parent, float weight, const float *mask,
                float *out);
} ct_additive_kernels;

#endif
