// Every constructor with every one of its allocations failing in turn: it says so and keeps nothing.
//
// A case makes all it needs with the allocator it is given, so whatever allocates on the way fails too once. A new constructor is one
// more case and one more line of the table.
#include "additive_clip.h"
#include "blend.h"
#include "blend_player.h"
#include "blend_space.h"
#include "bvh.h"
#include "clip_edit.h"
#include "clip_player.h"
#include "failing_allocator.h"
#include "forward_kinematics.h"
#include "ground_contact.h"
#include "held_pose.h"
#include "layers.h"
#include "made_up.h"
#include "mirror.h"
#include "root_motion.h"
#include "skin.h"
#include "stance.h"

enum { JOINTS = 3, FRAMES = 4 };

static ct_status make_skeleton(const ct_allocator *allocator, ct_skeleton **out)
{
    static const char *const names[JOINTS] = {"Hips", "LeftLeg", "RightLeg"};
    static const size_t lengths[JOINTS] = {4, 7, 8};
    static const int32_t parents[JOINTS] = {CT_NO_PARENT, 0, 0}, tip_parents[1] = {1};
    static const float offsets[JOINTS][3] = {{0, 1, 0}, {0.1f, -0.5f, 0}, {-0.1f, -0.5f, 0}}, tip_offsets[3] = {0, -0.4f, 0};
    ct_skeleton_parts parts = {.joint_count = JOINTS,
                               .tip_count = 1,
                               .names = names,
                               .name_lengths = lengths,
                               .parents = parents,
                               .offsets = offsets[0],
                               .tip_parents = tip_parents,
                               .tip_offsets = tip_offsets};
    ct_error error;
    return ct_skeleton_create(allocator, &parts, out, &error);
}

// A motion on a skeleton of its own.
static ct_status make_clip(const ct_allocator *allocator, ct_clip **out)
{
    ct_skeleton *skeleton;
    ct_error error;
    ct_status status = make_skeleton(allocator, &skeleton);
    if (status != CT_OK) return status;

    status = ct_clip_create(allocator, skeleton, FRAMES, 0.1, true, false, out, &error);
    if (status == CT_OK) {
        for (size_t i = 0; i < FRAMES; ++i)
            memcpy((*out)->rows + i * ct_row_length((*out)->layout), skeleton->rest, ct_row_length((*out)->layout) * sizeof(float));
        status = ct_clip_finish(*out, &error);
        if (status != CT_OK) ct_clip_destroy(*out);
    }
    if (status != CT_OK) ct_skeleton_destroy(skeleton);
    return status;
}

static void destroy_clip(ct_clip *clip)
{
    ct_skeleton *skeleton = (ct_skeleton *)clip->skeleton;
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static ct_status skeleton(const ct_allocator *allocator)
{
    ct_skeleton *made;
    ct_status status = make_skeleton(allocator, &made);
    if (status == CT_OK) ct_skeleton_destroy(made);
    return status;
}

static ct_status clip(const ct_allocator *allocator)
{
    ct_clip *made;
    ct_status status = make_clip(allocator, &made);
    if (status == CT_OK) destroy_clip(made);
    return status;
}

static ct_status slice(const ct_allocator *allocator)
{
    ct_clip *made, *part;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = ct_clip_slice(made, 1, 1, 2, &part, &error);
    if (status == CT_OK) ct_clip_destroy(part);
    destroy_clip(made);
    return status;
}

static ct_status resample(const ct_allocator *allocator)
{
    ct_clip *made, *part;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = ct_clip_resample(made, ct_kernels_best(), 30, CT_NLERP, &part, &error);
    if (status == CT_OK) ct_clip_destroy(part);
    destroy_clip(made);
    return status;
}

static ct_status mirrored(const ct_allocator *allocator)
{
    ct_clip *made, *image;
    ct_error error;
    int32_t map[JOINTS];
    uint8_t sides[JOINTS];
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = ct_mirror_sides(made->skeleton, sides, &error);
    if (status == CT_OK) status = ct_mirror_map(made->skeleton, map, NULL, &error);
    if (status == CT_OK) status = ct_clip_mirror(made, map, 0, &image, &error);
    if (status == CT_OK) ct_clip_destroy(image);
    destroy_clip(made);
    return status;
}

static ct_status root_motion(const ct_allocator *allocator)
{
    ct_clip *made, *moved = NULL;
    ct_root_motion *motion = NULL;
    ct_error error;
    double speed;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    ct_root_options options = {.joint = CT_NOWHERE, .up = CT_PLUS_Y, .smoothing = 0.2};
    status = ct_clip_speed(made, ct_kernels_best(), CT_PLUS_Y, &speed, &error);
    if (status == CT_OK) status = ct_root_motion_create(made, ct_kernels_best(), &options, &motion, &error);
    if (status == CT_OK) status = ct_clip_in_place(made, motion, &moved, &error);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(moved);
    destroy_clip(made);
    return status;
}

static ct_status edits(const ct_allocator *allocator)
{
    ct_clip *made, *grounded;
    ct_edited edited;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    ct_poses rest = {made->layout, 1, made->rows};
    for (int edit = 0; edit < 7 && status == CT_OK; ++edit) {
        edited = (ct_edited){NULL, NULL};
        switch (edit) {
        case 0: status = ct_clip_scale_lengths(made, 2, &edited, &error); break;
        case 1: status = ct_clip_turn_axes(made, CT_PLUS_Z, CT_PLUS_X, &edited, &error); break;
        case 2: status = ct_clip_rest_from(made, CT_REST_MEAN, &edited, &error); break;
        case 3: status = ct_clip_simplify(made, 1, &edited, NULL, &error); break;
        case 4: status = ct_clip_with_rest_pose(made, rest, &edited, &error); break;
        case 5: status = ct_clip_tips_as_joints(made, &edited, &error); break;
        default: status = ct_clip_ground(made, ct_kernels_best(), CT_PLUS_Y, 0, &grounded, NULL, &error);
        }
        if (edit == 6 && status == CT_OK) ct_clip_destroy(grounded);
        ct_edited_destroy(edited);
    }
    destroy_clip(made);
    return status;
}

static ct_status stance(const ct_allocator *allocator)
{
    ct_clip *made;
    ct_stance seen;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = ct_stance_of(made, ct_kernels_best(), &seen, &error);
    destroy_clip(made);
    return status;
}

static ct_status planted(const ct_allocator *allocator)
{
    const double points[2][1][3] = {{{0, 0, 1}}, {{0, 0, 2}}};
    double height;
    ct_error error;
    return ct_planted_heights(allocator, (ct_tracks){2, 1, &points[0][0][0]}, &height, &error);
}

static ct_status kinematics(const ct_allocator *allocator)
{
    float positions[JOINTS * 3], rotations[JOINTS * 4], matrices[JOINTS * 16], bind[JOINTS * 16];
    ct_skeleton *made;
    ct_error error;
    ct_status status = make_skeleton(allocator, &made);
    if (status != CT_OK) return status;
    ct_poses poses = {ct_layout_of(JOINTS, true, false), 1, (float *)made->rest};
    const ct_kernels *kernels = ct_kernels_best();
    status = ct_forward_kinematics(made, kernels, poses, 2, NULL, positions, rotations, &error);
    if (status == CT_OK) status = ct_global_matrices(made, kernels, poses, 2, NULL, matrices, &error);
    if (status == CT_OK) status = ct_inverse_bind(made, kernels, bind, &error);
    if (status == CT_OK) status = ct_palette(made, kernels, poses, bind, 2, NULL, matrices, &error);
    ct_skeleton_destroy(made);
    return status;
}

static ct_status skin(const ct_allocator *allocator)
{
    static const float vertices[3] = {0, 1, 0}, normals[3] = {0, 0, 1}, weights[2] = {1, 1};
    static const int32_t joints[2] = {0, 1};
    float palette[2 * 16] = {0}, moved[3], turned[3];
    for (size_t i = 0; i < 2 * 16; i += 5) palette[i < 16 ? i : i + 1] = 1;
    ct_skin mesh = {*allocator, 1, 2, 2, vertices, normals, joints, weights};
    ct_error error;
    ct_status status = ct_skin_linear(&mesh, ct_kernels_best(), 1, palette, 2, NULL, moved, turned, &error);
    if (status == CT_OK) status = ct_skin_dual_quaternion(&mesh, ct_kernels_best(), 1, palette, 2, NULL, moved, turned, &error);
    return status;
}

// A file with a tip, a channel of no known kind, turns about one axis twice, a name in Latin-1 and more rows than it declares, so that all
// that the reader may allocate is.
static ct_status make_bvh(const ct_allocator *allocator, ct_bvh **out)
{
    static const char text[] =
        "HIERARCHY\nROOT H\374fte\n{\nOFFSET 0 1 0\nCHANNELS 7 Xposition Yposition Zposition Zrotation Xrotation Yrotation Glow\n"
        "JOINT Leg\n{\nOFFSET 0 -0.5 0\nCHANNELS 3 Xrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 -0.5 0\n}\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n0 1 0 0 0 0 5 10 1 2\n0 1 0.1 0 0 0 6 20 3 4\n";
    ct_bvh_options options = {.scale = 1};
    ct_error error;
    return ct_bvh_read(allocator, ct_kernels_best(), text, sizeof text - 1, &options, out, &error);
}

static ct_status read_bvh(const ct_allocator *allocator)
{
    ct_bvh *bvh;
    ct_status status = make_bvh(allocator, &bvh);
    if (status == CT_OK) ct_bvh_destroy(bvh);
    return status;
}

static bool take_nothing(void *context, const char *bytes, size_t count)
{
    (void)context;
    return bytes && count;
}

static ct_status write_bvh(const ct_allocator *allocator)
{
    ct_bvh *bvh;
    ct_error error;
    ct_status status = make_bvh(allocator, &bvh);
    if (status != CT_OK) return status;
    const ct_bvh_layout layout = {.channels = bvh->channels,
                                  .channel_starts = bvh->channel_starts,
                                  .tip_names = (const char *const *)bvh->tip_names,
                                  .curve_count = bvh->curve_count,
                                  .curve_names = (const char *const *)bvh->curve_names,
                                  .curves = bvh->curves};
    const ct_bvh_sink sink = {take_nothing, NULL};
    status = ct_bvh_write(allocator, ct_kernels_best(), bvh->clip, &layout, sink, &error);
    if (status == CT_OK) status = ct_bvh_write(allocator, ct_kernels_best(), bvh->clip, NULL, sink, &error);
    ct_bvh_destroy(bvh);
    return status;
}

static ct_status blend(const ct_allocator *allocator)
{
    static const double weight = 1;
    static float row[64], out[64];
    ct_layout layout = ct_layout_of(JOINTS, false, false);
    ct_layout_pad(layout, 1, row);
    ct_blend_pose poses[9];
    for (int i = 0; i < 9; ++i) poses[i] = (ct_blend_pose){row, 0, &weight, 0, NULL};
    ct_blend all = {*allocator, 9, poses, false, NULL};
    ct_error error;
    return ct_blend_poses(&all, ct_kernels_best(), 2, NULL, (ct_poses){layout, 1, out}, &error);
}

static ct_status blend_spaces(const ct_allocator *allocator)
{
    static const double points[] = {0, 0, 1, 0, 0, 1}, speeds[] = {0, 1.4, 4};
    ct_status status = CT_OK;
    for (int method = 0; method < CT_BLEND_METHOD_COUNT && status == CT_OK; ++method) {
        ct_blend_space *space;
        ct_error error;
        status = ct_blend_space_create(allocator, ct_kernels_best(), (ct_blend_method)method, 3, method == CT_LINEAR ? speeds : points,
                                       &space, &error);
        if (status == CT_OK) ct_blend_space_destroy(space);
    }
    return status;
}

static ct_status additive(const ct_allocator *allocator)
{
    ct_clip *made;
    ct_additive_clip deltas;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = ct_additive_clip_create(made, ct_kernels_best(), (ct_poses){made->layout, 1, made->rows}, CT_SIDE_LOCAL, &deltas, &error);
    if (status == CT_OK) ct_additive_clip_destroy(&deltas);
    destroy_clip(made);
    return status;
}

// A stack of a held pose and a held delta in mesh space, and a stage for it.
static ct_status layers(const ct_allocator *allocator)
{
    ct_skeleton *made;
    ct_held_pose *pose = NULL, *delta = NULL;
    ct_layer_stack *stack = NULL;
    ct_stage *stage = NULL;
    ct_error error;
    ct_status status = make_skeleton(allocator, &made);
    if (status != CT_OK) return status;
    ct_poses rest = ct_skeleton_rest(made);
    ct_pose_deltas none = {CT_SIDE_PARENT, rest.layout, 1, rest.rows};
    status = ct_held_pose_create(allocator, made, rest, &pose, &error);
    if (status == CT_OK) status = ct_held_delta_create(allocator, made, none, &delta, &error);
    if (status == CT_OK) {
        const ct_layer both[2] = {{.source = &pose->source, .weight = {.name = "pose"}},
                                  {.source = &delta->source, .weight = {.name = "delta"}, .in_mesh_space = true}};
        status = ct_layer_stack_create(allocator, ct_kernels_best(), made, 2, both, &stack, &error);
    }
    if (status == CT_OK) status = ct_stage_create(allocator, &stack->source, &stage, &error);
    ct_stage_destroy(stage);
    ct_layer_stack_destroy(stack);
    ct_held_pose_destroy(pose);
    ct_held_pose_destroy(delta);
    ct_skeleton_destroy(made);
    return status;
}

// Two of a clip on a line.
static ct_status play_blend(const ct_allocator *allocator, const ct_clip *clip)
{
    const double positions[] = {0, 1}, time = 0.1;
    const ct_marker marker = {"down", 1, &time};
    const ct_sync_clip sync_clips[] = {{"a", ct_clip_period(clip), true, 1, &marker}, {"b", ct_clip_period(clip), true, 1, &marker}};
    const ct_blend_sample samples[] = {{.clip = clip}, {.clip = clip}};
    ct_blend_space *space = NULL;
    ct_sync *sync = NULL;
    ct_blend_player *player = NULL;
    ct_stage *stage = NULL;
    ct_error error;
    ct_status status = ct_blend_space_create(allocator, ct_kernels_best(), CT_LINEAR, 2, positions, &space, &error);
    if (status == CT_OK) status = ct_sync_create(allocator, CT_SYNC_AUTO, 0, NULL, 2, sync_clips, &sync, &error);
    ct_blend_player_options options = {.space = space, .samples = samples, .sync = sync, .point = {{.name = "speed"}}};
    if (status == CT_OK) status = ct_blend_player_create(allocator, ct_kernels_best(), &options, &player, &error);
    if (status == CT_OK) status = ct_stage_create(allocator, &player->source, &stage, &error);
    ct_stage_destroy(stage);
    ct_blend_player_destroy(player);
    ct_sync_destroy(sync);
    ct_blend_space_destroy(space);
    return status;
}

static ct_status blend_player(const ct_allocator *allocator)
{
    ct_clip *made;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    status = play_blend(allocator, made);
    destroy_clip(made);
    return status;
}

static ct_status clip_player(const ct_allocator *allocator)
{
    ct_clip *made;
    ct_clip_player *player = NULL;
    ct_stage *stage = NULL;
    ct_error error;
    ct_status status = make_clip(allocator, &made);
    if (status != CT_OK) return status;
    const ct_clip_player_options options = {.clip = made, .rate = {.name = "rate"}};
    status = ct_clip_player_create(allocator, ct_kernels_best(), &options, &player, &error);
    if (status == CT_OK) status = ct_stage_create(allocator, &player->source, &stage, &error);
    ct_stage_destroy(stage);
    ct_clip_player_destroy(player);
    destroy_clip(made);
    return status;
}

static const struct {
    const char *name;
    ct_status (*run)(const ct_allocator *allocator);
} cases[] = {
    {"skeleton", skeleton},
    {"clip", clip},
    {"slice", slice},
    {"resample", resample},
    {"kinematics", kinematics},
    {"mirrored", mirrored},
    {"root motion", root_motion},
    {"skin", skin},
    {"read_bvh", read_bvh},
    {"edits", edits},
    {"stance", stance},
    {"planted", planted},
    {"write_bvh", write_bvh},
    {"blend", blend},
    {"blend spaces", blend_spaces},
    {"additive", additive},
    {"layers", layers},
    {"blend player", blend_player},
    {"clip player", clip_player},
};

// Returns whether the case ended before its allocation number `n` (from 1).
static bool ends_before(size_t n, ct_status (*run)(const ct_allocator *))
{
    failing_allocator f = {.fail_at = n};
    ct_allocator allocator = failing_allocator_use(&f);
    ct_status status = run(&allocator);
    CHECK(f.live == 0);
    if (f.calls < n) return true;
    CHECK(status == CT_OUT_OF_MEMORY);
    return false;
}

static void test_every_allocation_may_fail(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        failing_allocator f = {0};
        ct_allocator allocator = failing_allocator_use(&f);
        CHECK(cases[i].run(&allocator) == CT_OK);
        CHECK(f.live == 0 && f.calls > 0);

        int failures = check_failures;
        size_t n = 1;
        while (!ends_before(n, cases[i].run)) ++n;
        CHECK(n == f.calls + 1);
        if (check_failures > failures) printf("  in case %s\n", cases[i].name);
    }
}

int main(void)
{
    test_every_allocation_may_fail();
    return check_report();
}
