// quaternion.h: the little quaternion arithmetic that scalar code needs, in double; (w, x, y, z).
#ifndef CT_QUATERNION_H
#define CT_QUATERNION_H

#include <math.h>

typedef struct ct_quaternion {
    double w, x, y, z;
} ct_quaternion;

typedef struct ct_vector {
    double x, y, z;
} ct_vector;

static inline ct_quaternion ct_quaternion_conjugate(ct_quaternion q) { return (ct_quaternion){q.w, -q.x, -q.y, -q.z}; }

// First b, then a.
static inline ct_quaternion ct_quaternion_multiply(ct_quaternion a, ct_quaternion b)
{
    return (ct_quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

// v turned by the unit q.
static inline ct_vector ct_quaternion_rotate(ct_quaternion q, ct_vector v)
{
    ct_vector t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z), 2 * (q.x * v.y - q.y * v.x)};
    return (ct_vector){v.x + q.w * t.x + (q.y * t.z - q.z * t.y), v.y + q.w * t.y + (q.z * t.x - q.x * t.z),
                       v.z + q.w * t.z + (q.x * t.y - q.y * t.x)};
}

// Unit length; the zero quaternion becomes the identity.
static inline ct_quaternion ct_quaternion_normalize(ct_quaternion q)
{
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (length == 0) return (ct_quaternion){1, 0, 0, 0};
    return (ct_quaternion){q.w / length, q.x / length, q.y / length, q.z / length};
}

#endif
