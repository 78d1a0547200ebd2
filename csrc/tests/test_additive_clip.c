// Additive clips: the deltas of a clip's frames, in its time.
#include "additive_clip.h"
#include "made_up.h"

enum { JOINTS = 21, FRAMES = 6, LENGTH = CT_COMPONENTS_SCALE * 2 * CT_LANES };

static ct_additive_clip make(const ct_clip *clip, size_t reference, ct_delta_side side)
{
    ct_additive_clip additive;
    ct_error error;
    CHECK(ct_additive_clip_create(clip, ct_kernels_best(), (ct_poses){clip->layout, 1, ct_clip_row(clip, reference)}, side, &additive,
                                  &error) == CT_OK);
    return additive;
}

static ct_pose_deltas sample(const ct_additive_clip *clip, double time, ct_interpolation how, float *row)
{
    ct_pose_deltas out = {clip->side, clip->frames->layout, 1, row};
    CHECK(ct_additive_clip_sample(clip, ct_kernels_best(), &time, how, CT_CLAMP, 1, NULL, out) == CT_OK);
    return out;
}

static void test_each_frame_added_to_the_reference_is_the_frame_again(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    for (int scales = 0; scales < 2; ++scales) {
        ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, scales, 0.1);
        for (int side = CT_SIDE_LOCAL; side <= CT_SIDE_PARENT; ++side) {
            ct_additive_clip additive = make(clip, 2, (ct_delta_side)side);
            for (size_t i = 0; i < FRAMES; ++i) {
                float row[LENGTH], out[LENGTH];
                ct_pose_deltas delta = sample(&additive, (double)i * 0.1, CT_CUBIC, row);
                ct_pose_add(ct_kernels_best(), clip->layout, ct_clip_row(clip, 2), delta, 1, NULL, out);
                for (size_t k = 0; k < ct_row_length(clip->layout); ++k) {
                    double expected = (double)ct_clip_row(clip, i)[k];
                    double got = k / clip->layout.stride < CT_COMPONENTS_ROTATION ? fabs((double)out[k]) : (double)out[k];
                    CHECK_NEAR(got, k / clip->layout.stride < CT_COMPONENTS_ROTATION ? fabs(expected) : expected, 2e-6);
                }
            }
            ct_additive_clip_destroy(&additive);
        }
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

// Differences alone would not tell whether a clip ends where it began: here nothing but a joint's place does, by a little of the body's
// size.
static void test_time_is_that_of_the_clip(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    for (int repeats = 0; repeats < 2; ++repeats) {
        ct_clip *clip = made_up_clip(skeleton, FRAMES, 0.1, true, false);
        for (size_t i = 0; i < FRAMES; ++i) {
            for (size_t j = 0; j < JOINTS; ++j) *clip_at(clip, i, CT_TRANSLATION, j) = 1;
            *clip_at(clip, i, CT_TRANSLATION + 1, 3) = (float)(i % (FRAMES - 1)) * 0.1f + (i == FRAMES - 1 ? (repeats ? 1e-5f : 0.1f) : 0);
        }
        finish(clip);
        CHECK(clip->last_repeats_first == (repeats == 1));
        ct_additive_clip additive = make(clip, 0, CT_SIDE_LOCAL);
        CHECK(ct_clip_period(additive.frames) == ct_clip_period(clip));
        CHECK(ct_clip_duration(additive.frames) == ct_clip_duration(clip));
        CHECK(additive.frames->looping && additive.frames->frame_time == clip->frame_time);
        ct_additive_clip_destroy(&additive);
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_a_frame_without_a_ratio_is_named(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, true, 0.1);
    *clip_at(clip, 4, CT_SCALE, 5) = 0;
    ct_additive_clip additive;
    ct_error error;
    CHECK(ct_additive_clip_create(clip, ct_kernels_best(), (ct_poses){clip->layout, 1, clip->rows}, CT_SIDE_LOCAL, &additive, &error) ==
          CT_BAD_VALUE);
    CHECK(strstr(error.message, "pose 4: the x scale of joint 5 is 0 in the pose") != NULL);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_clip_without_frames_is_one_too(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_clip(skeleton, 0, 0.1, false, false);
    finish(clip);
    ct_additive_clip additive;
    ct_error error;
    ct_poses rest = ct_skeleton_rest(skeleton);
    CHECK(ct_additive_clip_create(clip, ct_kernels_best(), rest, CT_SIDE_LOCAL, &additive, &error) == CT_OK);
    CHECK(additive.frames->frame_count == 0);
    ct_additive_clip_destroy(&additive);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_each_frame_added_to_the_reference_is_the_frame_again();
    test_time_is_that_of_the_clip();
    test_a_frame_without_a_ratio_is_named();
    test_a_clip_without_frames_is_one_too();
    return check_report();
}
