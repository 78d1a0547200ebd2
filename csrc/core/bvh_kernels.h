// bvh_kernels.h: the angles of BVH rows as rotations, in double.
#ifndef CT_BVH_KERNELS_H
#define CT_BVH_KERNELS_H

#include <stddef.h>

typedef struct ct_bvh_kernels {
    // `count` (a multiple of CT_LANES) rotations, each three intrinsic turns about three different axes a, b, c, left to right.
    //   angles     [3][count] degrees
    //   parity     [count] 1 where a, b, c are x, y, z or y, z, x or z, x, y; -1 in the other orders
    //   rotations  [4][count]: w, then the components about a, b and c
    void (*compose_turns)(size_t count, const double *angles, const double *parity, double *rotations);

    // `count` (a multiple of CT_LANES) pairs of points in the plane: first x y, second x y.
    //   points  [4][count]
    //   out     [5][count]: the angle of the first and of the second (radians), their lengths, and the angle of (second, first length)
    void (*measure_pairs)(size_t count, const double *points, double *out);
} ct_bvh_kernels;

#endif
