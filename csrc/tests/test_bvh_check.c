#include <string.h>

#include "bvh_check.h"
#include "check.h"
#include "failing_allocator.h"

static const char file[] = "HIERARCHY\r\n"
                           "ROOT Hips \n"
                           "{\n"
                           "\tOFFSET 0 0 0\r"
                           "\tCHANNELS\t6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                           "\tJOINT Chest\n\t{\n\t\tOFFSET 0 0.5 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 0.3 0\n\t\t}\n\t}\n"
                           "\tJOINT LeftLeg\n\t{\n\t\tOFFSET 0.1 0 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -0.8 0\n\t\t}\n\t}\n"
                           "\tJOINT RightLeg\n\t{\n\t\tOFFSET -0.1 0 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -0.8 0\n\t\t}\n\t}\n"
                           "}\n"
                           "motion\n"
                           "\n"
                           "Frames:   4 \n"
                           "Frame Time: 0.1\n"
                           "0 0.9 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"
                           "0 0.9 0 0\t0 1e1 0 0 0 0 0 0 0 0 0\n"
                           "\n"
                           "0 0.9 0 0 0 200 0 0 0\n"
                           "0 0 0 0 0 0\n"
                           "0 0.9 9 0 0 -170 0 0 0 0 0 0 0 0 0\n"
                           "\n";

static ct_status check_file(const ct_allocator *allocator, const ct_kernels *kernels, ct_bvh_check *check)
{
    ct_bvh_options options = {.scale = 1};
    ct_bvh_style text;
    ct_bvh *bvh;
    ct_error error;
    ct_bvh_scan_style(file, sizeof file - 1, &text);
    ct_status status = ct_bvh_read(allocator, kernels, file, sizeof file - 1, &options, &bvh, &error);
    if (status != CT_OK) return status;
    status = ct_bvh_check_motion(allocator, kernels, file, sizeof file - 1, &text, bvh, check, &error);
    ct_bvh_destroy(bvh);
    return status;
}

static void text_is_counted_line_by_line(void)
{
    ct_bvh_style text;
    ct_bvh_scan_style(file, sizeof file - 1, &text);
    CHECK(text.crlf_count == 1 && text.cr_count == 1);
    CHECK(text.newline_at_end && text.motion && !text.byte_order_mark);
    CHECK(text.indent == '\t');
    CHECK(text.hierarchy_trailing_blanks == 1 && text.hierarchy_tabs == 1 && text.hierarchy_blank_lines == 0);
    CHECK(text.header_blank_lines == 1);
    CHECK(text.frames_line.length == 11 && memcmp(file + text.frames_line.start, "Frames:   4", 11) == 0);
    CHECK(text.frame_time_line.length == 15);
    CHECK(text.row_count == 5 && text.exponent_rows == 1 && text.tab_rows == 1 && text.trailing_blank_rows == 1);
    CHECK(text.motion_blank_lines == 1);
    CHECK(memcmp(file + text.rows_start, "0 0.9 0 0 0", 11) == 0);
}

static void any_piece_of_a_file_can_be_scanned(void)
{
    for (size_t size = 0; size < sizeof file; ++size) {
        char *piece = malloc(size + 1); // of its own, so that a step past its end is seen
        memcpy(piece, file, size);
        ct_bvh_style text;
        ct_bvh_scan_style(piece, size, &text);
        CHECK(text.rows_start <= size && text.crlf_count + text.lf_count + text.cr_count <= size);
        free(piece);
    }
}

static void motion_is_checked(void)
{
    ct_allocator allocator = ct_allocator_default();
    FOR_EACH_LEVEL(kernels)
    {
        ct_bvh_check check;
        CHECK(check_file(&allocator, kernels, &check) == CT_OK);
        CHECK(check.jump_frames == 2 && check.first_jump == 1); // 10 to 200, 200 to -170
        CHECK(check.beyond_frames == 1 && check.first_beyond == 2);
        CHECK(check.starts_at_zero);
        CHECK_NEAR(check.first_step, 10, 1e-9);
        CHECK(check.up == CT_PLUS_Y);
        CHECK_NEAR(check.zero_height, 1.6, 1e-6);
        CHECK(check.teleport_count == 1 && check.first_teleport == 2);
        CHECK_NEAR(check.teleport_step, 9, 1e-5);
        CHECK_NEAR(check.lowest_replacing, 0.1, 1e-6);
        CHECK(check.zero_joints == 0 && check.zero_tips == 0 && check.bare_leaves == 0);
    }
}

static void every_allocation_may_fail(void)
{
    for (size_t fail_at = 1;; ++fail_at) {
        failing_allocator failing = {.fail_at = fail_at};
        ct_allocator allocator = failing_allocator_use(&failing);
        ct_bvh_check check;
        ct_status status = check_file(&allocator, ct_kernels_best(), &check);
        CHECK(failing.live == 0);
        if (status == CT_OK) {
            CHECK(fail_at > 8);
            break;
        }
        CHECK(status == CT_OUT_OF_MEMORY);
    }
}

int main(void)
{
    text_is_counted_line_by_line();
    any_piece_of_a_file_can_be_scanned();
    motion_is_checked();
    every_allocation_may_fail();
    return check_report();
}
