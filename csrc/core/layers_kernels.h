// layers_kernels.h: inner loops of override layers. Rows as in layout.h.
#ifndef CT_LAYERS_KERNELS_H
#define CT_LAYERS_KERNELS_H

#include <stddef.h>

// `row` becomes what lies weight * mask of the way from it to `above`: 0 keeps its bits, 1 takes those of `above`. weight and the mask
// ([stride]) are in 0 .. 1.
typedef struct ct_layers_kernels {
    // The four components of rotations: nlerp the short way.
    void (*override_rotations)(const float *above, size_t stride, float weight, const float *mask, float *row);
    // The components from `first` to before `end`, linearly.
    void (*override_linear)(const float *above, size_t stride, size_t first, size_t end, float weight, const float *mask, float *row);
} ct_layers_kernels;

#endif
