// Each component of all joints lies side by side in a row.
#include "check.h"
#include "layout.h"

static void test_components_of_all_joints_lie_side_by_side(void)
{
    enum { JOINTS = 5, POSES = 3 };
    ct_layout layout = ct_layout_of(JOINTS, true, false);
    float rows[7 * CT_LANES * POSES], from[POSES * JOINTS * 4];
    for (int i = 0; i < POSES * JOINTS * 4; ++i) from[i] = (float)i;

    ct_layout_write(layout, CT_ROTATION, POSES, from, rows);
    for (size_t i = 0; i < POSES; ++i) {
        const float *row = rows + i * ct_row_length(layout);
        for (size_t j = 0; j < JOINTS; ++j) {
            for (size_t c = 0; c < 4; ++c) CHECK(row[c * layout.stride + j] == from[(i * JOINTS + j) * 4 + c]);
        }
    }
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

static void test_a_row_in_a_larger_layout_has_no_scaling_and_in_a_smaller_one_loses_parts(void)
{
    const ct_layout small = ct_layout_of(2, false, false), middle = ct_layout_of(2, true, false), large = ct_layout_of(2, true, true);
    float row[7 * CT_LANES], out[10 * CT_LANES];
    for (int i = 0; i < 7 * CT_LANES; ++i) row[i] = (float)i + 2;
    for (int i = 0; i < 10 * CT_LANES; ++i) out[i] = -1;
    ct_layout_fit(middle, row, small, out);
    CHECK(out[4 * CT_LANES - 1] == row[4 * CT_LANES - 1]);
    CHECK(out[4 * CT_LANES] == -1.0f);
    ct_layout_fit(middle, row, large, out);
    CHECK(out[7 * CT_LANES - 1] == row[7 * CT_LANES - 1]);
    for (int i = 7 * CT_LANES; i < 10 * CT_LANES; ++i) CHECK(out[i] == 1.0f);
}

int main(void)
{
    test_components_of_all_joints_lie_side_by_side();
    test_padding_joints_are_identities();
    test_a_row_in_a_larger_layout_has_no_scaling_and_in_a_smaller_one_loses_parts();
    return check_report();
}
