// What is written reads back as the same motion, in the layout that was read or in the default one; what a layout can't hold is refused.
#include <float.h>

#include "made_up_bvh.h"
#include "made_up.h"

typedef struct written {
    ct_status status;
    ct_error error;
    char *text; // NUL-terminated
    size_t length, room;
    size_t stop_after; // bytes; 0: never
} written;

static bool take(void *context, const char *bytes, size_t count)
{
    written *w = context;
    if (w->stop_after && w->length + count > w->stop_after) return false;
    if (w->length + count + 1 > w->room) {
        w->room = 2 * (w->length + count) + 1;
        w->text = realloc(w->text, w->room);
        if (!w->text) abort();
    }
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = '\0';
    return true;
}

static written write_clip(const ct_clip *clip, const ct_bvh_layout *layout, const ct_kernels *kernels)
{
    written w = {.text = calloc(1, 1), .room = 1};
    const ct_allocator allocator = ct_allocator_default();
    written *sink = &w;
    w.status = ct_bvh_write(&allocator, kernels, clip, layout, (ct_bvh_sink){take, sink}, &w.error);
    return w;
}

static ct_bvh_layout layout_of(const ct_bvh *bvh)
{
    return (ct_bvh_layout){
        bvh->channels, bvh->channel_starts, (const char *const *)bvh->tip_names, bvh->curve_count, (const char *const *)bvh->curve_names,
        bvh->curves};
}

static ct_bvh *read_back(written w)
{
    if (w.status != CT_OK) {
        fprintf(stderr, "%s\n", w.error.message);
        abort();
    }
    ct_bvh *bvh = read_correct(w.text);
    free(w.text);
    return bvh;
}

// The largest difference of rotations, in degrees, and of everything else in the file's tolerance of max(1e-5, 1e-7 |x|).
static void same_motion(const ct_clip *a, const ct_clip *b)
{
    CHECK(a->frame_count == b->frame_count && a->frame_time == b->frame_time);
    CHECK(ct_skeleton_equal(a->skeleton, b->skeleton));
    double angle = 0, rest = 0;
    const size_t n = a->layout.stride;
    for (size_t i = 0; i < a->frame_count && i < b->frame_count; ++i) {
        const float *p = a->rows + i * ct_row_length(a->layout), *q = b->rows + i * ct_row_length(b->layout);
        for (size_t j = 0; j < a->skeleton->joint_count; ++j) {
            double minus = 0, plus = 0;
            for (size_t c = 0; c < 4; ++c) {
                double x = (double)p[c * n + j], y = (double)q[c * n + j];
                minus += (x - y) * (x - y);
                plus += (x + y) * (x + y);
            }
            angle = fmax(angle, 2 * sqrt(fmin(minus, plus)) * 57.29577951308232);
            for (size_t c = 4; c < a->layout.component_count && c < b->layout.component_count; ++c) {
                double x = (double)p[c * n + j], y = (double)q[c * n + j];
                rest = fmax(rest, fabs(x - y) / fmax(1e-5, 1e-7 * fabs(x)));
            }
        }
    }
    CHECK(angle < 1e-4);
    CHECK(rest < 1);
}

static const char *const plain =
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0.1\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "\tEnd First\n\t{\n\t\tOFFSET 1 0 0\n\t}\n"
    "\tJOINT Left Knee\n\t{\n\t\tOFFSET 0 -40 0\n\t\tCHANNELS 4 Xrotation Zrotation Yposition Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET "
    "0 -3 8.5\n\t\t}\n\t}\n"
    "\tEnd Last One\n\t{\n\t\tOFFSET 2 0 0\n\t}\n\tJOINT Hinge\n\t{\n\t\tOFFSET 1 1 1\n\t\tCHANNELS 2 Yrotation Fov\n\t}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.0417083750417\n1.25 -2 0.000001 90 0 0 0 45 -40.5 0 30 0.1\n1 2 3 -80 10 20 5 50 -41 1 35 -7\n";

static void test_a_file_in_our_style_comes_back_to_the_byte(void)
{
    outcome o = read_text(plain, false);
    CHECK(o.status == CT_OK);
    ct_bvh_layout layout = layout_of(o.bvh);
    written w = write_clip(o.bvh->clip, &layout, ct_kernels_best());
    CHECK(w.status == CT_OK && strcmp(w.text, plain) == 0);
    if (strcmp(w.text, plain) != 0) printf("%s\n", w.text);
    free(w.text);

    layout.curves = NULL; // leaves Fov out
    w = write_clip(o.bvh->clip, &layout, ct_kernels_best());
    ct_bvh *again = read_back(w);
    CHECK(again->curve_count == 0 && again->channel_starts[3] == 11);
    same_motion(o.bvh->clip, again->clip);
    ct_bvh_destroy(again);
    ct_bvh_destroy(o.bvh);
}

static void test_the_default_layout(void)
{
    ct_skeleton *skeleton = made_up_tree(5);
    ct_clip *clip = made_up_clip(skeleton, 2, 0.1, false, false);
    for (size_t i = 0; i < 2; ++i)
        memcpy(clip_at(clip, i, 4, 0), skeleton->rest + 4 * clip->layout.stride, 3 * clip->layout.stride * sizeof(float));
    *clip_at(clip, 1, 5, 3) += 1; // one joint moves
    finish(clip);
    ct_bvh *bvh = read_back(write_clip(clip, NULL, ct_kernels_best()));
    const size_t want[] = {6, 3, 6, 3, 3}; // in depth-first order: 0 1 3 4 2
    for (size_t j = 0; j < 5; ++j) CHECK(bvh->channel_starts[j + 1] - bvh->channel_starts[j] == want[j]);
    CHECK(strcmp(bvh->skeleton->names[2], "joint 3") == 0 && strcmp(bvh->skeleton->names[4], "joint 2") == 0);
    CHECK(bvh->skeleton->parents[4] == 0 && bvh->skeleton->offsets[3 * 4] == skeleton->offsets[3 * 2]);
    CHECK(is_translation(bvh, 1, 1, (double)skeleton->offsets[3], (double)skeleton->offsets[4], (double)skeleton->offsets[5]));
    CHECK_NEAR((double)value_at(bvh, 1, 5, 2), (double)*clip_at(clip, 1, 5, 3), 1e-5);
    ct_bvh_destroy(bvh);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static ct_skeleton *one_joint(void)
{
    static const char *const names[] = {"A"};
    static const int32_t parents[] = {CT_NO_PARENT};
    static const float offsets[] = {0, 0, 0};
    return made_up_skeleton(1, names, parents, offsets, NULL);
}

static void test_scales_are_written(void)
{
    ct_skeleton *skeleton = one_joint();
    ct_clip *clip = made_up_motion(skeleton, 20, 0.1, false, true, 0.1);
    ct_bvh *bvh = read_back(write_clip(clip, NULL, ct_kernels_best()));
    CHECK(ct_has_scales(bvh->clip->layout));
    same_motion(clip, bvh->clip);
    ct_bvh_destroy(bvh);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// Position channels, then these turns.
typedef struct turns {
    uint8_t channels[8];
    size_t starts[2];
    ct_bvh_layout layout;
} turns;

static void set_turns(turns *t, size_t count, const int *axes)
{
    for (size_t i = 0; i < 3; ++i) t->channels[i] = (uint8_t)i;
    for (size_t i = 0; i < count; ++i) t->channels[3 + i] = (uint8_t)(CT_CHANNEL_X_ROTATION + axes[i]);
    t->starts[0] = 0;
    t->starts[1] = 3 + count;
    t->layout = (ct_bvh_layout){.channels = t->channels, .channel_starts = t->starts};
}

static void test_all_orders_hold_all_rotations(void)
{
    ct_skeleton *skeleton = one_joint();
    ct_clip *clip = made_up_motion(skeleton, 400, 0.1, false, false, 0.3);
    *clip_at(clip, 0, 4, 0) = 123456.78f; // large positions keep their digits
    for (int code = 0; code < 243; ++code) {
        const int axes[5] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27 % 3, code / 81};
        for (size_t count = 3; count <= 5; count += 2) {
            // Enough turns for all rotations, with neighbours that are alike dropped?
            size_t used = 1;
            for (size_t i = 1; i < count; ++i) used += axes[i] != axes[i - 1];
            if (used < 3) continue;
            turns t;
            set_turns(&t, count, axes);
            ct_bvh *bvh = read_back(write_clip(clip, &t.layout, ct_kernels_best()));
            same_motion(clip, bvh->clip);
            CHECK(memcmp(bvh->channels, t.channels, t.starts[1]) == 0);
            ct_bvh_destroy(bvh);
        }
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void multiply_turn(double q[4], size_t axis, double angle)
{
    double turn[4] = {cos(angle / 2), 0, 0, 0}, r[4];
    turn[1 + axis] = sin(angle / 2);
    r[0] = q[0] * turn[0] - q[1] * turn[1] - q[2] * turn[2] - q[3] * turn[3];
    r[1] = q[0] * turn[1] + q[1] * turn[0] + q[2] * turn[3] - q[3] * turn[2];
    r[2] = q[0] * turn[2] + q[2] * turn[0] + q[3] * turn[1] - q[1] * turn[3];
    r[3] = q[0] * turn[3] + q[3] * turn[0] + q[1] * turn[2] - q[2] * turn[1];
    memcpy(q, r, sizeof r);
}

static void test_one_and_two_turns_hold_what_they_made(void)
{
    ct_skeleton *skeleton = one_joint();
    for (int code = 0; code < 9; ++code) {
        const int axes[2] = {code % 3, code / 3};
        const size_t count = axes[0] == axes[1] ? 1 : 2;
        ct_clip *clip = made_up_clip(skeleton, 100, 0.1, false, false);
        for (size_t i = 0; i < 100; ++i) {
            double q[4] = {1, 0, 0, 0};
            multiply_turn(q, (size_t)axes[0], 0.17 * (double)i);
            if (count == 2) multiply_turn(q, (size_t)axes[1], 4 * sin(0.05 * (double)i));
            set_rotation(clip, i, 0, q[0], q[1], q[2], q[3]);
        }
        finish(clip);
        turns t;
        set_turns(&t, count, axes);
        ct_bvh *bvh = read_back(write_clip(clip, &t.layout, ct_kernels_best()));
        same_motion(clip, bvh->clip);
        ct_bvh_destroy(bvh);
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

// The largest step of a rotation column, in degrees.
static double largest_step(const ct_clip *clip, const ct_bvh_layout *layout)
{
    written w = write_clip(clip, layout, ct_kernels_best());
    if (w.status != CT_OK) abort();
    const char *at = strchr(strstr(w.text, "Frame Time"), '\n');
    double step = 0, before[6] = {0};
    for (size_t i = 0; i < clip->frame_count; ++i) {
        for (int c = 0; c < 6; ++c) {
            char *end;
            double value = strtod(at, &end);
            at = end;
            if (i > 0 && c >= 3) step = fmax(step, fabs(value - before[c]));
            before[c] = value;
        }
    }
    free(w.text);
    return step;
}

static void test_angles_are_continuous_through_turns_and_gimbal_lock(void)
{
    enum { FRAMES = 721 };
    ct_skeleton *skeleton = one_joint();
    for (int code = 0; code < 27; ++code) {
        const int axes[3] = {code % 3, code / 3 % 3, code / 9};
        if (axes[0] == axes[1] || axes[1] == axes[2]) continue;
        turns t;
        set_turns(&t, 3, axes);
        for (size_t turned = 0; turned < 3; ++turned) {
            // Two whole turns about one of the axes, the middle one through all gimbal locks; the others stand still.
            ct_clip *clip = made_up_clip(skeleton, FRAMES, 0.1, false, false);
            for (size_t i = 0; i < FRAMES; ++i) {
                double q[4] = {1, 0, 0, 0}, angles[3] = {0.3, axes[0] == axes[2] ? 1.0 : 0.2, -0.4};
                angles[turned] = 3.14159265358979323846 / 180 * ((double)i - 10);
                for (size_t k = 0; k < 3; ++k) multiply_turn(q, (size_t)axes[k], angles[k]);
                set_rotation(clip, i, 0, q[0], q[1], q[2], q[3]);
            }
            finish(clip);
            CHECK_NEAR(largest_step(clip, &t.layout), 1, 0.01);
            ct_clip_destroy(clip);
        }
    }
    ct_skeleton_destroy(skeleton);
}

static void test_rest_rotations_keep_the_motion(void)
{
    static const char *const names[] = {"A", "B"};
    static const int32_t parents[] = {CT_NO_PARENT, 0};
    static const float offsets[] = {0, 0, 0, 1, 2, 3}, rotations[] = {0, 1, 0, 0, 0.6f, 0, 0.8f, 0};
    ct_skeleton *skeleton = made_up_skeleton(2, names, parents, offsets, rotations);
    ct_clip *clip = made_up_motion(skeleton, 10, 0.1, false, false, 0.2);
    ct_bvh *bvh = read_back(write_clip(clip, NULL, ct_kernels_best()));
    for (size_t i = 0; i < 10; ++i) {
        for (size_t j = 0; j < 2; ++j) {
            double dot = 0;
            for (size_t c = 0; c < 4; ++c) dot += (double)value_at(bvh, i, c, j) * (double)*clip_at(clip, i, c, j);
            CHECK_NEAR(fabs(dot), 1, 1e-6);
        }
    }
    ct_bvh_destroy(bvh);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_what_the_layout_cannot_hold_is_refused_before_anything_is_written(void)
{
    static const char *const texts[] = {
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT B\n{\nOFFSET 0 1 0\nCHANNELS 2 Xrotation Zposition\n}\n}\n", //
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT B\n{\nOFFSET 0 1 0\nCHANNELS 2 Xrotation Yrotation\n}\n}\n"};
    static const char *const wanted[] = {"joint 1 ('B') turns about another axis in frame 2",
                                         "joint 1 ('B') leaves its offset along y in frame 2"};
    for (int i = 0; i < 2; ++i) {
        char text[500];
        strcat(strcpy(text, texts[i]), MOTION("4") "10 0\n20 0\n30 0\n40 0\n");
        ct_bvh *bvh = read_correct(text);
        float *row = bvh->clip->rows + 2 * ct_row_length(bvh->clip->layout);
        if (i == 0)
            row[1] = 0.8f, row[bvh->clip->layout.stride + 1] = 0, row[2 * bvh->clip->layout.stride + 1] = 0.6f;
        else
            row[5 * bvh->clip->layout.stride + 1] = 1.5f;
        ct_bvh_layout layout = layout_of(bvh);
        written w = write_clip(bvh->clip, &layout, ct_kernels_best());
        CHECK(w.status == CT_BAD_VALUE && w.length == 0 && w.error.joint == 1 && w.error.frame == 2);
        CHECK(strstr(w.error.message, wanted[i]) != NULL);
        if (!strstr(w.error.message, wanted[i])) printf("  %s\n", w.error.message);
        free(w.text);
        ct_bvh_destroy(bvh);
    }

    ct_bvh *bvh = read_correct(ALONE("3 Xscale Yscale Zscale") MOTION("1") "1 1 2\n");
    const uint8_t channels[] = {CT_CHANNEL_X_SCALE};
    const size_t starts[] = {0, 1};
    const ct_bvh_layout layout = {.channels = channels, .channel_starts = starts};
    written w = write_clip(bvh->clip, &layout, ct_kernels_best());
    CHECK(w.status == CT_BAD_VALUE && strstr(w.error.message, "is scaled along z in frame 0"));
    free(w.text);
    ct_bvh_destroy(bvh);
}

static void test_names_that_no_reader_gives_back_are_refused(void)
{
    static const char *const bad[] = {"", " a", "a\t", "a\nb", "a\rb", "a{", "}b", "\xff"};
    static const int32_t parents[] = {CT_NO_PARENT};
    static const float offsets[] = {0, 0, 0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        ct_skeleton *skeleton = made_up_skeleton(1, &bad[i], parents, offsets, NULL);
        ct_clip *clip = made_up_motion(skeleton, 1, 0.1, false, false, 0.1);
        written w = write_clip(clip, NULL, ct_kernels_best());
        CHECK(w.status == CT_BAD_VALUE && w.length == 0 && w.error.joint == 0);
        free(w.text);
        ct_clip_destroy(clip);
        ct_skeleton_destroy(skeleton);
    }
}

static void test_a_sink_may_stop_the_writing(void)
{
    ct_skeleton *skeleton = made_up_tree(20);
    ct_clip *clip = made_up_motion(skeleton, 200, 0.1, false, false, 0.1);
    const ct_allocator allocator = ct_allocator_default();
    written w = {.stop_after = 100000};
    CHECK(ct_bvh_write(&allocator, ct_kernels_best(), clip, NULL, (ct_bvh_sink){take, &w}, &w.error) == CT_INTERRUPTED);
    CHECK(w.length > 0 && w.length <= w.stop_after);
    free(w.text);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_numbers_are_plain_decimals_and_levels_agree(void)
{
    ct_skeleton *skeleton = made_up_tree(20);
    ct_clip *clip = made_up_motion(skeleton, 50, 1e-7, false, false, 0.1);
    *clip_at(clip, 3, 4, 0) = 1e-9f;
    *clip_at(clip, 4, 4, 0) = -1e-9f;
    *clip_at(clip, 5, 4, 0) = 1e20f;
    written first = write_clip(clip, NULL, ct_kernels_best());
    CHECK(strstr(first.text, "Frame Time: 0.0000001\n") && strstr(first.text, "100000002004087730000"));
    CHECK(strspn(strstr(first.text, "Time:") + 5, " -.0123456789\n") == strlen(strstr(first.text, "Time:") + 5));
    CHECK(!strstr(first.text, "-0 ") && !strstr(first.text, " . "));
    FOR_EACH_LEVEL(kernels)
    {
        written w = write_clip(clip, NULL, kernels);
        CHECK(strcmp(w.text, first.text) == 0);
        free(w.text);
    }
    free(first.text);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_chain_of_very_many_joints(void)
{
    enum { JOINTS = 20000 };
    char *text = malloc(JOINTS * 40 + 100), *at = text;
    if (!text) abort();
    at += sprintf(at, "HIERARCHY\nROOT r{OFFSET 0 0 0\n");
    for (int i = 1; i < JOINTS; ++i) at += sprintf(at, "JOINT j{OFFSET 0 1 0\n");
    memset(at, '}', JOINTS);
    strcpy(at + JOINTS, "\n" MOTION("0"));
    ct_bvh *bvh = read_correct(text);
    ct_bvh_layout layout = layout_of(bvh);
    written w = write_clip(bvh->clip, &layout, ct_kernels_best());
    CHECK(w.status == CT_OK && w.length < (size_t)JOINTS * 600);
    ct_bvh *again = read_back(w);
    CHECK(ct_skeleton_equal(again->skeleton, bvh->skeleton));
    ct_bvh_destroy(again);
    ct_bvh_destroy(bvh);
    free(text);
}

// What a reader takes at its limits is written so that it is read again, to the bit where the value has a place of its own.
static ct_bvh *there_and_back(const char *text)
{
    outcome o = read_text(text, false);
    if (o.status != CT_OK) {
        fprintf(stderr, "%s\n%s", o.error.message, text);
        abort();
    }
    ct_bvh_layout layout = layout_of(o.bvh);
    written w = write_clip(o.bvh->clip, &layout, ct_kernels_best());
    if (w.status != CT_OK) {
        fprintf(stderr, "%s\n%s", w.error.message, text);
        abort();
    }
    outcome again = read_bytes(w.text, w.length, (ct_bvh_options){.scale = 1});
    CHECK(again.status == CT_OK);
    if (again.status != CT_OK) {
        fprintf(stderr, "%s\n%s", again.error.message, w.text);
        abort();
    }
    same_motion(o.bvh->clip, again.bvh->clip);
    free(w.text);
    ct_bvh_destroy(o.bvh);
    return again.bvh;
}

static void test_frame_times_of_any_length_come_back(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0.1e91", 1e90},
                 {"1e308", 1e308},
                 {"1e-307", 1e-307},
                 {"2.2250738585072014e-308", 2.2250738585072014e-308},
                 {"0.01666666666666666666666666666666666666666666666666666666666666666666666666666666666667", 1.0 / 60},
                 {"0,01666666666666666666666666666666666666666666666666666666666666666666666666666666666667", 1.0 / 60}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[500];
        snprintf(text, sizeof text, "%sMOTION\nFrames: 1\nFrame Time: %s\n7\n", ALONE("1 Xposition"), cases[i].text);
        ct_bvh *bvh = there_and_back(text);
        CHECK(bvh->clip->frame_time == cases[i].value && bvh->clip->frame_count == 1);
        ct_bvh_destroy(bvh);
    }
}

static void test_the_largest_and_smallest_floats_come_back(void)
{
    static const struct {
        const char *text;
        float value;
    } cases[] = {{"3.4028235e38", FLT_MAX}, {"-3.4028235e38", -FLT_MAX}, {"3.4028235677e38", FLT_MAX}, {"1e-45", 0x1p-149f}, {"-0.0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *number = cases[i].text;
        const float value = cases[i].value;
        char text[500];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT A\n{\nOFFSET 0 %s 0\nCHANNELS 3 Xposition Xscale Fov\nEnd Site\n{\nOFFSET 0 0 %s\n}\n}\n" MOTION(
                     "2") "%s %s %s\n0 1 0\n",
                 number, number, number, number, number);
        ct_bvh *bvh = there_and_back(text);
        CHECK(bvh->skeleton->offsets[1] == value && bvh->skeleton->tip_offsets[2] == value && bvh->curves[0] == value);
        const float small = fabsf(value) < 1 ? 0 : value; // rows have 6 decimals
        CHECK(value_at(bvh, 0, CT_TRANSLATION, 0) == small && value_at(bvh, 0, CT_SCALE, 0) == small);
        ct_bvh_destroy(bvh);
    }
}

static void test_names_like_keywords_come_back(void)
{
    static const char *const names[] = {"OFFSET", "JOINT Left",   "MOTION",    "End Site", "# 1",
                                        "//",     "Hips // left", "Frames: 3", "0.5",      "\xc3\xa9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char text[500];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd %s\n{\nOFFSET 0 1 0\n}\n}\n" MOTION("1") "7\n", names[i],
                 names[i]);
        ct_bvh *bvh = there_and_back(text);
        CHECK(strcmp(bvh->skeleton->names[0], names[i]) == 0 && strcmp(bvh->tip_names[0], names[i]) == 0);
        ct_bvh_destroy(bvh);
    }
}

static void test_odd_channels_and_many_roots_come_back(void)
{
    ct_bvh *bvh = there_and_back(
        "HIERARCHY\nROOT A{OFFSET 0 0 0 CHANNELS 5 Xposition Xposition Fov Fov 1\nEnd Site{OFFSET 0 1 0 CHANNELS 1 "
        "Xposition}}\nROOT A{OFFSET 0 0 0 CHANNELS 4 Xrotation Xrotation Zrotation Xrotation}\nROOT A{OFFSET 1 2 3}\n" MOTION(
            "1") "1 2 3 4 5 6 10 20 30 40\n");
    static const char *const curve_names[] = {"Xposition", "Fov", "Fov", "1", "End.Xposition"};
    CHECK(bvh->skeleton->joint_count == 3 && bvh->skeleton->parents[2] == CT_NO_PARENT && bvh->curve_count == 5);
    for (size_t i = 0; i < 5; ++i) CHECK(strcmp(bvh->curve_names[i], curve_names[i]) == 0 && bvh->curves[i] == (float)(i + 2));
    CHECK(value_at(bvh, 0, CT_TRANSLATION, 0) == 1);
    ct_bvh_destroy(bvh);
}

static void test_end_sites_keep_their_order_among_joints_without_any(void)
{
    ct_bvh *bvh =
        there_and_back("HIERARCHY\nROOT A{OFFSET 0 0 0\nJOINT B{OFFSET 0 1 0}\nJOINT C{OFFSET 0 2 0\nEnd First{OFFSET 0 3 0}}\nJOINT "
                       "D{OFFSET 0 4 0}\nEnd Last{OFFSET 0 5 0}}\n" MOTION("0"));
    CHECK(strcmp(bvh->tip_names[0], "First") == 0 && bvh->skeleton->tip_parents[0] == 2 && bvh->skeleton->tip_offsets[1] == 3);
    CHECK(strcmp(bvh->tip_names[1], "Last") == 0 && bvh->skeleton->tip_parents[1] == 0 && bvh->skeleton->tip_offsets[4] == 5);
    ct_bvh_destroy(bvh);
}

static void test_frames_without_a_channel_are_refused(void)
{
    ct_skeleton *skeleton = one_joint();
    ct_clip *clip = made_up_clip(skeleton, 3, 0.1, false, false);
    for (size_t i = 0; i < 3; ++i) set_rotation(clip, i, 0, 1, 0, 0, 0);
    finish(clip);
    const size_t starts[] = {0, 0}, one[] = {0, 1};
    const uint8_t channels[] = {CT_CHANNEL_OTHER};
    const char *const names[] = {"Fov"};
    const float curves[] = {1, 2, 3};
    ct_bvh_layout layout = {.channels = channels, .channel_starts = starts};
    written w = write_clip(clip, &layout, ct_kernels_best());
    CHECK(w.status == CT_BAD_VALUE && w.length == 0 && strstr(w.error.message, "no channels"));
    free(w.text);

    layout = (ct_bvh_layout){.channels = channels, .channel_starts = one, .curve_count = 1, .curve_names = names};
    w = write_clip(clip, &layout, ct_kernels_best()); // the curve is left out
    CHECK(w.status == CT_BAD_VALUE && w.length == 0);
    free(w.text);

    layout.curves = curves;
    w = write_clip(clip, &layout, ct_kernels_best());
    CHECK(w.status == CT_OK && strstr(w.text, "\n1\n2\n3\n"));
    free(w.text);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_a_file_in_our_style_comes_back_to_the_byte();
    test_the_default_layout();
    test_scales_are_written();
    test_all_orders_hold_all_rotations();
    test_one_and_two_turns_hold_what_they_made();
    test_angles_are_continuous_through_turns_and_gimbal_lock();
    test_rest_rotations_keep_the_motion();
    test_what_the_layout_cannot_hold_is_refused_before_anything_is_written();
    test_names_that_no_reader_gives_back_are_refused();
    test_a_sink_may_stop_the_writing();
    test_numbers_are_plain_decimals_and_levels_agree();
    test_a_chain_of_very_many_joints();
    test_frame_times_of_any_length_come_back();
    test_the_largest_and_smallest_floats_come_back();
    test_names_like_keywords_come_back();
    test_odd_channels_and_many_roots_come_back();
    test_end_sites_keep_their_order_among_joints_without_any();
    test_frames_without_a_channel_are_refused();
    return check_report();
}
