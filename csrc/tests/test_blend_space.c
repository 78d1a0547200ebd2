// Blend spaces: known weights, and the laws that hold for any samples.
#include "blend_space.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "delaunay.h"
#include "failing_allocator.h"
#include "made_up.h"

enum { MOST = 40 };

static ct_error error;

static ct_blend_space *make(const ct_kernels *kernels, ct_blend_method method, size_t count, const double *points)
{
    ct_allocator allocator = ct_allocator_default();
    ct_blend_space *space = NULL;
    CHECK(ct_blend_space_create(&allocator, kernels, method, count, points, &space, &error) == CT_OK);
    return space;
}

static void weigh(const ct_blend_space *space, double x, double y, double *row)
{
    ct_blend_space_weights_at(space, (const double[2]){x, y}, row);
}

static double difference(size_t count, const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void check_weights(size_t count, const double *row)
{
    double sum = 0;
    int fine = 1;
    for (size_t i = 0; i < count; ++i) {
        sum += row[i];
        fine &= row[i] >= 0;
    }
    CHECK(fine);
    CHECK_NEAR(sum, 1, 1e-14);
}

// Idle, ahead, back, left, right.
static const double CROSS[5][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};

static void test_known_weights(void)
{
    static const double known[CT_LINEAR][5] = {
        {0.4 / 1.3, 0, 0.3 / 1.3, 0, 0.6 / 1.3}, {0.254160, 0, 0.227899, 0, 0.517941}, {0.1, 0, 0.3, 0, 0.6}, {0.5, 0, 0.1, 0, 0.4}};
    FOR_EACH_LEVEL(kernels)
    {
        for (int method = 0; method < CT_LINEAR; ++method) {
            double row[5];
            ct_blend_space *space = make(kernels, (ct_blend_method)method, 5, CROSS[0]);
            weigh(space, 0.6, 0.3, row);
            CHECK_NEAR(difference(5, row, known[method]), 0, method == CT_GRADIENT_BAND_POLAR ? 5e-7 : 1e-14);
            weigh(space, 0, 0, row);
            CHECK(row[0] == 1);
            ct_blend_space_destroy(space);
        }
    }
}

static void fill(uint64_t *state, size_t count, double *points)
{
    for (size_t i = 0; i < 2 * count; ++i) points[i] = made_up_number(state);
}

// Samples anywhere, on a grid, or on a line.
static void place(int kind, uint64_t *state, size_t count, double *points)
{
    fill(state, count, points);
    for (size_t i = 0; i < count && kind > 0; ++i) {
        if (kind == 1) {
            points[2 * i] = (double)(i % 6);
            points[2 * i + 1] = (double)(i / 6);
        } else {
            points[2 * i] = (double)(i * i) + 0.1;
            points[2 * i + 1] = 0.3 * points[2 * i] - 7;
        }
    }
}

static void test_laws_hold_for_any_samples(void)
{
    static const double scales[] = {1e-300, 1e-3, 1, 1e5, 1e250};
    uint64_t state = 7;
    double points[2 * MOST], row[MOST], p[2];
    FOR_EACH_LEVEL(kernels)
    {
        for (int round = 0; round < 60; ++round) {
            size_t count = 1 + (size_t)round * 7 % MOST;
            place(round % 3, &state, count, points);
            for (size_t i = 0; i < 2 * count; ++i) points[i] *= scales[round % 5];
            for (int method = 0; method < CT_TWO_1D; ++method) {
                ct_blend_space *space = make(kernels, (ct_blend_method)method, count, points);
                for (size_t i = 0; i < count; ++i) {
                    weigh(space, points[2 * i], points[2 * i + 1], row);
                    check_weights(count, row);
                    CHECK(row[i] == 1);
                }
                for (int i = 0; i < 30; ++i) {
                    fill(&state, 1, p);
                    double far = i % 3 == 0 ? scales[round % 5] : i % 3 == 1 ? 1e12 * scales[round % 5] : 1e307;
                    weigh(space, p[0] * far, p[1] * far, row);
                    check_weights(count, row);
                }
                ct_blend_space_destroy(space);
            }
        }
    }
}

// The order of the samples has no say, and a step of the query moves no weight far.
static void test_weights_are_continuous_in_any_order(void)
{
    enum { COUNT = 12, STEPS = 40000 };
    uint64_t state = 11;
    double points[2 * COUNT], reversed[2 * COUNT], row[COUNT], other[COUNT], last[COUNT];
    for (int round = 0; round < 12; ++round) {
        place(round % 3, &state, COUNT, points);
        for (size_t i = 0; i < COUNT; ++i) memcpy(reversed + 2 * i, points + 2 * (COUNT - 1 - i), 2 * sizeof *points);
        for (int method = 0; method < CT_TWO_1D; ++method) {
            ct_blend_space *space = make(ct_kernels_best(), (ct_blend_method)method, COUNT, points);
            ct_blend_space *backward = make(ct_kernels_best(), (ct_blend_method)method, COUNT, reversed);
            double jump = 0, apart = 0, from[2], to[2];
            fill(&state, 1, from);
            fill(&state, 1, to);
            for (int i = 0; i < STEPS; ++i) {
                double t = 12.0 * i / STEPS - 6;
                weigh(space, from[0] + t * to[0], from[1] + t * to[1], row);
                weigh(backward, from[0] + t * to[0], from[1] + t * to[1], other);
                for (size_t k = 0; k < COUNT; ++k) apart = fmax(apart, fabs(row[k] - other[COUNT - 1 - k]));
                if (i > 0) jump = fmax(jump, difference(COUNT, row, last));
                memcpy(last, row, sizeof row);
            }
            CHECK_NEAR(apart, 0, 1e-9);
            CHECK_NEAR(jump, 0, 0.05);
            ct_blend_space_destroy(space);
            ct_blend_space_destroy(backward);
        }
    }
}

// In the middle of a triangle its corners have a third each.
static void check_middles(const ct_blend_space *space, const double *points)
{
    double row[MOST];
    for (size_t t = 0; t < space->triangles.triangle_count; ++t) {
        const int32_t *corners = space->triangles.triangles[t];
        double x = 0, y = 0, least = 1;
        for (int k = 0; k < 3; ++k) {
            x += points[2 * corners[k]] / 3;
            y += points[2 * corners[k] + 1] / 3;
        }
        weigh(space, x, y, row);
        for (int k = 0; k < 3; ++k) least = fmin(least, row[corners[k]]);
        CHECK_NEAR(least, 1.0 / 3, 1e-6); // a thin one
    }
}

// Every triangle is counterclockwise, no sample is within a circumcircle, and together they fill the hull.
static void test_triangles_are_those_of_delaunay(void)
{
    enum { COUNT = 40 };
    uint64_t state = 3;
    double points[2 * COUNT];
    for (int round = 0; round < 20; ++round) {
        fill(&state, COUNT, points);
        ct_blend_space *space = make(ct_kernels_best(), CT_DELAUNAY, COUNT, points);
        CHECK(space->triangles.triangle_count == 2 * COUNT - 2 - space->triangles.edge_count);
        double deepest = 0, smallest = 1;
        for (size_t t = 0; t < space->triangles.triangle_count; ++t) {
            const double *a = points + 2 * space->triangles.triangles[t][0], *b = points + 2 * space->triangles.triangles[t][1],
                         *c = points + 2 * space->triangles.triangles[t][2];
            double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1], d = 2 * (bx * cy - by * cx);
            double x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d,
                   y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
            smallest = fmin(smallest, d);
            for (size_t i = 0; i < COUNT; ++i)
                deepest = fmax(deepest, 1 - hypot(points[2 * i] - a[0] - x, points[2 * i + 1] - a[1] - y) / hypot(x, y));
        }
        CHECK(smallest > 0);
        CHECK_NEAR(deepest, 0, 1e-6);
        check_middles(space, points);
        ct_blend_space_destroy(space);
    }
}

static void test_every_level_gives_the_same_bits(void)
{
    enum { COUNT = 9, QUERIES = 101 };
    uint64_t state = 5;
    double points[2 * COUNT], queries[2 * QUERIES], first[QUERIES * COUNT], rows[QUERIES * COUNT];
    fill(&state, COUNT, points);
    fill(&state, QUERIES, queries);
    for (int method = 0; method < CT_TWO_1D; ++method) {
        FOR_EACH_LEVEL(kernels)
        {
            ct_blend_space *space = make(kernels, (ct_blend_method)method, COUNT, points);
            CHECK(ct_blend_space_weights(space, QUERIES, queries, NULL, rows) == CT_OK);
            if (kernels == ct_kernels_of(CT_LEVEL_BASELINE)) memcpy(first, rows, sizeof rows);
            CHECK(memcmp(first, rows, sizeof rows) == 0);
            ct_blend_space_destroy(space);
        }
    }
}

static void test_lines(void)
{
    ct_allocator allocator = ct_allocator_default();
    const double speeds[3] = {4, 0, 1.4}, queries[6] = {2, 0, 1.4, 4, -1e308, 1e308};
    const double known[6][3] = {{0.6 / 2.6, 0, 2 / 2.6}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    double rows[18];
    ct_blend_space *space;
    CHECK(ct_blend_space_create(&allocator, ct_kernels_best(), CT_LINEAR, 3, speeds, &space, &error) == CT_OK);
    CHECK(ct_blend_space_weights(space, 6, queries, NULL, rows) == CT_OK);
    CHECK_NEAR(difference(3, rows, known[0]), 0, 1e-15);
    CHECK(difference(15, rows + 3, known[1]) == 0);
    ct_blend_space_destroy(space);
}

static void refuse(ct_blend_method method, size_t count, const double *points, const char *words)
{
    failing_allocator f = {0};
    ct_allocator allocator = failing_allocator_use(&f);
    ct_blend_space *space;
    CHECK(ct_blend_space_create(&allocator, ct_kernels_best(), method, count, points, &space, &error) == CT_BAD_VALUE);
    CHECK(strstr(error.message, words));
    CHECK(f.live == 0);
}

static void test_what_cannot_be_told_apart_is_refused(void)
{
    const double same[8] = {0, 0, 1e9, 0, 1, 2, 1e9, 1};
    static double many[2 * (CT_MAX_SAMPLES + 1)];
    for (int method = 0; method < CT_TWO_1D; ++method) {
        refuse((ct_blend_method)method, 4, same, "samples 0 and 2");
        refuse((ct_blend_method)method, 0, same, "no sample");
        refuse((ct_blend_method)method, CT_MAX_SAMPLES + 1, many, "at most");
    }
    refuse(CT_TWO_1D, 2, CROSS[1], "(0, 0)");
    const double corner[6] = {0, 0, 1, 0, 1, 1};
    refuse(CT_TWO_1D, 3, corner, "sample 2 is on neither axis");

    const double twice[3] = {1, 2, 1};
    ct_allocator allocator = ct_allocator_default();
    ct_blend_space *space;
    CHECK(ct_blend_space_create(&allocator, ct_kernels_best(), CT_LINEAR, 3, twice, &space, &error) == CT_BAD_VALUE &&
          strstr(error.message, "samples 0 and 2"));
}

int main(void)
{
    test_known_weights();
    test_laws_hold_for_any_samples();
    test_weights_are_continuous_in_any_order();
    test_triangles_are_those_of_delaunay();
    test_every_level_gives_the_same_bits();
    test_lines();
    test_what_cannot_be_told_apart_is_refused();
    return check_report();
}
