// Mirroring: partners are found by name, and left becomes right in the world.
#include "forward_kinematics.h"
#include "made_up.h"
#include "mirror.h"

static ct_error error;

// The partner of each name, joined by commas, among joints that all hang from a root "Hips".
static void check_partners(size_t count, const char *const *names, const char *const *partners)
{
    const char *all[MADE_UP_JOINTS] = {"Hips"};
    int32_t parents[MADE_UP_JOINTS] = {CT_NO_PARENT}, map[MADE_UP_JOINTS];
    float offsets[3 * MADE_UP_JOINTS] = {0};
    for (size_t i = 0; i < count; ++i) all[i + 1] = names[i];
    ct_skeleton *skeleton = made_up_skeleton(count + 1, all, parents, offsets, NULL);
    CHECK(ct_mirror_map(skeleton, map, NULL, &error) == CT_OK);
    CHECK(ct_mirror_check(skeleton, map, &error) == CT_OK);
    for (size_t i = 0; i < count; ++i) {
        const char *found = all[map[i + 1]];
        bool right = strcmp(found, partners[i]) == 0;
        CHECK(right);
        if (!right) printf("  '%s' found '%s', not '%s'\n", names[i], found, partners[i]);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_every_habit_of_naming_sides_is_known(void)
{
    static const char *const pairs[][2] = {
        {"LeftArm", "RightArm"},
        {"mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"},
        {"left_knee", "right_knee"},
        {"knee left", "knee right"},
        {"UpperArmLeft", "UpperArmRight"},
        {"LEFT_EYE", "RIGHT_EYE"},
        {"handleft", "handright"},
        {"L_Thigh", "R_Thigh"},
        {"Hand_L", "Hand_R"},
        {"thigh.L", "thigh.R"},
        {"shin.l.001", "shin.r.001"},
        {"lCollar", "rCollar"},
        {"lThumb2", "rThumb2"},
        {"daz:lShin", "daz:rShin"},
        {"LHipJoint", "RHipJoint"},
        {"LFingers", "RFingers"},
        {"lfemur", "rfemur"},
        {"Bip01 L Calf", "Bip01 R Calf"},
        {"L Toe", "R Toe"},
        {"foot-l", "foot-r"},
        {"\xE5\xB7\xA6\xE8\x85\x95", "\xE5\x8F\xB3\xE8\x85\x95"},
    };
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    const char *names[2 * PAIRS], *partners[2 * PAIRS];
    for (size_t i = 0; i < PAIRS; ++i) {
        names[i] = partners[2 * PAIRS - 1 - i] = pairs[i][0];
        names[2 * PAIRS - 1 - i] = partners[i] = pairs[i][1];
    }
    check_partners(2 * PAIRS, names, partners);
}

static void test_words_that_only_begin_like_a_side_name_none(void)
{
    static const char *const names[] = {"Lower", "Rower", "Ribs",  "Libs",   "lowerback", "Spine_L2", "Spine_R2",
                                        "Carl",  "Carr",  "Cleft", "Bright", "L",         "root",     "Left"};
    check_partners(sizeof names / sizeof *names, names, names);
}

static void test_a_name_by_itself_is_mirrored_where_it_tells_a_side(void)
{
    static const char *const pairs[][2] = {
        {"left_down", "right_down"}, {"heel.L", "heel.R"}, {"lCollar", "rCollar"}, {"UpLEFT", "UpRIGHT"}, {"\xE5\xB7\xA6", "\xE5\x8F\xB3"}};
    static const char *const plain[] = {"", "bright", "lower", "Ribs", "apex"};
    char out[32];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        for (int k = 0; k < 2; ++k) CHECK(ct_mirror_name(pairs[i][k], out) && strcmp(out, pairs[i][!k]) == 0);
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) CHECK(!ct_mirror_name(plain[i], out) && strcmp(out, plain[i]) == 0);
}

static void test_a_repeated_name_has_no_partner(void)
{
    static const char *const names[] = {"LeftArm", "RightArm", "LeftArm", "LeftLeg", "RightLeg"};
    static const char *const partners[] = {"LeftArm", "RightArm", "LeftArm", "RightLeg", "LeftLeg"};
    check_partners(5, names, partners);
}

static void test_partners_need_parents_that_are_partners(void)
{
    static const char *const names[] = {"Hips",      "LeftArm", "RightShoulder", "RightArm", "LeftHand",
                                        "RightHand", "LeftLeg", "RightLeg",      "LeftEye"};
    static const int32_t parents[] = {-1, 0, 0, 2, 1, 3, 0, 0, 0};
    static const int32_t want[] = {0, 1, 2, 3, 4, 5, 7, 6, 8};
    static const uint8_t roles_wanted[] = {CT_MIRROR_MIDDLE,   CT_MIRROR_UPROOTED, CT_MIRROR_ALONE, CT_MIRROR_UPROOTED, CT_MIRROR_UPROOTED,
                                           CT_MIRROR_UPROOTED, CT_MIRROR_LEFT,     CT_MIRROR_RIGHT, CT_MIRROR_ALONE};
    float offsets[27] = {0};
    int32_t map[9];
    uint8_t roles[9];
    ct_skeleton *skeleton = made_up_skeleton(9, names, parents, offsets, NULL);
    CHECK(ct_mirror_map(skeleton, map, roles, &error) == CT_OK);
    CHECK(memcmp(map, want, sizeof want) == 0);
    CHECK(memcmp(roles, roles_wanted, sizeof roles) == 0);

    int32_t broken[9];
    memcpy(broken, want, sizeof want);
    CHECK(ct_mirror_check(skeleton, broken, &error) == CT_OK);
    broken[6] = 8;
    CHECK(ct_mirror_check(skeleton, broken, &error) == CT_BAD_VALUE && strstr(error.message, "LeftLeg"));
    broken[6] = 9;
    CHECK(ct_mirror_check(skeleton, broken, &error) == CT_BAD_INDEX);
    memcpy(broken, want, sizeof want);
    broken[1] = 3;
    broken[3] = 1;
    CHECK(ct_mirror_check(skeleton, broken, &error) == CT_BAD_VALUE && strstr(error.message, "parents"));
    ct_skeleton_destroy(skeleton);
}

// Which side ct_mirror_sides puts each joint on, as letters: "m", "l", "r".
static void check_sides(size_t count, const char *const *names, const int32_t *parents, const char *wanted)
{
    float offsets[3 * MADE_UP_JOINTS] = {0};
    uint8_t sides[MADE_UP_JOINTS];
    ct_skeleton *skeleton = made_up_skeleton(count, names, parents, offsets, NULL);
    CHECK(ct_mirror_sides(skeleton, sides, &error) == CT_OK);
    for (size_t j = 0; j < count; ++j) {
        bool right = "mlr"[sides[j]] == wanted[j];
        CHECK(right);
        if (!right) printf("  '%s' is on side '%c', not '%c'\n", names[j], "mlr"[sides[j]], wanted[j]);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_sides_need_no_partner(void)
{
    static const char *const names[] = {"Hips",   "LeftArm", "lShldr", "LThumb",    "thigh.L", "RightUpLeg", "rButtock", "RHipJoint",
                                        "foot.R", "Lower",   "Ribs",   "lowerback", "Neck",    "lfemur",     "rfemur",   "rear"};
    static const int32_t parents[] = {-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    check_sides(16, names, parents, "mllllrrrrmmmmlrm");
}

static void test_what_names_no_side_is_on_that_of_its_parent(void)
{
    static const char *const names[] = {"Hips", "LeftHand", "RightHand", "Sword", "Blade", "Thumb", "RightEar"};
    static const int32_t parents[] = {-1, 0, 0, 2, 3, 1, 0};
    check_sides(7, names, parents, "mlrrrlr");
}

static void test_what_carries_both_sides_is_of_the_middle(void)
{
    static const char *const names[] = {"L_Root", "Hips", "LeftLeg", "RightLeg", "Chest", "LeftArm", "RightArm"};
    static const int32_t parents[] = {-1, 0, 1, 1, 1, 4, 4};
    check_sides(7, names, parents, "mmlrmlr");
}

// A body with two arms and two legs whose rest pose is its own mirror image in x; joint rest rotations may point anywhere.
enum { BODY = 8 };
static const char *const body_names[BODY] = {"Hips", "Spine", "LeftArm", "RightArm", "LeftHand", "RightHand", "LeftLeg", "RightLeg"};
static const int32_t body_parents[BODY] = {-1, 0, 1, 1, 2, 3, 0, 0};
static const int32_t body_map[BODY] = {0, 1, 3, 2, 5, 4, 7, 6};
static const float body_offsets[BODY * 3] = {0,     1,     0, 0,      0.5f,  0.1f, 0.2f, 0.1f,  0, -0.2f, 0.1f,  0,
                                             0.25f, -0.1f, 0, -0.25f, -0.1f, 0,    0.1f, -0.5f, 0, -0.1f, -0.5f, 0};

// Turned so that world offsets stay as in body_offsets but local axes are at random.
static ct_skeleton *body(bool turned)
{
    float rotations[BODY * 4], offsets[BODY * 3];
    double globals[BODY][4];
    uint64_t state = 23;
    for (size_t j = 0; j < BODY; ++j) {
        double q[4] = {1, 0, 0, 0}, length = 0;
        for (size_t c = 0; c < 4; ++c) q[c] = turned ? made_up_number(&state) : q[c];
        for (size_t c = 0; c < 4; ++c) length += q[c] * q[c];
        for (size_t c = 0; c < 4; ++c) globals[j][c] = q[c] / sqrt(length);

        static const double identity[4] = {1, 0, 0, 0};
        const double *p = body_parents[j] < 0 ? identity : globals[body_parents[j]], *g = globals[j];
        const double w = p[0], x = -p[1], y = -p[2], z = -p[3]; // the parent's inverse
        double local[4] = {w * g[0] - x * g[1] - y * g[2] - z * g[3], w * g[1] + x * g[0] + y * g[3] - z * g[2],
                           w * g[2] + y * g[0] + z * g[1] - x * g[3], w * g[3] + z * g[0] + x * g[2] - y * g[1]};
        for (size_t c = 0; c < 4; ++c) rotations[4 * j + c] = (float)local[c];

        const float *o = body_offsets + 3 * j;
        double t[3] = {2 * (y * (double)o[2] - z * (double)o[1]), 2 * (z * (double)o[0] - x * (double)o[2]),
                       2 * (x * (double)o[1] - y * (double)o[0])};
        offsets[3 * j] = (float)((double)o[0] + w * t[0] + y * t[2] - z * t[1]);
        offsets[3 * j + 1] = (float)((double)o[1] + w * t[1] + z * t[0] - x * t[2]);
        offsets[3 * j + 2] = (float)((double)o[2] + w * t[2] + x * t[1] - y * t[0]);
    }
    return made_up_skeleton(BODY, body_names, body_parents, offsets, rotations);
}

static void positions_of(const ct_clip *clip, float *positions)
{
    ct_poses poses = {clip->layout, clip->frame_count, clip->rows};
    CHECK(ct_forward_kinematics(clip->skeleton, ct_kernels_best(), poses, 1, NULL, positions, NULL, &error) == CT_OK);
}

static ct_clip *body_motion(const ct_skeleton *skeleton, bool scales)
{
    enum { FRAMES = 12 };
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, scales, 0.4);
    for (size_t j = 1; j < BODY; ++j) { // bones keep their offsets, but for one that stretches
        for (size_t i = 0; i < FRAMES; ++i) {
            for (size_t c = 0; c < 3; ++c)
                *clip_at(clip, i, CT_TRANSLATION + c, j) = skeleton->offsets[3 * j + c] + (j == 4 ? 0.01f * (float)i : 0);
        }
    }
    return clip;
}

static void test_left_and_right_swap_in_the_world_wherever_the_axes_point(void)
{
    for (int turned = 0; turned < 2; ++turned) {
        ct_skeleton *skeleton = body(turned);
        ct_clip *clip = body_motion(skeleton, false), *image;
        CHECK(ct_clip_mirror(clip, body_map, 0, &image, &error) == CT_OK);
        static float before[12 * BODY * 3], after[12 * BODY * 3];
        positions_of(clip, before);
        positions_of(image, after);
        double moved = 0;
        for (size_t i = 0; i < 12; ++i) {
            for (size_t j = 0; j < BODY; ++j) {
                const float *p = before + 3 * (i * BODY + (size_t)body_map[j]), *q = after + 3 * (i * BODY + j);
                CHECK_NEAR(q[0], -p[0], 2e-6);
                CHECK_NEAR(q[1], p[1], 2e-6);
                CHECK_NEAR(q[2], p[2], 2e-6);
                moved = fmax(moved, fabs((double)q[0] - (double)before[3 * (i * BODY + j)]));
            }
        }
        CHECK(moved > 0.1);
        ct_clip_destroy(image);
        ct_clip_destroy(clip);
        ct_skeleton_destroy(skeleton);
    }
}

static void test_a_symmetric_rest_pose_is_its_own_image(void)
{
    for (int turned = 0; turned < 2; ++turned) {
        ct_skeleton *skeleton = body(turned);
        ct_clip *clip = made_up_clip(skeleton, 1, 0.1, false, true), *image;
        for (size_t j = 0; j < BODY; ++j) {
            for (size_t c = 0; c < 4; ++c) *clip_at(clip, 0, c, j) = skeleton->rotations[4 * j + c];
            for (size_t c = 0; c < 3; ++c) *clip_at(clip, 0, CT_TRANSLATION + c, j) = skeleton->offsets[3 * j + c];
        }
        finish(clip);
        CHECK(ct_clip_mirror(clip, body_map, 0, &image, &error) == CT_OK);
        for (size_t j = 0; j < BODY; ++j) {
            double dot = 0;
            for (size_t c = 0; c < 4; ++c) dot += (double)*clip_at(image, 0, c, j) * (double)*clip_at(clip, 0, c, j);
            CHECK_NEAR(fabs(dot), 1, 1e-6);
            for (size_t c = 0; c < 3; ++c) {
                double own = (double)*clip_at(clip, 0, CT_TRANSLATION + c, j);
                CHECK_NEAR(*clip_at(image, 0, CT_TRANSLATION + c, j), own, j ? 0 : 2e-7);
                CHECK_NEAR(*clip_at(image, 0, CT_SCALE + c, j), 1, 1e-6);
            }
        }
        ct_clip_destroy(image);
        ct_clip_destroy(clip);
        ct_skeleton_destroy(skeleton);
    }
}

static void test_mirroring_twice_gives_the_clip_back(void)
{
    for (int turned = 0; turned < 2; ++turned) {
        ct_skeleton *skeleton = body(turned);
        ct_clip *clip = body_motion(skeleton, !turned), *image, *back;
        for (int axis = 0; axis < 3; ++axis) {
            CHECK(ct_clip_mirror(clip, body_map, axis, &image, &error) == CT_OK);
            CHECK(ct_clip_mirror(image, body_map, axis, &back, &error) == CT_OK);
            for (size_t i = 0; i < clip->frame_count; ++i) {
                size_t stride = clip->layout.stride;
                const float *a = clip_at(clip, i, 0, 0), *b = clip_at(back, i, 0, 0);
                if (!turned) CHECK(memcmp(a, b, 4 * stride * sizeof *a) == 0);
                for (size_t j = 0; j < BODY; ++j) {
                    double dot = 0;
                    for (size_t c = 0; c < 4; ++c) dot += (double)a[c * stride + j] * (double)b[c * stride + j];
                    CHECK_NEAR(fabs(dot), 1, 1e-6);
                    for (size_t c = 4; c < clip->layout.component_count; ++c) CHECK_NEAR(b[c * stride + j], a[c * stride + j], 1e-6);
                }
            }
            ct_clip_destroy(back);
            ct_clip_destroy(image);
        }
        CHECK(ct_clip_mirror(clip, body_map, 3, &image, &error) == CT_BAD_VALUE);
        ct_clip_destroy(clip);
        ct_skeleton_destroy(skeleton);
    }
}

static void test_bones_keep_their_own_lengths_on_a_lopsided_skeleton(void)
{
    float offsets[BODY * 3];
    memcpy(offsets, body_offsets, sizeof offsets);
    offsets[3 * 4] = 0.4f; // a longer left hand
    ct_skeleton *skeleton = made_up_skeleton(BODY, body_names, body_parents, offsets, NULL);
    ct_clip *clip = body_motion(skeleton, false), *image;
    for (size_t i = 0; i < clip->frame_count; ++i) *clip_at(clip, i, CT_TRANSLATION, 4) = 0.4f + 0.01f * (float)i;
    CHECK(ct_clip_mirror(clip, body_map, 0, &image, &error) == CT_OK);
    for (size_t i = 0; i < clip->frame_count; ++i) {
        CHECK(*clip_at(image, i, CT_TRANSLATION, 4) == 0.4f && *clip_at(image, i, CT_TRANSLATION + 1, 4) == -0.1f);
        CHECK_NEAR(*clip_at(image, i, CT_TRANSLATION, 5), -0.25 - 0.01 * (double)i, 1e-6); // the stretch went over
    }
    ct_clip_destroy(image);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_sword_in_one_hand_keeps_its_motion(void)
{
    static const char *const names[] = {"Hips", "LeftHand", "RightHand", "Sword", "Blade"};
    static const int32_t parents[] = {-1, 0, 0, 2, 3};
    const float offsets[15] = {0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 1};
    int32_t map[5];
    ct_skeleton *skeleton = made_up_skeleton(5, names, parents, offsets, NULL);
    ct_clip *clip = made_up_motion(skeleton, 6, 0.1, false, false, 0.4), *image;
    CHECK(ct_mirror_map(skeleton, map, NULL, &error) == CT_OK);
    CHECK(ct_clip_mirror(clip, map, 0, &image, &error) == CT_OK);
    for (size_t c = 0; c < CT_COMPONENTS_TRANSLATION; ++c) {
        for (size_t j = 3; j < 5; ++j) CHECK(*clip_at(image, 5, c, j) == *clip_at(clip, 5, c, j));
    }
    CHECK(*clip_at(image, 5, 1, 2) == *clip_at(clip, 5, 1, 1));
    ct_clip_destroy(image);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_every_habit_of_naming_sides_is_known();
    test_words_that_only_begin_like_a_side_name_none();
    test_a_name_by_itself_is_mirrored_where_it_tells_a_side();
    test_a_repeated_name_has_no_partner();
    test_partners_need_parents_that_are_partners();
    test_sides_need_no_partner();
    test_what_names_no_side_is_on_that_of_its_parent();
    test_what_carries_both_sides_is_of_the_middle();
    test_left_and_right_swap_in_the_world_wherever_the_axes_point();
    test_a_symmetric_rest_pose_is_its_own_image();
    test_mirroring_twice_gives_the_clip_back();
    test_bones_keep_their_own_lengths_on_a_lopsided_skeleton();
    test_a_sword_in_one_hand_keeps_its_motion();
    return check_report();
}
