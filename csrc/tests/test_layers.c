// Layers: masks and weights say how much of a layer shows, in the order of the list; mesh space keeps directions in the world.
#include "additive_clip.h"
#include "clip_player.h"
#include "forward_kinematics.h"
#include "held_pose.h"
#include "layers.h"
#include "made_up.h"

static ct_error error;
static ct_allocator allocator;
static const double DEGREE = 3.14159265358979323846 / 180;

enum { JOINTS = 6, STRIDE = 16, ROW = 7 * STRIDE, PELVIS = 0, SPINE, CHEST, ARM, THIGH, SHIN };

static ct_skeleton *bending_body(void)
{
    static const char *const names[JOINTS] = {"pelvis", "spine", "chest", "arm", "thigh", "shin"};
    static const int32_t parents[JOINTS] = {CT_NO_PARENT, PELVIS, SPINE, CHEST, PELVIS, THIGH};
    static const float offsets[JOINTS][3] = {{0, 1, 0}, {0, 0.1f, 0}, {0, 0.2f, 0}, {0.2f, 0, 0}, {0.1f, 0, 0}, {0, -0.5f, 0}};
    return made_up_skeleton(JOINTS, names, parents, offsets[0], NULL);
}

static const double RUN[JOINTS] = {5, 8, 4, -40, 35, -60}, AIM[JOINTS] = {0, 2, 6, 85, 0, -5}, LEAN[JOINTS] = {0, 12, 3, 0, 0, 0};
static const float UPPER_BODY[JOINTS] = {0, 1, 1, 1, 0, 0};

// Bends of all joints about x, in degrees.
static ct_poses bent(const ct_skeleton *skeleton, const double degrees[JOINTS], float rows[ROW])
{
    ct_poses pose = ct_skeleton_rest(skeleton);
    memcpy(rows, pose.rows, ROW * sizeof *rows);
    for (size_t j = 0; j < JOINTS; ++j) {
        rows[j] = (float)cos(degrees[j] * DEGREE / 2);
        rows[STRIDE + j] = (float)sin(degrees[j] * DEGREE / 2);
    }
    return (ct_poses){pose.layout, 1, rows};
}

static double bend_of(const float *row, size_t joint) { return 2 * atan2((double)row[STRIDE + joint], (double)row[joint]) / DEGREE; }

static void check_bends(const float *row, const double want[JOINTS])
{
    for (size_t j = 0; j < JOINTS; ++j) CHECK_NEAR(bend_of(row, j), want[j], 2e-5);
}

static ct_held_pose *hold(const ct_skeleton *skeleton, const double degrees[JOINTS])
{
    float rows[ROW];
    ct_held_pose *held;
    CHECK(ct_held_pose_create(&allocator, skeleton, bent(skeleton, degrees, rows), &held, &error) == CT_OK);
    return held;
}

// What the bends are beside the rest pose.
static ct_held_pose *hold_delta(const ct_kernels *kernels, const ct_skeleton *skeleton, const double degrees[JOINTS], ct_delta_side side)
{
    float rows[ROW], difference[ROW];
    ct_pose_deltas delta = {side, ct_skeleton_rest(skeleton).layout, 1, difference};
    ct_held_pose *held;
    CHECK(ct_pose_difference(kernels, bent(skeleton, degrees, rows), ct_skeleton_rest(skeleton), delta, &error) == CT_OK);
    CHECK(ct_held_delta_create(&allocator, skeleton, delta, &held, &error) == CT_OK);
    return held;
}

// Shows a stack of these layers once. Returns the status of what failed.
static ct_status show(const ct_kernels *kernels, const ct_skeleton *skeleton, size_t count, const ct_layer *layers, const double *values,
                      float *row, ct_frame *frame)
{
    ct_layer_stack *stack;
    ct_stage *stage;
    ct_status status = ct_layer_stack_create(&allocator, kernels, skeleton, count, layers, &stack, &error);
    if (status != CT_OK) return status;
    CHECK(ct_stage_create(&allocator, &stack->source, &stage, &error) == CT_OK);
    for (size_t i = 0; i < stage->parameters.count; ++i) stage->values[i] = values[i];
    status = ct_stage_update(stage, 0.1, NULL, row, frame, &error);
    ct_stage_destroy(stage);
    ct_layer_stack_destroy(stack);
    return status;
}

static ct_layer full(ct_held_pose *held) { return (ct_layer){.source = &held->source, .weight = {.fixed = 1}}; }

static ct_layer masked(ct_held_pose *held, const float *mask, double weight)
{
    return (ct_layer){.source = &held->source, .mask = mask, .weight = {.fixed = weight}};
}

static void test_the_worked_example(const ct_kernels *kernels)
{
    ct_skeleton *skeleton = bending_body();
    ct_held_pose *run = hold(skeleton, RUN), *aim = hold(skeleton, AIM);
    for (int side = CT_SIDE_LOCAL; side <= CT_SIDE_PARENT; ++side) { // about one axis the sides are the same
        ct_held_pose *lean = hold_delta(kernels, skeleton, LEAN, (ct_delta_side)side);
        const struct {
            size_t count;
            ct_layer layers[3];
            double want[JOINTS];
        } rows[] = {
            {2, {full(run), masked(aim, UPPER_BODY, 1)}, {5, 2, 6, 85, 35, -60}},
            {2, {full(run), full(aim)}, {0, 2, 6, 85, 0, -5}},
            {2, {full(run), masked(aim, UPPER_BODY, 0.5)}, {5, 5, 5, 22.5, 35, -60}},
            {2, {full(run), full(lean)}, {5, 20, 7, -40, 35, -60}},
            {3, {full(run), masked(aim, UPPER_BODY, 1), full(lean)}, {5, 14, 9, 85, 35, -60}},
            // Below an override, an additive shows where the override does not.
            {3, {full(run), full(lean), masked(aim, UPPER_BODY, 1)}, {5, 2, 6, 85, 35, -60}},
            {3, {full(run), full(lean), masked(aim, UPPER_BODY, 0.5)}, {5, 11, 6.5, 22.5, 35, -60}},
            {1, {full(lean)}, {0, 12, 3, 0, 0, 0}},
            {0, {full(run)}, {0}},
            {2, {full(run), masked(lean, NULL, -1)}, {5, -4, 1, -40, 35, -60}},
            {2, {full(run), masked(lean, NULL, 2)}, {5, 32, 10, -40, 35, -60}},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
            float row[ROW];
            ct_frame frame;
            CHECK(show(kernels, skeleton, rows[i].count, rows[i].layers, NULL, row, &frame) == CT_OK);
            check_bends(row, rows[i].want);
        }
        ct_held_pose_destroy(lean);
    }
    ct_held_pose_destroy(run);
    ct_held_pose_destroy(aim);
    ct_skeleton_destroy(skeleton);
}

// ------------------------------------------------------------------------------------------------------------------ clips of 65 joints

enum { MANY = 65, MANY_STRIDE = 80, MANY_ROW = 10 * MANY_STRIDE };

typedef struct cast {
    ct_skeleton *skeleton;
    ct_clip *walk, *wave;
    ct_additive_clip lean;
    ct_clip_player *walker, *waver, *leaner;
    ct_root_motion *motion;
    float mask[MANY];
} cast;

static ct_clip_player *player_of(const ct_kernels *kernels, ct_clip_player_options options)
{
    ct_clip_player *player;
    options.rate.fixed = 1;
    options.wrap = CT_LOOP;
    options.what = (void *)options.clip;
    CHECK(ct_clip_player_create(&allocator, kernels, &options, &player, &error) == CT_OK);
    return player;
}

static cast make_cast(const ct_kernels *kernels, ct_delta_side side)
{
    cast c = {.skeleton = made_up_tree(MANY)};
    c.walk = made_up_motion(c.skeleton, 20, 0.1, true, false, 0.2);
    c.wave = made_up_motion(c.skeleton, 10, 0.1, true, true, 0.3);
    ct_root_options options = {.joint = 0, .up = CT_PLUS_Y};
    CHECK(ct_root_motion_create(c.walk, kernels, &options, &c.motion, &error) == CT_OK);
    CHECK(ct_additive_clip_create(c.walk, kernels, (ct_poses){c.walk->layout, 1, c.walk->rows}, side, &c.lean, &error) == CT_OK);
    c.walker = player_of(kernels, (ct_clip_player_options){.clip = c.walk, .motion = c.motion});
    c.waver = player_of(kernels, (ct_clip_player_options){.clip = c.wave, .motion = c.motion});
    c.leaner = player_of(kernels, (ct_clip_player_options){.clip = c.lean.frames, .additive = true, .side = side});
    ct_skeleton_mask(c.skeleton, 1, 3, 1, c.mask);
    return c;
}

static void end_cast(cast *c)
{
    ct_clip_player_destroy(c->walker);
    ct_clip_player_destroy(c->waver);
    ct_clip_player_destroy(c->leaner);
    ct_root_motion_destroy(c->motion);
    ct_additive_clip_destroy(&c->lean);
    ct_clip_destroy(c->walk);
    ct_clip_destroy(c->wave);
    ct_skeleton_destroy(c->skeleton);
}

// What a source shows alone 0.1 s from now, from its beginning.
static void alone(ct_source *source, float *row)
{
    ct_stage *stage;
    ct_frame frame;
    ct_source_reset(source);
    CHECK(ct_stage_create(&allocator, source, &stage, &error) == CT_OK);
    CHECK(ct_stage_update(stage, 0.1, NULL, row, &frame, &error) == CT_OK);
    ct_stage_destroy(stage);
    ct_source_reset(source);
}

static bool same_joint(size_t components, const float *a, const float *b, size_t joint)
{
    for (size_t c = 0; c < components; ++c) {
        if (memcmp(a + c * MANY_STRIDE + joint, b + c * MANY_STRIDE + joint, sizeof *a) != 0) return false;
    }
    return true;
}

static void test_at_0_a_joint_keeps_its_bits_and_at_1_it_has_those_of_the_layer(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    static float walk[MANY_ROW], wave[MANY_ROW], row[MANY_ROW];
    alone(&c.walker->source, walk);
    alone(&c.waver->source, wave);
    ct_frame frame;
    for (int weight = 0; weight < 2; ++weight) {
        const ct_layer layers[2] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                                    {.source = &c.waver->source, .weight = {.fixed = weight}, .mask = c.mask}};
        ct_source_reset(&c.walker->source);
        ct_source_reset(&c.waver->source);
        CHECK(show(kernels, c.skeleton, 2, layers, NULL, row, &frame) == CT_OK);
        size_t full_count = 0, partly = 0;
        for (size_t j = 0; j < MANY; ++j) {
            float t = (float)weight * c.mask[j];
            if (t == 0)
                CHECK(same_joint(7, row, walk, j));
            else if (t == 1)
                CHECK(same_joint(10, row, wave, j));
            full_count += t == 1;
            partly += t != 1 && t != 0;
        }
        CHECK(!weight || (full_count > 20 && partly == 3));
    }
    const ct_layer nothing[2] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                                 {.source = &c.leaner->source, .weight = {.fixed = 0}, .mask = c.mask}};
    ct_source_reset(&c.walker->source);
    CHECK(show(kernels, c.skeleton, 2, nothing, NULL, row, &frame) == CT_OK);
    for (size_t j = 0; j < MANY; ++j) CHECK(same_joint(7, row, walk, j));
    end_cast(&c);
}

// Angle between the global rotations (J, 4) of two poses at a joint, in degrees.
static double degrees_apart(const float *a, const float *b, size_t joint)
{
    ct_quaternion p = ct_quaternion_of(a + 4 * joint), q = ct_quaternion_of(b + 4 * joint);
    ct_quaternion d = ct_quaternion_multiply(ct_quaternion_conjugate(p), q);
    return 2 * atan2(ct_vector_length((ct_vector){d.x, d.y, d.z}), fabs(d.w)) / DEGREE;
}

static void globals_of(const ct_kernels *kernels, const ct_skeleton *skeleton, bool scales, float *row, float *rotations)
{
    ct_poses pose = {ct_layout_of(MANY, true, scales), 1, row};
    CHECK(ct_forward_kinematics(skeleton, kernels, pose, 1, NULL, NULL, rotations, &error) == CT_OK);
}

static void test_in_mesh_space_a_layer_keeps_its_directions_whatever_is_below(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    static float walk[MANY_ROW], wave[MANY_ROW], row[MANY_ROW], of_walk[MANY * 4], of_wave[MANY * 4], of_row[MANY * 4];
    alone(&c.walker->source, walk);
    alone(&c.waver->source, wave);
    globals_of(kernels, c.skeleton, false, walk, of_walk);
    globals_of(kernels, c.skeleton, true, wave, of_wave);
    ct_layer layers[2] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                          {.source = &c.waver->source, .weight = {.fixed = 1}, .mask = c.mask}};
    double worst[2] = {0, 0};
    for (int mesh = 0; mesh < 2; ++mesh) {
        layers[1].in_mesh_space = mesh;
        ct_frame frame;
        ct_source_reset(&c.walker->source);
        ct_source_reset(&c.waver->source);
        CHECK(show(kernels, c.skeleton, 2, layers, NULL, row, &frame) == CT_OK);
        globals_of(kernels, c.skeleton, true, row, of_row);
        for (size_t j = 0; j < MANY; ++j) {
            if (c.mask[j] == 0)
                CHECK(same_joint(7, row, walk, j));
            else if (c.mask[j] == 1)
                worst[mesh] = fmax(worst[mesh], degrees_apart(of_row, of_wave, j));
        }
    }
    CHECK(worst[0] > 20);
    CHECK(worst[1] < 2e-4);

    // Half the way there, in the world and not beside the parent.
    layers[1].weight.fixed = 0.5;
    ct_frame frame;
    ct_source_reset(&c.walker->source);
    ct_source_reset(&c.waver->source);
    CHECK(show(kernels, c.skeleton, 2, layers, NULL, row, &frame) == CT_OK);
    globals_of(kernels, c.skeleton, true, row, of_row);
    const size_t first = 1; // of the branch
    CHECK_NEAR(c.mask[first], 1.0 / 3, 1e-6);
    double all = degrees_apart(of_walk, of_wave, first), part = degrees_apart(of_walk, of_row, first);
    CHECK(part > 0.1 * all && part < 0.25 * all);
    CHECK_NEAR(part + degrees_apart(of_row, of_wave, first), all, 1e-4);
    end_cast(&c);
}

// Joints lie askew at rest; a bow of the chest about the character's x is added to a body that has turned round.
static void test_in_mesh_space_a_delta_turns_about_the_axes_of_the_character(const ct_kernels *kernels)
{
    static const char *const names[3] = {"hips", "spine", "chest"};
    static const int32_t parents[3] = {CT_NO_PARENT, 0, 1};
    static const float offsets[9] = {0, 1, 0, 0, 0.2f, 0, 0, 0.2f, 0}, askew[12] = {0.6f, 0, 0, 0.8f, 0.5f, 0.5f, -0.5f, 0.5f, 0.8f, 0.6f};
    ct_skeleton *skeleton = made_up_skeleton(3, names, parents, offsets, askew);
    const ct_layout layout = ct_skeleton_rest(skeleton).layout;
    const ct_quaternion bow = {0.96, 0.28, 0, 0};

    ct_mesh_space *space;
    CHECK(ct_mesh_space_create(&allocator, skeleton, &space, &error) == CT_OK);
    float bowed[ROW], difference[ROW], base[ROW], row[ROW];
    memcpy(bowed, skeleton->rest, sizeof bowed);
    ct_quaternion chest = ct_quaternion_multiply(bow, space->rest[2]), spine = ct_quaternion_conjugate(space->rest[1]);
    ct_row_set_rotation(layout, bowed, 2, ct_quaternion_multiply(spine, chest));
    memcpy(base, skeleton->rest, sizeof base);
    ct_row_set_rotation(layout, base, 0, (ct_quaternion){0.28, 0, 0.96, 0});
    ct_row_set_rotation(layout, base, 1, (ct_quaternion){0.8, 0, 0, -0.6});

    ct_pose_deltas delta = {CT_SIDE_PARENT, layout, 1, difference};
    ct_held_pose *held[2];
    CHECK(ct_pose_difference(kernels, (ct_poses){layout, 1, bowed}, ct_skeleton_rest(skeleton), delta, &error) == CT_OK);
    CHECK(ct_held_pose_create(&allocator, skeleton, (ct_poses){layout, 1, base}, &held[0], &error) == CT_OK);
    CHECK(ct_held_delta_create(&allocator, skeleton, delta, &held[1], &error) == CT_OK);
    ct_layer layers[2] = {full(held[0]), full(held[1])};
    float before[12], after[12];
    CHECK(ct_forward_kinematics(skeleton, kernels, (ct_poses){layout, 1, base}, 1, NULL, NULL, before, &error) == CT_OK);
    for (int mesh = 0; mesh < 2; ++mesh) {
        layers[1].in_mesh_space = mesh;
        ct_frame frame;
        CHECK(show(kernels, skeleton, 2, layers, NULL, row, &frame) == CT_OK);
        CHECK(ct_forward_kinematics(skeleton, kernels, (ct_poses){layout, 1, row}, 1, NULL, NULL, after, &error) == CT_OK);
        ct_quaternion want = ct_quaternion_multiply(bow, ct_quaternion_of(before + 8));
        float wanted[12] = {[8] = (float)want.w, (float)want.x, (float)want.y, (float)want.z};
        double off = degrees_apart(after, wanted, 2);
        CHECK(mesh ? off < 1e-4 : off > 20);
        for (size_t c = 0; c < 7; ++c) CHECK(memcmp(row + c * STRIDE, base + c * STRIDE, 2 * sizeof *row) == 0); // hips, spine
    }
    ct_held_pose_destroy(held[0]);
    ct_held_pose_destroy(held[1]);
    ct_mesh_space_destroy(space);
    ct_skeleton_destroy(skeleton);
}

static void test_at_rest_mesh_space_adds_what_local_space_adds(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    static float rows[2][MANY_ROW];
    ct_layer layer = {.source = &c.leaner->source, .weight = {.fixed = 0.5}, .mask = c.mask};
    // One joint alone, so that all above it are at rest.
    for (size_t j = 0; j < MANY; ++j) c.mask[j] = j == 40 ? -1.5f : 0;
    for (int mesh = 0; mesh < 2; ++mesh) {
        ct_frame frame;
        layer.in_mesh_space = mesh;
        ct_source_reset(layer.source);
        CHECK(show(kernels, c.skeleton, 1, &layer, NULL, rows[mesh], &frame) == CT_OK);
    }
    CHECK(memcmp(rows[0], c.skeleton->rest, 7 * MANY_STRIDE * sizeof(float)) != 0);
    for (size_t i = 0; i < 7 * MANY_STRIDE; ++i) CHECK_NEAR(rows[1][i], rows[0][i], 2e-7);
    end_cast(&c);
}

static void test_the_first_layer_moves_the_character_and_others_when_they_say_so(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_LOCAL);
    static float row[MANY_ROW];
    ct_layer layers[3] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                          {.source = &c.waver->source, .weight = {.fixed = 0.25}, .mask = c.mask},
                          {.source = &c.leaner->source, .weight = {.fixed = 3}}};
    const ct_root_delta walk = ct_root_motion_delta(c.motion, 0, 0.1);
    CHECK(fabs(walk.turn) > 1e-3 && ct_vector_length(walk.translation) > 1e-3);
    ct_frame frame;
    CHECK(show(kernels, c.skeleton, 3, layers, NULL, row, &frame) == CT_OK);
    CHECK(memcmp(&frame.root, &walk, sizeof walk) == 0);

    layers[1].moves = true; // from 0.1 to 0.2
    const ct_root_delta on = ct_root_motion_delta(c.motion, 0.1, 0.2);
    ct_source_reset(&c.walker->source);
    CHECK(show(kernels, c.skeleton, 3, layers, NULL, row, &frame) == CT_OK);
    CHECK_NEAR(frame.root.turn, 0.75 * walk.turn + 0.25 * on.turn, 1e-12);
    CHECK_NEAR(frame.root.translation.x, 0.75 * walk.translation.x + 0.25 * on.translation.x, 1e-12);
    CHECK_NEAR(frame.root.translation.z, 0.75 * walk.translation.z + 0.25 * on.translation.z, 1e-12);

    CHECK(show(kernels, c.skeleton, 1, &layers[2], NULL, row, &frame) == CT_OK);
    CHECK(frame.root.turn == 0 && ct_vector_length(frame.root.translation) == 0);
    end_cast(&c);
}

static void test_stretches_weigh_what_their_layers_weigh(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_LOCAL);
    static float row[MANY_ROW];
    ct_layer layers[3] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                          {.source = &c.leaner->source, .weight = {.fixed = -0.5}},
                          {.source = &c.waver->source, .weight = {.fixed = 0.25}}};
    ct_layer_stack *stack;
    ct_stage *stage;
    for (int with_mask = 0; with_mask < 2; ++with_mask) {
        for (size_t j = 0; j < MANY; ++j) c.mask[j] *= 0.5f;
        layers[2].mask = with_mask ? c.mask : NULL;
        const double want[2][3] = {{0.75, 0.375, 0.25}, {1, 0.5, 0.0625}};
        CHECK(ct_layer_stack_create(&allocator, kernels, c.skeleton, 3, layers, &stack, &error) == CT_OK);
        CHECK(ct_stage_create(&allocator, &stack->source, &stage, &error) == CT_OK);
        ct_frame frame;
        CHECK(ct_stage_update(stage, 0.1, NULL, row, &frame, &error) == CT_OK);
        CHECK(frame.played_count == 3);
        const void *what[3] = {c.walk, c.lean.frames, c.wave};
        for (size_t i = 0; i < 3; ++i) {
            CHECK(frame.played[i].what == what[i]);
            CHECK_NEAR(frame.played[i].weight, want[with_mask][i], 1e-15);
        }
        ct_stage_destroy(stage);
        ct_layer_stack_destroy(stack);
    }
    end_cast(&c);
}

// A stack in a stack shows what its layers show in one.
static void test_stacks_nest(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    static float flat[MANY_ROW], nested[MANY_ROW];
    const ct_layer layers[3] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                                {.source = &c.waver->source, .weight = {.name = "wave"}, .mask = c.mask},
                                {.source = &c.leaner->source, .weight = {.name = "lean"}, .in_mesh_space = true}};
    const double values[2] = {0.5, 0.75}, turned[2] = {0.75, 0.5};
    ct_frame frame;
    CHECK(show(kernels, c.skeleton, 3, layers, values, flat, &frame) == CT_OK);

    ct_layer_stack *inner;
    CHECK(ct_layer_stack_create(&allocator, kernels, c.skeleton, 2, layers, &inner, &error) == CT_OK);
    const ct_layer outer[2] = {{.source = &inner->source, .weight = {.fixed = 1}}, layers[2]};
    ct_source_reset(&inner->source);
    ct_source_reset(&c.leaner->source);
    CHECK(show(kernels, c.skeleton, 2, outer, turned, nested, &frame) == CT_OK); // the outer stack asks for its slots first
    CHECK(memcmp(flat, nested, sizeof flat) == 0);
    ct_layer_stack_destroy(inner);
    end_cast(&c);
}

static void test_what_can_not_be_is_said_with_the_layer(const ct_kernels *kernels)
{
    ct_skeleton *skeleton = bending_body();
    ct_held_pose *run = hold(skeleton, RUN), *aim = hold(skeleton, AIM), *lean = hold_delta(kernels, skeleton, LEAN, CT_SIDE_LOCAL);
    float row[ROW], mask[JOINTS] = {0, 0, 1.1f};
    ct_frame frame;
    ct_layer layers[2] = {full(run), full(aim)};
#define CHECK_REFUSED(text, ...)                                                                                                           \
    do {                                                                                                                                   \
        CHECK(show(kernels, skeleton, 2, layers, __VA_ARGS__, row, &frame) == CT_BAD_VALUE);                                               \
        CHECK(strstr(error.message, text) != NULL);                                                                                        \
        if (!strstr(error.message, text)) printf("%s\n", error.message);                                                                   \
        CHECK(run->source.parent == NULL && aim->source.parent == NULL && lean->source.parent == NULL);                                    \
    } while (0)

    layers[1].weight.fixed = 1.5;
    CHECK_REFUSED("layer 1: weight is 1.5; that of an override is from 0 to 1", NULL);
    layers[1].weight.fixed = NAN;
    CHECK_REFUSED("layer 1: weight is NaN", NULL);
    layers[1].weight.name = "aim";
    CHECK_REFUSED("layer 1: weight (parameter 'aim') is -0.1", (double[]){-0.1});
    layers[1] = full(aim);
    layers[1].mask = mask;
    CHECK_REFUSED("layer 1: mask is 1.10000002", NULL);
    CHECK(error.joint == 2);
    CHECK_REFUSED("at joint 2; that of an override is from 0 to 1", NULL);
    layers[1] = full(lean);
    layers[1].in_mesh_space = true;
    CHECK_REFUSED("side='parent'", NULL);
    layers[1] = full(lean);
    layers[1].weight.fixed = -1000;
    layers[1].mask = mask;
    CHECK_REFUSED("layer 1: weight is -1000; with the mask, that of an additive is at most 1000 either way", NULL);
    layers[1] = full(run);
    CHECK_REFUSED("layer 1 is part of another source already", NULL);

    // Rounding does not count.
    mask[CHEST] = 1 + 5e-7f;
    layers[1] = masked(aim, mask, 1 + 5e-7);
    CHECK(show(kernels, skeleton, 2, layers, NULL, row, &frame) == CT_OK);
    check_bends(row, (const double[JOINTS]){5, 8, 6, -40, 35, -60});
    ct_held_pose_destroy(run);
    ct_held_pose_destroy(aim);
    ct_held_pose_destroy(lean);
    ct_skeleton_destroy(skeleton);
}

// A parameter out of bounds in the last layer: nothing moved on.
static void test_a_refused_update_leaves_the_clocks_where_they_were(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    const ct_layer layers[2] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                                {.source = &c.leaner->source, .weight = {.name = "lean"}}};
    static float row[MANY_ROW], again[MANY_ROW];
    ct_layer_stack *stack;
    ct_stage *stage;
    ct_frame frame;
    CHECK(ct_layer_stack_create(&allocator, kernels, c.skeleton, 2, layers, &stack, &error) == CT_OK);
    CHECK(ct_stage_create(&allocator, &stack->source, &stage, &error) == CT_OK);
    stage->values[0] = 0.5;
    CHECK(ct_stage_update(stage, 0.25, NULL, row, &frame, &error) == CT_OK);
    stage->values[0] = 1001;
    CHECK(ct_stage_update(stage, 0.25, NULL, again, &frame, &error) == CT_BAD_VALUE);
    CHECK_NEAR(c.walker->state.time, 0.25, 1e-15);
    stage->values[0] = 0.5;
    CHECK(ct_stage_update(stage, 0, NULL, again, &frame, &error) == CT_OK);
    CHECK(memcmp(row, again, 7 * MANY_STRIDE * sizeof *row) == 0);
    ct_stage_destroy(stage);
    ct_layer_stack_destroy(stack);
    end_cast(&c);
}

// The same bits at every level, and on every machine.
static void test_a_long_run_has_one_hash(const ct_kernels *kernels)
{
    cast c = make_cast(kernels, CT_SIDE_PARENT);
    const ct_layer layers[3] = {{.source = &c.walker->source, .weight = {.fixed = 1}},
                                {.source = &c.waver->source, .weight = {.name = "wave"}, .mask = c.mask},
                                {.source = &c.leaner->source, .weight = {.name = "lean"}, .in_mesh_space = true}};
    static float row[MANY_ROW];
    ct_layer_stack *stack;
    ct_stage *stage;
    ct_frame frame;
    CHECK(ct_layer_stack_create(&allocator, kernels, c.skeleton, 3, layers, &stack, &error) == CT_OK);
    CHECK(ct_stage_create(&allocator, &stack->source, &stage, &error) == CT_OK);
    uint64_t hash = HASH_START, state = 5;
    for (int i = 0; i < 200; ++i) {
        stage->values[0] = fabs(made_up_number(&state));
        stage->values[1] = 2 * made_up_number(&state);
        CHECK(ct_stage_update(stage, 1.0 / 60, NULL, row, &frame, &error) == CT_OK);
        hash = hash_floats(hash, MANY_ROW, row);
    }
    CHECK(hash == 0x30c35afe0e2604f4u);
    ct_stage_destroy(stage);
    ct_layer_stack_destroy(stack);
    end_cast(&c);
}

int main(void)
{
    allocator = ct_allocator_default();
    FOR_EACH_LEVEL(kernels)
    {
        test_the_worked_example(kernels);
        test_at_0_a_joint_keeps_its_bits_and_at_1_it_has_those_of_the_layer(kernels);
        test_in_mesh_space_a_layer_keeps_its_directions_whatever_is_below(kernels);
        test_in_mesh_space_a_delta_turns_about_the_axes_of_the_character(kernels);
        test_at_rest_mesh_space_adds_what_local_space_adds(kernels);
        test_the_first_layer_moves_the_character_and_others_when_they_say_so(kernels);
        test_stretches_weigh_what_their_layers_weigh(kernels);
        test_stacks_nest(kernels);
        test_what_can_not_be_is_said_with_the_layer(kernels);
        test_a_refused_update_leaves_the_clocks_where_they_were(kernels);
        test_a_long_run_has_one_hash(kernels);
    }
    return check_report();
}
