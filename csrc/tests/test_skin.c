// Skinned vertices are where the matrices put them.
#include "skin.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_allocator.h"
#include "made_up.h"

static uint32_t random_state = 7;

// Uniform in -1 .. 1.
static float random_float(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (float)((int32_t)(random_state >> 8) - (1 << 23)) / (float)(1 << 23);
}

typedef enum deformation { RIGID, UNIFORM_SCALE, AFFINE } deformation;

// Row-major, moderate in size.
static void random_matrix(deformation how, float m[16])
{
    double q[4], n = 0;
    for (int c = 0; c < 4; ++c) q[c] = (double)random_float();
    for (int c = 0; c < 4; ++c) n += q[c] * q[c];
    double w = q[0], x = q[1], y = q[2], z = q[3], scale = how == UNIFORM_SCALE ? 1 + 0.5 * (double)random_float() : 1;
    const double r[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                         2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    for (int i = 0; i < 16; ++i) m[i] = i == 15;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) m[4 * i + k] = (float)(scale * r[3 * i + k] / n) + (how == AFFINE ? 0.3f * random_float() : 0);
        m[4 * i + 3] = random_float();
    }
}

// x y z times the upper three rows.
static void apply(const double m[12], const float *v, double w, double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = m[4 * i] * (double)v[0] + m[4 * i + 1] * (double)v[1] + m[4 * i + 2] * (double)v[2] + m[4 * i + 3] * w;
}

enum { JOINTS = 6, VERTICES = 50, POSES = 3, MAX_INFLUENCES = 5 };

typedef struct mesh {
    float vertices[VERTICES * 3], normals[VERTICES * 3], weights[VERTICES * MAX_INFLUENCES];
    int32_t joints[VERTICES * MAX_INFLUENCES];
    ct_skin skin;
} mesh;

static void make_mesh(mesh *m, size_t influences)
{
    for (int i = 0; i < VERTICES * 3; ++i) {
        m->vertices[i] = random_float();
        m->normals[i] = random_float();
    }
    for (int i = 0; i < VERTICES * MAX_INFLUENCES; ++i) {
        m->weights[i] = random_float() + 1; // sums are anything but 1
        m->joints[i] = (int32_t)((random_float() + 1) * 2.9999f);
    }
    m->skin = (ct_skin){ct_allocator_default(), VERTICES, influences, JOINTS, m->vertices, m->normals, m->joints, m->weights};
}

static void check_vector(const float *got, const double want[3], double tolerance)
{
    for (int c = 0; c < 3; ++c) CHECK_NEAR(got[c], want[c], tolerance);
}

static void check_unit(const float *got, const double want[3], double tolerance)
{
    double length = sqrt(want[0] * want[0] + want[1] * want[1] + want[2] * want[2]);
    const double unit[3] = {want[0] / length, want[1] / length, want[2] / length};
    check_vector(got, unit, tolerance);
}

// The inverse transpose times n, up to a positive factor, by solving M^T out = n with Cramer's rule.
static void turn(const double m[12], const float *n, double out[3])
{
    double columns[3][3], determinant = 0;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) columns[i][k] = m[4 * i + k];
    }
    for (int k = 0; k < 3; ++k) {
        determinant +=
            columns[0][k] * (columns[1][(k + 1) % 3] * columns[2][(k + 2) % 3] - columns[1][(k + 2) % 3] * columns[2][(k + 1) % 3]);
    }
    for (int i = 0; i < 3; ++i) {
        const double *a = columns[(i + 1) % 3], *b = columns[(i + 2) % 3];
        out[i] = 0;
        for (int k = 0; k < 3; ++k) out[i] += (double)n[k] * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
        out[i] /= determinant;
    }
}

static void test_linear_blending_is_the_weighted_matrix(void)
{
    static mesh m;
    float palettes[POSES * JOINTS * 16], out[POSES * VERTICES * 3 + 1], normals[POSES * VERTICES * 3 + 1];
    for (size_t influences = 1; influences <= MAX_INFLUENCES; ++influences) {
        make_mesh(&m, influences);
        for (int i = 0; i < POSES * JOINTS; ++i) random_matrix(AFFINE, palettes + 16 * i);
        FOR_EACH_LEVEL(kernels)
        {
            out[POSES * VERTICES * 3] = normals[POSES * VERTICES * 3] = 7;
            CHECK(ct_skin_linear(&m.skin, kernels, POSES, palettes, 1, NULL, out, normals, NULL) == CT_OK);
            for (size_t at = 0; at < POSES * VERTICES; ++at) {
                size_t i = at % VERTICES;
                double blended[12] = {0}, sum = 0, want[3];
                for (size_t k = 0; k < influences; ++k) {
                    const float *matrix = palettes + 16 * (at / VERTICES * JOINTS + (size_t)m.joints[i * influences + k]);
                    sum += (double)m.weights[i * influences + k];
                    for (int e = 0; e < 12; ++e) blended[e] += (double)m.weights[i * influences + k] * (double)matrix[e];
                }
                for (int e = 0; e < 12; ++e) blended[e] /= sum;
                apply(blended, m.vertices + 3 * i, 1, want);
                check_vector(out + 3 * at, want, 2e-6);
                turn(blended, m.normals + 3 * i, want);
                check_unit(normals + 3 * at, want, 3e-3); // badly conditioned where blends nearly flatten space
            }
            CHECK(out[POSES * VERTICES * 3] == 7 && normals[POSES * VERTICES * 3] == 7);
        }
    }
}

static void test_one_influence_moves_alike_by_both_methods(void)
{
    static mesh m;
    float palettes[JOINTS * 16], linear[VERTICES * 3], dual[VERTICES * 3], linear_normals[VERTICES * 3], dual_normals[VERTICES * 3];
    for (int how = RIGID; how <= AFFINE; ++how) {
        make_mesh(&m, 1);
        for (int i = 0; i < JOINTS; ++i) random_matrix((deformation)how, palettes + 16 * i);
        for (int i = 0; i < 12; ++i) palettes[i] = -palettes[i]; // mirrored
        FOR_EACH_LEVEL(kernels)
        {
            CHECK(ct_skin_linear(&m.skin, kernels, 1, palettes, 1, NULL, linear, linear_normals, NULL) == CT_OK);
            CHECK(ct_skin_dual_quaternion(&m.skin, kernels, 1, palettes, 1, NULL, dual, dual_normals, NULL) == CT_OK);
            for (int i = 0; i < VERTICES * 3; ++i) {
                CHECK_NEAR(dual[i], linear[i], 2e-6);
                CHECK_NEAR(dual_normals[i], linear_normals[i], 2e-5);
            }
        }
    }
}

// Any palette moved rigidly as a whole moves the skin rigidly.
static void test_skinning_commutes_with_rigid_motion(void)
{
    static mesh m;
    make_mesh(&m, 4);
    float palette[JOINTS * 16], moved[JOINTS * 16], motion[16], before[VERTICES * 3], after[VERTICES * 3], n[VERTICES * 3];
    random_matrix(RIGID, motion);
    double exact[12];
    for (int e = 0; e < 12; ++e) exact[e] = (double)motion[e];
    for (int i = 0; i < JOINTS; ++i) {
        random_matrix(RIGID, palette + 16 * i);
        for (int e = 0; e < 16; ++e) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) sum += (double)motion[e / 4 * 4 + k] * (double)palette[16 * i + 4 * k + e % 4];
            moved[16 * i + e] = (float)sum;
        }
    }
    for (int method = 0; method < 2; ++method) {
        ct_status (*skin)(const ct_skin *, const ct_kernels *, size_t, const float *, int, const ct_interrupt *, float *, float *,
                          ct_error *) = method ? ct_skin_dual_quaternion : ct_skin_linear;
        CHECK(skin(&m.skin, ct_kernels_best(), 1, palette, 1, NULL, before, n, NULL) == CT_OK);
        CHECK(skin(&m.skin, ct_kernels_best(), 1, moved, 1, NULL, after, n, NULL) == CT_OK);
        for (int i = 0; i < VERTICES; ++i) {
            double want[3];
            apply(exact, before + 3 * i, 1, want);
            check_vector(after + 3 * i, want, 5e-6);
        }
    }
}

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

// A cylinder about x, twisted: halfway between no turn and a turn of `angle`, linear blending shrinks the radius to cos(angle / 2).
static void test_dual_quaternions_keep_the_radius_of_a_twist_that_linear_blending_shrinks(void)
{
    const double angle = 2.0;
    float palette[2 * 16], ring[3 * 12], weights[2 * 12], linear[3 * 12], dual[3 * 12];
    int32_t joints[2 * 12];
    memcpy(palette, identity, sizeof identity);
    memcpy(palette + 16, identity, sizeof identity);
    palette[16 + 5] = palette[16 + 10] = (float)cos(angle);
    palette[16 + 9] = (float)sin(angle);
    palette[16 + 6] = -(float)sin(angle);
    for (int i = 0; i < 12; ++i) {
        ring[3 * i] = 0.5f;
        ring[3 * i + 1] = (float)cos(i * 0.5);
        ring[3 * i + 2] = (float)sin(i * 0.5);
        weights[2 * i] = weights[2 * i + 1] = 0.5f;
        joints[2 * i] = i % 2;
        joints[2 * i + 1] = 1 - i % 2;
    }
    ct_skin skin = {ct_allocator_default(), 12, 2, 2, ring, NULL, joints, weights};
    FOR_EACH_LEVEL(kernels)
    {
        CHECK(ct_skin_linear(&skin, kernels, 1, palette, 1, NULL, linear, NULL, NULL) == CT_OK);
        CHECK(ct_skin_dual_quaternion(&skin, kernels, 1, palette, 1, NULL, dual, NULL, NULL) == CT_OK);
        for (int i = 0; i < 12; ++i) {
            CHECK_NEAR(hypot((double)linear[3 * i + 1], (double)linear[3 * i + 2]), cos(angle / 2), 1e-6);
            const double want[3] = {0.5, cos(i * 0.5 + angle / 2), sin(i * 0.5 + angle / 2)};
            check_vector(dual + 3 * i, want, 1e-6);
        }
    }
}

// A hinge that does not go through the origin: every blend turns about the same axis.
static void test_dual_quaternions_turn_about_the_joint(void)
{
    const double angle = 1.4, px = 3, py = 4;
    float palette[2 * 16];
    memcpy(palette, identity, sizeof identity);
    memcpy(palette + 16, identity, sizeof identity);
    palette[16] = palette[16 + 5] = (float)cos(angle);
    palette[16 + 4] = (float)sin(angle);
    palette[16 + 1] = -(float)sin(angle);
    palette[16 + 3] = (float)(px - cos(angle) * px + sin(angle) * py);
    palette[16 + 7] = (float)(py - sin(angle) * px - cos(angle) * py);
    const float vertex[3] = {4, 4, 1}, normal[3] = {0, 2, 0};
    const int32_t joints[2] = {0, 1};
    for (int step = 0; step <= 10; ++step) {
        double t = step / 10.0, half = angle / 2;
        const float weights[2] = {(float)(1 - t), (float)t};
        // A weighted sum of two unit quaternions at an angle of `half`.
        double turned = 2 * atan2(t * sin(half), 1 - t + t * cos(half));
        ct_skin skin = {ct_allocator_default(), 1, 2, 2, vertex, normal, joints, weights};
        float out[3], out_normal[3];
        CHECK(ct_skin_dual_quaternion(&skin, ct_kernels_best(), 1, palette, 1, NULL, out, out_normal, NULL) == CT_OK);
        const double want[3] = {px + cos(turned), py + sin(turned), 1}, want_normal[3] = {-sin(turned), cos(turned), 0};
        check_vector(out, want, 3e-6);
        check_vector(out_normal, want_normal, 1e-6);
    }
}

// -q is the same rotation as q; a turn by 200 degrees one way is one by 160 the other.
static void test_dual_quaternions_blend_the_short_way(void)
{
    float palette[3 * 16];
    for (int j = 0; j < 3; ++j) {
        double angle = j * 1.9; // 0, 109, 218 degrees about z
        memcpy(palette + 16 * j, identity, sizeof identity);
        palette[16 * j] = palette[16 * j + 5] = (float)cos(angle);
        palette[16 * j + 4] = (float)sin(angle);
        palette[16 * j + 1] = -(float)sin(angle);
    }
    const float vertex[3] = {1, 0, 0}, weights[3] = {0.5f, 0, 0.5f};
    const int32_t joints[3] = {0, 1, 2};
    ct_skin skin = {ct_allocator_default(), 1, 3, 3, vertex, NULL, joints, weights};
    float out[3];
    CHECK(ct_skin_dual_quaternion(&skin, ct_kernels_best(), 1, palette, 1, NULL, out, NULL, NULL) == CT_OK);
    const double middle = (3.8 - 2 * 3.14159265358979) / 2, want[3] = {cos(middle), sin(middle), 0};
    check_vector(out, want, 1e-6);
}

static void test_vertices_without_weight_stay_and_zero_normals_stay_zero(void)
{
    const float vertices[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, normals[9] = {0, 0, 2, 0, 0, 0, 0, 3, 0}, weights[6] = {0, 0, 1, 1, 0, 0};
    const int32_t joints[6] = {0, 1, 0, 1, 1, 1};
    float palette[32], out[9], out_normals[9];
    random_matrix(RIGID, palette);
    random_matrix(RIGID, palette + 16);
    ct_skin skin = {ct_allocator_default(), 3, 2, 2, vertices, normals, joints, weights};
    for (int method = 0; method < 2; ++method) {
        FOR_EACH_LEVEL(kernels)
        {
            ct_status status = method ? ct_skin_dual_quaternion(&skin, kernels, 1, palette, 1, NULL, out, out_normals, NULL)
                                      : ct_skin_linear(&skin, kernels, 1, palette, 1, NULL, out, out_normals, NULL);
            CHECK(status == CT_OK);
            CHECK(memcmp(out, vertices, 3 * sizeof(float)) == 0 && memcmp(out + 6, vertices + 6, 3 * sizeof(float)) == 0);
            CHECK(out_normals[2] == 1 && out_normals[7] == 1);
            CHECK(out_normals[3] == 0 && out_normals[4] == 0 && out_normals[5] == 0);
        }
    }
}

static void test_joints_scaled_to_nothing_give_numbers(void)
{
    static mesh m;
    make_mesh(&m, 4);
    float palette[JOINTS * 16] = {0}, out[VERTICES * 3], normals[VERTICES * 3];
    for (int j = 0; j < JOINTS; ++j) palette[16 * j + 15] = palette[16 * j + 3] = 1;
    palette[16] = 2; // one joint keeps one axis
    CHECK(ct_skin_linear(&m.skin, ct_kernels_best(), 1, palette, 1, NULL, out, normals, NULL) == CT_OK);
    for (int i = 0; i < VERTICES * 3; ++i) CHECK(isfinite(out[i]) && normals[i] == 0);
    CHECK(ct_skin_dual_quaternion(&m.skin, ct_kernels_best(), 1, palette, 1, NULL, out, normals, NULL) == CT_OK);
    for (int i = 0; i < VERTICES * 3; ++i) CHECK(isfinite(out[i]) && normals[i] == 0);
}

static void refuse(ct_skin skin, ct_status status, const char *message)
{
    ct_error error = {0};
    CHECK(ct_skin_check(&skin, &error) == status && error.code == status);
    CHECK(strstr(error.message, message) != NULL);
    if (!strstr(error.message, message)) printf("  got: %s\n", error.message);
    CHECK(ct_skin_check(&skin, NULL) == status);
}

static void test_the_check_names_vertex_and_influence(void)
{
    float weights[4] = {1, 0, 0.5f, 0.5f};
    int32_t joints[4] = {0, 1, 2, 0};
    const float vertices[6] = {0};
    ct_skin skin = {ct_allocator_default(), 2, 2, 3, vertices, NULL, joints, weights};
    CHECK(ct_skin_check(&skin, NULL) == CT_OK);
    skin.joint_count = 2;
    refuse(skin, CT_BAD_INDEX, "influence 0 of vertex 1 is joint 2; the palette has 2 joints");
    skin.joint_count = 3;
    joints[1] = -1;
    refuse(skin, CT_BAD_INDEX, "influence 1 of vertex 0 is joint -1");
    joints[1] = 1;
    weights[3] = -0.5f;
    refuse(skin, CT_BAD_VALUE, "influence 1 of vertex 1 has a negative weight");
    weights[3] = NAN;
    refuse(skin, CT_BAD_VALUE, "influence 1 of vertex 1 has a weight that is not finite");
    weights[2] = weights[3] = 3e38f;
    refuse(skin, CT_BAD_VALUE, "the weights of vertex 1");
}

// More vertices than a block holds. The hashes are the same on every machine.
static void test_bits_depend_on_neither_level_nor_workers(void)
{
    static const uint64_t hashes[2] = {0x5489993b23363a3c, 0xa5e5170325bc2cb6};
    random_state = 42;
    enum { MANY = 40000, PALETTES = 2 };
    float palettes[PALETTES * JOINTS * 16];
    for (int i = 0; i < PALETTES * JOINTS; ++i) random_matrix(AFFINE, palettes + 16 * i);
    float *vertices = calloc(MANY * 3, sizeof(float)), *normals = calloc(MANY * 3, sizeof(float)),
          *weights = calloc(MANY * 4, sizeof(float));
    int32_t *joints = calloc(MANY * 4, sizeof(int32_t));
    for (int i = 0; i < MANY * 3; ++i) vertices[i] = random_float();
    for (int i = 0; i < MANY * 3; ++i) normals[i] = random_float();
    for (int i = 0; i < MANY * 4; ++i) weights[i] = random_float() + 1;
    for (int i = 0; i < MANY * 4; ++i) joints[i] = i * 7 % JOINTS;
    ct_skin skin = {ct_allocator_default(), MANY, 4, JOINTS, vertices, normals, joints, weights};

    size_t size = PALETTES * MANY * 3;
    float *want = calloc(2 * size, sizeof(float)), *got = calloc(2 * size, sizeof(float));
    for (int method = 0; method < 2; ++method) {
        ct_status (*run)(const ct_skin *, const ct_kernels *, size_t, const float *, int, const ct_interrupt *, float *, float *,
                         ct_error *) = method ? ct_skin_dual_quaternion : ct_skin_linear;
        CHECK(run(&skin, ct_kernels_of(CT_LEVEL_BASELINE), PALETTES, palettes, 1, NULL, want, want + size, NULL) == CT_OK);
        uint64_t hash = hash_floats(HASH_START, 2 * size, want);
        if (hash != hashes[method]) printf("method %d: 0x%llx\n", method, (unsigned long long)hash);
        CHECK(hash == hashes[method]);
        FOR_EACH_LEVEL(kernels)
        {
            for (int workers = 1; workers <= 3; ++workers) {
                memset(got, 0, 2 * size * sizeof(float));
                CHECK(run(&skin, kernels, PALETTES, palettes, workers, NULL, got, got + size, NULL) == CT_OK);
                CHECK(memcmp(want, got, 2 * size * sizeof(float)) == 0);
            }
        }
    }
    free(vertices);
    free(normals);
    free(weights);
    free(joints);
    free(want);
    free(got);
}

static void test_running_out_of_memory_is_reported_and_leaks_nothing(void)
{
    static mesh m;
    make_mesh(&m, 2);
    failing_allocator f = {.fail_at = 1};
    m.skin.allocator = failing_allocator_use(&f);
    float palette[JOINTS * 16], out[VERTICES * 3], normals[VERTICES * 3];
    for (int i = 0; i < JOINTS; ++i) random_matrix(RIGID, palette + 16 * i);
    ct_error error = {0};
    CHECK(ct_skin_linear(&m.skin, ct_kernels_best(), 1, palette, 1, NULL, out, normals, &error) == CT_OUT_OF_MEMORY);
    CHECK(error.code == CT_OUT_OF_MEMORY);
    CHECK(ct_skin_linear(&m.skin, ct_kernels_best(), 1, palette, 1, NULL, out, normals, &error) == CT_OK);
    CHECK(f.calls == 2 && f.live == 0);
    CHECK(ct_skin_linear(&m.skin, ct_kernels_best(), 0, palette, 1, NULL, out, normals, &error) == CT_OK && f.calls == 2);
}

int main(void)
{
    test_linear_blending_is_the_weighted_matrix();
    test_one_influence_moves_alike_by_both_methods();
    test_skinning_commutes_with_rigid_motion();
    test_dual_quaternions_keep_the_radius_of_a_twist_that_linear_blending_shrinks();
    test_dual_quaternions_turn_about_the_joint();
    test_dual_quaternions_blend_the_short_way();
    test_vertices_without_weight_stay_and_zero_normals_stay_zero();
    test_joints_scaled_to_nothing_give_numbers();
    test_the_check_names_vertex_and_influence();
    test_bits_depend_on_neither_level_nor_workers();
    test_running_out_of_memory_is_reported_and_leaks_nothing();
    return check_report();
}
