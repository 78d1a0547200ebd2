// euler.h: the twelve orders of Euler angles.
//
// Orders are intrinsic and read left to right: angles (a, b, c) in "ZXY" are qz(a) * qx(b) * qy(c). The kernels know the axes only as
// first, second and the one across both, so one kernel serves every order of its kind: hand it the components of the quaternion in the
// order w, axes[0], axes[1], axes[2].
#ifndef CT_EULER_H
#define CT_EULER_H

#include <stdbool.h>
#include <stdint.h>

#include "quaternion_kernels.h"

typedef struct ct_euler_order {
    char name[4];                 // "XYZ" to "ZYZ"
    uint8_t axes[3];              // 0, 1, 2 for x, y, z: the first axis, the second, the remaining one
    bool proper;                  // the third rotation is about the first axis again
    bool odd;                     // `axes` are left-handed
    ct_quaternion_operation from; // the kernel that takes angles in this order, and the one that gives them
    ct_quaternion_operation to;
} ct_euler_order;

enum { CT_EULER_ORDER_COUNT = 12 };
extern const ct_euler_order ct_euler_orders[CT_EULER_ORDER_COUNT];

// Replaces `angles` by the triple of the same rotation that is nearest to `previous`. That takes in whole turns, the other branch
// ((a + pi, pi - b, c + pi); for proper orders (a + pi, -b, c + pi)) and gimbal lock, where only a sum or difference of the first and third
// angle counts: each takes half of the change. Lock is where the third angle is 0 and the second within `tolerance` radians of it, as the
// kernels leave it (32 epsilon is right for what they made). Numbers that are not finite leave `angles` as they are.
void ct_euler_nearest(const ct_euler_order *order, double tolerance, const double previous[3], double angles[3]);

#endif
