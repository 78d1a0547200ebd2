// quaternion_kernels.h: elementwise quaternion functions over structure-of-arrays blocks, in both precisions.
#ifndef CT_QUATERNION_KERNELS_H
#define CT_QUATERNION_KERNELS_H

#include "elementwise.h"

// Quaternions are (w, x, y, z); matrices go row by row. Every function, as X(name, arguments and results in the notation of NumPy's
// generalised ufuncs). What each does stands in quaternion_kernels.inc.
#define CT_QUATERNION_OPERATIONS(X)                                                                                                        \
    X(multiply, "(4),(4)->(4)")                                                                                                            \
    X(conjugate, "(4)->(4)")                                                                                                               \
    X(rotate, "(4),(3)->(3)")                                                                                                              \
    X(normalize, "(4)->(4)")                                                                                                               \
    X(nlerp, "(4),(4),()->(4)")                                                                                                            \
    X(nlerp_long, "(4),(4),()->(4)")                                                                                                       \
    X(slerp, "(4),(4),()->(4)")                                                                                                            \
    X(slerp_long, "(4),(4),()->(4)")                                                                                                       \
    X(exp, "(3)->(4)")                                                                                                                     \
    X(log, "(4)->(3)")                                                                                                                     \
    X(from_tait_bryan, "(3)->(4)")                                                                                                         \
    X(from_tait_bryan_odd, "(3)->(4)")                                                                                                     \
    X(from_proper_euler, "(3)->(4)")                                                                                                       \
    X(from_proper_euler_odd, "(3)->(4)")                                                                                                   \
    X(to_tait_bryan, "(4)->(3)")                                                                                                           \
    X(to_tait_bryan_odd, "(4)->(3)")                                                                                                       \
    X(to_proper_euler, "(4)->(3)")                                                                                                         \
    X(to_proper_euler_odd, "(4)->(3)")                                                                                                     \
    X(from_matrix, "(3,3)->(4)")                                                                                                           \
    X(to_matrix, "(4)->(3,3)")                                                                                                             \
    X(from_axis_angle, "(3),()->(4)")                                                                                                      \
    X(to_axis_angle, "(4)->(3),()")                                                                                                        \
    X(from_6d, "(6)->(4)")                                                                                                                 \
    X(to_6d, "(4)->(6)")                                                                                                                   \
    X(between, "(3),(3)->(4)")                                                                                                             \
    X(swing_twist, "(4),(3)->(4),(4)")                                                                                                     \
    X(angle, "(4),(4)->()")                                                                                                                \
    X(angular_velocity, "(4),(4),()->(3)")

// The index of each function: CT_QUATERNION_multiply, CT_QUATERNION_conjugate, ...
#define CT_QUATERNION_INDEX(name, signature) CT_QUATERNION_##name,
typedef enum ct_quaternion_operation {
    CT_QUATERNION_OPERATIONS(CT_QUATERNION_INDEX) CT_QUATERNION_OPERATION_COUNT
} ct_quaternion_operation;
#undef CT_QUATERNION_INDEX

typedef struct ct_quaternion_kernels {
    ct_elementwise_f32 f32[CT_QUATERNION_OPERATION_COUNT];
    ct_elementwise_f64 f64[CT_QUATERNION_OPERATION_COUNT];
} ct_quaternion_kernels;

#endif
