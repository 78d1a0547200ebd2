// skin.h: moving a mesh with a skeleton.
//
// Every vertex follows `influence_count` joints by weight. Weights are used as given after division by their sum; a vertex whose weights
// sum to 0 stays where it is. joints must be below joint_count: checked by the caller with ct_skin_check.
#ifndef CT_SKIN_H
#define CT_SKIN_H

#include <stdint.h>

#include "kernels.h"
#include "parallel.h"

typedef struct ct_skin {
    size_t vertex_count, influence_count, joint_count;
    const float *vertices; // [vertex_count][3]
    const float *normals;  // [vertex_count][3] or NULL
    const int32_t *joints; // [vertex_count][influence_count]
    const float *weights;  // [vertex_count][influence_count]
} ct_skin;

// CT_BAD_INDEX or CT_BAD_VALUE, naming vertex and influence: a joint outside the palette, a weight that is negative or not finite.
ct_status ct_skin_check(const ct_skin *skin, ct_error *error);

// palettes (count, J, 4, 4); out_vertices and out_normals (count, vertex_count, 3); out_normals NULL exactly when normals is.
// Normals go through the inverse transpose (right under non-uniform scale) and come out unit.
ct_status ct_skin_linear(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                         float *out_vertices, float *out_normals, ct_error *error);
// Kavan et al. 2008. Palettes must be rigid, scale apart: scale is blended linearly and applied first.
ct_status ct_skin_dual_quaternion(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                                  float *out_vertices, float *out_normals, ct_error *error);

#endif
