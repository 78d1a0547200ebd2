// bvh.h: reading and writing BVH files.
//
// Rotation channels compose left to right as intrinsic rotations. Position channels of a joint replace its OFFSET, axis by axis. What a
// file says that a skeleton and a clip can't hold (order of channels, names of end sites, unknown channels) stays in the ct_bvh, so that
// the writer can give the same layout back.
//
// The text is tokens apart from blanks (space, tab, CR, LF, CRLF in any mix); a name is the rest of its line, up to a "{". Keywords and
// channel names may be in any case. Rows of MOTION are read by count, so a row may be wrapped. `strict` refuses the oddities listed at
// ct_bvh_oddity; by default they are read as far as that needs no guessing, and noted.
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

// `channel` is a ct_channel, as the arrays of a ct_bvh hold it.
static inline bool ct_channel_is_rotation(ct_channel channel)
{
    return channel >= CT_CHANNEL_X_ROTATION && channel <= CT_CHANNEL_Z_ROTATION;
}

typedef struct ct_bvh_options {
    bool strict;          // refuse what the format forbids instead of reading what can be read
    bool root_offset_add; // add a root's position channels to its OFFSET instead of replacing it
    double scale;         // multiplies OFFSETs and positions; 1 keeps the file's unit. Positive and finite (asserted)
    double fps;           // frames per second in place of the file's frame time; 0 takes the file's. Not negative, finite (asserted)
} ct_bvh_options;

// What a file may have that the format forbids, and what is done with it by default.
typedef enum ct_bvh_oddity {
    CT_BVH_COMMENT,          // "#" or "//" where a token should be: skipped to the end of the line
    CT_BVH_NO_HIERARCHY,     // the keyword is missing: read on
    CT_BVH_JOINT_AS_ROOT,    // JOINT outside all braces: a root
    CT_BVH_NO_NAME,          // ROOT or JOINT without a name: its name is ""
    CT_BVH_LATIN_1,          // a name that is not UTF-8: taken as Latin-1
    CT_BVH_BRACES,           // a brace is missing or there is one too many: the keywords settle it
    CT_BVH_NO_OFFSET,        // position channels on all axes make up for it; an End Site without OFFSET is left out
    CT_BVH_TWO_OFFSETS,      // the last counts
    CT_BVH_CHANNEL_COUNT,    // CHANNELS has more or fewer names than it says: the names count
    CT_BVH_UNKNOWN_CHANNEL,  // kept as a curve
    CT_BVH_REPEATED_CHANNEL, // a second position or scale about one axis: kept as a curve
    CT_BVH_TIP_CHANNELS,     // CHANNELS in an End Site: kept as curves
    CT_BVH_NO_MOTION,        // MOTION or its first lines are missing: no frames
    CT_BVH_FRAMES_LINE,      // "Frames:" is missing or no count: the rows are counted
    CT_BVH_LINE_ORDER,       // "Frame Time:" comes before "Frames:"
    CT_BVH_DECIMAL_COMMA,    // in the frame time: read as a point
    CT_BVH_FRAME_TIME,       // missing or no time that a clip can have: options.fps counts (without, an error). Never an error in itself
    CT_BVH_GLUED_NUMBERS,    // "0.0-7.5": two numbers
    CT_BVH_SHORT_ROW,        // the row is dropped
    CT_BVH_LONG_ROW,         // a line with too many values is dropped
    CT_BVH_FEWER_ROWS,       // than declared: those that are there
    CT_BVH_MORE_ROWS,        // than declared: all of them
    CT_BVH_TEXT_AFTER,       // text after the last row or in the line of the frame time: left out
    CT_BVH_ROOT_OFFSET,      // see ct_bvh_root_offset_doubt; never an error
    CT_BVH_ODDITY_COUNT,
} ct_bvh_oddity;

// One kind of oddity, as met first.
typedef struct ct_bvh_note {
    ct_bvh_oddity oddity;
    size_t line, column; // 1-based, column in characters; 0 when no place applies
    size_t count;        // how often
    char message[CT_MESSAGE_SIZE];
} ct_bvh_note;

typedef struct ct_bvh {
    ct_allocator allocator;
    ct_skeleton *skeleton; // joints and tips in file order; whoever takes skeleton and clip out leaves NULL behind
    ct_clip *clip;
    double file_frame_time;      // as the file says, even when options.fps overrode it; 0 when it says none that can be used
    size_t declared_frame_count; // 0 when the file says none
    bool root_offset_added;      // as options.root_offset_add
    float low[3], high[3];       // the box around joints and tips on frame 0; zeros without frames
    uint8_t *channels;           // ct_channel of every column, joint after joint. Columns of an End Site count to the joint before
    size_t *channel_starts;      // [joint_count + 1] into channels
    size_t tip_count;            // of the skeleton
    char **tip_names;            // [tip_count]: what follows "End", nearly always "Site"
    size_t curve_count;          // channels of kind CT_CHANNEL_OTHER
    char **curve_names;          // [curve_count]: the channel's name as the file spells it
    float *curves;               // [frame_count][curve_count]
    ct_bvh_note notes[CT_BVH_ODDITY_COUNT];
    size_t note_count;
} ct_bvh;

// Reads `size` bytes, which need not end in NUL and are not needed afterwards. Fails with CT_BAD_FILE (line, column, joint, frame where
// they apply; the message says what was met, what was expected and what to do) or CT_OUT_OF_MEMORY. Numbers that are not finite, a second
// MOTION, another format are refused in both modes. Memory is bounded by the size of the file, whatever it declares. Release with
// ct_bvh_destroy.
ct_status ct_bvh_read(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                      const ct_bvh_options *options, ct_bvh **out, ct_error *error);
void ct_bvh_destroy(ct_bvh *bvh); // NULL is fine

// Does the figure stand on the floor only when the root's OFFSET is read the other way? True when the only root has an OFFSET and a
// position channel along `up` (0 is x, 1 y, 2 z), and on frame 0 the lowest joint or tip is within 5 % of the figure's height of 0 with the
// other reading and not with the one taken. *lowest and *other_lowest are those two heights. The reader notes a doubt along ct_bvh_up_axis.
bool ct_bvh_root_offset_doubt(const ct_bvh *bvh, int up, double *lowest, double *other_lowest);

// The axis along which the figure of frame 0 is tallest, y or z; y when they are alike or there are no frames.
int ct_bvh_up_axis(const ct_bvh *bvh);

// --- writing -----------------------------------------------------------------------------------------------------------------------

// Which channels each joint of a file has. All but the first two may be NULL or 0. The arrays of a ct_bvh fit.
typedef struct ct_bvh_layout {
    const uint8_t *channels;        // ct_channel of every channel, joint after joint
    const size_t *channel_starts;   // [joint_count + 1] into channels
    const char *const *tip_names;   // [tip_count]: what follows "End"; NULL or "" is "Site"
    size_t curve_count;             // channels of kind CT_CHANNEL_OTHER
    const char *const *curve_names; // [curve_count]
    const float *curves;            // [frame_count][curve_count]; NULL leaves those channels out of the file
} ct_bvh_layout;

// Takes `count` bytes of the file; false stops the writing.
typedef struct ct_bvh_sink {
    bool (*write)(void *context, const char *bytes, size_t count);
    void *context;
} ct_bvh_sink;

// Writes a clip and its skeleton. A NULL layout is: XYZ position and ZXY rotation for roots, ZXY rotation for the others, with XYZ position
// where a joint does not stay at its offset, and XYZ scale on all joints when the clip has scales. (ZXY is what most tools expect. Its
// gimbal lock lies where the X axis is turned by 90 degrees, which upright figures rarely do.)
//
// Joints come in depth-first order, children and tips in the order of their indices; a skeleton in another order is read back in this one.
// Positions are meant to replace the root's OFFSET. BVH has no rest rotations: a joint's rotation in the file is its whole rotation to
// its parent, so the motion is the same, but the file's zero pose is not the rest pose of a skeleton that has them.
//
// Numbers are plain decimals: angles with 5 digits after the point, positions and scales with 6, OFFSETs and curves with as many as read
// back to the same float, the frame time to the same double. Angles are in degrees and continuous from frame to frame, through gimbal lock
// too; they may pass 180. A second rotation channel right after one about the same axis, and all after the third, are 0.
//
// Fails before anything is written, with CT_BAD_VALUE, joint and frame, where the layout can't hold the motion: a rotation about an axis
// without channel, a translation or scale that differs from the rest where it has no channel, frames without any channel; and for names
// that a reader would not give back (empty, line ends, braces, blanks around). Then CT_OUT_OF_MEMORY, or CT_INTERRUPTED when the sink says
// false. What is written can be read, whatever its numbers.
ct_status ct_bvh_write(const ct_allocator *allocator, const ct_kernels *kernels, const ct_clip *clip, const ct_bvh_layout *layout,
                       ct_bvh_sink sink, ct_error *error);

#endif
