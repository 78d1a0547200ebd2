#include "clip_edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "stance.h"

void ct_edited_destroy(ct_edited edited)
{
    ct_clip_destroy(edited.clip);
    ct_skeleton_destroy(edited.skeleton);
}

// --- a skeleton being changed ------------------------------------------------------------------------------------------------------------

typedef struct draft {
    const ct_clip *clip;
    size_t *name_lengths;
    float *offsets, *rotations, *tip_offsets; // copies to change
} draft;

static ct_status begin(const ct_clip *clip, draft *d, ct_error *error)
{
    const ct_skeleton *skeleton = clip->skeleton;
    size_t joints = skeleton->joint_count, tips = skeleton->tip_count;
    *d = (draft){.clip = clip,
                 .name_lengths = ct_allocate(&clip->allocator, joints, sizeof *d->name_lengths),
                 .offsets = ct_allocate(&clip->allocator, 3 * joints, sizeof *d->offsets),
                 .rotations = ct_allocate(&clip->allocator, 4 * joints, sizeof *d->rotations),
                 .tip_offsets = ct_allocate(&clip->allocator, 3 * tips, sizeof *d->tip_offsets)};
    if (!d->name_lengths || !d->offsets || !d->rotations || !d->tip_offsets) return ct_fail_memory(error, "a changed skeleton");
    for (size_t j = 0; j < joints; ++j) d->name_lengths[j] = strlen(skeleton->names[j]);
    memcpy(d->offsets, skeleton->offsets, 3 * joints * sizeof *d->offsets);
    memcpy(d->rotations, skeleton->rotations, 4 * joints * sizeof *d->rotations);
    if (tips) memcpy(d->tip_offsets, skeleton->tip_offsets, 3 * tips * sizeof *d->tip_offsets);
    return CT_OK;
}

static void end(draft *d)
{
    ct_release(&d->clip->allocator, d->name_lengths);
    ct_release(&d->clip->allocator, d->offsets);
    ct_release(&d->clip->allocator, d->rotations);
    ct_release(&d->clip->allocator, d->tip_offsets);
}

// The changed skeleton with a copy of the clip on it.
static ct_status make_edited(const draft *d, ct_edited *out, ct_error *error)
{
    const ct_skeleton *skeleton = d->clip->skeleton;
    ct_skeleton_parts parts = {.joint_count = skeleton->joint_count,
                               .tip_count = skeleton->tip_count,
                               .names = skeleton->names,
                               .name_lengths = d->name_lengths,
                               .parents = skeleton->parents,
                               .offsets = d->offsets,
                               .rotations = d->rotations,
                               .tip_parents = skeleton->tip_parents,
                               .tip_offsets = d->tip_offsets};
    *out = (ct_edited){NULL, NULL};
    ct_status status = ct_skeleton_create(&d->clip->allocator, &parts, &out->skeleton, error);
    if (status != CT_OK) return status;
    status = ct_clip_copy(d->clip, out->skeleton, &out->clip, error);
    if (status != CT_OK) {
        ct_skeleton_destroy(out->skeleton);
        out->skeleton = NULL;
    }
    return status;
}

// Checks the changed rows; when anything has failed so far, nothing is kept.
static ct_status finish_edited(ct_status status, ct_edited *edited, ct_error *error)
{
    if (status == CT_OK) status = ct_clip_finish(edited->clip, error);
    if (status == CT_OK) return CT_OK;
    ct_edited_destroy(*edited);
    *edited = (ct_edited){NULL, NULL};
    return status;
}

static void set_vector(float to[3], ct_vector v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void set_quaternion(float to[4], ct_quaternion q)
{
    to[0] = (float)q.w;
    set_vector(to + 1, (ct_vector){q.x, q.y, q.z});
}

static void set_translations(const ct_clip *clip, size_t joint, ct_vector translation)
{
    for (size_t i = 0; i < clip->frame_count; ++i)
        ct_row_set_vector(clip->layout, ct_clip_row(clip, i), CT_TRANSLATION, joint, translation);
}

// --- units and axes ----------------------------------------------------------------------------------------------------------------------

ct_status ct_clip_scale_lengths(const ct_clip *clip, double factor, ct_edited *out, ct_error *error)
{
    *out = (ct_edited){NULL, NULL};
    if (!(factor > 0 && isfinite(factor))) return ct_fail(error, CT_BAD_VALUE, "the factor of a scale must be positive and finite");

    draft d;
    ct_status status = begin(clip, &d, error);
    if (status == CT_OK) {
        for (size_t i = 0; i < 3 * clip->skeleton->joint_count; ++i) d.offsets[i] = (float)((double)d.offsets[i] * factor);
        for (size_t i = 0; i < 3 * clip->skeleton->tip_count; ++i) d.tip_offsets[i] = (float)((double)d.tip_offsets[i] * factor);
        status = make_edited(&d, out, error);
    }
    for (size_t i = 0; status == CT_OK && i < clip->frame_count; ++i) {
        float *translations = ct_clip_row(out->clip, i) + CT_TRANSLATION * clip->layout.stride;
        for (size_t k = 0; k < 3 * clip->layout.stride; ++k) translations[k] = (float)((double)translations[k] * factor);
    }
    end(&d);
    return finish_edited(status, out, error);
}

// New axes in terms of the old ones: numbers change places and signs, so nothing is rounded.
typedef struct axes {
    ct_vector x, y, z;
} axes;

static ct_vector turn_vector(axes a, ct_vector v)
{
    return (ct_vector){ct_vector_dot(a.x, v), ct_vector_dot(a.y, v), ct_vector_dot(a.z, v)};
}

// A rotation in other axes turns about its axis as seen there.
static ct_quaternion turn_rotation(axes a, ct_quaternion q)
{
    ct_vector v = turn_vector(a, (ct_vector){q.x, q.y, q.z});
    return (ct_quaternion){q.w, v.x, v.y, v.z};
}

static ct_vector turn_scale(axes a, ct_vector s)
{
    return turn_vector((axes){ct_vector_multiply(a.x, a.x), ct_vector_multiply(a.y, a.y), ct_vector_multiply(a.z, a.z)}, s);
}

ct_status ct_clip_turn_axes(const ct_clip *clip, ct_axis up, ct_axis forward, ct_edited *out, ct_error *error)
{
    *out = (ct_edited){NULL, NULL};
    if (up / 2 == forward / 2) return ct_fail(error, CT_BAD_VALUE, "up and forward must be different axes");

    ct_vector y = ct_axis_vector(up), z = ct_axis_vector(forward);
    axes a = {ct_vector_cross(y, z), y, z};
    draft d;
    ct_status status = begin(clip, &d, error);
    if (status == CT_OK) {
        for (size_t j = 0; j < clip->skeleton->joint_count; ++j) {
            set_vector(d.offsets + 3 * j, turn_vector(a, ct_vector_of(d.offsets + 3 * j)));
            set_quaternion(d.rotations + 4 * j, turn_rotation(a, ct_quaternion_of(d.rotations + 4 * j)));
        }
        for (size_t t = 0; t < clip->skeleton->tip_count; ++t)
            set_vector(d.tip_offsets + 3 * t, turn_vector(a, ct_vector_of(d.tip_offsets + 3 * t)));
        status = make_edited(&d, out, error);
    }
    for (size_t i = 0; status == CT_OK && i < clip->frame_count; ++i) {
        float *row = ct_clip_row(out->clip, i);
        for (size_t j = 0; j < clip->layout.joint_count; ++j) {
            ct_row_set_rotation(clip->layout, row, j, turn_rotation(a, ct_row_rotation(clip->layout, row, j)));
            ct_row_set_vector(clip->layout, row, CT_TRANSLATION, j, turn_vector(a, ct_row_vector(clip->layout, row, CT_TRANSLATION, j)));
            if (ct_has_scales(clip->layout))
                ct_row_set_vector(clip->layout, row, CT_SCALE, j, turn_scale(a, ct_row_vector(clip->layout, row, CT_SCALE, j)));
        }
    }
    end(&d);
    return finish_edited(status, out, error);
}

// --- bones -------------------------------------------------------------------------------------------------------------------------------

static ct_vector mean_translation(const ct_clip *clip, size_t joint)
{
    ct_vector sum = {0, 0, 0};
    for (size_t i = 0; i < clip->frame_count; ++i)
        sum = ct_vector_add(sum, ct_row_vector(clip->layout, ct_clip_row(clip, i), CT_TRANSLATION, joint));
    return ct_vector_scale(sum, 1 / (double)clip->frame_count);
}

static ct_status need_frames(const ct_clip *clip, ct_error *error)
{
    return clip->frame_count ? CT_OK : ct_fail(error, CT_BAD_VALUE, "this needs a clip with frames; there are none");
}

ct_status ct_clip_rest_from(const ct_clip *clip, ct_rest_source source, ct_edited *out, ct_error *error)
{
    *out = (ct_edited){NULL, NULL};
    ct_status status = need_frames(clip, error);
    if (status != CT_OK) return status;

    draft d;
    status = begin(clip, &d, error);
    if (status == CT_OK) {
        for (size_t j = 0; j < clip->skeleton->joint_count; ++j) {
            if (clip->skeleton->parents[j] == CT_NO_PARENT) continue;
            set_vector(d.offsets + 3 * j,
                       source == CT_REST_FIRST ? ct_row_vector(clip->layout, clip->rows, CT_TRANSLATION, j) : mean_translation(clip, j));
        }
        status = make_edited(&d, out, error);
    }
    end(&d);
    return finish_edited(status, out, error);
}

// How far a joint's translations lie from `mean` at most, and in which frame.
static double farthest_from(const ct_clip *clip, size_t joint, ct_vector mean, size_t *frame)
{
    double farthest = 0;
    *frame = 0;
    for (size_t i = 0; i < clip->frame_count; ++i) {
        ct_vector t = ct_row_vector(clip->layout, ct_clip_row(clip, i), CT_TRANSLATION, joint);
        double distance = ct_vector_length(ct_vector_subtract(t, mean));
        if (distance <= farthest) continue;
        farthest = distance;
        *frame = i;
    }
    return farthest;
}

// The mean as a row can hold it, so that translations that are all the same have no error.
static ct_vector rounded(ct_vector v) { return (ct_vector){(double)(float)v.x, (double)(float)v.y, (double)(float)v.z}; }

ct_status ct_clip_simplify(const ct_clip *clip, double tolerance, ct_edited *out, ct_simplified *report, ct_error *error)
{
    *out = (ct_edited){NULL, NULL};
    if (!(tolerance >= 0)) return ct_fail(error, CT_BAD_VALUE, "the tolerance must be a length, 0 or more");
    ct_status status = need_frames(clip, error);
    if (status != CT_OK) return status;

    ct_simplified done = {0};
    draft d;
    bool *is_rigid = ct_allocate(&clip->allocator, clip->skeleton->joint_count, sizeof *is_rigid);
    status = begin(clip, &d, error);
    if (!is_rigid) status = ct_fail_memory(error, "simplifying a clip");
    if (status == CT_OK) {
        for (size_t j = 0; j < clip->skeleton->joint_count; ++j) {
            if (clip->skeleton->parents[j] == CT_NO_PARENT) continue;
            size_t frame;
            ct_vector mean = rounded(mean_translation(clip, j));
            double farthest = farthest_from(clip, j, mean, &frame);
            if (farthest > tolerance) continue;
            is_rigid[j] = true;
            set_vector(d.offsets + 3 * j, mean);
            done.joint_count++;
            if (farthest <= done.largest_error) continue;
            done.largest_error = farthest;
            done.joint = j;
            done.frame = frame;
        }
        status = make_edited(&d, out, error);
    }
    for (size_t j = 0; status == CT_OK && j < clip->skeleton->joint_count; ++j) {
        if (is_rigid[j]) set_translations(out->clip, j, ct_vector_of(d.offsets + 3 * j));
    }
    end(&d);
    ct_release(&clip->allocator, is_rigid);
    status = finish_edited(status, out, error);
    if (status == CT_OK && report) *report = done;
    return status;
}

// --- another rest pose -------------------------------------------------------------------------------------------------------------------

// With P the global rotations of the new rest pose, global' = global P^-1: the identity in that pose. So local' = Pp local P^-1 and bones,
// which hang in their parents' axes, turn by Pp.
ct_status ct_clip_with_rest_pose(const ct_clip *clip, ct_poses rest, ct_edited *out, ct_error *error)
{
    *out = (ct_edited){NULL, NULL};
    const ct_skeleton *skeleton = clip->skeleton;
    draft d;
    ct_quaternion *turns = ct_allocate(&clip->allocator, skeleton->joint_count, sizeof *turns);
    ct_status status = begin(clip, &d, error);
    if (!turns) status = ct_fail_memory(error, "another rest pose");
    const ct_quaternion none = {1, 0, 0, 0};
    if (status == CT_OK) {
        for (size_t j = 0; j < skeleton->joint_count; ++j) {
            ct_quaternion above = skeleton->parents[j] == CT_NO_PARENT ? none : turns[skeleton->parents[j]];
            ct_vector bone = ct_has_translations(rest.layout) ? ct_row_vector(rest.layout, rest.rows, CT_TRANSLATION, j)
                                                              : ct_vector_of(skeleton->offsets + 3 * j);
            turns[j] = ct_quaternion_normalize(ct_quaternion_multiply(above, ct_row_rotation(rest.layout, rest.rows, j)));
            set_vector(d.offsets + 3 * j, ct_quaternion_rotate(above, bone));
            set_quaternion(d.rotations + 4 * j, none);
        }
        for (size_t t = 0; t < skeleton->tip_count; ++t)
            set_vector(d.tip_offsets + 3 * t, ct_quaternion_rotate(turns[skeleton->tip_parents[t]], ct_vector_of(d.tip_offsets + 3 * t)));
        status = make_edited(&d, out, error);
    }
    for (size_t i = 0; status == CT_OK && i < clip->frame_count; ++i) {
        float *row = ct_clip_row(out->clip, i);
        for (size_t j = 0; j < skeleton->joint_count; ++j) {
            ct_quaternion above = skeleton->parents[j] == CT_NO_PARENT ? none : turns[skeleton->parents[j]];
            ct_quaternion local = ct_quaternion_multiply(above, ct_row_rotation(clip->layout, row, j));
            ct_vector bone = ct_quaternion_rotate(above, ct_row_vector(clip->layout, row, CT_TRANSLATION, j));
            ct_row_set_rotation(clip->layout, row, j, ct_quaternion_multiply(local, ct_quaternion_conjugate(turns[j])));
            ct_row_set_vector(clip->layout, row, CT_TRANSLATION, j, bone);
            if (ct_has_scales(clip->layout))
                ct_row_set_vector(clip->layout, row, CT_SCALE, j, ct_scale_turned(turns[j], ct_row_vector(clip->layout, row, CT_SCALE, j)));
        }
    }
    end(&d);
    ct_release(&clip->allocator, turns);
    return finish_edited(status, out, error);
}

// --- the ground --------------------------------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

ct_status ct_clip_ground(const ct_clip *clip, const ct_kernels *kernels, ct_axis up, double percentile, ct_clip **out, double *moved,
                         ct_error *error)
{
    if (!(percentile >= 0 && percentile <= 100)) return ct_fail(error, CT_BAD_VALUE, "a percentile lies in 0 to 100");
    ct_status status = need_frames(clip, error);
    if (status != CT_OK) return status;

    ct_clip *grounded = NULL;
    float *lowest = ct_allocate(&clip->allocator, clip->frame_count, sizeof *lowest);
    if (!lowest) return ct_fail_memory(error, "finding the ground");
    status = ct_clip_extent(clip, kernels, up, lowest, NULL, error);
    if (status == CT_OK) status = ct_clip_copy(clip, clip->skeleton, &grounded, error);
    if (status == CT_OK) {
        qsort(lowest, clip->frame_count, sizeof *lowest, by_value);
        double shift = -(double)lowest[(size_t)floor(percentile / 100 * (double)(clip->frame_count - 1) + 0.5)];
        ct_vector lift = ct_vector_scale(ct_axis_vector(up), shift);
        for (size_t j = 0; j < clip->layout.joint_count; ++j) {
            if (clip->skeleton->parents[j] != CT_NO_PARENT) continue;
            for (size_t i = 0; i < clip->frame_count; ++i) {
                ct_vector t = ct_row_vector(clip->layout, ct_clip_row(clip, i), CT_TRANSLATION, j);
                ct_row_set_vector(clip->layout, ct_clip_row(grounded, i), CT_TRANSLATION, j, ct_vector_add(t, lift));
            }
        }
        if (moved) *moved = shift;
        status = ct_clip_finish(grounded, error);
    }
    ct_release(&clip->allocator, lowest);
    if (status != CT_OK) {
        ct_clip_destroy(grounded);
        return status;
    }
    *out = grounded;
    return CT_OK;
}
