// Rows and arrays of structures are two views of one pose.
#include "check.h"
#include "layout.h"

static void test_a_pose_survives_the_way_into_a_row_and_back(void)
{
    enum { JOINTS = 5, POSES = 3 };
    ct_layout layout = ct_layout_of(JOINTS, true, false);
    float rows[7 * CT_LANES * POSES], from[POSES * JOINTS * 4], to[POSES * JOINTS * 4];
    for (int i = 0; i < POSES * JOINTS * 4; ++i) from[i] = (float)i;

    ct_layout_write(layout, CT_ROTATION, POSES, from, rows);
    ct_layout_read(layout, CT_ROTATION, POSES, rows, to);
    for (int i = 0; i < POSES * JOINTS * 4; ++i) CHECK(to[i] == from[i]);
    CHECK(rows[layout.stride * 2 + 3] == from[3 * 4 + 2]);
}

static void test_padding_joints_are_identities(void)
{
    ct_layout layout = ct_layout_of(1, true, true);
    float row[10 * CT_LANES];
    ct_layout_pad(layout, 1, row);
    CHECK(row[CT_LANES - 1] == 1.0f);     // w
    CHECK(row[2 * CT_LANES - 1] == 0.0f); // x
    CHECK(row[(CT_TRANSLATION + 1) * CT_LANES - 1] == 0.0f);
    CHECK(row[(CT_SCALE + 1) * CT_LANES - 1] == 1.0f);
}

int main(void)
{
    test_a_pose_survives_the_way_into_a_row_and_back();
    test_padding_joints_are_identities();
    return check_report();
}
