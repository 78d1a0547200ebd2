// blend_kernels.h: the inner loop of blending poses.
#ifndef CT_BLEND_KERNELS_H
#define CT_BLEND_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

// One of the poses of a blend.
typedef struct ct_blend_part {
    const float *row;
    double weight;     // >= 0
    const float *mask; // [stride], >= 0: the weight is multiplied by it at each joint; NULL when the blend has no masks
} ct_blend_part;

// Parts of one layout, and what shows where there is no weight (blend.h).
typedef struct ct_blend_parts {
    size_t stride, linear_count; // linear_count: components beside rotations
    size_t count;                // at least 1
    const ct_blend_part *parts;  // [count]; weights above 0 that sum to 1
    bool masked;
    const float *rest; // a row of the same layout or NULL
} ct_blend_parts;

typedef struct ct_blend_kernels {
    // out may be a row of the parts, or the rest.
    void (*blend)(const ct_blend_parts *in, float *out);
} ct_blend_kernels;

#endif
