// pose_type.h: canter.Pose and canter.PoseVelocity, batches of rows in the layout of layout.h.
//
// Both own one NumPy array `rows` of shape (*batch, components, stride), float32, C-contiguous and read-only; their attributes are
// strided views of it.
#ifndef CANTER_POSE_TYPE_H
#define CANTER_POSE_TYPE_H

#include "binding.h"
#include "layout.h"

typedef struct pose_object {
    PyObject_HEAD PyArrayObject *rows;
    size_t joint_count;
} pose_object;

// A new pose (or velocity) of `type` whose rows the caller fills before anyone else sees it. The padding is not yet written.
pose_object *new_pose(PyTypeObject *type, size_t joint_count, size_t component_count, int batch_rank, const npy_intp *batch);

// A pose (or velocity) around an array of rows as above, which it takes over and makes read-only; NULL passes an exception on.
pose_object *wrap_rows(PyTypeObject *type, PyObject *rows, size_t joint_count);

// The rows of a pose, for the core.
ct_poses poses_of(const pose_object *pose);
ct_pose_velocities velocities_of(const pose_object *velocity);

// The number of batch dimensions and their sizes.
int batch_rank(const pose_object *pose);
const npy_intp *batch_shape(const pose_object *pose);

#endif
