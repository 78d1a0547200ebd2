// Every layout of BVH that is met in the wild reads as what it means; what the format forbids is refused by strict reading, and noted
// otherwise.
#include "made_up_bvh.h"
#include "failing_allocator.h"

static const double degree = 3.14159265358979323846 / 180;

// --- checks ------------------------------------------------------------------------------------------------------------------------

// Both modes refuse the file at this place, and the message has `words`.
static void refused(const char *text, size_t line, size_t column, const char *words)
{
    for (int strict = 0; strict < 2; ++strict) {
        outcome o = read_text(text, strict);
        bool good = o.status == CT_BAD_FILE && o.error.line == line && o.error.column == column && strstr(o.error.message, words);
        CHECK(good);
        if (!good)
            printf("  %d at %zu:%zu: %s\n  wanted %zu:%zu %s\n", o.status, o.error.line, o.error.column, o.error.message, line, column,
                   words);
        ct_bvh_destroy(o.bvh);
    }
}

// Strict reading refuses the file at this place; by default it is read with this note. Returns what was read.
static ct_bvh *noted(const char *text, ct_bvh_oddity oddity, size_t line, size_t column, size_t count)
{
    outcome strict = read_text(text, true), o = read_text(text, false);
    bool refused_well = strict.status == CT_BAD_FILE && strict.error.line == line && strict.error.column == column &&
                        strstr(strict.error.message, "strict reading refuses");
    CHECK(refused_well);
    if (!refused_well)
        printf("  %d at %zu:%zu: %s (wanted %zu:%zu)\n", strict.status, strict.error.line, strict.error.column, strict.error.message, line,
               column);
    ct_bvh_destroy(strict.bvh);
    if (o.status != CT_OK) {
        fprintf(stderr, "%zu:%zu: %s\n", o.error.line, o.error.column, o.error.message);
        abort();
    }
    const ct_bvh_note *note = NULL;
    for (size_t i = 0; i < o.bvh->note_count; ++i) {
        if (o.bvh->notes[i].oddity == oddity) note = &o.bvh->notes[i];
    }
    CHECK(note != NULL);
    if (!note) return o.bvh;
    bool good = note->line == line && note->column == column && note->count == count && note->message[0];
    CHECK(good);
    if (!good) printf("  note at %zu:%zu x%zu: %s\n", note->line, note->column, note->count, note->message);
    return o.bvh;
}

static void multiply(double q[4], const double p[4])
{
    double r[4] = {q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3], q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2],
                   q[0] * p[2] + q[2] * p[0] + q[3] * p[1] - q[1] * p[3], q[0] * p[3] + q[3] * p[0] + q[1] * p[2] - q[2] * p[1]};
    memcpy(q, r, sizeof r);
}

// The rotation of a joint is the product of turns about the axes "ZXY" by these degrees.
static void rotation_is(const ct_bvh *bvh, size_t frame, size_t joint, const char *axes, const double *degrees)
{
    double q[4] = {1, 0, 0, 0}, dot = 0;
    for (size_t i = 0; axes[i]; ++i) {
        double turn[4] = {cos(degrees[i] * degree / 2), 0, 0, 0};
        turn[1 + axes[i] - 'X'] = sin(degrees[i] * degree / 2);
        multiply(q, turn);
    }
    for (size_t c = 0; c < 4; ++c) dot += q[c] * (double)value_at(bvh, frame, c, joint);
    for (size_t c = 0; c < 4; ++c) CHECK_NEAR((double)value_at(bvh, frame, c, joint), dot < 0 ? -q[c] : q[c], 1e-7);
}

static bool is_usual_tree(ct_bvh *bvh, size_t frames)
{
    const ct_skeleton *s = bvh->skeleton;
    bool good = s->joint_count == 2 && s->tip_count == 1 && strcmp(s->names[0], "Hips") == 0 && strcmp(s->names[1], "Knee") == 0 &&
                s->parents[0] == -1 && s->parents[1] == 0 && s->offsets[4] == -40.0f && s->tip_offsets[2] == 8.0f &&
                bvh->clip->frame_count == frames && bvh->clip->frame_time == 0.1;
    for (size_t i = 0; i < frames; ++i) {
        good = good && is_translation(bvh, i, 0, 1, 2, 3) && is_translation(bvh, i, 1, 0, -40, 0);
        rotation_is(bvh, i, 0, "ZXY", (double[]){90, 0, 0});
        rotation_is(bvh, i, 1, "ZXY", (double[]){0, 45, 0});
    }
    ct_bvh_destroy(bvh);
    return good;
}

// --- layouts -----------------------------------------------------------------------------------------------------------------------

static void test_the_plain_file(void)
{
    ct_bvh *bvh = read_correct(TREE MOTION("2") ROW ROW);
    CHECK(bvh->declared_frame_count == 2 && bvh->file_frame_time == 0.1);
    CHECK(bvh->channel_starts[0] == 0 && bvh->channel_starts[1] == 6 && bvh->channel_starts[2] == 9);
    CHECK(bvh->channels[0] == CT_CHANNEL_X_POSITION && bvh->channels[3] == CT_CHANNEL_Z_ROTATION);
    CHECK(strcmp(bvh->tip_names[0], "Site") == 0);
    CHECK(is_usual_tree(bvh, 2));
}

// Copies `text` to `end` and returns the new end.
static char *put(char *end, const char *text)
{
    size_t length = strlen(text);
    memcpy(end, text, length + 1);
    return end + length;
}

// The plain file with every `from` replaced.
static char *replaced(const char *text, const char *from, const char *to)
{
    char *result = calloc(strlen(text) * (strlen(to) + 1) + 1, 1), *end = result;
    if (!result) abort();
    while (*text) {
        if (strncmp(text, from, strlen(from)) == 0) {
            end = put(end, to);
            text += strlen(from);
        } else {
            *end++ = *text++;
        }
    }
    return result;
}

static void test_blanks_and_line_ends_do_not_matter(void)
{
    static const char *const ends[] = {"\r\n", "\r", "\n\n", " \t\n", "\r\n\n", "\n\t\v\f "};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        char *text = replaced(TREE MOTION("2") ROW ROW, "\n", ends[i]);
        CHECK(is_usual_tree(read_correct(text), 2));
        free(text);
    }
    char *tabs = replaced(TREE MOTION("2") ROW ROW, " ", "\t");
    CHECK(is_usual_tree(read_correct(tabs), 2));
    free(tabs);
    char *wide = replaced(TREE MOTION("2") ROW ROW, " ", "  \t ");
    CHECK(is_usual_tree(read_correct(wide), 2));
    free(wide);
    CHECK(is_usual_tree(read_correct("\xef\xbb\xbf" TREE MOTION("1") ROW), 1));
    CHECK(is_usual_tree(read_correct(TREE MOTION("1") "1 2 3 90 0 0 0 45 0"), 1));
    CHECK(is_usual_tree(read_correct(TREE "\n\nMOTION\n\nFrames: 1\n\nFrame Time: 0.1\n\n" ROW "\n \n"), 1));
}

static void test_case_of_keywords_does_not_matter(void)
{
    char *lower = replaced(TREE MOTION("1") ROW, "ROOT", "root"), *more = replaced(lower, "CHANNELS", "Channels"),
         *most = replaced(more, "rotation", "ROTATION");
    CHECK(is_usual_tree(read_correct(most), 1));
    free(lower);
    free(more);
    free(most);
    CHECK(is_usual_tree(read_correct(TREE "motion\nframes: 1\nframe time: 0.1\n" ROW), 1));
}

static void test_spellings_of_the_motion_header(void)
{
    static const char *const headers[] = {"MOTION\nFrames:\t1\nFrame Time:\t0.1\n", "MOTION\nFrames 1\nFrame Time 0.1\n",
                                          "MOTION Frames:1 Frame Time:.1\n",        "MOTION\nFrames :1\nFrame  Time : 1e-1\n",
                                          "MOTION\nFrames: 1\nFrameTime: +0.1\n",   "MOTION\nFrames: 1\nFrame Time: 0.1 "};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) {
        char text[1000] = TREE;
        strcat(strcat(text, headers[i]), ROW);
        CHECK(is_usual_tree(read_correct(text), 1));
    }
}

static void test_braces_may_stand_anywhere(void)
{
    char *same_line = replaced(TREE MOTION("1") ROW, "\n{", " {"), *text = replaced(same_line, "\n {", "{");
    CHECK(is_usual_tree(read_correct(text), 1));
    free(same_line);
    free(text);
    CHECK(is_usual_tree(
        read_correct("HIERARCHY ROOT Hips{OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation JOINT Knee {"
                     "OFFSET 0 -40 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site{OFFSET 0 -3 8}}}" MOTION("1") ROW),
        1));
}

static void test_numbers_in_every_spelling(void)
{
    CHECK(is_usual_tree(read_correct(TREE MOTION("1") "+1 2. .3e1 9.0E+1 -0 -.0 0e5 4.5e01 0000\n"), 1));
}

static void test_rows_may_be_wrapped(void)
{
    CHECK(is_usual_tree(read_correct(TREE MOTION("2") "1 2 3\n90 0 0\n0 45 0\n1 2 3\n90 0 0\n0 45 0\n"), 2));
    CHECK(is_usual_tree(read_correct(TREE MOTION("2") ROW "1 2 3 90 0\n0 0 45 0\n"), 2)); // one of them
    CHECK(is_usual_tree(read_correct(TREE MOTION("2") "1 2 3 90 0 0 0 45 0 1 2 3 90 0 0 0 45 0\n"), 2));
    CHECK(is_usual_tree(read_correct(TREE MOTION("2") "1 2 3 90 0\n0 0 45 0 1\n2 3 90 0 0\n0 45 0\n"), 2)); // lines of five
}

static void test_names_are_kept_as_they_are(void)
{
    static const char *const names[] = {"Bip01 L Calf",
                                        "mixamorig:Hips",
                                        "spine.001",
                                        "MOTION",
                                        "JOINT",
                                        "End Site",
                                        "X_End",
                                        "{",
                                        "#1",
                                        "//",
                                        "Frames:",
                                        "\xe5\xb7\xa6\xe3\x81\xb2\xe3\x81\x96",
                                        "a\tb",
                                        "CHANNELS 3",
                                        "}",
                                        "HIERARCHY",
                                        "OFFSET 0 0 0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(names[i], "{") == 0) continue;
        char text[400];
        snprintf(text, sizeof text, "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\nJOINT  %s \t\n{\nOFFSET 0 1 0\n}\n}\n" MOTION("0"), names[i],
                 names[i]);
        ct_bvh *bvh = read_correct(text);
        CHECK(strcmp(bvh->skeleton->names[0], names[i]) == 0);
        CHECK(strcmp(bvh->skeleton->names[1], names[i]) == 0);
        ct_bvh_destroy(bvh);
    }
    ct_bvh *bvh = read_correct("HIERARCHY\nROOT\n Hips \n{\nOFFSET 0 0 0\n}\n" MOTION("0")); // on the next line
    CHECK(strcmp(bvh->skeleton->names[0], "Hips") == 0);
    ct_bvh_destroy(bvh);

    bvh = read_correct("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd\n{\nOFFSET 1 0 0\n}\nEnd Site a_End\n{\nOFFSET 2 0 0\n}\n}\n" MOTION("0"));
    CHECK(bvh->skeleton->tip_count == 2 && bvh->skeleton->tip_parents[1] == 0 && bvh->skeleton->tip_offsets[3] == 2.0f);
    CHECK(strcmp(bvh->tip_names[0], "") == 0 && strcmp(bvh->tip_names[1], "Site a_End") == 0);
    ct_bvh_destroy(bvh);
}

static void test_a_name_that_is_not_utf8_is_latin_1(void)
{
    ct_bvh *bvh = noted("HIERARCHY\nROOT r\xf3tula\n{\nOFFSET 0 0 0\n}\n" MOTION("0"), CT_BVH_LATIN_1, 2, 6, 1);
    CHECK(strcmp(bvh->skeleton->names[0], "r\xc3\xb3tula") == 0);
    ct_bvh_destroy(bvh);
    static const char *const bad[] = {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char text[200];
        snprintf(text, sizeof text, "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\n}\n" MOTION("0"), bad[i]);
        ct_bvh_destroy(noted(text, CT_BVH_LATIN_1, 2, 6, 1));
    }
}

static void test_rotations_in_every_order_and_number(void)
{
    static const double degrees[5] = {40, -75, 160, 20, -10};
    char axes[6] = "", text[600];
    for (int code = 0; code < 3 + 9 + 27 + 81 + 243; ++code) {
        int length = code < 3     ? 1
                     : code < 12  ? 2
                     : code < 39  ? 3
                     : code < 120 ? 4
                                  : 5,
            rest = code - (length == 1   ? 0
                           : length == 2 ? 3
                           : length == 3 ? 12
                           : length == 4 ? 39
                                         : 120);
        if (length > 3 && code % 7) continue; // a sample will do
        for (int i = 0; i < length; ++i, rest /= 3) axes[i] = (char)('X' + rest % 3);
        axes[length] = '\0';
        int at = snprintf(text, sizeof text, "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS %d", length);
        for (int i = 0; i < length; ++i) at += snprintf(text + at, sizeof text - (size_t)at, " %crotation", axes[i]);
        at += snprintf(text + at, sizeof text - (size_t)at, "\n}\n" MOTION("1"));
        for (int i = 0; i < length; ++i) at += snprintf(text + at, sizeof text - (size_t)at, " %d", (int)degrees[i]);
        ct_bvh *bvh = read_correct(text);
        rotation_is(bvh, 0, 0, axes, degrees);
        ct_bvh_destroy(bvh);
    }
}

static void test_large_angles(void)
{
    ct_bvh *bvh = read_correct(ALONE("3 Zrotation Xrotation Yrotation") MOTION("1") "36045 -721 1e7\n");
    rotation_is(bvh, 0, 0, "ZXY", (double[]){45, -1, fmod(1e7, 360)});
    ct_bvh_destroy(bvh);
}

static void test_orders_differ_by_joint_and_columns_stay_in_step(void)
{
    ct_bvh *bvh =
        read_correct("HIERARCHY\nROOT A\n{\nOFFSET 5 6 7\nCHANNELS 6 Yrotation Zposition Xrotation Xposition Zrotation Yposition\n"
                     "JOINT B\n{\nOFFSET 1 1 1\nCHANNELS 4 Zrotation Yposition Yrotation Xrotation\nJOINT C\n{\nOFFSET 2 2 2\nCHANNELS 0\n"
                     "JOINT D\n{\nOFFSET 3 3 3\nJOINT E\n{\nOFFSET 4 4 4\nCHANNELS 1 Xrotation\n}\n}\n}\n}\n}\n" MOTION(
                         "1") "10 3 20 1 30 2 40 9 50 60 70\n");
    CHECK(bvh->skeleton->joint_count == 5);
    CHECK(is_translation(bvh, 0, 0, 1, 2, 3) && is_translation(bvh, 0, 1, 1, 9, 1) && is_translation(bvh, 0, 2, 2, 2, 2));
    rotation_is(bvh, 0, 0, "YXZ", (double[]){10, 20, 30});
    rotation_is(bvh, 0, 1, "ZYX", (double[]){40, 50, 60});
    rotation_is(bvh, 0, 2, "", NULL);
    rotation_is(bvh, 0, 3, "", NULL);
    rotation_is(bvh, 0, 4, "X", (double[]){70});
    ct_bvh_destroy(bvh);
}

static void test_scale_channels_become_scales(void)
{
    ct_bvh *bvh = read_correct(ALONE("5 Xscale Zrotation Zscale Yscale Xposition") MOTION("1") "2 90 4 3 8\n");
    CHECK(ct_has_scales(bvh->clip->layout));
    for (size_t axis = 0; axis < 3; ++axis) CHECK(value_at(bvh, 0, CT_SCALE + axis, 0) == (float)(2 + axis));
    CHECK(is_translation(bvh, 0, 0, 8, 2, 3));
    ct_bvh_destroy(bvh);
}

static void test_position_replaces_the_offset_or_is_added_on_request(void)
{
    const char *text = "HIERARCHY\nROOT A\n{\nOFFSET 1 2 3\nCHANNELS 3 Xposition Yposition Zposition\nJOINT B\n{\nOFFSET 4 5 6\nCHANNELS 1 "
                       "Yposition\n}\n}\n" MOTION("1") "10 20 30 40\n";
    ct_bvh *bvh = read_correct(text);
    CHECK(is_translation(bvh, 0, 0, 10, 20, 30) && is_translation(bvh, 0, 1, 4, 40, 6));
    ct_bvh_destroy(bvh);
    outcome o = read_bytes(text, strlen(text), (ct_bvh_options){.root_offset_add = true, .scale = 2});
    CHECK(o.status == CT_OK && is_translation(o.bvh, 0, 0, 22, 44, 66) && is_translation(o.bvh, 0, 1, 8, 80, 12));
    CHECK(o.bvh->root_offset_added);
    ct_bvh_destroy(o.bvh);
}

static void test_a_figure_that_stands_only_with_the_other_reading_is_noted(void)
{
    // 1 m from hips to toes; the root's position is the way from its OFFSET.
    const char *text =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n" MOTION(
            "1") "0 0.01 0\n";
    outcome o = read_text(text, true);
    CHECK(o.status == CT_OK && o.bvh->note_count == 1 && o.bvh->notes[0].oddity == CT_BVH_ROOT_OFFSET);
    double lowest = 0, other = 0;
    CHECK(ct_bvh_up_axis(o.bvh) == 1 && ct_bvh_root_offset_doubt(o.bvh, 1, &lowest, &other));
    CHECK_NEAR(lowest, -0.99, 1e-6);
    CHECK_NEAR(other, 0.01, 1e-6);
    ct_bvh_destroy(o.bvh);

    o = read_bytes(text, strlen(text), (ct_bvh_options){.root_offset_add = true, .scale = 1});
    CHECK(o.status == CT_OK && o.bvh->note_count == 0);
    ct_bvh_destroy(o.bvh);
    ct_bvh_destroy(read_correct(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n" MOTION(
            "1") "0 1.01 0\n"));
}

static void test_several_roots_and_tips(void)
{
    ct_bvh *bvh = read_correct(
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 1 0 0\n}\nJOINT B\n{\nOFFSET 0 1 0\n}\nEnd Site\n{\nOFFSET 2 0 0\n}\n}\n"
        "ROOT C\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\n" MOTION("1") "7\n");
    CHECK(bvh->skeleton->joint_count == 3 && bvh->skeleton->tip_count == 2 && bvh->skeleton->parents[2] == CT_NO_PARENT);
    CHECK(bvh->skeleton->tip_parents[0] == 0 && bvh->skeleton->tip_parents[1] == 0);
    ct_bvh_destroy(bvh);
}

static void test_duplicate_names(void)
{
    ct_bvh *bvh = read_correct("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nJOINT a\n{\nOFFSET 0 1 0\n}\n}\n" MOTION("0"));
    CHECK(bvh->skeleton->joint_count == 2 && strcmp(bvh->skeleton->names[1], "a") == 0);
    ct_bvh_destroy(bvh);
}

static void test_no_frames(void)
{
    ct_bvh *bvh = read_correct(TREE MOTION("0"));
    CHECK(bvh->clip->frame_count == 0 && bvh->clip->frame_time == 0.1);
    ct_bvh_destroy(bvh);
}

static void test_a_clip_lasts_a_finite_time(void)
{
    const char *const text = TREE "MOTION\nFrames: 2\nFrame Time: 1e308\n" ROW ROW;
    refused(text, 18, 13, "2 frames must last a finite time; give another fps=");
    outcome o = read_text(TREE "MOTION\nFrames: ?\nFrame Time: 1e308\n" ROW ROW, false);
    CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, "2 frames must last a finite time"));

    o = read_bytes(text, strlen(text), (ct_bvh_options){.scale = 1, .fps = 50});
    CHECK(o.status == CT_OK && o.bvh->clip->frame_time == 0.02 && o.bvh->file_frame_time == 1e308);
    ct_bvh_destroy(o.bvh);
    o = read_bytes(text, strlen(text), (ct_bvh_options){.scale = 1, .fps = 1e-308});
    CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, "give another fps="));
}

static void test_fps_overrides_the_frame_time(void)
{
    static const char *const times[] = {"0.1", "0", "-1", "nan", "soon", "1e999", "1e-999", "1e-309"};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        char text[1000];
        snprintf(text, sizeof text, TREE "MOTION\nFrames: 1\nFrame Time: %s\n" ROW, times[i]);
        for (int strict = 0; strict < 2; ++strict) {
            outcome o = read_bytes(text, strlen(text), (ct_bvh_options){.strict = strict, .scale = 1, .fps = 50});
            CHECK(o.status == CT_OK && o.bvh->clip->frame_time == 0.02 && o.bvh->clip->frame_count == 1);
            CHECK(o.bvh && o.bvh->file_frame_time == (i == 0 ? 0.1 : 0.0));
            ct_bvh_destroy(o.bvh);
        }
        if (i > 0) refused(text, 18, 13, "give fps=");
    }
    refused(TREE "MOTION\nFrames: 1\n" ROW, 18, 1, "expected Frame Time:");
}

// --- oddities ----------------------------------------------------------------------------------------------------------------------

static void test_oddities_of_the_hierarchy(void)
{
    CHECK(is_usual_tree(noted("# made by hand\n" TREE "// rows follow\n" MOTION("2") ROW "# half\n" ROW, CT_BVH_COMMENT, 1, 1, 3), 2));
    char *without = replaced(TREE MOTION("1") ROW, "HIERARCHY\n", "");
    CHECK(is_usual_tree(noted(without, CT_BVH_NO_HIERARCHY, 1, 1, 1), 1));
    free(without);
    char *joint = replaced(TREE MOTION("1") ROW, "ROOT", "JOINT");
    CHECK(is_usual_tree(noted(joint, CT_BVH_JOINT_AS_ROOT, 2, 1, 1), 1));
    free(joint);

    ct_bvh *bvh = noted("HIERARCHY\nROOT\n{\nOFFSET 0 0 0\n}\n" MOTION("0"), CT_BVH_NO_NAME, 2, 1, 1);
    CHECK(strcmp(bvh->skeleton->names[0], "") == 0);
    ct_bvh_destroy(bvh);

    char *no_closing = replaced(TREE MOTION("1") ROW, "}\n }\n}\n", "}\n");
    CHECK(is_usual_tree(noted(no_closing, CT_BVH_BRACES, 14, 1, 1), 1));
    free(no_closing);
    CHECK(is_usual_tree(noted(TREE "}\n" MOTION("1") ROW, CT_BVH_BRACES, 16, 1, 1), 1));
    char *no_opening = replaced(TREE MOTION("1") ROW, " {\n", "");
    CHECK(is_usual_tree(noted(no_opening, CT_BVH_BRACES, 7, 3, 2), 1));
    free(no_opening);

    ct_bvh_destroy(noted("HIERARCHY\nROOT A\n{\nCHANNELS 3 Xposition Yposition Zposition\n}\n" MOTION("0"), CT_BVH_NO_OFFSET, 2, 1, 1));
    bvh = noted("HIERARCHY\nROOT A\n{\nOFFSET 1 1 1\nEnd Site\n{\n}\nEnd Site\n{\nOFFSET 2 2 2\n}\n}\n" MOTION("0"), CT_BVH_NO_OFFSET, 5, 1,
                1);
    CHECK(bvh->skeleton->tip_count == 1 && bvh->skeleton->tip_offsets[0] == 2.0f);
    ct_bvh_destroy(bvh);
    bvh = noted("HIERARCHY\nROOT A\n{\nOFFSET 1 1 1\nOFFSET 2 2 2\n}\n" MOTION("0"), CT_BVH_TWO_OFFSETS, 5, 1, 1);
    CHECK(bvh->skeleton->offsets[0] == 2.0f);
    ct_bvh_destroy(bvh);
    bvh = noted("HIERARCHY\nROOT A\n{\nOFFSET 0 0-1\n}\n" MOTION("0"), CT_BVH_GLUED_NUMBERS, 4, 10, 1);
    CHECK(bvh->skeleton->offsets[2] == -1.0f);
    ct_bvh_destroy(bvh);
}

static void test_oddities_of_channels(void)
{
    ct_bvh *bvh = noted(ALONE("3 Xrotation Yrotation") MOTION("1") "10 20\n", CT_BVH_CHANNEL_COUNT, 5, 11, 1);
    rotation_is(bvh, 0, 0, "XY", (double[]){10, 20});
    ct_bvh_destroy(bvh);
    bvh = noted(ALONE("1 Xrotation Yrotation") MOTION("1") "10 20\n", CT_BVH_CHANNEL_COUNT, 5, 11, 1);
    rotation_is(bvh, 0, 0, "XY", (double[]){10, 20});
    ct_bvh_destroy(bvh);

    bvh = noted(ALONE("4 Xrotation Fov Yrotation ik.blend") MOTION("2") "10 1.5 20 -3\n11 2.5 21 -4\n", CT_BVH_UNKNOWN_CHANNEL, 5, 23, 2);
    rotation_is(bvh, 0, 0, "XY", (double[]){10, 20});
    CHECK(bvh->curve_count == 2 && strcmp(bvh->curve_names[0], "Fov") == 0 && strcmp(bvh->curve_names[1], "ik.blend") == 0);
    CHECK(bvh->curves[0] == 1.5f && bvh->curves[1] == -3.0f && bvh->curves[2] == 2.5f && bvh->curves[3] == -4.0f);
    ct_bvh_destroy(bvh);

    bvh = noted(ALONE("2 Xposition Xposition") MOTION("1") "10 20\n", CT_BVH_REPEATED_CHANNEL, 5, 23, 1);
    CHECK(is_translation(bvh, 0, 0, 10, 2, 3) && bvh->curves[0] == 20.0f);
    ct_bvh_destroy(bvh);

    bvh = noted("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 1 0 0\nCHANNELS 1 Xrotation\n}\nJOINT "
                "B\n{\nOFFSET 0 1 0\n"
                "CHANNELS 1 Yrotation\n}\n}\n" MOTION("1") "10 5 20\n",
                CT_BVH_TIP_CHANNELS, 9, 12, 1);
    rotation_is(bvh, 0, 0, "X", (double[]){10});
    rotation_is(bvh, 0, 1, "Y", (double[]){20});
    CHECK(bvh->curves[0] == 5.0f && strcmp(bvh->curve_names[0], "End.Xrotation") == 0);
    ct_bvh_destroy(bvh);
}

static void test_oddities_of_the_motion_header(void)
{
    ct_bvh *bvh = noted(TREE, CT_BVH_NO_MOTION, 16, 1, 1);
    CHECK(bvh->clip->frame_count == 0 && bvh->file_frame_time == 0);
    ct_bvh_destroy(bvh);
    ct_bvh_destroy(noted(TREE "MOTION\nFrames: 3", CT_BVH_NO_MOTION, 17, 10, 1));
    CHECK(is_usual_tree(noted(TREE "Frames: 1\nFrame Time: 0.1\n" ROW, CT_BVH_NO_MOTION, 16, 1, 1), 1));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrame Time: 0.1\n" ROW ROW, CT_BVH_FRAMES_LINE, 18, 1, 1), 2));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrames: many\nFrame Time: 0.1\n" ROW ROW, CT_BVH_FRAMES_LINE, 17, 9, 1), 2));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrames: -2\nFrame Time: 0.1\n" ROW ROW, CT_BVH_FRAMES_LINE, 17, 9, 1), 2));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrame Time: 0.1\nFrames: 2\n" ROW ROW, CT_BVH_LINE_ORDER, 18, 1, 1), 2));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrames: 1\nFrame Time: 0,1\n" ROW, CT_BVH_DECIMAL_COMMA, 18, 13, 1), 1));
    CHECK(is_usual_tree(noted(TREE "MOTION\nFrames: 1\nFrame Time: 0.1 s\n" ROW, CT_BVH_TEXT_AFTER, 18, 17, 1), 1));
}

static void test_oddities_of_rows(void)
{
    CHECK(is_usual_tree(noted(TREE MOTION("5") ROW ROW, CT_BVH_FEWER_ROWS, 17, 9, 1), 2));
    CHECK(is_usual_tree(noted(TREE MOTION("1") ROW ROW ROW, CT_BVH_MORE_ROWS, 17, 9, 1), 3));
    CHECK(is_usual_tree(noted(TREE MOTION("2") ROW ROW "the end\n", CT_BVH_TEXT_AFTER, 21, 1, 1), 2));
    CHECK(is_usual_tree(noted(TREE MOTION("2") ROW "1 2 3+90 0-0 0 45 0\n", CT_BVH_GLUED_NUMBERS, 20, 5, 2), 2));
    CHECK(is_usual_tree(noted(TREE MOTION("2") ROW "1 2 3 90", CT_BVH_SHORT_ROW, 20, 9, 1), 1)); // cut off
    CHECK(is_usual_tree(noted(TREE MOTION("1") "1 2 3 90\n", CT_BVH_SHORT_ROW, 19, 9, 1), 0));
    CHECK(is_usual_tree(noted(TREE MOTION("4") ROW "1 2 3 90 0 0 0 45\n" ROW ROW, CT_BVH_SHORT_ROW, 20, 18, 1), 3));
    CHECK(is_usual_tree(noted(TREE MOTION("4") "1 2 3 90 0 0 0 45\n" ROW ROW ROW, CT_BVH_SHORT_ROW, 19, 18, 1), 3));
    CHECK(is_usual_tree(noted(TREE MOTION("4") ROW "1 2 3 90 0 0 0 45 0 7\n" ROW ROW, CT_BVH_LONG_ROW, 20, 21, 1), 3));
    CHECK(is_usual_tree(noted(TREE MOTION("2") ROW "1 2 3 90 0 0 0 45 0 7\n", CT_BVH_LONG_ROW, 20, 21, 1), 1));
}

static void test_rows_that_do_not_fit_the_channels_are_never_shifted(void)
{
    // Eight or ten values a line for nine channels; nine lines of them would even make up whole rows.
    outcome o =
        read_text(TREE MOTION("9") "1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n"
                                   "1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n",
                  false);
    CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, "rows of 9 channels"));
    o = read_text(TREE MOTION("3") "1 2 3 4 5 6 7 8 9 10\n1 2 3 4 5 6 7 8 9 10\n1 2 3 4 5 6 7 8 9 10\n", false);
    CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, "do not have the 9 values"));
}

static void test_a_file_without_channels(void)
{
    ct_bvh *bvh = noted("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n" MOTION("3") "\n\n\n", CT_BVH_FEWER_ROWS, 7, 9, 1);
    CHECK(bvh->clip->frame_count == 0);
    ct_bvh_destroy(bvh);
}

// --- refusals ----------------------------------------------------------------------------------------------------------------------

static void test_other_files_are_named(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } files[] = {{"Kaydara FBX Binary  \0", 21, "FBX"},
                 {"; FBX 7.3.0", 11, "FBX"},
                 {"glTF\2\0\0\0", 8, "glTF"},
                 {"{\"asset\":{}}", 12, "glTF"},
                 {"#!OML:ASF\n:FULLY-SPECIFIED", 26, "AMC"},
                 {":version 1.10", 13, "ASF"},
                 {"\xff\xfeH\0I\0", 6, "UTF-16"},
                 {"\xfe\xff\0H\0I", 6, "UTF-16"},
                 {"H\0I\0E\0R\0", 8, "UTF-16"},
                 {"\1\2\0\3\4\5\6\7", 8, "binary"},
                 {"PK\3\4", 4, "zip"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        outcome o = read_bytes(files[i].bytes, files[i].size, (ct_bvh_options){.scale = 1});
        CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, files[i].words));
    }
    char c3d[512] = {2, 0x50};
    outcome o = read_bytes(c3d, sizeof c3d, (ct_bvh_options){.scale = 1});
    CHECK(o.status == CT_BAD_FILE && strstr(o.error.message, "C3D"));
    refused("", 1, 1, "empty");
    refused(" \n\n", 1, 1, "empty");
    refused("hello\n", 1, 1, "expected HIERARCHY, found 'hello'");
}

static void test_what_a_hierarchy_must_not_have(void)
{
    refused("HIERARCHY\n", 2, 1, "no ROOT");
    refused("HIERARCHY\nMOTION\n", 2, 1, "no ROOT");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 x\n}\n", 4, 13, "found 'x'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0\n CHANNELS 0\n}\n", 5, 2, "found 'CHANNELS'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 nan 0\n}\n", 4, 11, "found 'nan'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 1e999 0\n}\n", 4, 11, "too large");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 1e39 0\n}\n" MOTION("0"), 2, 1, "too large");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0,5 1 0\n}\n", 4, 9, "decimal point");
    refused("HIERARCHY\nROOT A\n{\n}\n" MOTION("0"), 2, 1, "no OFFSET");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n CHANNELS x\n}\n", 5, 11, "found 'x'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n CHANNELS 1.5 Xrotation\n}\n", 5, 11, "needs a count");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n CHANNELS 1 Xrotation\n CHANNELS 1 Xrotation\n}\n", 6, 2, "second CHANNELS");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n JOINT B\n {\n OFFSET 0 0 0\n }\n CHANNELS 1 Xrotation\n}\n", 9, 2,
            "behind its children");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n WEIGHT 5\n}\n", 5, 2, "found 'WEIGHT'");
    refused("HIERARCHY\nOFFSET 0 0 0\n", 2, 1, "outside all joints");
    refused("HIERARCHY\nCHANNELS 0\n", 2, 1, "outside all joints");
    refused("HIERARCHY\nEnd Site\n", 2, 1, "outside all joints");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n End Site\n {\n JOINT B\n", 7, 2, "inside the End Site of 'A'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n End Site\n {\n End Site\n", 7, 2, "inside the End Site of 'A'");
    refused("HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n", 5, 1, "the file ends inside joint 'A'");
    refused("HIERARCHY\nROOT \xe5\xb7\xa6 {\n OFFSET 0 0 0\n}\nROOT \xe5\xb7\xa6 { x", 5, 10, "found 'x'"); // columns are characters
    refused("HIERARCHY\r\nROOT A\r{\n OFFSET 0 0 ?\n}\n", 4, 13, "found '?'");                              // lines end in any way
}

static void test_numbers_in_rows_must_be_finite_and_the_error_names_them(void)
{
    static const char *const bad[] = {"nan", "-nan", "NaN", "inf", "-Infinity", "1e999", "1e39", "1.#IND", "-1.#QNAN", "nan(0x1)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char text[1000];
        snprintf(text, sizeof text, TREE MOTION("2") ROW "1 2 3 90 0 0 0 %s 0\n", bad[i]);
        refused(text, 20, 16, "channel 'Xrotation' of joint 'Knee' is ");
        outcome o = read_text(text, false);
        CHECK(o.error.joint == 1 && o.error.frame == 1 && strstr(o.error.message, "finite"));
    }
    refused(TREE MOTION("1") "nan 2 3 90 0 0 0 0 0\n", 19, 1, "channel 'Xposition' of joint 'Hips' is 'nan' in frame 0");
    refused(TREE MOTION("1") "1 2 3 90 0 0 0 x 0\n", 19, 16,
            "expected a number for channel 'Xrotation' of joint 'Knee' in frame 0, found 'x'");
    refused(TREE MOTION("1") "1 2 3 90 0,5 0 0 0 0\n", 19, 10, "decimal point");
    refused(TREE MOTION("1") "1 2 3 90 0.5.5 0 0 0 0\n", 19, 10, "found '0.5.5'");
    refused(TREE MOTION("3") ROW "oops\n" ROW, 20, 1, "found 'oops'");
}

static void test_a_second_motion_is_refused(void)
{
    refused(TREE MOTION("1") ROW MOTION("1") ROW, 20, 1, "a second 'MOTION'");
    refused(TREE MOTION("1") ROW TREE MOTION("1") ROW, 20, 1, "a second 'HIERARCHY'");
}

static void test_every_cut_is_an_error_or_keeps_whole_rows(void)
{
    const char *text = TREE MOTION("3") ROW ROW ROW;
    const size_t hierarchy = strlen(TREE), header = strlen(TREE MOTION("3"));
    for (size_t size = 0; size < strlen(text); ++size) {
        outcome o = read_bytes(text, size, (ct_bvh_options){.scale = 1});
        if (size < hierarchy - 1) CHECK(o.status == CT_BAD_FILE);
        if (size >= header) {
            CHECK(o.status == CT_OK && o.bvh->clip->frame_count == (size - header + 1) / strlen(ROW));
            if (o.bvh) CHECK(o.bvh->note_count > 0 || size + 1 == strlen(text));
        }
        ct_bvh_destroy(o.bvh);
    }
}

// --- size --------------------------------------------------------------------------------------------------------------------------

static void test_a_lying_frame_count_takes_no_memory(void)
{
    static const char *const counts[] = {"999999999", "18446744073709551615", "99999999999999999999999", "1e300"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        char text[1000];
        snprintf(text, sizeof text, TREE "MOTION\nFrames: %s\nFrame Time: 0.1\n" ROW ROW, counts[i]);
        failing_allocator f = {0};
        ct_allocator allocator = failing_allocator_use(&f);
        ct_bvh_options options = {.scale = 1};
        ct_bvh *bvh;
        ct_error error;
        CHECK(ct_bvh_read(&allocator, ct_kernels_best(), text, strlen(text), &options, &bvh, &error) == CT_OK);
        CHECK(is_usual_tree(bvh, 2));
        CHECK(f.live == 0);
    }
}

static void test_many_joints_and_deep_nesting(void)
{
    const size_t wanted[] = {60000, CT_MAX_JOINTS + 1};
    for (int k = 0; k < 2; ++k) {
        char *text = malloc(wanted[k] * 40 + 100), *at = text;
        if (!text) abort();
        at = put(at, "HIERARCHY\nROOT r{OFFSET 0 0 0\n");
        for (size_t i = 1; i < wanted[k]; ++i) at = put(at, "JOINT j{OFFSET 0 1 0\n");
        for (size_t i = 0; i < wanted[k]; ++i) *at++ = '}';
        strcpy(at, "\n" MOTION("0"));
        outcome o = read_text(text, true);
        CHECK(o.status == (k == 0 ? CT_OK : CT_BAD_FILE));
        CHECK(k == 0 ? o.bvh->skeleton->joint_count == wanted[0] : strstr(o.error.message, "65535 joints") != NULL);
        ct_bvh_destroy(o.bvh);
        free(text);
    }
}

static void test_many_end_sites(void)
{
    for (size_t more = 0; more < 2; ++more) {
        const size_t count = CT_MAX_JOINTS + more;
        char *text = malloc(count * 20 + 100), *at = text;
        if (!text) abort();
        at = put(at, "HIERARCHY\nROOT r{OFFSET 0 0 0\n");
        for (size_t i = 0; i < count; ++i) at = put(at, "End{OFFSET 0 1 0}\n");
        strcpy(at, "}\n" MOTION("0"));
        outcome o = read_text(text, true);
        CHECK(more ? o.status == CT_BAD_FILE && strstr(o.error.message, "65535 end sites") : o.bvh && o.bvh->tip_count == count);
        ct_bvh_destroy(o.bvh);
        free(text);
    }
}

static void test_all_levels_give_the_same_bits(void)
{
    const char *text =
        TREE MOTION("3") "1.5 2.25 3.125 91.7 -23.4 12.3 0.01 45.6 -170.2\n1 2 3 4 5 6 7 8 9\n-1 1e-5 3 400 500 600 -700 800 900\n";
    ct_bvh *first = read_correct(text);
    const size_t length = 3 * ct_row_length(first->clip->layout);
    FOR_EACH_LEVEL(kernels)
    {
        const ct_allocator allocator = ct_allocator_default();
        const ct_bvh_options options = {.scale = 1};
        ct_bvh *bvh;
        ct_error error;
        CHECK(ct_bvh_read(&allocator, kernels, text, strlen(text), &options, &bvh, &error) == CT_OK);
        CHECK(memcmp(bvh->clip->rows, first->clip->rows, length * sizeof(float)) == 0);
        ct_bvh_destroy(bvh);
    }
    ct_bvh_destroy(first);
}

int main(void)
{
    test_the_plain_file();
    test_blanks_and_line_ends_do_not_matter();
    test_case_of_keywords_does_not_matter();
    test_spellings_of_the_motion_header();
    test_braces_may_stand_anywhere();
    test_numbers_in_every_spelling();
    test_rows_may_be_wrapped();
    test_names_are_kept_as_they_are();
    test_a_name_that_is_not_utf8_is_latin_1();
    test_rotations_in_every_order_and_number();
    test_large_angles();
    test_orders_differ_by_joint_and_columns_stay_in_step();
    test_scale_channels_become_scales();
    test_position_replaces_the_offset_or_is_added_on_request();
    test_a_figure_that_stands_only_with_the_other_reading_is_noted();
    test_several_roots_and_tips();
    test_duplicate_names();
    test_no_frames();
    test_fps_overrides_the_frame_time();
    test_a_clip_lasts_a_finite_time();
    test_oddities_of_the_hierarchy();
    test_oddities_of_channels();
    test_oddities_of_the_motion_header();
    test_oddities_of_rows();
    test_rows_that_do_not_fit_the_channels_are_never_shifted();
    test_a_file_without_channels();
    test_other_files_are_named();
    test_what_a_hierarchy_must_not_have();
    test_numbers_in_rows_must_be_finite_and_the_error_names_them();
    test_a_second_motion_is_refused();
    test_every_cut_is_an_error_or_keeps_whole_rows();
    test_a_lying_frame_count_takes_no_memory();
    test_many_joints_and_deep_nesting();
    test_many_end_sites();
    test_all_levels_give_the_same_bits();
    return check_report();
}
