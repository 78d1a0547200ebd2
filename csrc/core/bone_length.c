#include "bone_length.h"

#include "vector.h"

static ct_vector point_of(const double *point) { return (ct_vector){point[0], point[1], point[2]}; }

void ct_bone_length_errors(const ct_skeleton *skeleton, size_t pose_count, const double *positions, double *errors)
{
    size_t count = skeleton->joint_count;
    for (size_t j = 0; j < count; ++j) {
        int32_t parent = skeleton->parents[j];
        double length = ct_vector_length(ct_vector_of(skeleton->offsets + 3 * j));
        for (size_t i = 0; i < pose_count; ++i) {
            if (parent == CT_NO_PARENT) {
                errors[i * count + j] = 0;
                continue;
            }
            ct_vector from = point_of(positions + 3 * (i * count + (size_t)parent)), to = point_of(positions + 3 * (i * count + j));
            errors[i * count + j] = ct_vector_length(ct_vector_subtract(to, from)) - length;
        }
    }
}
