// Tips as joints of their own.
#include <stdio.h>
#include <string.h>

#include "clip_edit.h"

// Names of the new joints, one block: tip t's is at texts + t * room.
typedef struct grown {
    const char **names;
    size_t *name_lengths;
    int32_t *parents;
    float *offsets, *rotations;
    char *texts;
    size_t room;
} grown;

static bool is_taken(const grown *g, size_t count, const char *name)
{
    for (size_t j = 0; j < count; ++j) {
        if (strcmp(g->names[j], name) == 0) return true;
    }
    return false;
}

static void name_tip(const grown *g, size_t joint, const char *parent, char *text)
{
    snprintf(text, g->room, "%s_end", parent);
    for (size_t number = 2; is_taken(g, joint, text); ++number) snprintf(text, g->room, "%s_end_%zu", parent, number);
}

static void grow(const ct_skeleton *skeleton, const grown *g)
{
    size_t joints = skeleton->joint_count;
    for (size_t j = 0; j < joints; ++j) {
        g->names[j] = skeleton->names[j];
        g->name_lengths[j] = strlen(skeleton->names[j]);
    }
    memcpy(g->parents, skeleton->parents, joints * sizeof *g->parents);
    memcpy(g->offsets, skeleton->offsets, 3 * joints * sizeof *g->offsets);
    memcpy(g->rotations, skeleton->rotations, 4 * joints * sizeof *g->rotations);
    for (size_t t = 0; t < skeleton->tip_count; ++t) {
        size_t j = joints + t;
        char *text = g->texts + t * g->room;
        name_tip(g, j, skeleton->names[skeleton->tip_parents[t]], text);
        g->names[j] = text;
        g->name_lengths[j] = strlen(text);
        g->parents[j] = skeleton->tip_parents[t];
        memcpy(g->offsets + 3 * j, skeleton->tip_offsets + 3 * t, 3 * sizeof *g->offsets);
        g->rotations[4 * j] = 1;
    }
}

// The old joints' numbers where they are, the new joints at rest.
static void fill_rows(const ct_clip *clip, const ct_edited *edited)
{
    size_t joints = clip->layout.joint_count;
    ct_layout layout = edited->clip->layout;
    for (size_t i = 0; i < clip->frame_count; ++i) {
        const float *from = ct_clip_row(clip, i);
        float *to = ct_clip_row(edited->clip, i);
        for (size_t c = 0; c < layout.component_count; ++c) {
            const float *rest = edited->skeleton->rest + c * layout.stride;
            memcpy(to + c * layout.stride, from + c * clip->layout.stride, joints * sizeof *to);
            for (size_t j = joints; j < layout.joint_count; ++j) to[c * layout.stride + j] = c < CT_SCALE ? rest[j] : 1;
        }
    }
}

static ct_status make_grown(const ct_clip *clip, const grown *g, ct_edited *out, ct_error *error)
{
    size_t count = clip->skeleton->joint_count + clip->skeleton->tip_count;
    ct_skeleton_parts parts = {.joint_count = count,
                               .names = g->names,
                               .name_lengths = g->name_lengths,
                               .parents = g->parents,
                               .offsets = g->offsets,
                               .rotations = g->rotations};
    ct_status status = ct_skeleton_create(&clip->allocator, &parts, &out->skeleton, error);
    if (status != CT_OK) return status;
    status = ct_clip_create(&clip->allocator, out->skeleton, clip->frame_count, clip->frame_time, clip->looping,
                            ct_has_scales(clip->layout), &out->clip, error);
    if (status != CT_OK) return status;
    fill_rows(clip, out);
    return ct_clip_finish(out->clip, error);
}

ct_status ct_clip_tips_as_joints(const ct_clip *clip, ct_edited *out, ct_error *error)
{
    const ct_allocator *allocator = &clip->allocator;
    const ct_skeleton *skeleton = clip->skeleton;
    size_t count = skeleton->joint_count + skeleton->tip_count, longest = 0;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        size_t length = strlen(skeleton->names[j]);
        longest = length > longest ? length : longest;
    }
    *out = (ct_edited){NULL, NULL};
    grown g = {.room = longest + sizeof "_end_" + 20};
    g.names = ct_allocate(allocator, count, sizeof *g.names);
    g.name_lengths = ct_allocate(allocator, count, sizeof *g.name_lengths);
    g.parents = ct_allocate(allocator, count, sizeof *g.parents);
    g.offsets = ct_allocate(allocator, 3 * count, sizeof *g.offsets);
    g.rotations = ct_allocate(allocator, 4 * count, sizeof *g.rotations);
    g.texts = ct_allocate(allocator, skeleton->tip_count, g.room);
    bool has_room = g.names && g.name_lengths && g.parents && g.offsets && g.rotations && g.texts;
    ct_status status = has_room ? CT_OK : ct_fail_memory(error, "tips as joints");
    if (status == CT_OK) {
        grow(skeleton, &g);
        status = make_grown(clip, &g, out, error);
    }
    ct_release(allocator, g.names);
    ct_release(allocator, g.name_lengths);
    ct_release(allocator, g.parents);
    ct_release(allocator, g.offsets);
    ct_release(allocator, g.rotations);
    ct_release(allocator, g.texts);
    if (status == CT_OK) return CT_OK;
    ct_edited_destroy(*out);
    *out = (ct_edited){NULL, NULL};
    return status;
}
