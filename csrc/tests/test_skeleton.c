// Skeletons keep what they were given, refuse what can't be one, and find joints.
#include "skeleton.h"

#include <string.h>

#include "check.h"
#include "failing_allocator.h"

enum { JOINTS = 7 };
static const char *const names[JOINTS] = {"Hips", "Spine", "LeftArm", "LShldr", "mixamorig:LeftFoot", "Prop", "Prop"};
static const int32_t parents[JOINTS] = {-1, 0, 1, 1, 0, -1, 5};
static const float offsets[JOINTS][3] = {{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 1, 0}, {0, -1, 0}, {5, 0, 0}, {0, 0, 3}};
static const float rotations[JOINTS][4] = {{2, 0, 0, 0}, {1, 1, 1, 1},         {0, 0, 0, -3}, {1, 0, 0, 0},
                                           {1, 0, 0, 0}, {1e30f, 1e30f, 0, 0}, {1, 0, 0, 0}};
static const int32_t tip_parents[2] = {2, 2};
static const float tip_offsets[2][3] = {{0.5f, 0, 0}, {0, 0.5f, 0}};

static size_t lengths[JOINTS];

static ct_skeleton_parts valid_parts(void)
{
    for (int j = 0; j < JOINTS; ++j) lengths[j] = strlen(names[j]);
    return (ct_skeleton_parts){
        .joint_count = JOINTS,
        .tip_count = 2,
        .names = names,
        .name_lengths = lengths,
        .parents = parents,
        .offsets = offsets[0],
        .rotations = rotations[0],
        .tip_parents = tip_parents,
        .tip_offsets = tip_offsets[0],
    };
}

static ct_skeleton *create(ct_skeleton_parts parts)
{
    ct_allocator allocator = ct_allocator_default();
    ct_skeleton *skeleton;
    ct_error error;
    CHECK(ct_skeleton_create(&allocator, &parts, &skeleton, &error) == CT_OK);
    return skeleton;
}

static void test_a_skeleton_keeps_its_parts(void)
{
    ct_skeleton *s = create(valid_parts());
    CHECK(s->joint_count == JOINTS && s->tip_count == 2);
    CHECK(memcmp(s->parents, parents, sizeof parents) == 0);
    CHECK(memcmp(s->offsets, offsets, sizeof offsets) == 0);
    CHECK(memcmp(s->tip_parents, tip_parents, sizeof tip_parents) == 0);
    CHECK(memcmp(s->tip_offsets, tip_offsets, sizeof tip_offsets) == 0);
    for (int j = 0; j < JOINTS; ++j) CHECK(strcmp(s->names[j], names[j]) == 0);
    ct_skeleton_destroy(s);
    ct_skeleton_destroy(NULL);
}

static void test_rotations_are_made_unit_and_stand_in_the_rest_row(void)
{
    ct_skeleton *s = create(valid_parts());
    for (int c = 0; c < 4; ++c) CHECK(s->rotations[4 + c] == 0.5f);
    CHECK(s->rotations[0] == 1 && s->rotations[4 * 2 + 3] == -1);
    CHECK_NEAR(s->rotations[4 * 5], 0.70710678118654752, 1e-7); // its square does not fit a float
    CHECK(s->rest[1] == 0.5f && s->rest[CT_LANES + 1] == 0.5f);
    CHECK(s->rest[(CT_TRANSLATION + 2) * CT_LANES + 6] == 3);
    CHECK(s->rest[JOINTS] == 1 && s->rest[CT_TRANSLATION * CT_LANES + JOINTS] == 0);
    ct_skeleton_destroy(s);
}

static void test_a_skeleton_of_the_arrays_of_another_equals_it(void)
{
    float turned[JOINTS][4];
    for (size_t j = 0; j < JOINTS; ++j) {
        for (size_t c = 0; c < 4; ++c) turned[j][c] = (float)((j * 7 + c * 5) % 11) - 4.7f;
    }
    ct_skeleton_parts parts = valid_parts();
    parts.rotations = turned[0];
    ct_skeleton *one = create(parts);
    parts.rotations = one->rotations;
    ct_skeleton *other = create(parts);
    CHECK(ct_skeleton_equal(one, other));
    ct_skeleton_destroy(one);
    ct_skeleton_destroy(other);
}

static void test_without_rotations_the_rest_pose_is_not_turned(void)
{
    ct_skeleton_parts parts = valid_parts();
    parts.rotations = NULL;
    parts.tip_count = 0;
    parts.tip_parents = NULL;
    parts.tip_offsets = NULL;
    ct_skeleton *s = create(parts);
    for (int j = 0; j < JOINTS; ++j) CHECK(s->rotations[4 * j] == 1 && s->rotations[4 * j + 1] == 0);
    ct_skeleton_destroy(s);
}

static void refuse(ct_skeleton_parts parts, ptrdiff_t joint, const char *message)
{
    ct_allocator allocator = ct_allocator_default();
    ct_skeleton *skeleton;
    ct_error error = {0};
    CHECK(ct_skeleton_create(&allocator, &parts, &skeleton, &error) == CT_BAD_VALUE);
    CHECK(skeleton == NULL && error.code == CT_BAD_VALUE && error.joint == joint);
    CHECK(strstr(error.message, message) != NULL);
    if (!strstr(error.message, message)) printf("  got: %s\n", error.message);
    CHECK(ct_skeleton_create(&allocator, &parts, &skeleton, NULL) == CT_BAD_VALUE);
}

static void test_what_is_no_skeleton_is_refused_by_name(void)
{
    ct_skeleton_parts parts = valid_parts();
    parts.joint_count = 0;
    refuse(parts, CT_NOWHERE, "at least one joint");
    parts.joint_count = CT_MAX_JOINTS + 1;
    refuse(parts, CT_NOWHERE, "65536 joints");

    int32_t up[JOINTS];
    memcpy(up, parents, sizeof up);
    parts = valid_parts();
    parts.parents = up;
    up[2] = 2;
    refuse(parts, 2, "joint 2 ('LeftArm') has parent 2");
    up[2] = 4;
    refuse(parts, 2, "has parent 4");
    up[2] = -2;
    refuse(parts, 2, "has parent -2");

    float numbers[JOINTS][4];
    memcpy(numbers, rotations, sizeof numbers);
    parts = valid_parts();
    parts.rotations = numbers[0];
    numbers[3][2] = NAN;
    refuse(parts, 3, "rotation of joint 3 ('LShldr') is not finite");
    memset(numbers[3], 0, sizeof numbers[3]);
    refuse(parts, 3, "rotation of joint 3 ('LShldr') is zero");

    float places[JOINTS][3];
    memcpy(places, offsets, sizeof places);
    parts = valid_parts();
    parts.offsets = places[0];
    places[6][0] = INFINITY;
    refuse(parts, 6, "offset of joint 6 ('Prop') is not finite");

    const int32_t ends[2] = {0, JOINTS};
    parts = valid_parts();
    parts.tip_parents = ends;
    refuse(parts, CT_NOWHERE, "tip 1 ends joint 7; there are 7 joints");
    const float end_places[2][3] = {{0, 0, 0}, {0, -INFINITY, 0}};
    parts = valid_parts();
    parts.tip_offsets = end_places[0];
    refuse(parts, 2, "offset of tip 1");

    parts = valid_parts();
    ++lengths[0];
    refuse(parts, 0, "NUL");
}

static void test_equal_means_every_part(void)
{
    ct_skeleton *a = create(valid_parts()), *b = create(valid_parts());
    CHECK(ct_skeleton_equal(a, b) && ct_skeleton_equal(a, a));

    ct_skeleton_parts parts = valid_parts();
    float places[JOINTS][3];
    memcpy(places, offsets, sizeof places);
    places[6][2] = nextafterf(3, 4);
    parts.offsets = places[0];
    ct_skeleton *moved = create(parts);
    CHECK(!ct_skeleton_equal(a, moved));

    parts = valid_parts();
    const char *other_names[JOINTS];
    memcpy(other_names, names, sizeof other_names);
    other_names[6] = "prop";
    parts.names = other_names;
    ct_skeleton *renamed = create(parts);
    CHECK(!ct_skeleton_equal(a, renamed));

    parts = valid_parts();
    parts.tip_count = 1;
    ct_skeleton *shorter = create(parts);
    CHECK(!ct_skeleton_equal(a, shorter));

    ct_skeleton_destroy(a);
    ct_skeleton_destroy(b);
    ct_skeleton_destroy(moved);
    ct_skeleton_destroy(renamed);
    ct_skeleton_destroy(shorter);
}

static void check_message(const ct_skeleton *s, const char *name, const char *message)
{
    size_t joint;
    ct_error error = {0};
    CHECK(ct_skeleton_find(s, name, strlen(name), &joint, &error) == CT_BAD_INDEX);
    CHECK(strcmp(error.message, message) == 0);
    if (strcmp(error.message, message) != 0) printf("  got: %s\n", error.message);
}

static void test_find_names_what_it_could_not_find(void)
{
    ct_skeleton *s = create(valid_parts());
    size_t joint = 99;
    CHECK(ct_skeleton_find(s, "LShldr", 6, &joint, NULL) == CT_OK && joint == 3);
    CHECK(ct_skeleton_find(s, "LShldrX", 6, &joint, NULL) == CT_OK && joint == 3);
    CHECK(ct_skeleton_find(s, "LShldr", 5, &joint, NULL) == CT_BAD_INDEX);

    check_message(s, "LeftShoulder",
                  "no joint 'LeftShoulder'; near names: 'LeftArm', 'LShldr', 'mixamorig:LeftFoot' (7 joints, see skeleton.names)");
    check_message(s, "rig:hips", "no joint 'rig:hips'; near names: 'Hips' (7 joints, see skeleton.names)");
    check_message(s, "leftfoot", "no joint 'leftfoot'; near names: 'mixamorig:LeftFoot', 'LeftArm' (7 joints, see skeleton.names)");
    check_message(s, "Prpo", "no joint 'Prpo'; near names: 'Prop' (7 joints, see skeleton.names)");
    check_message(s, "", "no joint '' (7 joints, see skeleton.names)");
    check_message(s, "Prop", "2 joints have the name 'Prop': 5, 6; say which by its index");
    ct_skeleton_destroy(s);
}

static void test_find_copes_with_long_names_and_many_joints(void)
{
    enum { MANY = 300, LONG = 700 };
    static char text[LONG + 1];
    static const char *many[MANY];
    static size_t many_lengths[MANY];
    static int32_t roots[MANY];
    static float zeros[MANY][3];
    memset(text, 'x', LONG);
    for (int j = 0; j < MANY; ++j) {
        many[j] = text + j % 2;
        many_lengths[j] = (size_t)(LONG - j % 2);
        roots[j] = CT_NO_PARENT;
    }
    ct_skeleton *s = create(
        (ct_skeleton_parts){.joint_count = MANY, .names = many, .name_lengths = many_lengths, .parents = roots, .offsets = zeros[0]});
    size_t joint;
    ct_error error = {0};
    CHECK(ct_skeleton_find(s, text, LONG - 2, &joint, &error) == CT_BAD_INDEX);
    CHECK(strstr(error.message, "300 joints") != NULL);
    CHECK(ct_skeleton_find(s, text, LONG, &joint, &error) == CT_BAD_INDEX);
    CHECK(strstr(error.message, "150 joints") != NULL && strstr(error.message, "0, 2, 4, 6, 8, 10, 12, 14, ...;") != NULL);
    ct_skeleton_destroy(s);
}

static void test_chains_and_branches_follow_parents(void)
{
    ct_skeleton *s = create(valid_parts());
    int32_t joints[JOINTS];
    size_t count;
    CHECK(ct_skeleton_chain(s, 0, 3, joints, &count, NULL) == CT_OK);
    CHECK(count == 3 && joints[0] == 0 && joints[1] == 1 && joints[2] == 3);
    CHECK(ct_skeleton_chain(s, 4, 4, joints, &count, NULL) == CT_OK && count == 1 && joints[0] == 4);

    ct_error error = {0};
    CHECK(ct_skeleton_chain(s, 2, 3, joints, &count, &error) == CT_BAD_VALUE && error.joint == 3);
    CHECK(strcmp(error.message, "joint 2 ('LeftArm') is not above joint 3 ('LShldr')") == 0);
    CHECK(ct_skeleton_chain(s, 3, 0, joints, &count, &error) == CT_BAD_VALUE);
    CHECK(ct_skeleton_chain(s, 0, 6, joints, &count, &error) == CT_BAD_VALUE);

    CHECK(ct_skeleton_branch(s, 1, joints) == 3 && joints[0] == 1 && joints[1] == 2 && joints[2] == 3);
    CHECK(ct_skeleton_branch(s, 0, joints) == 5 && joints[4] == 4);
    CHECK(ct_skeleton_branch(s, 6, joints) == 1 && joints[0] == 6);
    ct_skeleton_destroy(s);
}

static void test_a_mask_of_depth_three_weighs_a_third_two_thirds_and_one(void)
{
    ct_skeleton *s = create(valid_parts());
    float weights[JOINTS];
    ct_skeleton_mask(s, 0, 3, 1, weights);
    CHECK(weights[0] == (float)(1 / 3.0) && weights[1] == (float)(2 / 3.0) && weights[2] == 1 && weights[3] == 1);
    CHECK(weights[4] == (float)(2 / 3.0) && weights[5] == 0 && weights[6] == 0);
    for (size_t depth = 0; depth < 2; ++depth) {
        ct_skeleton_mask(s, 1, depth, 0.5f, weights);
        CHECK(weights[0] == 0 && weights[1] == 0.5f && weights[2] == 0.5f && weights[4] == 0);
    }
    ct_skeleton_destroy(s);
}

static void test_running_out_of_memory_is_reported_and_leaks_nothing(void)
{
    failing_allocator f = {.fail_at = 1};
    ct_allocator allocator = failing_allocator_use(&f);
    ct_skeleton_parts parts = valid_parts();
    ct_skeleton *skeleton;
    ct_error error = {0};
    CHECK(ct_skeleton_create(&allocator, &parts, &skeleton, &error) == CT_OUT_OF_MEMORY && error.code == CT_OUT_OF_MEMORY);
    CHECK(skeleton == NULL && f.live == 0);
    CHECK(ct_skeleton_create(&allocator, &parts, &skeleton, &error) == CT_OK && f.calls == 2 && f.live == 1);
    ct_skeleton_destroy(skeleton);
    CHECK(f.live == 0);
}

int main(void)
{
    test_a_skeleton_keeps_its_parts();
    test_rotations_are_made_unit_and_stand_in_the_rest_row();
    test_a_skeleton_of_the_arrays_of_another_equals_it();
    test_without_rotations_the_rest_pose_is_not_turned();
    test_what_is_no_skeleton_is_refused_by_name();
    test_equal_means_every_part();
    test_find_names_what_it_could_not_find();
    test_find_copes_with_long_names_and_many_joints();
    test_chains_and_branches_follow_parents();
    test_a_mask_of_depth_three_weighs_a_third_two_thirds_and_one();
    test_running_out_of_memory_is_reported_and_leaks_nothing();
    return check_report();
}
