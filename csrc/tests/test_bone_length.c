// Bones are as long as their offsets; a difference has a sign.
#include "bone_length.h"

#include "forward_kinematics.h"
#include "made_up.h"

int main(void)
{
    enum { JOINTS = 7, POSES = 3 };
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, POSES, 0.1, false, false, 0.2);
    for (size_t i = 0; i < POSES; ++i) {
        for (size_t j = 0; j < JOINTS; ++j) {
            for (size_t c = 0; c < 3; ++c) *clip_at(clip, i, CT_TRANSLATION + c, j) = skeleton->offsets[3 * j + c];
        }
    }
    finish(clip);
    float placed[POSES * JOINTS * 3];
    double positions[POSES * JOINTS * 3], errors[POSES * JOINTS];
    ct_error error;
    ct_poses poses = {clip->layout, POSES, clip->rows};
    CHECK(ct_forward_kinematics(skeleton, ct_kernels_best(), poses, 1, NULL, placed, NULL, &error) == CT_OK);
    for (size_t i = 0; i < POSES * JOINTS * 3; ++i) positions[i] = (double)placed[i];
    ct_bone_length_errors(skeleton, POSES, positions, errors);
    for (size_t i = 0; i < POSES * JOINTS; ++i) CHECK_NEAR(errors[i], 0, 1e-6);

    double length = sqrt((double)(skeleton->offsets[3] * skeleton->offsets[3] + skeleton->offsets[4] * skeleton->offsets[4] +
                                  skeleton->offsets[5] * skeleton->offsets[5]));
    for (size_t i = 0; i < POSES * JOINTS * 3; ++i) positions[i] *= 0.5;
    ct_bone_length_errors(skeleton, POSES, positions, errors);
    CHECK_NEAR(errors[1], -0.5 * length, 1e-6);
    CHECK(errors[0] == 0 && errors[JOINTS] == 0); // roots
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
    return check_report();
}
