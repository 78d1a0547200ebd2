// Clips: what is checked when one is made, where its frames stand in time, and what its parts are.
#include "made_up.h"

static ct_error error;

static void test_a_bad_number_is_refused_with_its_joint_and_frame(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = made_up_clip(skeleton, 5, 0.1, false, true);

    for (size_t c = 0; c < 4; ++c) *clip_at(clip, 3, c, 2) = 0;
    CHECK(ct_clip_finish(clip, &error) == CT_BAD_VALUE && error.joint == 2 && error.frame == 3);
    CHECK(strstr(error.message, "joint 2") && strstr(error.message, "frame 3") && strstr(error.message, "zero"));
    set_rotation(clip, 3, 2, 1, 0, 0, 0);

    *clip_at(clip, 4, 1, 0) = (float)NAN;
    CHECK(ct_clip_finish(clip, &error) == CT_BAD_VALUE && error.joint == 0 && error.frame == 4);
    *clip_at(clip, 4, 1, 0) = 0;
    *clip_at(clip, 0, CT_TRANSLATION + 1, 1) = (float)INFINITY;
    CHECK(ct_clip_finish(clip, &error) == CT_BAD_VALUE && error.joint == 1 && error.frame == 0 && strstr(error.message, "translation"));
    *clip_at(clip, 0, CT_TRANSLATION + 1, 1) = 0;
    *clip_at(clip, 1, CT_SCALE, 1) = -(float)INFINITY;
    CHECK(ct_clip_finish(clip, &error) == CT_BAD_VALUE && strstr(error.message, "scale"));
    *clip_at(clip, 1, CT_SCALE, 1) = 1;
    CHECK(ct_clip_finish(clip, &error) == CT_OK);

    ct_clip_destroy(clip);
    double bad[] = {0, -1, NAN, INFINITY};
    ct_allocator allocator = ct_allocator_default();
    for (size_t i = 0; i < 4; ++i) CHECK(ct_clip_create(&allocator, skeleton, 1, bad[i], false, false, &clip, &error) == CT_BAD_VALUE);
    ct_skeleton_destroy(skeleton);
}

static void test_rotations_become_unit_and_stay_on_one_side(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_clip(skeleton, 3, 0.1, false, false);
    float turned[3][4] = {{-2, 0, 0, 0}, {0.6f, 0, 0, 0.8f}, {-0.6f, 0, 0, -0.8f}};
    for (size_t i = 0; i < 3; ++i) {
        for (size_t c = 0; c < 4; ++c) *clip_at(clip, i, c, 1) = turned[i][c];
    }
    finish(clip);
    CHECK(*clip_at(clip, 0, 0, 1) == -1);
    for (size_t i = 1; i < 3; ++i) CHECK(*clip_at(clip, i, 0, 1) == -0.6f && *clip_at(clip, i, 3, 1) == -0.8f);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_clip_knows_which_joints_keep_their_place(void)
{
    ct_skeleton *skeleton = made_up_tree(40);
    ct_clip *clip = made_up_clip(skeleton, 4, 0.1, false, true);
    for (size_t i = 0; i < 4; ++i) *clip_at(clip, i, CT_TRANSLATION + 1, 39) = 7;
    finish(clip);
    CHECK(clip->moving_count == 0);
    *clip_at(clip, 2, CT_TRANSLATION, 0) = 1;
    finish(clip);
    CHECK(clip->moving_count == CT_LANES);
    *clip_at(clip, 3, CT_SCALE + 2, 16) = 2;
    finish(clip);
    CHECK(clip->moving_count == 2 * CT_LANES);
    *clip_at(clip, 1, CT_TRANSLATION + 1, 39) = 8;
    finish(clip);
    CHECK(clip->moving_count == 3 * CT_LANES);
    *clip_at(clip, 1, CT_TRANSLATION + 1, 39) = 7;
    finish(clip);
    CHECK(clip->moving_count == 2 * CT_LANES);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_the_period_has_one_more_interval_unless_the_last_frame_repeats_the_first(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = made_up_motion(skeleton, 5, 0.5, true, false, 0.1);
    CHECK(!clip->last_repeats_first);
    CHECK_NEAR(ct_clip_duration(clip), 2.0, 0);
    CHECK_NEAR(ct_clip_period(clip), 2.5, 0);

    size_t length = ct_row_length(clip->layout);
    memcpy(clip->rows + 4 * length, clip->rows, length * sizeof(float));
    *clip_at(clip, 4, CT_TRANSLATION, 0) += 3; // walked on
    for (size_t c = 0; c < 4; ++c) *clip_at(clip, 4, c, 1) *= -1;
    finish(clip);
    CHECK(clip->last_repeats_first);
    CHECK_NEAR(ct_clip_period(clip), 2.0, 0);

    *clip_at(clip, 4, CT_TRANSLATION + 1, 0) += 0.1f; // but not up
    finish(clip);
    CHECK(!clip->last_repeats_first);
    *clip_at(clip, 4, CT_TRANSLATION + 1, 0) = *clip_at(clip, 0, CT_TRANSLATION + 1, 0);
    *clip_at(clip, 4, 1, 2) += 2e-4f; // 4e-4 rad
    finish(clip);
    CHECK(!clip->last_repeats_first);

    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_slice_has_the_frames_in_its_order_and_time(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = made_up_motion(skeleton, 10, 0.25, true, true, 0.1), *slice;
    size_t length = ct_row_length(clip->layout) * sizeof(float);

    CHECK(ct_clip_slice(clip, 8, -3, 3, &slice, &error) == CT_OK);
    CHECK(slice->frame_count == 3 && slice->frame_time == 0.75 && !slice->looping);
    for (size_t i = 0; i < 3; ++i) CHECK(memcmp(clip_at(slice, i, 0, 0), clip_at(clip, 8 - 3 * i, 0, 0), length) == 0);
    ct_clip_destroy(slice);

    CHECK(ct_clip_slice(clip, 1, 2, 5, &slice, &error) == CT_OK);
    CHECK(slice->looping && ct_clip_period(slice) == ct_clip_period(clip)); // every other frame of a whole loop
    ct_clip_destroy(slice);
    CHECK(ct_clip_slice(clip, 9, -1, 10, &slice, &error) == CT_OK && slice->looping);
    ct_clip_destroy(slice);
    CHECK(ct_clip_slice(clip, 4, 1, 0, &slice, &error) == CT_OK && slice->frame_count == 0 && ct_clip_duration(slice) == 0);
    ct_clip_destroy(slice);

    CHECK(ct_clip_slice(clip, 0, 0, 1, &slice, &error) == CT_BAD_VALUE);
    CHECK(ct_clip_slice(clip, 0, 3, 5, &slice, &error) == CT_BAD_INDEX);
    CHECK(ct_clip_slice(clip, 10, 1, 1, &slice, &error) == CT_BAD_INDEX);
    CHECK(ct_clip_slice(clip, 2, PTRDIFF_MIN, 2, &slice, &error) == CT_BAD_INDEX);

    // When the last frame is the first again, both ends belong to the loop.
    ct_clip *closed;
    CHECK(ct_clip_slice(clip, 0, 1, 9, &closed, &error) == CT_OK && !closed->looping);
    memcpy(clip_at(closed, 8, 0, 0), closed->rows, length);
    closed->looping = true;
    finish(closed);
    CHECK(ct_clip_slice(closed, 0, 2, 5, &slice, &error) == CT_OK && slice->looping);
    CHECK(ct_clip_period(slice) == ct_clip_period(closed));
    ct_clip_destroy(slice);
    CHECK(ct_clip_slice(closed, 0, 1, 8, &slice, &error) == CT_OK && !slice->looping);
    ct_clip_destroy(slice);
    ct_clip_destroy(closed);

    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_resampling_100_to_30_fps_uses_true_time(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_clip(skeleton, 201, 0.01, false, false), *slower;
    for (size_t i = 0; i < 201; ++i) *clip_at(clip, i, CT_TRANSLATION, 1) = (float)i * 0.01f; // x is the time
    finish(clip);
    FOR_EACH_LEVEL(kernels)
    {
        CHECK(ct_clip_resample(clip, kernels, 30, CT_NLERP, &slower, &error) == CT_OK);
        CHECK(slower->frame_count == 61 && slower->frame_time == 1.0 / 30);
        for (size_t i = 0; i < slower->frame_count; ++i) CHECK_NEAR(*clip_at(slower, i, CT_TRANSLATION, 1), (double)i / 30, 3e-7);
        ct_clip_destroy(slower);
    }
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 0, CT_NLERP, &slower, &error) == CT_BAD_VALUE);
    CHECK(ct_clip_resample(clip, ct_kernels_best(), NAN, CT_NLERP, &slower, &error) == CT_BAD_VALUE);
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 1e300, CT_NLERP, &slower, &error) == CT_OUT_OF_MEMORY);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_resampled_loop_keeps_its_period(void)
{
    ct_skeleton *skeleton = made_up_tree(2);
    ct_clip *clip = made_up_motion(skeleton, 10, 0.1, true, false, 0.1), *slower;
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 7.3, CT_NLERP, &slower, &error) == CT_OK);
    CHECK(slower->looping && slower->frame_count == 7);
    CHECK_NEAR(ct_clip_period(slower), ct_clip_period(clip), 1e-15);
    ct_clip_destroy(slower);

    size_t length = ct_row_length(clip->layout);
    memcpy(clip->rows + 9 * length, clip->rows, length * sizeof(float));
    *clip_at(clip, 9, CT_TRANSLATION, 0) += 1;
    finish(clip);
    CHECK(ct_clip_resample(clip, ct_kernels_best(), 7.3, CT_NLERP, &slower, &error) == CT_OK);
    CHECK(slower->last_repeats_first && slower->frame_count == 8);
    CHECK_NEAR(ct_clip_period(slower), ct_clip_period(clip), 1e-15);
    CHECK(memcmp(clip_at(slower, 7, 0, 0), clip_at(clip, 9, 0, 0), length * sizeof(float)) == 0);
    ct_clip_destroy(slower);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_a_bad_number_is_refused_with_its_joint_and_frame();
    test_rotations_become_unit_and_stay_on_one_side();
    test_a_clip_knows_which_joints_keep_their_place();
    test_the_period_has_one_more_interval_unless_the_last_frame_repeats_the_first();
    test_a_slice_has_the_frames_in_its_order_and_time();
    test_resampling_100_to_30_fps_uses_true_time();
    test_a_resampled_loop_keeps_its_period();
    return check_report();
}
