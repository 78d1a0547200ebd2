// quaternion_kernels.h: elementwise quaternion functions over structure-of-arrays blocks, in both precisions.
#ifndef CT_QUATERNION_KERNELS_H
#define CT_QUATERNION_KERNELS_H

#include <stddef.h>

// in[c] and out[c] are the components of all arguments one after another, each `count` long, count a multiple of CT_LANES.
typedef void (*ct_elementwise_f32)(size_t count, const float *const *in, float *const *out);
typedef void (*ct_elementwise_f64)(size_t count, const double *const *in, double *const *out);

typedef struct ct_quaternion_kernels {
    ct_elementwise_f32 normalize_f32;
    ct_elementwise_f64 normalize_f64;
} ct_quaternion_kernels;

#endif
