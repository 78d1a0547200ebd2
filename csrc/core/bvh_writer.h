// bvh_writer.h: the parts of the BVH writer; for the bvh_*.c files alone.
#ifndef CT_BVH_WRITER_H
#define CT_BVH_WRITER_H

#include "bvh.h"
#include "bvh_angles.h"

// A column of the file that is written.
typedef struct ct_bvh_written {
    int32_t joint;
    uint8_t channel; // ct_channel
    int8_t turn;     // of a rotation: which of the joint's angles; -1 is always 0
    uint32_t curve;  // of CT_CHANNEL_OTHER
} ct_bvh_written;

typedef struct ct_bvh_writer {
    ct_allocator allocator;
    const ct_kernels *kernels;
    const ct_clip *clip;
    const ct_skeleton *skeleton;
    ct_bvh_layout layout; // the caller's, or the default in the two arrays below
    uint8_t *own_channels;
    size_t *own_starts;
    ct_bvh_sink sink;
    ct_error *error;

    size_t *curve_starts;    // [joint_count + 1]: which curves are a joint's
    ct_bvh_turns *turns;     // [joint_count]
    int32_t *order;          // [joint_count]: joints as the file has them
    size_t order_count;      // joints written so far
    ct_bvh_written *columns; // in the order of the file
    size_t column_count;
    ct_bvh_angles *angles;

    char *buffer;
    size_t used;
} ct_bvh_writer;

enum { CT_BVH_BUFFER_SIZE = 1 << 16 };

// bvh_layout.c: the layout to write, and a check that it holds the motion.
ct_status ct_bvh_choose_layout(ct_bvh_writer *writer);
ct_status ct_bvh_check_layout(ct_bvh_writer *writer);

// bvh_write_hierarchy.c: HIERARCHY; fills writer->order. The names are checked first.
ct_status ct_bvh_check_names(const ct_bvh_writer *writer);
ct_status ct_bvh_write_hierarchy(ct_bvh_writer *writer);

// bvh_write.c: appends text; hands the buffer on when it is full.
ct_status ct_bvh_put(ct_bvh_writer *writer, const char *text, size_t length);

#endif
