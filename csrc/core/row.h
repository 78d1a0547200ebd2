// row.h: one joint of a row, in double, for code that works joint by joint.
#ifndef CT_ROW_H
#define CT_ROW_H

#include "layout.h"
#include "vector.h"

static inline ct_quaternion ct_quaternion_of(const float q[4])
{
    return (ct_quaternion){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

// Scales along a joint's axes, in axes from which `turn` leads to them: by the squares of its matrix, which permutes them for quarter
// turns.
static inline ct_vector ct_scale_turned(ct_quaternion turn, ct_vector scale)
{
    ct_vector x = ct_quaternion_rotate(turn, (ct_vector){1, 0, 0}), y = ct_quaternion_rotate(turn, (ct_vector){0, 1, 0});
    ct_vector z = ct_quaternion_rotate(turn, (ct_vector){0, 0, 1});
    ct_vector sum = ct_vector_add(ct_vector_scale(ct_vector_multiply(x, x), scale.x), ct_vector_scale(ct_vector_multiply(y, y), scale.y));
    return ct_vector_add(sum, ct_vector_scale(ct_vector_multiply(z, z), scale.z));
}

static inline ct_vector ct_row_vector(ct_layout layout, const float *row, size_t component, size_t joint)
{
    const float *v = row + component * layout.stride + joint;
    return (ct_vector){(double)v[0], (double)v[layout.stride], (double)v[2 * layout.stride]};
}

static inline void ct_row_set_vector(ct_layout layout, float *row, size_t component, size_t joint, ct_vector v)
{
    float *to = row + component * layout.stride + joint;
    to[0] = (float)v.x;
    to[layout.stride] = (float)v.y;
    to[2 * layout.stride] = (float)v.z;
}

static inline ct_quaternion ct_row_rotation(ct_layout layout, const float *row, size_t joint)
{
    ct_vector v = ct_row_vector(layout, row, CT_ROTATION + 1, joint);
    return (ct_quaternion){(double)row[joint], v.x, v.y, v.z};
}

static inline void ct_row_set_rotation(ct_layout layout, float *row, size_t joint, ct_quaternion q)
{
    row[joint] = (float)q.w;
    ct_row_set_vector(layout, row, CT_ROTATION + 1, joint, (ct_vector){q.x, q.y, q.z});
}

#endif
