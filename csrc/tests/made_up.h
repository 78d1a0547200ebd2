// made_up.h: skeletons and clips for tests. Arithmetic alone (no libm but sqrt), so that they have the same bits on every machine.
#ifndef CT_MADE_UP_H
#define CT_MADE_UP_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "clip.h"

enum { MADE_UP_JOINTS = 128 };

// A double in [-1, 1).
static inline double made_up_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*state >> 32) / 2147483648.0;
}

// The skeleton of these parts, whose name_lengths are found here. Stops the test when it can't be made.
static inline ct_skeleton *made_up_from(ct_skeleton_parts parts)
{
    size_t lengths[MADE_UP_JOINTS];
    for (size_t j = 0; j < parts.joint_count; ++j) lengths[j] = strlen(parts.names[j]);
    parts.name_lengths = lengths;
    ct_allocator allocator = ct_allocator_default();
    ct_skeleton *skeleton;
    ct_error error;
    if (ct_skeleton_create(&allocator, &parts, &skeleton, &error) != CT_OK) {
        printf("%s\n", error.message);
        abort();
    }
    return skeleton;
}

// Without tips. rotations may be NULL.
static inline ct_skeleton *made_up_skeleton(size_t joint_count, const char *const *names, const int32_t *parents, const float *offsets,
                                            const float *rotations)
{
    return made_up_from(
        (ct_skeleton_parts){.joint_count = joint_count, .names = names, .parents = parents, .offsets = offsets, .rotations = rotations});
}

// A tree in which joint j hangs below joint (j - 1) / 2, named "joint 0", "joint 1", ...
static inline ct_skeleton *made_up_tree(size_t joint_count)
{
    char text[MADE_UP_JOINTS][16];
    const char *names[MADE_UP_JOINTS];
    int32_t parents[MADE_UP_JOINTS];
    float offsets[MADE_UP_JOINTS * 3];
    uint64_t state = 7;
    for (size_t j = 0; j < joint_count; ++j) {
        snprintf(text[j], sizeof text[j], "joint %d", (int)j);
        names[j] = text[j];
        parents[j] = j ? ((int32_t)j - 1) / 2 : CT_NO_PARENT;
        for (int c = 0; c < 3; ++c) offsets[3 * j + (size_t)c] = (float)made_up_number(&state);
    }
    return made_up_skeleton(joint_count, names, parents, offsets, NULL);
}

static inline ct_clip *made_up_clip(const ct_skeleton *skeleton, size_t frame_count, double frame_time, bool looping, bool scales)
{
    ct_allocator allocator = ct_allocator_default();
    ct_clip *clip;
    ct_error error;
    if (ct_clip_create(&allocator, skeleton, frame_count, frame_time, looping, scales, &clip, &error) != CT_OK) abort();
    for (size_t i = 0; i < frame_count; ++i) {
        float *row = clip->rows + i * ct_row_length(clip->layout);
        for (size_t c = 0; c < clip->layout.component_count; ++c) {
            for (size_t j = 0; j < skeleton->joint_count; ++j) row[c * clip->layout.stride + j] = c == 0 || c >= CT_SCALE ? 1.0f : 0.0f;
        }
    }
    return clip;
}

static inline float *clip_at(const ct_clip *clip, size_t frame, size_t component, size_t joint)
{
    return clip->rows + frame * ct_row_length(clip->layout) + component * clip->layout.stride + joint;
}

static inline void set_rotation(const ct_clip *clip, size_t frame, size_t joint, double w, double x, double y, double z)
{
    double q[4] = {w, x, y, z}, length = sqrt(w * w + x * x + y * y + z * z);
    for (size_t c = 0; c < 4; ++c) *clip_at(clip, frame, c, joint) = (float)(q[c] / length);
}

static inline void finish(ct_clip *clip)
{
    ct_error error;
    if (ct_clip_finish(clip, &error) == CT_OK) return;
    printf("%s\n", error.message);
    abort();
}

// Every joint turns, moves (and grows) at random, smoothly enough for differences: each frame is a small step from the one before.
static inline ct_clip *made_up_motion(const ct_skeleton *skeleton, size_t frame_count, double frame_time, bool looping, bool scales,
                                      double step)
{
    ct_clip *clip = made_up_clip(skeleton, frame_count, frame_time, looping, scales);
    uint64_t state = 11;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        double q[4] = {1, 0, 0, 0}, linear[6] = {0, 0, 0, 1, 1, 1};
        for (size_t i = 0; i < frame_count; ++i) {
            double square = 0;
            for (size_t c = 0; c < 4; ++c) q[c] += step * made_up_number(&state);
            for (size_t c = 0; c < 4; ++c) square += q[c] * q[c];
            for (size_t c = 0; c < 4; ++c) q[c] /= sqrt(square);
            set_rotation(clip, i, j, q[0], q[1], q[2], q[3]);
            for (size_t c = 0; c + 4 < clip->layout.component_count; ++c) {
                linear[c] += step * made_up_number(&state);
                *clip_at(clip, i, 4 + c, j) = (float)linear[c];
            }
        }
    }
    finish(clip);
    return clip;
}

// FNV-1a over the bits.
static inline uint64_t hash_floats(uint64_t hash, size_t count, const float *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < count * sizeof *values; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}
static const uint64_t HASH_START = 14695981039346656037u;

#endif
