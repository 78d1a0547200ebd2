#include "skeleton.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static ct_status fail_joint(ct_error *error, size_t joint, ct_status code)
{
    if (error) error->joint = (ptrdiff_t)joint;
    return code;
}

int ct_name_shown(const char *name, size_t length)
{
    if (length <= 80) return (int)length;
    length = 80;
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) --length;
    return (int)length;
}

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static ct_status check_joint(const ct_skeleton_parts *parts, size_t j, ct_error *error)
{
    const char *name = parts->names[j];
    int shown = ct_name_shown(name, parts->name_lengths[j]);
    int32_t parent = parts->parents[j];

    if (memchr(name, '\0', parts->name_lengths[j])) {
        return fail_joint(error, j, ct_fail(error, CT_BAD_VALUE, "the name of joint %zu has a NUL character inside", j));
    }
    if (parent < CT_NO_PARENT || (parent >= 0 && (size_t)parent >= j)) {
        return fail_joint(error, j,
                          ct_fail(error, CT_BAD_VALUE, "joint %zu ('%.*s') has parent %ld; a parent comes before its joint, a root has -1",
                                  j, shown, name, (long)parent));
    }
    if (!all_finite(parts->offsets + 3 * j, 3)) {
        return fail_joint(error, j, ct_fail(error, CT_BAD_VALUE, "the offset of joint %zu ('%.*s') is not finite", j, shown, name));
    }
    if (!parts->rotations) return CT_OK;

    const float *q = parts->rotations + 4 * j;
    if (!all_finite(q, 4)) {
        return fail_joint(error, j, ct_fail(error, CT_BAD_VALUE, "the rotation of joint %zu ('%.*s') is not finite", j, shown, name));
    }
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) {
        return fail_joint(
            error, j, ct_fail(error, CT_BAD_VALUE, "the rotation of joint %zu ('%.*s') is zero; the identity is 1 0 0 0", j, shown, name));
    }
    return CT_OK;
}

static ct_status check_tip(const ct_skeleton_parts *parts, size_t t, ct_error *error)
{
    int32_t parent = parts->tip_parents[t];
    if (parent < 0 || (size_t)parent >= parts->joint_count) {
        return ct_fail(error, CT_BAD_VALUE, "tip %zu ends joint %ld; there are %zu joints", t, (long)parent, parts->joint_count);
    }
    if (!all_finite(parts->tip_offsets + 3 * t, 3)) {
        return fail_joint(error, (size_t)parent,
                          ct_fail(error, CT_BAD_VALUE, "the offset of tip %zu (of joint %ld) is not finite", t, (long)parent));
    }
    return CT_OK;
}

static ct_status check_parts(const ct_skeleton_parts *parts, ct_error *error)
{
    if (parts->joint_count == 0) return ct_fail(error, CT_BAD_VALUE, "a skeleton needs at least one joint");
    if (parts->joint_count > CT_MAX_JOINTS || parts->tip_count > CT_MAX_JOINTS) {
        return ct_fail(error, CT_BAD_VALUE, "%zu joints and %zu tips; at most %d of each are possible", parts->joint_count,
                       parts->tip_count, CT_MAX_JOINTS);
    }
    ct_status status = CT_OK;
    for (size_t j = 0; j < parts->joint_count && status == CT_OK; ++j) status = check_joint(parts, j, error);
    for (size_t t = 0; t < parts->tip_count && status == CT_OK; ++t) status = check_tip(parts, t, error);
    return status;
}

// Takes `bytes` from a block, keeping what follows aligned. With block NULL it only measures.
static void *take(char *block, size_t *used, size_t bytes)
{
    void *piece = block ? block + *used : NULL;
    *used += (bytes + CT_ALIGNMENT - 1) / CT_ALIGNMENT * CT_ALIGNMENT;
    return piece;
}

// In double, because the squares of a float need not fit a float. What is unit to 1e-6 is kept: a skeleton made of another's arrays has
// its bits.
static void normalize(const float *from, float *to)
{
    double square = 0;
    for (int c = 0; c < 4; ++c) square += (double)from[c] * (double)from[c];
    double length = fabs(square - 1) <= 2e-6 ? 1 : sqrt(square);
    for (int c = 0; c < 4; ++c) to[c] = (float)((double)from[c] / length);
}

// The skeleton and its arrays, one block. Called twice: with block NULL it returns the size needed.
static size_t build(const ct_skeleton_parts *parts, char *block)
{
    size_t joints = parts->joint_count, tips = parts->tip_count, used = 0;
    ct_layout layout = ct_layout_of(joints, true, false);
    size_t text_bytes = 0;
    for (size_t j = 0; j < joints; ++j) text_bytes += parts->name_lengths[j] + 1;

    ct_skeleton *skeleton = take(block, &used, sizeof *skeleton);
    const char **names = take(block, &used, joints * sizeof *names);
    int32_t *parents = take(block, &used, joints * sizeof *parents);
    float *offsets = take(block, &used, joints * 3 * sizeof *offsets);
    float *rotations = take(block, &used, joints * 4 * sizeof *rotations);
    int32_t *tip_parents = take(block, &used, tips * sizeof *tip_parents);
    float *tip_offsets = take(block, &used, tips * 3 * sizeof *tip_offsets);
    float *rest = take(block, &used, ct_row_length(layout) * sizeof *rest);
    char *text = take(block, &used, text_bytes);
    if (!block) return used;

    for (size_t j = 0; j < joints; ++j) {
        names[j] = text;
        memcpy(text, parts->names[j], parts->name_lengths[j]);
        text += parts->name_lengths[j];
        *text++ = '\0';

        const float identity[4] = {1, 0, 0, 0};
        normalize(parts->rotations ? parts->rotations + 4 * j : identity, rotations + 4 * j);
    }
    memcpy(parents, parts->parents, joints * sizeof *parents);
    memcpy(offsets, parts->offsets, joints * 3 * sizeof *offsets);
    if (tips > 0) {
        memcpy(tip_parents, parts->tip_parents, tips * sizeof *tip_parents);
        memcpy(tip_offsets, parts->tip_offsets, tips * 3 * sizeof *tip_offsets);
    }
    ct_layout_write(layout, CT_ROTATION, 1, rotations, rest);
    ct_layout_write(layout, CT_TRANSLATION, 1, offsets, rest);

    *skeleton = (ct_skeleton){
        .joint_count = joints,
        .tip_count = tips,
        .names = names,
        .parents = parents,
        .offsets = offsets,
        .rotations = rotations,
        .tip_parents = tip_parents,
        .tip_offsets = tip_offsets,
        .rest = rest,
    };
    return used;
}

ct_status ct_skeleton_create(const ct_allocator *allocator, const ct_skeleton_parts *parts, ct_skeleton **out, ct_error *error)
{
    *out = NULL;
    ct_status status = check_parts(parts, error);
    if (status != CT_OK) return status;

    // The caller holds all these bytes, so their sum fits size_t.
    char *block = ct_allocate_raw(allocator, build(parts, NULL), 1);
    if (!block) return ct_fail_memory(error, "a skeleton");
    build(parts, block);

    *out = (ct_skeleton *)(void *)block;
    (*out)->allocator = *allocator;
    return CT_OK;
}

void ct_skeleton_destroy(ct_skeleton *skeleton)
{
    if (!skeleton) return;
    ct_allocator allocator = skeleton->allocator;
    ct_release(&allocator, skeleton);
}

bool ct_skeleton_equal(const ct_skeleton *a, const ct_skeleton *b)
{
    if (a == b) return true;
    if (a->joint_count != b->joint_count || a->tip_count != b->tip_count) return false;

    size_t joints = a->joint_count, tips = a->tip_count;
    for (size_t j = 0; j < joints; ++j) {
        if (strcmp(a->names[j], b->names[j]) != 0) return false;
    }
    return memcmp(a->parents, b->parents, joints * sizeof *a->parents) == 0 &&
           memcmp(a->offsets, b->offsets, joints * 3 * sizeof *a->offsets) == 0 &&
           memcmp(a->rotations, b->rotations, joints * 4 * sizeof *a->rotations) == 0 &&
           memcmp(a->tip_parents, b->tip_parents, tips * sizeof *a->tip_parents) == 0 &&
           memcmp(a->tip_offsets, b->tip_offsets, tips * 3 * sizeof *a->tip_offsets) == 0;
}

ct_status ct_skeleton_chain(const ct_skeleton *skeleton, size_t root, size_t tip, int32_t *joints, size_t *count, ct_error *error)
{
    assert(root < skeleton->joint_count && tip < skeleton->joint_count);
    size_t length = 0;
    for (int32_t j = (int32_t)tip; j >= (int32_t)root; j = skeleton->parents[j]) joints[length++] = j;
    if (length == 0 || joints[length - 1] != (int32_t)root) {
        const char *upper = skeleton->names[root], *lower = skeleton->names[tip];
        return fail_joint(error, tip,
                          ct_fail(error, CT_BAD_VALUE, "joint %zu ('%.*s') is not above joint %zu ('%.*s')", root,
                                  ct_name_shown(upper, strlen(upper)), upper, tip, ct_name_shown(lower, strlen(lower)), lower));
    }
    for (size_t i = 0; i < length / 2; ++i) {
        int32_t swapped = joints[i];
        joints[i] = joints[length - 1 - i];
        joints[length - 1 - i] = swapped;
    }
    *count = length;
    return CT_OK;
}

// Is `joint` among `count` ascending joints?
static bool contains(const int32_t *joints, size_t count, int32_t joint)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (joints[middle] < joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && joints[low] == joint;
}

size_t ct_skeleton_branch(const ct_skeleton *skeleton, size_t joint, int32_t *joints)
{
    assert(joint < skeleton->joint_count);
    size_t count = 0;
    joints[count++] = (int32_t)joint;
    for (size_t j = joint + 1; j < skeleton->joint_count; ++j) {
        if (contains(joints, count, skeleton->parents[j])) joints[count++] = (int32_t)j;
    }
    return count;
}

void ct_skeleton_mask(const ct_skeleton *skeleton, size_t joint, size_t depth, float weight, float *weights)
{
    assert(joint < skeleton->joint_count);
    // First the steps from `joint`, counted from 1 (floats hold them exactly), 0 outside the branch.
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        int32_t parent = skeleton->parents[j];
        weights[j] = j == joint ? 1.0f : j > joint && parent >= 0 && weights[parent] > 0 ? weights[parent] + 1 : 0.0f;
    }
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        double share = depth > 1 ? (double)weights[j] / (double)depth : 1.0;
        if (weights[j] > 0) weights[j] = (float)((double)weight * (share < 1 ? share : 1.0));
    }
}
