// Any bytes are read as BVH or refused, within memory in proportion to their number; what was read can be checked, and written and read
// again as the same motion.
//
// With clang's libFuzzer this is a fuzzer; built with CT_REPLAY it runs the files of its command line.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bvh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// --- memory that counts ------------------------------------------------------------------------------------------------------------

typedef struct counted {
    size_t held, most;
} counted;

enum { HEADER = 16 };

static void *count_allocate(void *context, size_t bytes)
{
    counted *c = context;
    char *block = malloc(bytes + HEADER);
    if (!block) return NULL;
    memcpy(block, &bytes, sizeof bytes);
    c->held += bytes;
    if (c->held > c->most) c->most = c->held;
    return block + HEADER;
}

static void count_release(void *context, void *block)
{
    size_t bytes;
    memcpy(&bytes, (char *)block - HEADER, sizeof bytes);
    ((counted *)context)->held -= bytes;
    free((char *)block - HEADER);
}

// --- what must hold ----------------------------------------------------------------------------------------------------------------

#define MUST(condition)                                                                                                                    \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                                \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

static bool append(void *context, const char *bytes, size_t count)
{
    text *t = context;
    if (t->length + count > t->room) {
        t->room = 2 * (t->length + count);
        t->bytes = realloc(t->bytes, t->room);
        MUST(t->bytes);
    }
    memcpy(t->bytes + t->length, bytes, count);
    t->length += count;
    return true;
}

static void check_notes(const ct_bvh *bvh)
{
    for (size_t i = 0; i < bvh->note_count; ++i) {
        MUST(bvh->notes[i].count > 0 && bvh->notes[i].message[0]);
        for (size_t k = 0; k < i; ++k) MUST(bvh->notes[i].oddity != bvh->notes[k].oddity);
    }
}

// The writer's promise: 1e-4 degrees and max(1e-5, 1e-7 |x|), and as much again for what a layout may leave out.
static void check_same_motion(const ct_clip *a, const ct_clip *b)
{
    const ct_layout layout = a->layout;
    MUST(a->frame_time == b->frame_time && a->frame_count == b->frame_count);
    MUST(!ct_has_scales(layout) || ct_has_scales(b->layout));
    for (size_t i = 0; i < a->frame_count; ++i) {
        const float *p = ct_clip_row(a, i), *q = ct_clip_row(b, i);
        for (size_t j = 0; j < layout.joint_count; ++j) {
            double minus = 0, plus = 0;
            for (size_t c = 0; c < layout.component_count; ++c) {
                double x = (double)p[c * layout.stride + j], y = (double)q[c * layout.stride + j];
                if (c >= CT_TRANSLATION) MUST(fabs(x - y) <= 2 * fmax(1e-5, 1e-7 * fabs(x)));
                if (c < CT_TRANSLATION) minus += (x - y) * (x - y), plus += (x + y) * (x + y);
            }
            MUST(2 * sqrt(fmin(minus, plus)) * 57.29577951308232 <= 2e-4);
        }
    }
}

// Writes what was read, reads that, and expects it back. A NULL layout is the default one, which has no place for curves.
static void check_round_trip(const ct_allocator *allocator, const ct_bvh *bvh, const ct_kernels *kernels, const ct_bvh_layout *layout)
{
    ct_error error;
    text written = {0};
    ct_status status = ct_bvh_write(allocator, kernels, bvh->clip, layout, (ct_bvh_sink){append, &written}, &error);
    MUST(status == CT_OK || (status == CT_BAD_VALUE && written.length == 0));
    if (status == CT_OK) {
        ct_bvh *again;
        const ct_bvh_options lenient = {.scale = 1};
        MUST(ct_bvh_read(allocator, kernels, written.bytes, written.length, &lenient, &again, &error) == CT_OK);
        MUST(ct_skeleton_equal(again->skeleton, bvh->skeleton));
        check_same_motion(bvh->clip, again->clip);
        const size_t curve_count = layout && layout->curves ? layout->curve_count : 0;
        MUST(again->curve_count == curve_count);
        for (size_t i = 0; i < curve_count; ++i) MUST(strcmp(again->curve_names[i], bvh->curve_names[i]) == 0);
        for (size_t i = 0; i < curve_count * bvh->clip->frame_count; ++i) MUST(again->curves[i] == bvh->curves[i]);
        ct_bvh_destroy(again);
    }
    free(written.bytes);
}

static void check_motion(const ct_allocator *allocator, const ct_bvh *bvh, const ct_kernels *kernels, const char *bytes, size_t size)
{
    ct_error error;
    ct_bvh_style style;
    ct_bvh_check check;
    ct_bvh_scan_style(bytes, size, &style);
    MUST(style.rows_start <= size);
    MUST(ct_bvh_check_motion(allocator, kernels, bytes, size, &style, bvh, &check, &error) == CT_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ct_kernels *kernels = ct_kernels_of((ct_level)(size % CT_LEVEL_COUNT)); // each at some size
    if (!kernels) kernels = ct_kernels_best();
    counted c = {0};
    const ct_allocator allocator = {count_allocate, count_release, &c};
    char *exact = malloc(size ? size : 1); // the sanitizer sees a byte too many
    MUST(exact);
    if (size) memcpy(exact, data, size);

    const ct_bvh_options lenient = {.scale = 1}, strict = {.strict = true, .scale = 1},
                         other = {.root_offset_add = true, .scale = 0.01, .fps = 60};
    ct_bvh *bvh;
    ct_error error;
    const bool strictly = ct_bvh_read(&allocator, kernels, exact, size, &strict, &bvh, &error) == CT_OK;
    if (strictly) {
        for (size_t i = 0; i < bvh->note_count; ++i)
            MUST(bvh->notes[i].oddity == CT_BVH_ROOT_OFFSET || bvh->notes[i].oddity == CT_BVH_FRAME_TIME);
        ct_bvh_destroy(bvh);
    }
    ct_status status = ct_bvh_read(&allocator, kernels, exact, size, &lenient, &bvh, &error);
    MUST(status == CT_OK || status == CT_BAD_FILE);
    MUST(!strictly || status == CT_OK);
    MUST(c.most <= 1000 * size + ((size_t)4 << 20));
    if (status == CT_OK) {
        check_notes(bvh);
        const ct_bvh_layout layout = {.channels = bvh->channels,
                                      .channel_starts = bvh->channel_starts,
                                      .tip_names = (const char *const *)bvh->tip_names,
                                      .curve_count = bvh->curve_count,
                                      .curve_names = (const char *const *)bvh->curve_names,
                                      .curves = bvh->curves};
        check_round_trip(&allocator, bvh, kernels, &layout);
        check_round_trip(&allocator, bvh, kernels, NULL);
        check_motion(&allocator, bvh, kernels, exact, size);
        ct_bvh_destroy(bvh);
    }
    if (ct_bvh_read(&allocator, kernels, exact, size, &other, &bvh, &error) == CT_OK) ct_bvh_destroy(bvh);
    MUST(c.held == 0);
    free(exact);
    return 0;
}

#ifdef CT_REPLAY
int main(int count, char **paths)
{
    for (int i = 1; i < count; ++i) {
        FILE *file = fopen(paths[i], "rb");
        if (!file) return perror(paths[i]), 1;
        text t = {0};
        char piece[4096];
        for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) append(&t, piece, n);
        fclose(file);
        LLVMFuzzerTestOneInput((const uint8_t *)t.bytes, t.length);
        free(t.bytes);
    }
    return 0;
}
#endif
