// blend_kernels.h: the inner loop of blending poses.
#ifndef CT_BLEND_KERNELS_H
#define CT_BLEND_KERNELS_H

#include <stddef.h>

// Rows of one layout, their weights, and what shows where there is no weight (blend.h).
typedef struct ct_blend_rows {
    size_t stride, linear_count; // linear_count: components beside rotations
    size_t count;                // at least 1
    const float *const *rows;    // [count]
    const float *weights;        // [count], above 0
    const float *const *masks;   // [count], each [stride]; NULL: none, and then the weights sum to 1
    const float *rest;           // a row of the same layout or NULL
} ct_blend_rows;

typedef struct ct_blend_kernels {
    // out overlaps none of the rows.
    void (*blend)(const ct_blend_rows *in, float *out);
} ct_blend_kernels;

#endif
