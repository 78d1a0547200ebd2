// kernels.h: the inner loops, compiled once a SIMD level.
//
// A ct_kernels is one constant table of function pointers. It is chosen once and passed down, so one program can run every level.
// All levels give the same bits. Pointers need no alignment; lengths are multiples of CT_LANES where a kernel says so, and such
// arrays are padded with harmless values (identity rotations, zeros, scales of 1).
#ifndef CT_KERNELS_H
#define CT_KERNELS_H

#include "blend_kernels.h"
#include "blend_space_kernels.h"
#include "additive_kernels.h"
#include "bvh_kernels.h"
#include "clip_kernels.h"
#include "elementary_kernels.h"
#include "layers_kernels.h"
#include "quaternion_kernels.h"
#include "skeleton_kernels.h"
#include "skin_kernels.h"

typedef enum ct_level { CT_LEVEL_BASELINE, CT_LEVEL_AVX2, CT_LEVEL_AVX512, CT_LEVEL_COUNT } ct_level;

typedef struct ct_kernels {
    const char *level; // "baseline", "avx2", "avx512"
    ct_elementary_kernels elementary;
    ct_quaternion_kernels quaternion;
    ct_clip_kernels clip;
    ct_blend_kernels blend;
    ct_additive_kernels additive;
    ct_layers_kernels layers;
    ct_skeleton_kernels skeleton;
    ct_skin_kernels skin;
    ct_bvh_kernels bvh;
    ct_blend_space_kernels blend_space;
} ct_kernels;

// The table of a level, or NULL where this build or this machine can't run it. The baseline always exists (SSE2 on x86-64, NEON on
// arm64, plain vectors elsewhere).
const ct_kernels *ct_kernels_of(ct_level level);

// The fastest table of this machine.
const ct_kernels *ct_kernels_best(void);

#endif
