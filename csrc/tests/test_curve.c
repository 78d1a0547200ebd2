// Curves: checked, sampled like the poses, resampled, blended.
#include "curve.h"
#include "made_up.h"

static ct_error error;

static void test_rotations_are_made_unit_and_continuous(void)
{
    float q[] = {1.002f, 0, 0, 0, -0.8f, -0.6f, 0, 0, 0.6f, 0.8f, 0, 0};
    CHECK(ct_curve_finish(3, 4, q, &error) == CT_OK);
    CHECK_NEAR(q[0], 1, 1e-7);
    CHECK(q[4] == 0.8f && q[5] == 0.6f && q[8] == 0.6f);
    float again[12];
    memcpy(again, q, sizeof q);
    CHECK(ct_curve_finish(3, 4, again, &error) == CT_OK && memcmp(again, q, sizeof q) == 0);
}

static void test_bad_numbers_are_refused_with_their_frame(void)
{
    float vectors[] = {0, 1, 2, 3, 4, NAN}, zero[] = {1, 0, 0, 0, 0, 0, 0, 0}, color[] = {1, 0.5f, 0.5f, 1};
    CHECK(ct_curve_finish(2, 3, vectors, &error) == CT_BAD_VALUE && error.frame == 1);
    CHECK(ct_curve_finish(2, 4, zero, &error) == CT_BAD_VALUE && error.frame == 1);
    CHECK(ct_curve_finish(1, 4, color, &error) == CT_BAD_VALUE && error.frame == 0);
    CHECK(ct_curve_finish(0, 4, NULL, &error) == CT_OK);
}

static void test_curves_are_sampled_by_the_rules_of_the_poses(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_motion(skeleton, 4, 0.5, true, false, 0.2); // the last frame leads back to the first: a period of 2 s
    const float values[] = {0, 10, 1, 20, 2, 30, 6, 40};
    float at[2];
    ct_curve_sample(clip, CT_CLAMP, 2, values, 0.75, at);
    CHECK(at[0] == 1.5f && at[1] == 25);
    ct_curve_sample(clip, CT_CLAMP, 2, values, 9, at);
    CHECK(at[0] == 6 && at[1] == 40);
    ct_curve_sample(clip, CT_LOOP, 2, values, -0.25, at);
    CHECK(at[0] == 3 && at[1] == 25);
    ct_curve_sample(clip, CT_LOOP, 2, values, 0.5 + 4e-7, at); // a frame within 1e-6 of its span
    CHECK(at[0] == 1 && at[1] == 20);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_rotations_go_the_short_way_round_the_seam(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_motion(skeleton, 3, 1, true, false, 0.2);
    // Three thirds of a turn: continuous signs end on the other side of the beginning.
    float q[12], at[4];
    for (size_t i = 0; i < 3; ++i) {
        double angle = 2.0943951023931953 * (double)i;
        q[4 * i] = (float)cos(angle / 2), q[4 * i + 1] = 0, q[4 * i + 2] = (float)sin(angle / 2), q[4 * i + 3] = 0;
    }
    CHECK(ct_curve_finish(3, 4, q, &error) == CT_OK);
    ct_curve_sample(clip, CT_LOOP, 4, q, 2.5, at); // at 300 degrees
    CHECK_NEAR(at[0] * at[0], 0.75, 1e-6);
    CHECK_NEAR(at[2] * at[2], 0.25, 1e-6);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_resampling_keeps_true_time_and_the_seam(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_motion(skeleton, 4, 0.5, true, false, 0.2), *finer;
    const float values[] = {0, 1, 2, 6};
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 4, CT_SLERP, &finer, &error) == CT_OK);
    float out[8];
    CHECK(finer->frame_count == 8);
    ct_curve_resample(clip, 1, values, finer, out);
    const float want[] = {0, 0.5f, 1, 1.5f, 2, 4, 6, 3};
    CHECK(memcmp(out, want, sizeof want) == 0);
    ct_clip_destroy(finer);

    memcpy(ct_clip_row(clip, 3), clip->rows, ct_row_length(clip->layout) * sizeof(float)); // now the last repeats the first
    finish(clip);
    CHECK(clip->last_repeats_first);
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 4, CT_SLERP, &finer, &error) == CT_OK);
    CHECK(finer->frame_count == 7);
    ct_curve_resample(clip, 1, values, finer, out);
    const float travelled[] = {0, 0.5f, 1, 1.5f, 2, 4, 6};
    CHECK(memcmp(out, travelled, sizeof travelled) == 0);
    ct_clip_destroy(finer);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_curves_blend_by_weight(void)
{
    ct_allocator allocator = ct_allocator_default();
    const ct_kernels *kernels = ct_kernels_best();
    float out[4];
    CHECK(ct_curve_blend(&allocator, kernels, 2, 2, (float[]){0, 1, 4, 5}, (double[]){0.3, 0.1}, out, &error) == CT_OK);
    CHECK_NEAR(out[0], 1, 1e-6);
    CHECK_NEAR(out[1], 2, 1e-6);
    // q and -q are one rotation.
    const float q[] = {1, 0, 0, 0, -0.6f, 0, -0.8f, 0};
    CHECK(ct_curve_blend(&allocator, kernels, 4, 2, q, (double[]){0.5, 0.5}, out, &error) == CT_OK);
    CHECK_NEAR(out[0], 0.8944272, 1e-6);
    CHECK_NEAR(out[2], 0.4472136, 1e-6);
    CHECK(ct_curve_blend(&allocator, kernels, 4, 1, q + 4, (double[]){0.25}, out, &error) == CT_OK);
    CHECK(fabsf(out[0]) == 0.6f && fabsf(out[2]) == 0.8f);
}

int main(void)
{
    test_rotations_are_made_unit_and_continuous();
    test_bad_numbers_are_refused_with_their_frame();
    test_curves_are_sampled_by_the_rules_of_the_poses();
    test_rotations_go_the_short_way_round_the_seam();
    test_resampling_keeps_true_time_and_the_seam();
    test_curves_blend_by_weight();
    return check_report();
}
