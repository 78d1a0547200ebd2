// Global poses agree with matrices multiplied in double, and their bits depend on nothing but the pose.
#include "forward_kinematics.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_allocator.h"
#include "made_up.h"

// --- made-up skeletons and poses ---------------------------------------------------------------------------------------------------------

static uint32_t random_state = 1;

// Uniform in -1 .. 1.
static float random_float(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (float)((int32_t)(random_state >> 8) - (1 << 23)) / (float)(1 << 23);
}

typedef enum shape { TREE, CHAIN, ROOTS } shape;

static ct_skeleton *make_skeleton(size_t joints, shape how, const ct_allocator *allocator)
{
    const char **names = calloc(joints, sizeof *names);
    size_t *lengths = calloc(joints, sizeof *lengths);
    int32_t *parents = calloc(joints, sizeof *parents);
    float *offsets = calloc(joints, 3 * sizeof *offsets), *rotations = calloc(joints, 4 * sizeof *rotations);
    for (size_t j = 0; j < joints; ++j) {
        names[j] = "joint";
        lengths[j] = 5;
        size_t back = how == CHAIN ? 1 : 1 + (size_t)(random_float() * 1.5f + 1.5f);
        parents[j] = back > j || (how == ROOTS && j % 3 == 0) ? CT_NO_PARENT : (int32_t)(j - back);
        for (int c = 0; c < 3; ++c) offsets[3 * j + (size_t)c] = random_float();
        for (int c = 0; c < 4; ++c) rotations[4 * j + (size_t)c] = random_float() + (c == 0 ? 1.5f : 0);
    }
    ct_skeleton *skeleton;
    ct_skeleton_parts parts = {
        .joint_count = joints, .names = names, .name_lengths = lengths, .parents = parents, .offsets = offsets, .rotations = rotations};
    CHECK(ct_skeleton_create(allocator, &parts, &skeleton, NULL) == CT_OK);
    free(names);
    free(lengths);
    free(parents);
    free(offsets);
    free(rotations);
    return skeleton;
}

static ct_poses make_poses(size_t joints, size_t count, bool translations, bool scales)
{
    ct_layout layout = ct_layout_of(joints, translations, scales);
    ct_poses poses = {layout, count, calloc(count * ct_row_length(layout) + 1, sizeof(float))};
    for (size_t i = 0; i < count; ++i) {
        float *row = poses.rows + i * ct_row_length(layout);
        for (size_t j = 0; j < joints; ++j) {
            float q[4], square = 0;
            for (int c = 0; c < 4; ++c) q[c] = random_float();
            for (int c = 0; c < 4; ++c) square += q[c] * q[c];
            for (size_t c = 0; c < 4; ++c) row[c * layout.stride + j] = q[c] / sqrtf(square);
            for (size_t c = 4; c < layout.component_count; ++c) {
                row[c * layout.stride + j] = c < CT_SCALE ? random_float() : 1 + 0.3f * random_float();
            }
        }
    }
    ct_layout_pad(layout, count, poses.rows);
    return poses;
}

// --- the same in double, by matrices -----------------------------------------------------------------------------------------------------

static void rotation_matrix(const double q[4], double m[3][3])
{
    double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z},
    };
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = rows[i / 3][i % 3] / n;
}

typedef struct reference {
    double rotation[3][3], matrix[3][4];
} reference;

// Global rotations and matrices of pose i.
static reference *reference_pose(const ct_skeleton *s, ct_poses poses, size_t i)
{
    reference *all = calloc(s->joint_count, sizeof *all);
    size_t stride = poses.layout.stride;
    const float *row = poses.rows + i * ct_row_length(poses.layout);
    for (size_t j = 0; j < s->joint_count; ++j) {
        double q[4], r[3][3], l[3][4];
        for (size_t c = 0; c < 4; ++c) q[c] = (double)row[c * stride + j];
        rotation_matrix(q, r);
        for (size_t a = 0; a < 3; ++a) {
            for (size_t b = 0; b < 3; ++b) l[a][b] = r[a][b] * (ct_has_scales(poses.layout) ? (double)row[(CT_SCALE + b) * stride + j] : 1);
            l[a][3] = (double)(ct_has_translations(poses.layout) ? row[(CT_TRANSLATION + a) * stride + j] : s->offsets[3 * j + a]);
        }
        if (s->parents[j] < 0) {
            memcpy(all[j].rotation, r, sizeof r);
            memcpy(all[j].matrix, l, sizeof l);
            continue;
        }
        const reference *p = &all[s->parents[j]];
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                for (int k = 0; k < 3; ++k) all[j].rotation[a][b] += p->rotation[a][k] * r[k][b];
            }
            for (int b = 0; b < 4; ++b) {
                for (int k = 0; k < 3; ++k) all[j].matrix[a][b] += p->matrix[a][k] * l[k][b];
            }
            all[j].matrix[a][3] += p->matrix[a][3];
        }
    }
    return all;
}

// NaN stays.
static double larger(double worst, double difference) { return fabs(difference) <= worst || isnan(worst) ? worst : fabs(difference); }

static void check_against_reference(const ct_skeleton *s, ct_poses poses, const float *positions, const float *rotations,
                                    const float *matrices, double tolerance)
{
    double worst_position = 0, worst_rotation = 0, worst_matrix = 0, worst_length = 0;
    for (size_t i = 0; i < poses.count; ++i) {
        reference *want = reference_pose(s, poses, i);
        for (size_t j = 0; j < s->joint_count; ++j) {
            size_t at = i * s->joint_count + j;
            double q[4], m[3][3], square = 0;
            for (int c = 0; c < 4; ++c) q[c] = (double)rotations[4 * at + (size_t)c];
            for (int c = 0; c < 4; ++c) square += q[c] * q[c];
            worst_length = larger(worst_length, sqrt(square) - 1);
            rotation_matrix(q, m);
            for (size_t a = 0; a < 3; ++a) {
                worst_position = larger(worst_position, (double)positions[3 * at + a] - want[j].matrix[a][3]);
                for (size_t b = 0; b < 3; ++b) worst_rotation = larger(worst_rotation, m[a][b] - want[j].rotation[a][b]);
                for (size_t b = 0; b < 4; ++b) {
                    worst_matrix = larger(worst_matrix, (double)matrices[16 * at + 4 * a + b] - want[j].matrix[a][b]);
                }
            }
            for (size_t b = 0; b < 4; ++b) CHECK(matrices[16 * at + 12 + b] == (b == 3 ? 1 : 0));
        }
        free(want);
    }
    CHECK_NEAR(worst_position, 0, tolerance);
    CHECK_NEAR(worst_rotation, 0, tolerance);
    CHECK_NEAR(worst_matrix, 0, tolerance);
    CHECK_NEAR(worst_length, 0, 3e-7);
}

// --- all outputs of one batch ------------------------------------------------------------------------------------------------------------

typedef struct globals {
    size_t count; // of joints over all poses
    float *positions, *rotations, *matrices;
} globals;

// One float more than needed, to see that it stays.
static globals make_globals(size_t joints, size_t poses)
{
    size_t n = joints * poses;
    globals g = {n, calloc(3 * n + 1, sizeof(float)), calloc(4 * n + 1, sizeof(float)), calloc(16 * n + 1, sizeof(float))};
    g.positions[3 * n] = g.rotations[4 * n] = g.matrices[16 * n] = 7;
    return g;
}

static void free_globals(globals g)
{
    CHECK(g.positions[3 * g.count] == 7 && g.rotations[4 * g.count] == 7 && g.matrices[16 * g.count] == 7);
    free(g.positions);
    free(g.rotations);
    free(g.matrices);
}

static void run(const ct_skeleton *s, const ct_kernels *kernels, ct_poses poses, int workers, globals g)
{
    CHECK(ct_forward_kinematics(s, kernels, poses, workers, NULL, g.positions, g.rotations, NULL) == CT_OK);
    CHECK(ct_global_matrices(s, kernels, poses, workers, NULL, g.matrices, NULL) == CT_OK);
}

static bool same_bits(globals a, globals b)
{
    return a.count == b.count && memcmp(a.positions, b.positions, a.count * 3 * sizeof(float)) == 0 &&
           memcmp(a.rotations, b.rotations, a.count * 4 * sizeof(float)) == 0 &&
           memcmp(a.matrices, b.matrices, a.count * 16 * sizeof(float)) == 0;
}

// --- tests -------------------------------------------------------------------------------------------------------------------------------

static const size_t joint_counts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 65};
enum { JOINT_COUNTS = sizeof joint_counts / sizeof joint_counts[0] };

static void test_every_skeleton_agrees_with_matrices_in_double(void)
{
    const ct_allocator allocator = ct_allocator_default();
    for (int kind = 0; kind < 3 * JOINT_COUNTS * 3; ++kind) {
        size_t joints = joint_counts[kind / 9], count = (size_t)(kind % 5) * 5;
        bool translations = kind % 3 > 0, scales = kind % 3 > 1;
        ct_skeleton *s = make_skeleton(joints, (shape)(kind / 3 % 3), &allocator);
        ct_poses poses = make_poses(joints, count, translations, scales);
        FOR_EACH_LEVEL(kernels)
        {
            globals g = make_globals(joints, count);
            run(s, kernels, poses, 1, g);
            check_against_reference(s, poses, g.positions, g.rotations, g.matrices, kind / 3 % 3 == CHAIN ? 2e-4 : 2e-5);
            free_globals(g);
        }
        free(poses.rows);
        ct_skeleton_destroy(s);
    }
}

static void test_a_chain_of_a_thousand_keeps_unit_rotations(void)
{
    const ct_allocator allocator = ct_allocator_default();
    ct_skeleton *s = make_skeleton(1000, CHAIN, &allocator);
    ct_poses poses = make_poses(1000, 3, false, false);
    globals g = make_globals(1000, 3);
    run(s, ct_kernels_best(), poses, 1, g);
    check_against_reference(s, poses, g.positions, g.rotations, g.matrices, 5e-4);
    free_globals(g);
    free(poses.rows);
    ct_skeleton_destroy(s);
}

static void test_bits_depend_on_the_pose_alone(void)
{
    enum { JOINTS = 19, POSES = 3000 };
    const ct_allocator allocator = ct_allocator_default();
    for (int scales = 0; scales < 2; ++scales) {
        ct_skeleton *s = make_skeleton(JOINTS, ROOTS, &allocator);
        ct_poses poses = make_poses(JOINTS, POSES, scales, scales);
        globals want = make_globals(JOINTS, POSES), got = make_globals(JOINTS, POSES);
        run(s, ct_kernels_of(CT_LEVEL_BASELINE), poses, 1, want);

        FOR_EACH_LEVEL(kernels)
        {
            for (int workers = 1; workers <= 4; ++workers) {
                run(s, kernels, poses, workers, got);
                CHECK(same_bits(want, got));
            }
            memset(got.positions, 0, 3 * got.count * sizeof(float));
            memset(got.rotations, 0, 4 * got.count * sizeof(float));
            memset(got.matrices, 0, 16 * got.count * sizeof(float));
            for (size_t first = 0, count = 1; first < POSES; first += count, count = count % 23 + 1) {
                size_t at = first * JOINTS, left = POSES - first;
                ct_poses some = {poses.layout, count < left ? count : left, poses.rows + first * ct_row_length(poses.layout)};
                globals part = {0, got.positions + 3 * at, got.rotations + 4 * at, got.matrices + 16 * at};
                run(s, kernels, some, 1, part);
            }
            CHECK(same_bits(want, got));
        }
        free_globals(want);
        free_globals(got);
        free(poses.rows);
        ct_skeleton_destroy(s);
    }
}

// The same on every machine.
static void test_a_long_run_has_known_bits(void)
{
    const ct_allocator allocator = ct_allocator_default();
    static const uint64_t wanted[2] = {0xe51eeb04a9fead2e, 0xa253d44745a4fa51};
    for (int scales = 0; scales < 2; ++scales) {
        random_state = 42;
        ct_skeleton *s = make_skeleton(65, TREE, &allocator);
        ct_poses poses = make_poses(65, 500, true, scales);
        globals g = make_globals(65, 500);
        float inverse[65 * 16];
        FOR_EACH_LEVEL(kernels)
        {
            run(s, kernels, poses, 2, g);
            uint64_t hash = hash_floats(HASH_START, 3 * g.count, g.positions);
            hash = hash_floats(hash, 4 * g.count, g.rotations);
            CHECK(ct_inverse_bind(s, kernels, inverse, NULL) == CT_OK);
            CHECK(ct_palette(s, kernels, poses, inverse, 1, NULL, g.matrices, NULL) == CT_OK);
            hash = hash_floats(hash, 16 * g.count, g.matrices);
            if (hash != wanted[scales]) printf("scales %d, %s: 0x%llx\n", scales, kernels->level, (unsigned long long)hash);
            CHECK(hash == wanted[scales]);
        }
        free_globals(g);
        free(poses.rows);
        ct_skeleton_destroy(s);
    }
}

static void test_either_output_may_be_left_out(void)
{
    const ct_allocator allocator = ct_allocator_default();
    ct_skeleton *s = make_skeleton(21, TREE, &allocator);
    ct_poses poses = make_poses(21, 10, true, false);
    globals both = make_globals(21, 10), apart = make_globals(21, 10);
    FOR_EACH_LEVEL(kernels)
    {
        run(s, kernels, poses, 1, both);
        CHECK(ct_forward_kinematics(s, kernels, poses, 1, NULL, apart.positions, NULL, NULL) == CT_OK);
        CHECK(ct_forward_kinematics(s, kernels, poses, 1, NULL, NULL, apart.rotations, NULL) == CT_OK);
        memcpy(apart.matrices, both.matrices, 16 * both.count * sizeof(float));
        CHECK(same_bits(both, apart));
    }
    free_globals(both);
    free_globals(apart);
    free(poses.rows);
    ct_skeleton_destroy(s);
}

static void test_with_scales_positions_are_those_of_the_matrices(void)
{
    const ct_allocator allocator = ct_allocator_default();
    ct_skeleton *s = make_skeleton(33, TREE, &allocator);
    ct_poses poses = make_poses(33, 12, true, true);
    globals g = make_globals(33, 12);
    run(s, ct_kernels_best(), poses, 1, g);
    for (size_t at = 0; at < g.count; ++at) {
        for (size_t c = 0; c < 3; ++c) CHECK(g.positions[3 * at + c] == g.matrices[16 * at + 4 * c + 3]);
    }
    free_globals(g);
    free(poses.rows);
    ct_skeleton_destroy(s);
}

static void test_the_palette_of_the_rest_pose_is_the_identity(void)
{
    const ct_allocator allocator = ct_allocator_default();
    ct_skeleton *s = make_skeleton(65, TREE, &allocator);
    ct_poses rest = {ct_layout_of(65, true, false), 1, (float *)(uintptr_t)s->rest};
    float inverse[65 * 16], palette[65 * 16];
    FOR_EACH_LEVEL(kernels)
    {
        CHECK(ct_inverse_bind(s, kernels, inverse, NULL) == CT_OK);
        CHECK(ct_palette(s, kernels, rest, inverse, 1, NULL, palette, NULL) == CT_OK);
        for (size_t i = 0; i < 65 * 16; ++i) CHECK_NEAR(palette[i], i % 16 % 5 == 0, 2e-5);
    }
    ct_skeleton_destroy(s);
}

static void test_the_palette_is_global_times_inverse_bind(void)
{
    const ct_allocator allocator = ct_allocator_default();
    ct_skeleton *s = make_skeleton(18, TREE, &allocator);
    ct_poses poses = make_poses(18, 4, true, true);
    globals g = make_globals(18, 4);
    float inverse[18 * 16], palette[4 * 18 * 16];
    FOR_EACH_LEVEL(kernels)
    {
        run(s, kernels, poses, 1, g);
        CHECK(ct_inverse_bind(s, kernels, inverse, NULL) == CT_OK);
        CHECK(ct_palette(s, kernels, poses, inverse, 1, NULL, palette, NULL) == CT_OK);
        for (size_t at = 0; at < g.count; ++at) {
            for (size_t i = 0; i < 16; ++i) {
                double want = 0;
                for (size_t k = 0; k < 4; ++k) {
                    want += (double)g.matrices[16 * at + i / 4 * 4 + k] * (double)inverse[16 * (at % 18) + 4 * k + i % 4];
                }
                CHECK_NEAR(palette[16 * at + i], want, 2e-5);
            }
        }
    }
    free_globals(g);
    free(poses.rows);
    ct_skeleton_destroy(s);
}

static void test_running_out_of_memory_is_reported_and_leaks_nothing(void)
{
    failing_allocator f = {0};
    const ct_allocator allocator = failing_allocator_use(&f);
    ct_skeleton *s = make_skeleton(5, TREE, &allocator);
    ct_poses poses = make_poses(5, 3, true, false);
    globals g = make_globals(5, 3);
    ct_error error = {0};
    f.fail_at = f.calls + 1;
    CHECK(ct_forward_kinematics(s, ct_kernels_best(), poses, 1, NULL, g.positions, g.rotations, &error) == CT_OUT_OF_MEMORY);
    CHECK(error.code == CT_OUT_OF_MEMORY);
    f.fail_at = f.calls + 1;
    CHECK(ct_global_matrices(s, ct_kernels_best(), poses, 1, NULL, g.matrices, NULL) == CT_OUT_OF_MEMORY);
    f.fail_at = f.calls + 1;
    CHECK(ct_inverse_bind(s, ct_kernels_best(), g.matrices, NULL) == CT_OUT_OF_MEMORY);
    run(s, ct_kernels_best(), poses, 2, g);
    CHECK(f.live == 1);
    free_globals(g);
    free(poses.rows);
    ct_skeleton_destroy(s);
    CHECK(f.live == 0);
}

int main(void)
{
    test_every_skeleton_agrees_with_matrices_in_double();
    test_a_chain_of_a_thousand_keeps_unit_rotations();
    test_bits_depend_on_the_pose_alone();
    test_a_long_run_has_known_bits();
    test_either_output_may_be_left_out();
    test_with_scales_positions_are_those_of_the_matrices();
    test_the_palette_of_the_rest_pose_is_the_identity();
    test_the_palette_is_global_times_inverse_bind();
    test_running_out_of_memory_is_reported_and_leaks_nothing();
    return check_report();
}
