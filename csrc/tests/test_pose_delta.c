// Deltas: measured on either side, added with any weight, against plain doubles.
#include "made_up.h"
#include "pose_delta.h"
#include "row.h"

enum { JOINTS = 21, FRAMES = 5, LENGTH = CT_COMPONENTS_SCALE * 2 * CT_LANES };

static const ct_delta_side SIDES[] = {CT_SIDE_LOCAL, CT_SIDE_PARENT};

// Poses with scales, references far from them, and what the poses have beside these.
typedef struct set {
    ct_skeleton *skeleton;
    ct_clip *clip, *references;
    ct_poses poses;
    float rows[FRAMES * LENGTH];
    ct_pose_deltas deltas;
} set;

static ct_poses poses_of(const ct_clip *clip) { return (ct_poses){clip->layout, clip->frame_count, clip->rows}; }

static void make(set *s, const ct_kernels *kernels, ct_delta_side side)
{
    s->skeleton = made_up_tree(JOINTS);
    s->clip = made_up_motion(s->skeleton, FRAMES, 0.1, false, true, 0.1);
    s->references = made_up_motion(s->skeleton, FRAMES, 0.1, false, true, -0.07);
    s->poses = poses_of(s->clip);
    s->deltas = (ct_pose_deltas){side, s->clip->layout, FRAMES, s->rows};
    ct_error error;
    CHECK(ct_pose_difference(kernels, s->poses, poses_of(s->references), s->deltas, &error) == CT_OK);
}

static void destroy(set *s)
{
    ct_clip_destroy(s->clip);
    ct_clip_destroy(s->references);
    ct_skeleton_destroy(s->skeleton);
}

static const float *row_of(ct_poses poses, size_t i) { return poses.rows + i * ct_row_length(poses.layout); }

static ct_pose_deltas delta_at(const set *s, size_t i)
{
    return (ct_pose_deltas){s->deltas.side, s->deltas.layout, 1, s->deltas.rows + i * ct_row_length(s->deltas.layout)};
}

static double largest_difference(ct_layout layout, const float *a, const float *b)
{
    double largest = 0;
    for (size_t j = 0; j < layout.joint_count; ++j) {
        ct_quaternion p = ct_row_rotation(layout, a, j), q = ct_row_rotation(layout, b, j);
        double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1 : 1;
        for (size_t c = 0; c < layout.component_count; ++c) {
            double factor = c < CT_COMPONENTS_ROTATION ? sign : 1, x = (double)a[c * layout.stride + j];
            largest = fmax(largest, fabs(x - factor * (double)b[c * layout.stride + j]));
        }
    }
    return largest;
}

// What pose_delta.h says, in doubles: for one turn, and for one ratio.
static ct_quaternion turn_in_double(ct_quaternion d, double t)
{
    if (d.w < 0) d = (ct_quaternion){-d.w, -d.x, -d.y, -d.z};
    double a = fabs(t), sign = t < 0 ? -1 : 1;
    if (a <= 1) return ct_quaternion_normalize((ct_quaternion){1 - a + a * d.w, t * d.x, t * d.y, t * d.z});
    double sine = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), half = a * atan2(sine, d.w), factor = sine == 0 ? 0 : sign * sin(half) / sine;
    return (ct_quaternion){cos(half), factor * d.x, factor * d.y, factor * d.z};
}

static double ratio_in_double(double ratio, double t)
{
    double a = fabs(t), part = a <= 1 ? 1 - a + a * ratio : pow(ratio, a);
    return t < 0 ? 1 / part : part;
}

static void add_in_double(ct_layout layout, const float *base, ct_pose_deltas delta, double weight, const float *mask, float *out)
{
    memcpy(out, base, ct_row_length(layout) * sizeof *out);
    for (size_t j = 0; j < layout.joint_count; ++j) {
        double t = mask ? weight * (double)mask[j] : weight;
        ct_quaternion turn = turn_in_double(ct_row_rotation(layout, delta.rows, j), t), b = ct_row_rotation(layout, base, j);
        bool left = delta.side == CT_SIDE_PARENT;
        ct_row_set_rotation(layout, out, j, left ? ct_quaternion_multiply(turn, b) : ct_quaternion_multiply(b, turn));
        for (size_t c = CT_TRANSLATION; c < delta.layout.component_count; ++c) {
            size_t i = c * layout.stride + j;
            double d = (double)delta.rows[i], from = (double)base[i];
            out[i] = (float)(c < CT_SCALE ? from + t * d : from * ratio_in_double(d, t));
        }
    }
}

static void write_mask(float *mask)
{
    for (size_t j = 0; j < 2 * CT_LANES; ++j) mask[j] = j % 3 == 0 ? 0 : j % 3 == 1 ? 0.4f : 1;
}

static void test_a_whole_delta_leads_from_the_reference_to_the_pose(void)
{
    FOR_EACH_LEVEL(kernels)
    {
        for (size_t side = 0; side < 2; ++side) {
            set s;
            make(&s, kernels, SIDES[side]);
            for (size_t i = 0; i < FRAMES; ++i) {
                float out[LENGTH];
                ct_pose_add(kernels, s.poses.layout, row_of(poses_of(s.references), i), delta_at(&s, i), 1, NULL, out);
                CHECK(largest_difference(s.poses.layout, out, row_of(s.poses, i)) < 1e-6);
                for (size_t j = 0; j < 2 * CT_LANES; ++j) CHECK(delta_at(&s, i).rows[j] >= 0); // w
            }
            destroy(&s);
        }
    }
}

static void test_every_weight_gives_what_doubles_give(void)
{
    static const double weights[] = {-1000, -2.5, -1, -0.3, 0, 1e-3, 0.5, 1, 1.7, 4};
    float mask[2 * CT_LANES];
    write_mask(mask);
    FOR_EACH_LEVEL(kernels)
    {
        for (size_t k = 0; k < 2 * 2 * sizeof weights / sizeof *weights; ++k) {
            double weight = weights[k / 4];
            const float *masked = k % 2 ? mask : NULL;
            set s;
            make(&s, kernels, SIDES[k / 2 % 2]);
            float out[LENGTH], expected[LENGTH];
            const float *base = row_of(s.poses, 2);
            if (fabs(weight) > 100) s.deltas.layout = ct_layout_of(JOINTS, true, false); // ratios to that power are out of range
            ct_pose_deltas delta = delta_at(&s, 0);
            add_in_double(s.poses.layout, base, delta, weight, masked, expected);
            ct_pose_add(kernels, s.poses.layout, base, delta, weight, masked, out);
            CHECK_NEAR(largest_difference(s.poses.layout, out, expected), 0, 2e-6 * fmax(1, fabs(weight)));
            destroy(&s);
        }
    }
}

static void test_minus_a_weight_undoes_it(void)
{
    static const double weights[] = {0.3, 1, 2.5};
    FOR_EACH_LEVEL(kernels)
    {
        for (size_t k = 0; k < 6; ++k) {
            set s;
            make(&s, kernels, SIDES[k % 2]);
            float out[LENGTH];
            const float *base = row_of(s.poses, 1);
            ct_pose_add(kernels, s.poses.layout, base, delta_at(&s, 3), weights[k / 2], NULL, out);
            CHECK(largest_difference(s.poses.layout, out, base) > 0.1);
            ct_pose_add(kernels, s.poses.layout, out, delta_at(&s, 3), -weights[k / 2], NULL, out); // in place
            CHECK(largest_difference(s.poses.layout, out, base) < 4e-6);
            destroy(&s);
        }
    }
}

static void test_nothing_added_keeps_the_bits(void)
{
    const float zeros[2 * CT_LANES] = {0};
    float mask[2 * CT_LANES];
    write_mask(mask);
    FOR_EACH_LEVEL(kernels)
    {
        set s;
        make(&s, kernels, CT_SIDE_LOCAL);
        const ct_layout layout = s.poses.layout;
        float base[LENGTH], out[LENGTH];
        memcpy(base, row_of(s.poses, 0), sizeof base);
        for (size_t i = 0; i < LENGTH; i += 5) base[i] = -0.0f;
        ct_pose_add(kernels, layout, base, delta_at(&s, 4), 0, NULL, out);
        CHECK(memcmp(out, base, sizeof base) == 0);
        ct_pose_add(kernels, layout, base, delta_at(&s, 4), 1, zeros, out);
        CHECK(memcmp(out, base, sizeof base) == 0);
        for (int weight = -2; weight <= 2; ++weight) {
            ct_pose_add(kernels, layout, base, delta_at(&s, 4), weight, mask, out);
            for (size_t i = 0; i < LENGTH; ++i) CHECK(mask[i % layout.stride] != 0 || memcmp(out + i, base + i, sizeof *out) == 0);
        }
        destroy(&s);
    }
}

static void test_what_a_delta_lacks_stays(void)
{
    FOR_EACH_LEVEL(kernels)
    {
        set s;
        make(&s, kernels, CT_SIDE_PARENT);
        const ct_layout layout = s.poses.layout;
        const size_t shared = CT_COMPONENTS_ROTATION * layout.stride;
        float whole[LENGTH], out[LENGTH];
        ct_pose_deltas delta = delta_at(&s, 1);
        ct_pose_add(kernels, layout, row_of(s.poses, 2), delta, 0.5, NULL, whole);
        delta.layout = ct_layout_of(JOINTS, false, false);
        ct_pose_add(kernels, layout, row_of(s.poses, 2), delta, 0.5, NULL, out);
        CHECK(memcmp(out, whole, shared * sizeof *out) == 0);
        CHECK(memcmp(out + shared, row_of(s.poses, 2) + shared, (ct_row_length(layout) - shared) * sizeof *out) == 0);
        destroy(&s);
    }
}

static void test_padding_stays_identities(void)
{
    FOR_EACH_LEVEL(kernels)
    {
        set s;
        make(&s, kernels, CT_SIDE_LOCAL);
        const ct_layout layout = s.poses.layout;
        float out[LENGTH];
        for (int weight = -3; weight <= 3; ++weight) {
            ct_pose_add(kernels, layout, row_of(s.poses, 2), delta_at(&s, 0), weight, NULL, out);
            for (size_t c = 0; c < layout.component_count; ++c) {
                for (size_t j = JOINTS; j < layout.stride; ++j) CHECK(out[c * layout.stride + j] == (c == 0 || c >= CT_SCALE));
            }
        }
        destroy(&s);
    }
}

// A pose beside itself: the identity, exactly.
static void test_a_pose_has_nothing_beside_itself(void)
{
    set s;
    make(&s, ct_kernels_best(), CT_SIDE_LOCAL);
    ct_error error;
    CHECK(ct_pose_difference(ct_kernels_best(), s.poses, s.poses, s.deltas, &error) == CT_OK);
    for (size_t i = 0; i < FRAMES; ++i) {
        for (size_t k = 0; k < ct_row_length(s.deltas.layout); ++k) {
            size_t component = k / s.deltas.layout.stride;
            CHECK(delta_at(&s, i).rows[k] == (component == 0 || component >= CT_SCALE));
        }
    }
    destroy(&s);
}

static void test_scales_without_a_ratio_are_refused(void)
{
    static const struct {
        float pose, reference;
        const char *part;
    } bad[] = {{0, 1, "is 0 in the pose"}, {1, 0, "is 0 in the reference"}, {-1, 2, "differs in sign"}, {1e30f, 1e-30f, "too far"}};
    set s;
    make(&s, ct_kernels_best(), CT_SIDE_LOCAL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        *clip_at(s.clip, 3, CT_SCALE + 1, 7) = bad[i].pose;
        *clip_at(s.references, 3, CT_SCALE + 1, 7) = bad[i].reference;
        ct_error error;
        CHECK(ct_pose_difference(ct_kernels_best(), s.poses, poses_of(s.references), s.deltas, &error) == CT_BAD_VALUE);
        CHECK(error.joint == 7 && strstr(error.message, bad[i].part) && strstr(error.message, "pose 3: the y scale of joint 7"));
    }
    destroy(&s);
}

static void test_batches_are_the_same_one_by_one_at_every_level_with_any_workers(void)
{
    static const uint64_t want = 0xb4621b10ab7fc998; // on every platform
    enum { COUNT = 300 };
    static float rows[COUNT * LENGTH];
    double weights[COUNT];
    float mask[2 * CT_LANES];
    write_mask(mask);
    for (size_t i = 0; i < COUNT; ++i) weights[i] = (double)i / 100 - 1;

    FOR_EACH_LEVEL(kernels)
    {
        set s;
        make(&s, kernels, CT_SIDE_PARENT);
        ct_poses base = {s.poses.layout, 1, s.poses.rows}, out = {s.poses.layout, COUNT, rows};
        for (int workers = 1; workers <= 3; ++workers) {
            CHECK(ct_poses_add(kernels, base, delta_at(&s, 3), COUNT, weights, mask, workers, NULL, out) == CT_OK);
            uint64_t found = hash_floats(HASH_START, COUNT * ct_row_length(out.layout), rows);
            CHECK(found == want);
            if (found != want) printf("%s, %d workers: %016llx\n", kernels->level, workers, (unsigned long long)found);
        }
        float one[LENGTH];
        for (size_t i = 0; i < COUNT; ++i) {
            ct_pose_add(kernels, base.layout, base.rows, delta_at(&s, 3), weights[i], mask, one);
            CHECK(memcmp(one, row_of(out, i), sizeof one) == 0);
        }
        destroy(&s);
    }
}

int main(void)
{
    test_a_whole_delta_leads_from_the_reference_to_the_pose();
    test_every_weight_gives_what_doubles_give();
    test_minus_a_weight_undoes_it();
    test_nothing_added_keeps_the_bits();
    test_what_a_delta_lacks_stays();
    test_padding_stays_identities();
    test_a_pose_has_nothing_beside_itself();
    test_scales_without_a_ratio_are_refused();
    test_batches_are_the_same_one_by_one_at_every_level_with_any_workers();
    return check_report();
}
