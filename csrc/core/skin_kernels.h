// skin_kernels.h: inner loops over the vertices of a mesh.
#ifndef CT_SKIN_KERNELS_H
#define CT_SKIN_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ct_skin_kernels {
    int unused; // replaced by the kernels of skin.h
} ct_skin_kernels;

#endif
