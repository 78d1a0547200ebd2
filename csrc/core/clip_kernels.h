// clip_kernels.h: inner loops over rows of a clip. Strides are floats from component to component, multiples of CT_LANES.
#ifndef CT_CLIP_KERNELS_H
#define CT_CLIP_KERNELS_H

#include <stddef.h>

typedef struct ct_clip_kernels {
    // out = a + (b - a) * t over whole rows: rotations the short way and normalised, `linear_count` components after them linearly.
    // A t of 0 or 1 gives that row bit for bit. out may be a or b.
    void (*nlerp)(const float *a, const float *b, float t, size_t stride, size_t linear_count, float *out);
} ct_clip_kernels;

#endif
