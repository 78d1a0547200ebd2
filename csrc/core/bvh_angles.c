#include "bvh_angles.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Below this length an angle of a pair is taken as undefined; the rotation changes by no more than some 4e-5 degrees.
static const double LOCKED = 2e-7;

struct ct_bvh_angles {
    const ct_kernels *kernels;
    size_t joint_count, stride; // stride: joints rounded up to CT_LANES
    ct_bvh_turns *turns;        // [joint_count]
    double *points, *measures;  // [4][stride], [5][stride]: see ct_bvh_kernels
    double *previous;           // [joint_count][3] radians
    double *degrees;            // [joint_count][3]
    bool started;
};

ct_status ct_bvh_angles_create(const ct_allocator *allocator, const ct_kernels *kernels, size_t joint_count, const ct_bvh_turns *turns,
                               ct_bvh_angles **out, ct_error *error)
{
    ct_bvh_angles *angles = ct_allocate(allocator, 1, sizeof *angles);
    if (!angles) return ct_fail_memory(error, "the angles");
    const size_t stride = ct_stride(joint_count);
    *angles = (ct_bvh_angles){.kernels = kernels,
                              .joint_count = joint_count,
                              .stride = stride,
                              .turns = ct_allocate(allocator, joint_count, sizeof *turns),
                              .points = ct_allocate(allocator, 4 * stride, sizeof(double)),
                              .measures = ct_allocate(allocator, 5 * stride, sizeof(double)),
                              .previous = ct_allocate(allocator, 3 * joint_count, sizeof(double)),
                              .degrees = ct_allocate(allocator, 3 * joint_count, sizeof(double))};
    if (!angles->turns || !angles->points || !angles->measures || !angles->previous || !angles->degrees) {
        ct_bvh_angles_destroy(angles, allocator);
        return ct_fail_memory(error, "the angles");
    }
    memcpy(angles->turns, turns, joint_count * sizeof *turns);
    *out = angles;
    return CT_OK;
}

void ct_bvh_angles_destroy(ct_bvh_angles *angles, const ct_allocator *allocator)
{
    if (!angles) return;
    ct_release(allocator, angles->turns);
    ct_release(allocator, angles->points);
    ct_release(allocator, angles->measures);
    ct_release(allocator, angles->previous);
    ct_release(allocator, angles->degrees);
    ct_release(allocator, angles);
}

static double parity_of(ct_bvh_turns turns) { return (turns.axes[0] + 1) % 3 == turns.axes[1] ? 1.0 : -1.0; }

static bool is_symmetric(ct_bvh_turns turns) { return turns.count == 3 && turns.axes[0] == turns.axes[2]; } // as ZXZ

// The rotation w, a, b, c as two points whose angles are half the sum and half the difference of the outer turns. With the halves
// A, B, C of the three turns and s the parity:
//   a, b, c different   w = cA cB cC - s sA sB sC, a = sA cB cC + s cA sB sC, b = cA sB cC - s sA cB sC, c = cA cB sC + s sA sB cC, so
//                       (w + b, a + s c) = (cB + sB) (cos, sin)(A + s C) and (w - b, a - s c) = (cB - sB) (cos, sin)(A - s C)
//   c = a               (w, a) = cB (cos, sin)(A + C) and (b, s c) = sB (cos, sin)(A - C)
// Two turns: (w, a) = cB (cos, sin)(A) and (b, s c) = sB (cos, sin)(A).
static void pair_of(ct_bvh_turns turns, const double rotation[4], double pair[4])
{
    const size_t first = turns.axes[0], second = turns.axes[1];
    if (turns.count < 2) { // any b and c do: the first point counts
        pair[0] = rotation[0];
        pair[1] = turns.count ? rotation[1 + first] : 0.0;
        pair[2] = 1;
        pair[3] = 0;
        return;
    }
    const double s = parity_of(turns), w = rotation[0], a = rotation[1 + first], b = rotation[1 + second],
                 sc = s * rotation[1 + (3 - first - second)];
    if (turns.count == 2 || is_symmetric(turns)) {
        pair[0] = w;
        pair[1] = a;
        pair[2] = b;
        pair[3] = sc;
    } else {
        pair[0] = w + b;
        pair[1] = a + sc;
        pair[2] = w - b;
        pair[3] = a - sc;
    }
}

// `angle` moved by whole `period`s to the one nearest to `to`.
static double nearest(double angle, double to, double period)
{
    if (fabs(to - angle) <= period / 2) return angle; // mostly, and floor takes a while
    return angle + period * floor((to - angle) / period + 0.5);
}

static double square_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

// What the kernel found for one joint.
typedef struct measure {
    double first, second;               // angles of the two points
    double first_length, second_length; //
    double middle;                      // angle of (second length, first length)
} measure;

static void three_turns(ct_bvh_turns turns, measure m, bool started, double angles[3])
{
    const bool symmetric = is_symmetric(turns);
    const double s = symmetric ? 1.0 : parity_of(turns);
    const double before[3] = {angles[0], angles[1], angles[2]};
    const double flat = symmetric ? pi : pi / 2; // 2 middle = pi - B, or pi/2 + B

    double middle = symmetric ? flat - 2 * m.middle : 2 * m.middle - flat;
    const bool no_first = m.first_length < LOCKED, no_second = m.second_length < LOCKED;
    if (no_first || no_second) {
        double sum = (before[0] + s * before[2]) / 2, difference = (before[0] - s * before[2]) / 2;
        if (no_first)
            difference = nearest(m.second, difference, pi);
        else
            sum = nearest(m.first, sum, pi);
        angles[0] = sum + difference;
        angles[1] = nearest(middle, before[1], 2 * pi);
        angles[2] = s * (sum - difference);
        return;
    }

    const double one[3] = {m.first + m.second, middle, s * (m.first - m.second)};
    double near_one[3], near_other[3];
    for (int i = 0; i < 3; ++i) near_one[i] = nearest(one[i], before[i], 2 * pi);
    memcpy(angles, near_one, sizeof near_one);
    double distance = square_distance(near_one, before);
    if (!started || distance < pi * pi / 4) return; // the other angles turn a and c by pi more, so they are farther away

    const double other[3] = {one[0] + pi, symmetric ? -middle : pi - middle, one[2] + pi};
    for (int i = 0; i < 3; ++i) near_other[i] = nearest(other[i], before[i], 2 * pi);
    if (square_distance(near_other, before) < distance) memcpy(angles, near_other, sizeof near_other);
}

// (w, a) and (b, s c) point the same way or opposite ways: the longer one tells which.
static void two_turns(const double pair[4], measure m, double angles[3])
{
    double half = m.first_length > m.second_length ? m.first : m.second;
    double cosine = cos(half), sine = sin(half);
    double middle = atan2(pair[2] * cosine + pair[3] * sine, pair[0] * cosine + pair[1] * sine);
    angles[0] = nearest(2 * half, angles[0], 2 * pi);
    angles[1] = nearest(2 * middle, angles[1], 2 * pi);
}

double ct_bvh_angles_missed(ct_bvh_turns turns, const double rotation[4])
{
    if (turns.count == 3) return 0.0;
    if (turns.count < 2) {
        double square = 0;
        for (size_t axis = 0; axis < 3; ++axis) {
            if (turns.count == 0 || axis != turns.axes[0]) square += rotation[1 + axis] * rotation[1 + axis];
        }
        return 2 * sqrt(square);
    }
    double pair[4];
    pair_of(turns, rotation, pair);
    double first = hypot(pair[0], pair[1]), second = hypot(pair[2], pair[3]);
    double across = fabs(pair[0] * pair[3] - pair[1] * pair[2]); // of one point to the line through the other
    return 2 * across / (first > second ? first : second);
}

const double *ct_bvh_angles_next(ct_bvh_angles *angles, const float *row, size_t row_stride)
{
    const size_t n = angles->stride;
    for (size_t j = 0; j < angles->joint_count; ++j) {
        double rotation[4], pair[4];
        for (size_t i = 0; i < 4; ++i) rotation[i] = (double)row[i * row_stride + j];
        pair_of(angles->turns[j], rotation, pair);
        for (size_t i = 0; i < 4; ++i) angles->points[i * n + j] = pair[i];
    }
    angles->kernels->bvh.measure_pairs(n, angles->points, angles->measures);

    for (size_t j = 0; j < angles->joint_count; ++j) {
        const double *at = angles->measures + j;
        measure m = {at[0], at[n], at[2 * n], at[3 * n], at[4 * n]};
        double *turned = angles->previous + 3 * j;
        const double pair[4] = {angles->points[j], angles->points[n + j], angles->points[2 * n + j], angles->points[3 * n + j]};
        switch (angles->turns[j].count) {
        case 0: break;
        case 1: turned[0] = nearest(2 * m.first, turned[0], 2 * pi); break;
        case 2: two_turns(pair, m, turned); break;
        default: three_turns(angles->turns[j], m, angles->started, turned); break;
        }
        for (size_t i = 0; i < 3; ++i) angles->degrees[3 * j + i] = turned[i] * (180 / pi);
    }
    angles->started = true;
    return angles->degrees;
}
