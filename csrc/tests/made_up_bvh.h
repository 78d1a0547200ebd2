// made_up_bvh.h: BVH files in strings, read for a test.
#ifndef CT_MADE_UP_BVH_H
#define CT_MADE_UP_BVH_H

#include <stdlib.h>
#include <string.h>

#include "bvh.h"
#include "check.h"

// A root with six channels, a joint with three, a tip: 15 lines, 9 columns.
#define TREE                                                                                                                               \
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"                    \
    " JOINT Knee\n {\n  OFFSET 0 -40 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -3 8\n  }\n }\n}\n"
#define MOTION(frames) "MOTION\nFrames: " frames "\nFrame Time: 0.1\n" // 3 lines
#define ROW "1 2 3 90 0 0 0 45 0\n"

// A root alone.
#define ALONE(channels) "HIERARCHY\nROOT A\n{\n OFFSET 1 2 3\n CHANNELS " channels "\n}\n"

typedef struct outcome {
    ct_status status;
    ct_bvh *bvh; // NULL unless CT_OK
    ct_error error;
} outcome;

// The bytes are copied to a block of their size, so that the sanitizer sees a byte too many.
static inline outcome read_bytes(const char *bytes, size_t size, ct_bvh_options options)
{
    outcome o = {.bvh = NULL};
    char *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, bytes, size);
    const ct_allocator allocator = ct_allocator_default();
    o.status = ct_bvh_read(&allocator, ct_kernels_best(), exact, size, &options, &o.bvh, &o.error);
    free(exact);
    return o;
}

static inline outcome read_text(const char *text, bool strict)
{
    return read_bytes(text, strlen(text), (ct_bvh_options){.strict = strict, .scale = 1});
}

// Reads a correct file: in both modes, without notes. Stops the test when it can't.
static inline ct_bvh *read_correct(const char *text)
{
    outcome strict = read_text(text, true), lenient = read_text(text, false);
    if (strict.status != CT_OK || lenient.status != CT_OK) {
        fprintf(stderr, "%zu:%zu: %s\n%s\n", strict.error.line, strict.error.column, strict.error.message, text);
        abort();
    }
    CHECK(lenient.bvh->note_count == 0);
    CHECK(strict.bvh->clip->frame_count == lenient.bvh->clip->frame_count);
    ct_bvh_destroy(strict.bvh);
    return lenient.bvh;
}

static inline float value_at(const ct_bvh *bvh, size_t frame, size_t component, size_t joint)
{
    ct_layout layout = bvh->clip->layout;
    return bvh->clip->rows[frame * ct_row_length(layout) + component * layout.stride + joint];
}

static inline bool is_translation(const ct_bvh *bvh, size_t frame, size_t joint, double x, double y, double z)
{
    return value_at(bvh, frame, CT_TRANSLATION, joint) == (float)x && value_at(bvh, frame, CT_TRANSLATION + 1, joint) == (float)y &&
           value_at(bvh, frame, CT_TRANSLATION + 2, joint) == (float)z;
}

#endif
