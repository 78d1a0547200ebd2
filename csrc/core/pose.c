#include "pose.h"

void ct_pose_normalize(ct_poses poses, const ct_kernels *kernels)
{
    size_t stride = poses.layout.stride;
    for (size_t i = 0; i < poses.count; ++i) {
        float *w = poses.rows + i * ct_row_length(poses.layout);
        float *const out[4] = {w, w + stride, w + 2 * stride, w + 3 * stride};
        const float *const in[4] = {out[0], out[1], out[2], out[3]};
        kernels->quaternion.f32[CT_QUATERNION_normalize](stride, in, out);
    }
}
