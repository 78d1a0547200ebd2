// Stance: up, unit, height and floor are told by the body's shape.
#include "made_up.h"
#include "stance.h"

static ct_error error;

// A root that stays at the origin and a body of 1.75 above it, in metres, +Y up, without rest rotations.
enum { BODY = 10, TIPS = 3 };
static const char *const names[BODY] = {"Root",     "Hips",    "Spine",    "Head",     "LeftArm",
                                        "RightArm", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"};
static const int32_t parents[BODY] = {-1, 0, 1, 2, 2, 2, 1, 6, 1, 8}, tip_parents[TIPS] = {3, 7, 9};
static const double offsets[BODY][3] = {{0, 0, 0},       {0, 0.95, 0},    {0, 0.25, 0},  {0, 0.35, 0},     {0.2, 0.25, 0},
                                        {-0.2, 0.25, 0}, {0.1, -0.05, 0}, {0, -0.82, 0}, {-0.1, -0.05, 0}, {0, -0.82, 0}};
static const double tips[TIPS][3] = {{0, 0.2, 0}, {0, -0.05, 0.1}, {0, -0.05, 0.1}};

// Component c of a vector when `up` is up.
static float turned(const double v[3], ct_axis up, size_t c, double scale)
{
    size_t up_number = (size_t)up / 2, from = (c + 4 - up_number) % 3; // y goes to the place of up
    double sign = up % 2 && from != 0 ? -1 : 1;                        // by half a turn about x
    return (float)(sign * scale * v[from]);
}

static ct_skeleton *body(ct_axis up, double scale)
{
    float offsets_turned[BODY * 3], tips_turned[TIPS * 3];
    for (size_t j = 0; j < BODY; ++j) {
        for (size_t c = 0; c < 3; ++c) offsets_turned[3 * j + c] = turned(offsets[j], up, c, scale);
    }
    for (size_t t = 0; t < TIPS; ++t)
        for (size_t c = 0; c < 3; ++c) tips_turned[3 * t + c] = turned(tips[t], up, c, scale);
    return made_up_from((ct_skeleton_parts){.joint_count = BODY,
                                            .tip_count = TIPS,
                                            .names = names,
                                            .parents = parents,
                                            .offsets = offsets_turned,
                                            .tip_parents = tip_parents,
                                            .tip_offsets = tips_turned});
}

// Stands in the rest pose, the hips moved along up by `lift` times the scale.
static ct_clip *standing(const ct_skeleton *skeleton, size_t frame_count, const double *lift, ct_axis up, double scale)
{
    ct_clip *clip = made_up_clip(skeleton, frame_count, 0.1, false, false);
    for (size_t i = 0; i < frame_count; ++i) {
        const double lifted[3] = {0, lift[i], 0};
        for (size_t j = 0; j < BODY; ++j) {
            for (size_t c = 0; c < 3; ++c)
                *clip_at(clip, i, CT_TRANSLATION + c, j) = skeleton->offsets[3 * j + c] + (j == 1 ? turned(lifted, up, c, scale) : 0);
        }
    }
    finish(clip);
    return clip;
}

static void test_up_unit_height_and_floor_of_a_standing_body(void)
{
    const double lift[5] = {0.03, 0.05, 0.03, 0.4, 0.03}; // one jump
    for (int up = 0; up < CT_AXIS_COUNT; ++up) {
        for (int unit = CT_METRE; unit < CT_UNIT_COUNT; ++unit) {
            double scale = 1 / ct_unit_metres((ct_unit)unit);
            ct_skeleton *skeleton = body((ct_axis)up, scale);
            ct_clip *clip = standing(skeleton, 5, lift, (ct_axis)up, scale);
            ct_stance stance;
            CHECK(ct_stance_of(clip, ct_kernels_best(), &stance, &error) == CT_OK);
            CHECK((int)stance.up == up && (int)stance.unit == unit);
            CHECK_NEAR(stance.height / scale, 0.92 + 0.8, 1e-5);
            CHECK_NEAR(stance.floor / scale, 0.03 + 0.03, 1e-5);
            ct_clip_destroy(clip);
            ct_skeleton_destroy(skeleton);
        }
    }
}

static void test_the_rest_pose_speaks_when_there_are_no_frames(void)
{
    ct_skeleton *skeleton = body(CT_PLUS_Z, 100);
    ct_clip *clip = made_up_clip(skeleton, 0, 0.1, false, false);
    ct_stance stance;
    CHECK(ct_stance_of(clip, ct_kernels_best(), &stance, &error) == CT_OK);
    CHECK(stance.up == CT_PLUS_Z && stance.unit == CT_CENTIMETRE);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_what_is_no_human_is_unknown(void)
{
    const double lift[1] = {0};
    ct_stance stance;
    ct_skeleton *skeleton = body(CT_PLUS_Y, 9); // 15 m or 15 cm
    ct_clip *clip = standing(skeleton, 1, lift, CT_PLUS_Y, 9);
    CHECK(ct_stance_of(clip, ct_kernels_best(), &stance, &error) == CT_OK);
    CHECK(stance.up == CT_PLUS_Y && stance.unit == CT_UNIT_UNKNOWN);
    set_rotation(clip, 0, 1, cos(0.39), 0, 0, sin(0.39)); // leans by 45 degrees
    CHECK(ct_stance_of(clip, ct_kernels_best(), &stance, &error) == CT_OK && stance.up == CT_AXIS_UNKNOWN && stance.height == 0);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);

    skeleton = made_up_tree(7);
    clip = made_up_motion(skeleton, 4, 0.1, false, false, 0.1);
    CHECK(ct_stance_of(clip, ct_kernels_best(), &stance, &error) == CT_OK);
    CHECK(stance.up == CT_AXIS_UNKNOWN && stance.unit == CT_UNIT_UNKNOWN && stance.stature == 0);
    float lowest[4], highest[4];
    CHECK(ct_clip_extent(clip, ct_kernels_best(), CT_PLUS_X, lowest, highest, &error) == CT_OK);
    CHECK(lowest[3] <= *clip_at(clip, 3, CT_TRANSLATION, 0) && isfinite(lowest[3]) && highest[3] > lowest[3]);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_long_clip_is_measured_frame_by_frame(void)
{
    enum { FRAMES = 200 };
    double lift[FRAMES];
    float lowest[FRAMES], highest[FRAMES];
    for (size_t i = 0; i < FRAMES; ++i) lift[i] = 0.01 * (double)i;
    ct_skeleton *skeleton = body(CT_PLUS_Y, 1);
    ct_clip *clip = standing(skeleton, FRAMES, lift, CT_PLUS_Y, 1);
    CHECK(ct_clip_extent(clip, ct_kernels_best(), CT_PLUS_Y, lowest, highest, &error) == CT_OK);
    for (size_t i = 0; i < FRAMES; ++i) {
        CHECK_NEAR(lowest[i], 0.03 + lift[i], 1e-6);
        CHECK_NEAR(highest[i], 1.75 + lift[i], 1e-6);
    }
    CHECK(ct_clip_extent(clip, ct_kernels_best(), CT_MINUS_Y, lowest, NULL, &error) == CT_OK);
    CHECK_NEAR(lowest[7], -1.75 - lift[7], 1e-6);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_up_unit_height_and_floor_of_a_standing_body();
    test_the_rest_pose_speaks_when_there_are_no_frames();
    test_what_is_no_human_is_unknown();
    test_a_long_clip_is_measured_frame_by_frame();
    return check_report();
}
