// skin_kernels.h: inner loops over the vertices of a mesh.
#ifndef CT_SKIN_KERNELS_H
#define CT_SKIN_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "memory.h"

// What moves: a mesh and the joints that each vertex follows.
typedef struct ct_skin {
    ct_allocator allocator; // for scratch memory during a call
    size_t vertex_count, influence_count, joint_count;
    const float *vertices; // [vertex_count][3]
    const float *normals;  // [vertex_count][3] or NULL
    const int32_t *joints; // [vertex_count][influence_count]
    const float *weights;  // [vertex_count][influence_count]
} ct_skin;

// Floats a joint of a palette in the form that the kernels read.
enum { CT_SKIN_LINEAR_SIZE = 16, CT_SKIN_DUAL_SIZE = 20 };

// Skins the vertices first .. first + count - 1 by one packed palette. Outputs are those of the whole mesh and overlap no input.
typedef void (*ct_skin_kernel)(const ct_skin *skin, size_t first, size_t count, const float *packed, float *out_vertices,
                               float *out_normals);

typedef struct ct_skin_kernels {
    // packed[joint_count][CT_SKIN_LINEAR_SIZE]: the columns of the palette's matrices.
    ct_skin_kernel linear;
    // packed[joint_count][CT_SKIN_DUAL_SIZE]: the rotation w x y z, the dual part w x y z, three columns (x y z 0) of the stretch.
    ct_skin_kernel dual_quaternion;
} ct_skin_kernels;

#endif
