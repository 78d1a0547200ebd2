// Work of a fixed size for counting instructions, always at the baseline level so that machines agree.
//
//   bench_core         lists "case function", a line each: what to run, and the function whose instructions are counted
//   bench_core CASE    does it once
#include "additive_clip.h"
#include "blend.h"
#include "blend_player.h"
#include "blend_space.h"
#include "bvh.h"
#include "clip_player.h"
#include "forward_kinematics.h"
#include "layers.h"
#include "made_up.h"
#include "skin.h"

enum { JOINTS = 65, QUERIES = 256, POSES = 32, ROTATIONS = 512, VERTICES = 300, BVH_JOINTS = 31, BVH_ROWS = 40 };

static const ct_kernels *kernels;
static ct_error error;

// A pose at each of POSES times of a made-up motion.
typedef struct character {
    ct_skeleton *skeleton;
    ct_clip *clip;
    ct_poses poses;
} character;

static character made_up_character(void)
{
    static float rows[POSES * 7 * 80];
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    return (character){
        skeleton, made_up_motion(skeleton, 100, 1.0 / 60, false, false, 0.1), {ct_layout_of(JOINTS, true, false), POSES, rows}};
}

static void sample(const character *c, ct_interpolation how)
{
    double times[POSES];
    for (int i = 0; i < POSES; ++i) times[i] = 1.6 * i / POSES + 0.001;
    ct_clip_sample(c->clip, kernels, times, how, CT_CLAMP, 1, NULL, c->poses, NULL);
}

static character sampled_character(ct_interpolation how)
{
    character c = made_up_character();
    sample(&c, how);
    return c;
}

static void sample_nlerp(void) { sampled_character(CT_NLERP); }
static void sample_slerp(void) { sampled_character(CT_SLERP); }
static void sample_cubic(void) { sampled_character(CT_CUBIC); }

static void forward(size_t poses)
{
    static float positions[POSES * JOINTS * 3], rotations[POSES * JOINTS * 4];
    character c = sampled_character(CT_NLERP);
    c.poses.count = poses;
    ct_forward_kinematics(c.skeleton, kernels, c.poses, 1, NULL, positions, rotations, &error);
}

static void forward_kinematics(void) { forward(POSES); }
static void forward_kinematics_of_one(void) { forward(1); }

static void matrices(void)
{
    static float all[POSES * JOINTS * 16];
    character c = sampled_character(CT_NLERP);
    ct_global_matrices(c.skeleton, kernels, c.poses, 1, NULL, all, &error);
}

// Angles, then the quaternions of them and the angles again: structures of arrays.
static void euler_both_ways(void)
{
    static float angles[3][ROTATIONS], quaternions[4][ROTATIONS];
    const float *const in[3] = {angles[0], angles[1], angles[2]}, *const back[4] = {quaternions[0], quaternions[1], quaternions[2],
                                                                                    quaternions[3]};
    float *const to[4] = {quaternions[0], quaternions[1], quaternions[2], quaternions[3]}, *const again[3] = {angles[0], angles[1],
                                                                                                              angles[2]};
    uint64_t state = 3;
    for (int i = 0; i < 3 * ROTATIONS; ++i) angles[i / ROTATIONS][i % ROTATIONS] = (float)made_up_number(&state);
    kernels->quaternion.f32[CT_QUATERNION_from_tait_bryan](ROTATIONS, in, to);
    kernels->quaternion.f32[CT_QUATERNION_to_tait_bryan](ROTATIONS, back, again);
}

// Vertices on a ball, four joints each, by a palette of identities (the work does not depend on the numbers).
static void skin(bool dual)
{
    static float vertices[VERTICES * 3], normals[VERTICES * 3], weights[VERTICES * 4], out[2][VERTICES * 3], palette[JOINTS * 16];
    static int32_t joints[VERTICES * 4];
    uint64_t state = 5;
    for (int i = 0; i < VERTICES * 3; ++i) vertices[i] = normals[i] = (float)made_up_number(&state);
    for (int i = 0; i < VERTICES * 4; ++i) {
        joints[i] = (i * 7) % JOINTS;
        weights[i] = 0.25f;
    }
    for (int j = 0; j < JOINTS; ++j) {
        for (int k = 0; k < 16; k += 5) palette[j * 16 + k] = 1;
    }
    ct_skin mesh = {ct_allocator_default(), VERTICES, 4, JOINTS, vertices, normals, joints, weights};
    (dual ? ct_skin_dual_quaternion : ct_skin_linear)(&mesh, kernels, 1, palette, 1, NULL, out[0], out[1], &error);
}

static void skin_linear(void) { skin(false); }
static void skin_dual_quaternion(void) { skin(true); }

// `count` poses into one, POSES times: neighbours in time, as clips in step are.
static void blend(size_t count, bool masked)
{
    static float out[POSES * 7 * 80], mask[80];
    static double weights[POSES];
    character c = sampled_character(CT_NLERP);
    ct_blend_pose poses[4];
    for (int i = 0; i < 80; ++i) mask[i] = 0.5f;
    for (int i = 0; i < POSES; ++i) weights[i] = 1 + i;
    for (size_t i = 0; i < count; ++i) {
        poses[i] = (ct_blend_pose){c.poses.rows + i * ct_row_length(c.poses.layout), ct_row_length(c.poses.layout), weights, 1, mask};
    }
    c.poses.count = POSES - count;
    c.poses.rows = out;
    ct_blend all = {ct_allocator_default(), count, poses, masked, NULL};
    ct_blend_poses(&all, kernels, 1, NULL, c.poses, &error);
}

static void blend_of_2(void) { blend(2, false); }
static void blend_of_4(void) { blend(4, false); }
static void blend_masked(void) { blend(4, true); }

// What the poses of a clip have beside its first, half of it added to other poses.
static void add_deltas(bool masked)
{
    static float mask[80];
    static const double half = 0.5;
    character c = sampled_character(CT_NLERP);
    ct_additive_clip additive;
    if (ct_additive_clip_create(c.clip, kernels, (ct_poses){c.clip->layout, 1, c.clip->rows}, CT_SIDE_LOCAL, &additive, &error) != CT_OK) {
        printf("%s\n", error.message);
        return;
    }
    for (int j = 0; j < JOINTS; ++j) mask[j] = (float)(j % 2);
    ct_pose_deltas deltas = {additive.side, additive.frames->layout, POSES, additive.frames->rows};
    ct_poses_add(kernels, c.poses, deltas, 1, &half, masked ? mask : NULL, 1, NULL, c.poses);
}

static void add(void) { add_deltas(false); }
static void add_masked(void) { add_deltas(true); }

static ct_source *player(const ct_clip *clip, bool additive)
{
    ct_allocator allocator = ct_allocator_default();
    ct_clip_player_options options = {.clip = clip, .additive = additive, .side = CT_SIDE_PARENT, .rate = {.fixed = 1}};
    ct_clip_player *made;
    if (ct_clip_player_create(&allocator, kernels, &options, &made, &error) != CT_OK) printf("%s\n", error.message);
    return &made->source;
}

// A frame of a motion, another on a branch of it, and an additive.
static void layers(bool in_mesh_space)
{
    static float row[7 * 80], mask[JOINTS];
    character c = made_up_character();
    ct_skeleton_mask(c.skeleton, 1, 3, 1, mask);
    ct_allocator allocator = ct_allocator_default();
    ct_additive_clip lean;
    ct_poses reference = {c.clip->layout, 1, c.clip->rows};
    if (ct_additive_clip_create(c.clip, kernels, reference, CT_SIDE_PARENT, &lean, &error) != CT_OK) printf("%s\n", error.message);
    const ct_layer all[3] = {
        {.source = player(c.clip, false), .weight = {.fixed = 1}},
        {.source = player(c.clip, false), .weight = {.fixed = 0.5}, .mask = mask, .in_mesh_space = in_mesh_space},
        {.source = player(lean.frames, true), .weight = {.fixed = 0.5}, .in_mesh_space = in_mesh_space},
    };
    ct_layer_stack *stack;
    ct_stage *stage;
    ct_frame frame;
    if (ct_layer_stack_create(&allocator, kernels, c.skeleton, 3, all, &stack, &error) != CT_OK) printf("%s\n", error.message);
    if (ct_stage_create(&allocator, &stack->source, &stage, &error) != CT_OK) printf("%s\n", error.message);
    for (int i = 0; i < 2; ++i) ct_stage_update(stage, 0.01, NULL, row, &frame, &error);
}

static void layers_in_local_space(void) { layers(false); }
static void layers_in_mesh_space(void) { layers(true); }

static void clip_player(void)
{
    static float row[7 * 80];
    ct_allocator allocator = ct_allocator_default();
    ct_stage *stage;
    ct_frame frame;
    if (ct_stage_create(&allocator, player(made_up_character().clip, false), &stage, &error) != CT_OK) printf("%s\n", error.message);
    for (int i = 0; i < 2; ++i) ct_stage_update(stage, 0.01, NULL, row, &frame, &error);
}

// A chain of BVH_JOINTS joints and BVH_ROWS rows of six decimals, as most exporters write them.
static size_t write_chain(char *text, size_t room)
{
    size_t n = (size_t)snprintf(
        text, room, "HIERARCHY\nROOT j0\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n");
    for (int j = 1; j < BVH_JOINTS; ++j)
        n += (size_t)snprintf(text + n, room - n, "JOINT j%d\n{\nOFFSET 0 %d.5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n", j, j);
    n += (size_t)snprintf(text + n, room - n, "End Site\n{\nOFFSET 0 5 0\n}\n");
    for (int j = 0; j < BVH_JOINTS; ++j) n += (size_t)snprintf(text + n, room - n, "}\n");
    n += (size_t)snprintf(text + n, room - n, "MOTION\nFrames: %d\nFrame Time: 0.008333\n", BVH_ROWS);
    for (unsigned i = 0, number = 1; i < BVH_ROWS; ++i) {
        for (int c = 0; c < 3 * BVH_JOINTS + 3; ++c) {
            number = number * 1664525 + 1013904223;
            n += (size_t)snprintf(text + n, room - n, "%s%u.%06u%c", number & 1 ? "-" : "", number >> 26, (number >> 6) % 1000000,
                                  c == 3 * BVH_JOINTS + 2 ? '\n' : ' ');
        }
    }
    return n;
}

static void bvh_read(void)
{
    static char text[1 << 17];
    size_t size = write_chain(text, sizeof text);
    ct_allocator allocator = ct_allocator_default();
    ct_bvh_options options = {.scale = 1};
    ct_bvh *bvh;
    if (ct_bvh_read(&allocator, kernels, text, size, &options, &bvh, &error) == CT_OK)
        ct_bvh_destroy(bvh);
    else
        printf("%s\n", error.message);
}

static bool drop(void *context, const char *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    (void)count;
    return true;
}

static void bvh_write(void)
{
    ct_skeleton *skeleton = made_up_tree(BVH_JOINTS);
    ct_clip *clip = made_up_motion(skeleton, BVH_ROWS, 1.0 / 60, false, false, 0.1);
    ct_allocator allocator = ct_allocator_default();
    if (ct_bvh_write(&allocator, kernels, clip, NULL, (ct_bvh_sink){drop, NULL}, &error) != CT_OK) printf("%s\n", error.message);
}

// Samples at the origin and round it, queries inside of them and out.
static void blend_weights(ct_blend_method method)
{
    static const double samples[18] = {0, 0, 1.4, 0, 1, 1, 0, 1.4, -1, 1, -1.4, 0, -1, -1, 0, -1.4, 1, -1};
    static double queries[2 * QUERIES], weights[9 * QUERIES];
    uint64_t state = 9;
    for (int i = 0; i < 2 * QUERIES; ++i) queries[i] = 1.5 * made_up_number(&state);
    ct_allocator allocator = ct_allocator_default();
    ct_blend_space *space;
    if (ct_blend_space_create(&allocator, kernels, method, 9, samples, &space, &error) != CT_OK) {
        printf("%s\n", error.message);
        return;
    }
    ct_blend_space_weights(space, QUERIES, queries, NULL, weights);
    ct_blend_space_destroy(space);
}

static void gradient_bands(void) { blend_weights(CT_GRADIENT_BAND); }
static void polar_gradient_bands(void) { blend_weights(CT_GRADIENT_BAND_POLAR); }
static void delaunay_weights(void) { blend_weights(CT_DELAUNAY); }

// A frame of two clips of three, in step by a marker.
static void blend_player(void)
{
    static float row[7 * 80];
    static const double positions[] = {0, 1, 2}, down[] = {0.5};
    static const ct_marker marker = {"down", 1, down};
    character c = made_up_character();
    ct_clip *loop = made_up_motion(c.skeleton, 100, 1.0 / 60, true, false, 0.1);
    ct_allocator allocator = ct_allocator_default();
    ct_root_options root = {.joint = 0, .up = CT_PLUS_Y};
    ct_root_motion *motion;
    ct_blend_space *space;
    ct_sync *sync;
    ct_blend_player *player;
    ct_stage *stage;
    ct_frame frame;
    if (ct_root_motion_create(loop, kernels, &root, &motion, &error) != CT_OK) printf("%s\n", error.message);
    ct_blend_sample samples[3];
    ct_sync_clip clips[3];
    for (size_t i = 0; i < 3; ++i) {
        samples[i] = (ct_blend_sample){loop, motion, loop};
        clips[i] = (ct_sync_clip){"clip", ct_clip_period(loop), true, 1, &marker};
    }
    if (ct_blend_space_create(&allocator, kernels, CT_LINEAR, 3, positions, &space, &error) != CT_OK) printf("%s\n", error.message);
    if (ct_sync_create(&allocator, CT_SYNC_AUTO, 0, NULL, 3, clips, &sync, &error) != CT_OK) printf("%s\n", error.message);
    ct_blend_player_options options = {.space = space, .samples = samples, .sync = sync, .point = {{.fixed = 1.25}}};
    if (ct_blend_player_create(&allocator, kernels, &options, &player, &error) != CT_OK) printf("%s\n", error.message);
    if (ct_stage_create(&allocator, &player->source, &stage, &error) != CT_OK) printf("%s\n", error.message);
    for (int i = 0; i < 2; ++i) ct_stage_update(stage, 0.01, NULL, row, &frame, &error);
}

static const struct {
    const char *name, *function;
    void (*run)(void);
} cases[] = {
    {"sample_nlerp", "ct_clip_sample", sample_nlerp},
    {"sample_slerp", "ct_clip_sample", sample_slerp},
    {"sample_cubic", "ct_clip_sample", sample_cubic},
    {"forward_kinematics", "ct_forward_kinematics", forward_kinematics},
    {"forward_kinematics_of_one", "ct_forward_kinematics", forward_kinematics_of_one},
    {"matrices", "ct_global_matrices", matrices},
    {"skin_linear", "ct_skin_linear", skin_linear},
    {"skin_dual_quaternion", "ct_skin_dual_quaternion", skin_dual_quaternion},
    {"bvh_read", "ct_bvh_read", bvh_read},
    {"bvh_write", "ct_bvh_write", bvh_write},
    {"euler_to_quaternion", "from_tait_bryan_f32", euler_both_ways},
    {"quaternion_to_euler", "to_tait_bryan_f32", euler_both_ways},
    {"blend_of_2", "ct_blend_poses", blend_of_2},
    {"blend_of_4", "ct_blend_poses", blend_of_4},
    {"blend_masked", "ct_blend_poses", blend_masked},
    {"add", "ct_poses_add", add},
    {"add_masked", "ct_poses_add", add_masked},
    {"layers_in_local_space", "ct_stage_update", layers_in_local_space},
    {"layers_in_mesh_space", "ct_stage_update", layers_in_mesh_space},
    {"clip_player", "ct_stage_update", clip_player},
    {"blend_player", "ct_stage_update", blend_player},
    {"gradient_bands", "ct_blend_space_weights", gradient_bands},
    {"polar_gradient_bands", "ct_blend_space_weights", polar_gradient_bands},
    {"delaunay_weights", "ct_blend_space_weights", delaunay_weights},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int main(int argc, char **argv)
{
    kernels = ct_kernels_of(CT_LEVEL_BASELINE);
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (argc < 2)
            printf("%s %s\n", cases[i].name, cases[i].function);
        else if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    }
    return 0;
}
