// bvh.h: reading and writing BVH files.
//
// Channels compose left to right as intrinsic rotations. Position channels of a joint replace its OFFSET. The reader makes one pass over
// the bytes; what the file says that a skeleton and a clip can't hold (channel order, names of end sites, unknown channels) stays in the
// ct_bvh, so that the writer can give the same layout back.
#ifndef CT_BVH_H
#define CT_BVH_H

#include "clip.h"

// One channel in file order.
typedef enum ct_channel {
    CT_CHANNEL_X_POSITION,
    CT_CHANNEL_Y_POSITION,
    CT_CHANNEL_Z_POSITION,
    CT_CHANNEL_X_ROTATION,
    CT_CHANNEL_Y_ROTATION,
    CT_CHANNEL_Z_ROTATION,
    CT_CHANNEL_X_SCALE,
    CT_CHANNEL_Y_SCALE,
    CT_CHANNEL_Z_SCALE,
    CT_CHANNEL_OTHER, // a name we don't know, kept as a curve
} ct_channel;

typedef struct ct_bvh_options {
    bool strict;          // refuse what the format forbids instead of reading what can be read
    bool root_offset_add; // add a root's position channels to its OFFSET instead of replacing it
    double scale;         // multiplies OFFSETs and positions; 1 keeps the file's unit
    double fps;           // 0 takes the file's frame time
} ct_bvh_options;

// One thing that the reader did to read an odd file, at the first place where it met it.
typedef struct ct_bvh_note {
    size_t line, column, count; // count: how often
    char message[CT_MESSAGE_SIZE];
} ct_bvh_note;
enum { CT_BVH_MAX_NOTES = 64 };

typedef struct ct_bvh {
    ct_allocator allocator;
    ct_skeleton *skeleton;
    ct_clip *clip;
    double file_frame_time; // as the file says, even when options.fps overrode it
    size_t declared_frame_count;
    uint8_t *channels;        // ct_channel of every channel in file order, joint after joint
    size_t *channel_starts;   // [joint_count + 1] into channels
    const char **tip_names;   // [tip_count]: what follows "End Site", often "" or "Site"
    size_t curve_count;       // channels of kind CT_CHANNEL_OTHER
    const char **curve_names; // "joint.channel" as the file spells it
    float *curves;            // [frame_count][curve_count]
    ct_bvh_note notes[CT_BVH_MAX_NOTES];
    size_t note_count;
} ct_bvh;

// Reads `size` bytes. Fails with CT_BAD_FILE (line, column, joint, frame where they apply; the message says what was met, what was
// expected and what to do) or CT_OUT_OF_MEMORY. Release with ct_bvh_destroy.
ct_status ct_bvh_read(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                      const ct_bvh_options *options, ct_bvh **out, ct_error *error);
void ct_bvh_destroy(ct_bvh *bvh); // NULL is fine

#endif
