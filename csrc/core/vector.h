// vector.h: the little vector arithmetic that scalar code needs, in double, and the six directions of the axes.
#ifndef CT_VECTOR_H
#define CT_VECTOR_H

#include <math.h>

#include "quaternion.h"

static inline ct_vector ct_vector_of(const float v[3]) { return (ct_vector){(double)v[0], (double)v[1], (double)v[2]}; }
static inline ct_vector ct_vector_add(ct_vector a, ct_vector b) { return (ct_vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline ct_vector ct_vector_subtract(ct_vector a, ct_vector b) { return (ct_vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline ct_vector ct_vector_scale(ct_vector a, double s) { return (ct_vector){a.x * s, a.y * s, a.z * s}; }
static inline ct_vector ct_vector_multiply(ct_vector a, ct_vector b) { return (ct_vector){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline double ct_vector_dot(ct_vector a, ct_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double ct_vector_length(ct_vector a) { return sqrt(ct_vector_dot(a, a)); }
static inline ct_vector ct_vector_cross(ct_vector a, ct_vector b)
{
    return (ct_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

typedef enum ct_axis {
    CT_PLUS_X,
    CT_MINUS_X,
    CT_PLUS_Y,
    CT_MINUS_Y,
    CT_PLUS_Z,
    CT_MINUS_Z,
    CT_AXIS_COUNT,
    CT_AXIS_UNKNOWN = CT_AXIS_COUNT,
} ct_axis;

static inline ct_vector ct_axis_vector(ct_axis axis)
{
    double sign = axis % 2 ? -1 : 1;
    return (ct_vector){axis / 2 == 0 ? sign : 0, axis / 2 == 1 ? sign : 0, axis / 2 == 2 ? sign : 0};
}

// The axis of the number 0, 1 or 2 in the plus direction.
static inline ct_axis ct_axis_of(int number) { return (ct_axis)(2 * number); }

#endif
