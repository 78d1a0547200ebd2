// skin_kernels.h: inner loops over the vertices of a mesh.
#ifndef CT_SKIN_KERNELS_H
#define CT_SKIN_KERNELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ct_skin ct_skin;

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
