// Several poses become the one between them.
#include "blend.h"

#include "failing_allocator.h"
#include "made_up.h"

enum { JOINTS = 37, POSES = 12, BATCH = 150 };

typedef struct crowd {
    ct_layout layout;
    float *rows; // [POSES][BATCH]
    double weights[POSES * BATCH];
    float masks[POSES * 48];
    ct_blend_pose poses[POSES];
} crowd;

// Rotations anywhere, or within `spread` of the identity in each component.
static void make_crowd(crowd *c, double spread)
{
    uint64_t state = 3;
    c->layout = ct_layout_of(JOINTS, true, true);
    size_t length = ct_row_length(c->layout), stride = c->layout.stride;
    c->rows = calloc(POSES * BATCH * length, sizeof *c->rows);
    ct_layout_pad(c->layout, POSES * BATCH, c->rows);
    for (size_t r = 0; r < POSES * BATCH; ++r) {
        float *row = c->rows + r * length;
        for (size_t j = 0; j < JOINTS; ++j) {
            double q[4], square = 0, sign = made_up_number(&state) < 0 ? -1 : 1;
            for (int k = 0; k < 4; ++k) q[k] = (spread > 0 ? spread * made_up_number(&state) + (k == 0) : made_up_number(&state)) * sign;
            for (int k = 0; k < 4; ++k) square += q[k] * q[k];
            for (size_t k = 0; k < 4; ++k) row[k * stride + j] = (float)(q[k] / sqrt(square));
            for (size_t k = 4; k < 10; ++k) row[k * stride + j] = (float)made_up_number(&state);
        }
    }
    for (int i = 0; i < POSES * BATCH; ++i) c->weights[i] = made_up_number(&state) + 1;
    for (int i = 0; i < POSES * 48; ++i) c->masks[i] = (float)(int)(2 * made_up_number(&state) + 2) * 0.5f; // 0, 0.5, 1 and 1.5
    for (size_t i = 0; i < POSES; ++i) {
        c->poses[i] = (ct_blend_pose){c->rows + i * BATCH * length, length, c->weights + i * BATCH, 1, c->masks + i * c->layout.stride};
    }
}

static void blend(const crowd *c, size_t count, bool masked, const float *rest, const ct_kernels *kernels, int workers, float *out)
{
    ct_blend all = {ct_allocator_default(), count, c->poses, masked, rest};
    ct_error error;
    CHECK(ct_blend_poses(&all, kernels, workers, NULL, (ct_poses){c->layout, BATCH, out}, &error) == CT_OK);
}

// Near rotations need no rule but one side: that of the identity.
static void test_near_poses_are_the_weighted_sum_made_unit(void)
{
    static crowd c;
    make_crowd(&c, 0.25);
    size_t length = ct_row_length(c.layout), stride = c.layout.stride;
    float *out = calloc(BATCH * length, sizeof *out);
    for (size_t count = 2; count <= POSES; ++count) {
        FOR_EACH_LEVEL(kernels)
        {
            blend(&c, count, false, NULL, kernels, 1, out);
            for (size_t at = 0; at < BATCH; at += 7) {
                double total = 0;
                for (size_t i = 0; i < count; ++i) total += c.weights[i * BATCH + at];
                for (size_t j = 0; j < JOINTS; ++j) {
                    double sum[10] = {0}, square = 0, dot = 0;
                    for (size_t i = 0; i < count; ++i) {
                        const float *row = c.rows + (i * BATCH + at) * length;
                        double weight = c.weights[i * BATCH + at] / total;
                        for (size_t k = 0; k < 10; ++k) sum[k] += (double)row[k * stride + j] * weight * (k < 4 && row[j] < 0 ? -1 : 1);
                    }
                    const float *got = out + at * length + j;
                    for (size_t k = 0; k < 4; ++k) square += sum[k] * sum[k];
                    for (size_t k = 0; k < 4; ++k) dot += sum[k] / sqrt(square) * (double)got[k * stride];
                    CHECK_NEAR(dot, 1, 4e-7);
                    for (size_t k = 4; k < 10; ++k) CHECK_NEAR(got[k * stride], sum[k], 1e-6);
                }
            }
        }
    }
    free(out);
    free(c.rows);
}

static void test_a_pose_alone_keeps_its_bits(void)
{
    static crowd c;
    make_crowd(&c, 0);
    size_t length = ct_row_length(c.layout), stride = c.layout.stride;
    float *out = calloc(BATCH * length, sizeof *out);
    for (size_t alone = 0; alone < 5; ++alone) {
        for (size_t i = 0; i < 5 * BATCH; ++i) c.weights[i] = i / BATCH == alone ? 0.3 : 0;
        blend(&c, 5, false, NULL, ct_kernels_best(), 1, out);
        CHECK(memcmp(out, c.rows + alone * BATCH * length, BATCH * length * sizeof *out) == 0);

        // By masks: joint j belongs to pose j % 5.
        for (size_t i = 0; i < 5 * BATCH; ++i) c.weights[i] = 0.3;
        for (size_t i = 0; i < 5 * stride; ++i) c.masks[i] = i % stride % 5 == i / stride ? 0.7f : 0;
        blend(&c, 5, true, NULL, ct_kernels_best(), 1, out);
        int odd = 0;
        for (size_t i = 0; i < BATCH * length; ++i) {
            size_t j = i % stride, owner = j % 5;
            odd += j < JOINTS && memcmp(out + i, c.rows + owner * BATCH * length + i, sizeof *out) != 0;
        }
        CHECK(odd == 0);
    }
    free(out);
    free(c.rows);
}

static void test_without_weight_the_rest_pose_shows(void)
{
    static crowd c;
    make_crowd(&c, 0);
    size_t length = ct_row_length(c.layout), stride = c.layout.stride;
    float *out = calloc(BATCH * length, sizeof *out);
    const float *rest = c.rows + 11 * BATCH * length;
    memset(c.weights, 0, sizeof c.weights);
    blend(&c, 4, false, rest, ct_kernels_best(), 1, out);
    CHECK(memcmp(out, rest, length * sizeof *out) == 0 && memcmp(out + 149 * length, rest, length * sizeof *out) == 0);

    for (int masked = 0; masked < 2; ++masked) {
        for (int i = 0; i < POSES * BATCH; ++i) c.weights[i] = masked;
        memset(c.masks, 0, sizeof c.masks);
        blend(&c, 4, masked, NULL, ct_kernels_best(), 1, out);
        for (size_t j = 0; j < JOINTS; ++j) {
            CHECK(out[j] == 1 && out[stride + j] == 0 && out[2 * stride + j] == 0 && out[3 * stride + j] == 0);
            for (size_t k = 4; k < 10; ++k) {
                double mean = 0;
                for (size_t i = 0; i < 4; ++i) mean += 0.25 * (double)c.rows[i * BATCH * length + k * stride + j];
                CHECK_NEAR(out[k * stride + j], mean, 2e-7);
            }
        }
    }
    free(out);
    free(c.rows);
}

// The hash is the same on every machine.
static void test_bits_depend_on_neither_level_nor_workers(void)
{
    static crowd c;
    uint64_t hash = HASH_START;
    for (int far = 0; far < 2; ++far) {
        make_crowd(&c, far ? 0 : 0.6);
        size_t size = BATCH * ct_row_length(c.layout);
        float *want = calloc(size, sizeof *want), *got = calloc(size, sizeof *got);
        for (size_t count = 1; count <= POSES; ++count) {
            for (int masked = 0; masked < 2; ++masked) {
                const float *rest = count % 2 ? c.rows : NULL;
                blend(&c, count, masked, rest, ct_kernels_of(CT_LEVEL_BASELINE), 1, want);
                hash = hash_floats(hash, size, want);
                FOR_EACH_LEVEL(kernels)
                {
                    for (int workers = 1; workers <= 3; ++workers) {
                        memset(got, 0, size * sizeof *got);
                        blend(&c, count, masked, rest, kernels, workers, got);
                        CHECK(memcmp(want, got, size * sizeof *got) == 0);
                    }
                }
            }
        }
        free(want);
        free(got);
        free(c.rows);
    }
    if (hash != 0x6ec8e1be7255bc35) printf("0x%llx\n", (unsigned long long)hash);
    CHECK(hash == 0x6ec8e1be7255bc35);
}

static void test_the_check_names_pose_and_joint(void)
{
    float masks[2][2] = {{0, 1}, {1, 1}};
    ct_blend_pose poses[2] = {{.mask = masks[0]}, {.mask = masks[1]}};
    ct_blend all = {ct_allocator_default(), 2, poses, true, NULL};
    ct_layout layout = ct_layout_of(2, false, false);
    ct_error error;
    CHECK(ct_blend_check_masks(&all, layout, &error) == CT_OK);
    const float bad[3] = {-1, NAN, 3e38f};
    const char *const messages[3] = {"the mask of pose 1 is negative at joint 0", "the mask of pose 1 is not finite at joint 0",
                                     "the mask of pose 1 is too large to add up at joint 0"};
    for (int i = 0; i < 3; ++i) {
        masks[1][0] = bad[i];
        CHECK(ct_blend_check_masks(&all, layout, &error) == CT_BAD_VALUE && strcmp(error.message, messages[i]) == 0);
    }
    all.masked = false;
    CHECK(ct_blend_check_masks(&all, layout, &error) == CT_OK);
}

// The parts of the blend at `at` of the batch.
static void take_parts(const crowd *c, size_t count, size_t at, bool masked, ct_blend_part *parts)
{
    for (size_t i = 0; i < count; ++i) {
        parts[i] = (ct_blend_part){c->poses[i].rows + at * c->poses[i].row_step, c->poses[i].weights[at], masked ? c->poses[i].mask : NULL};
    }
}

static void test_a_frame_is_one_of_the_batch(void)
{
    static crowd c;
    make_crowd(&c, 0.6);
    size_t length = ct_row_length(c.layout);
    float *want = calloc(BATCH * length, sizeof *want), *got = calloc(length, sizeof *got);
    for (size_t count = 1; count <= POSES; ++count) {
        // 0: all; 1: only the last; 2: none; 3: all but the first.
        for (int without = 0; without < 4; ++without) {
            for (size_t i = 0; i < count; ++i) {
                bool weighs = without == 0 || (without == 1 && i == count - 1) || (without == 3 && i > 0);
                c.weights[i * BATCH + 7] = weighs ? 0.1 + (double)i : 0;
            }
            for (int masked = 0; masked < 2; ++masked) {
                const float *rest = count % 2 ? c.rows + 3 * length : NULL;
                ct_blend_part parts[POSES];
                blend(&c, count, masked, rest, ct_kernels_best(), 1, want);
                take_parts(&c, count, 7, masked, parts);
                ct_blend_frame(ct_kernels_best(), c.layout, count, parts, rest, got);
                CHECK(memcmp(got, want + 7 * length, length * sizeof *got) == 0);
            }
        }
    }
    free(want);
    free(got);
    free(c.rows);
}

// As in a player that blends into the pose it already holds.
static void test_a_frame_may_be_written_over_one_of_its_rows(void)
{
    for (int far = 0; far < 2; ++far) {
        static crowd c;
        make_crowd(&c, far ? 0 : 0.25);
        size_t length = ct_row_length(c.layout);
        float *want = calloc(length, sizeof *want), *over = calloc(length, sizeof *over), *rest = calloc(length, sizeof *rest);
        for (size_t count = 1; count <= POSES; ++count) {
            for (size_t replaced = 0; replaced <= count; ++replaced) { // by `over`; the last one is the rest
                for (int masked = 0; masked < 2; ++masked) {
                    ct_blend_part parts[POSES];
                    memcpy(rest, c.rows, length * sizeof *rest);
                    take_parts(&c, count, 0, masked, parts);
                    ct_blend_frame(ct_kernels_best(), c.layout, count, parts, rest, want);

                    take_parts(&c, count, 0, masked, parts);
                    memcpy(over, replaced < count ? parts[replaced].row : rest, length * sizeof *over);
                    if (replaced < count) parts[replaced].row = over;
                    ct_blend_frame(ct_kernels_best(), c.layout, count, parts, replaced < count ? rest : over, over);
                    CHECK(memcmp(over, want, length * sizeof *over) == 0);
                }
            }
        }
        free(want);
        free(over);
        free(rest);
        free(c.rows);
    }
}

static void test_sums_of_weights_may_be_of_any_size(void)
{
    static crowd c;
    make_crowd(&c, 0.25);
    size_t length = ct_row_length(c.layout);
    float *want = calloc(length, sizeof *want), *got = calloc(length, sizeof *got);
    const double sizes[5] = {1, 3, 0x1p1022, 1e-300, 0x1p-1070};
    for (int i = 0; i < 5; ++i) {
        ct_blend_part parts[4];
        take_parts(&c, 4, 0, false, parts);
        for (int k = 0; k < 4; ++k) parts[k].weight = sizes[i] * (k == 3 ? 3 : 1);
        ct_blend_frame(ct_kernels_best(), c.layout, 4, parts, NULL, i == 0 ? want : got);
        CHECK_NEAR(parts[3].weight, 0.5, 1e-12);
        CHECK(i == 0 || memcmp(got, want, length * sizeof *got) == 0);
    }
    free(want);
    free(got);
    free(c.rows);
}

static void test_a_call_allocates_at_most_once(void)
{
    static crowd c;
    make_crowd(&c, 0);
    float *out = calloc(BATCH * ct_row_length(c.layout), sizeof *out);
    failing_allocator f = {.fail_at = 1};
    ct_blend all = {failing_allocator_use(&f), 8, c.poses, false, NULL};
    ct_error error = {0};
    CHECK(ct_blend_poses(&all, ct_kernels_best(), 2, NULL, (ct_poses){c.layout, BATCH, out}, &error) == CT_OK);
    CHECK(f.calls == 0);

    all.pose_count = 9;
    CHECK(ct_blend_poses(&all, ct_kernels_best(), 2, NULL, (ct_poses){c.layout, BATCH, out}, &error) == CT_OUT_OF_MEMORY);
    CHECK(error.code == CT_OUT_OF_MEMORY);
    CHECK(ct_blend_poses(&all, ct_kernels_best(), 2, NULL, (ct_poses){c.layout, BATCH, out}, &error) == CT_OK);
    CHECK(f.calls == 2 && f.live == 0);
    free(out);
    free(c.rows);
}

int main(void)
{
    test_near_poses_are_the_weighted_sum_made_unit();
    test_a_pose_alone_keeps_its_bits();
    test_without_weight_the_rest_pose_shows();
    test_bits_depend_on_neither_level_nor_workers();
    test_the_check_names_pose_and_joint();
    test_a_frame_is_one_of_the_batch();
    test_a_frame_may_be_written_over_one_of_its_rows();
    test_sums_of_weights_may_be_of_any_size();
    test_a_call_allocates_at_most_once();
    return check_report();
}
