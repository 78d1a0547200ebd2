#include "pose.h"

#include <math.h>

static bool is_unit(const float *w, size_t stride)
{
    const float *x = w + stride, *y = x + stride, *z = y + stride;
    size_t off = 0;
    for (size_t j = 0; j < stride; ++j) off += !(fabsf(w[j] * w[j] + x[j] * x[j] + y[j] * y[j] + z[j] * z[j] - 1) <= 2e-6f);
    return off == 0;
}

void ct_pose_normalize(ct_poses poses, const ct_kernels *kernels)
{
    size_t stride = poses.layout.stride;
    for (size_t i = 0; i < poses.count; ++i) {
        float *w = poses.rows + i * ct_row_length(poses.layout);
        if (is_unit(w, stride)) continue;
        float *const out[4] = {w, w + stride, w + 2 * stride, w + 3 * stride};
        const float *const in[4] = {out[0], out[1], out[2], out[3]};
        kernels->quaternion.f32[CT_QUATERNION_normalize](stride, in, out);
    }
}
