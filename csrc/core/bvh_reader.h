// bvh_reader.h: the parts of the BVH reader; for the bvh_*.c files alone.
//
// A ct_bvh_reader walks the text once. Lines and columns are counted only when an error or a note needs them.
#ifndef CT_BVH_READER_H
#define CT_BVH_READER_H

#include <math.h>

#include "bvh.h"

// Some of the file's bytes, or of a converted name.
typedef struct ct_bvh_piece {
    const char *text;
    size_t length;
} ct_bvh_piece;

// A joint or an end site.
typedef struct ct_bvh_node {
    ct_bvh_piece name;
    const char *place; // of its keyword
    int32_t parent;    // a joint, or CT_NO_PARENT
    double offset[3];  // in the file's unit
    bool has_offset, has_channels;
    size_t column_start; // of a joint: its columns end where those of the next joint start
} ct_bvh_node;

typedef struct ct_bvh_column {
    uint8_t channel;   // ct_channel
    bool in_tip;       // of an End Site below `joint`
    int32_t joint;     //
    ct_bvh_piece name; // as spelled, in UTF-8
} ct_bvh_column;

// An array that grows.
typedef struct ct_bvh_list {
    void *items;
    size_t count, room;
} ct_bvh_list;

// A name converted to UTF-8, in a list so that it can be released.
typedef struct ct_bvh_converted {
    struct ct_bvh_converted *next;
    char text[];
} ct_bvh_converted;

typedef struct ct_bvh_reader {
    const char *start, *at, *end;
    ct_allocator allocator;
    const ct_kernels *kernels;
    ct_bvh_options options;
    ct_bvh *bvh;            // gets notes at once, the rest at the end
    ct_error *error;        // never NULL
    ptrdiff_t joint, frame; // what is being read, for errors; or CT_NOWHERE

    ct_bvh_list joints, tips; // of ct_bvh_node
    ct_bvh_list columns;      // of ct_bvh_column
    ct_bvh_converted *converted;
} ct_bvh_reader;

static inline ct_bvh_node *ct_bvh_joint_at(const ct_bvh_reader *reader, size_t joint)
{
    return (ct_bvh_node *)reader->joints.items + joint;
}
static inline ct_bvh_node *ct_bvh_tip_at(const ct_bvh_reader *reader, size_t tip) { return (ct_bvh_node *)reader->tips.items + tip; }
static inline ct_bvh_column *ct_bvh_column_at(const ct_bvh_reader *reader, size_t column)
{
    return (ct_bvh_column *)reader->columns.items + column;
}

// --- bvh_token.c -------------------------------------------------------------------------------------------------------------------

// Fills the error with the line and column of `place` (NULL: none) and returns CT_BAD_FILE.
ct_status ct_bvh_fail(const ct_bvh_reader *reader, const char *place, const char *format, ...) CT_PRINTF(3, 4);

// Meets an oddity at `place`. The message says what is odd; `done` what is done with it by default. By default the first of a kind becomes
// a note and the others are counted; strict readers fail.
ct_status ct_bvh_odd(const ct_bvh_reader *reader, ct_bvh_oddity oddity, const char *place, const char *done, const char *format, ...)
    CT_PRINTF(5, 6);

// A piece of the file for a message: its start, without control characters.
typedef struct ct_bvh_excerpt {
    char text[64];
} ct_bvh_excerpt;
ct_bvh_excerpt ct_bvh_excerpt_of(ct_bvh_piece text);                              // UTF-8
ct_bvh_excerpt ct_bvh_excerpt_at(const ct_bvh_reader *reader, const char *place); // the word there in quotes, or "the end of the file"

static inline bool ct_bvh_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); } // line ends too
bool ct_bvh_is_utf8(ct_bvh_piece text);
bool ct_bvh_is_keyword(ct_bvh_piece word); // whatever the case; the empty word too

// Moves to the next token, over blanks and comments.
ct_status ct_bvh_skip_blanks(ct_bvh_reader *reader);

// Moves over the comment that starts here, if one does, to the end of its line.
ct_status ct_bvh_skip_comment(ct_bvh_reader *reader);

// Moves *at over blanks that end no line. True when the line has no more tokens.
bool ct_bvh_at_line_end(const ct_bvh_reader *reader, const char **at);

// The word at the reader, up to a blank or a brace; the reader does not move.
ct_bvh_piece ct_bvh_word(const ct_bvh_reader *reader);

bool ct_bvh_equal(ct_bvh_piece word, const char *keyword); // whatever the case

// Is what follows a number, which starts at `number` and ends at `end`, what may follow one?
ct_status ct_bvh_check_number_end(ct_bvh_reader *reader, const char *number, const char *end);

// Reads a number of the hierarchy; `what` names it in the error.
ct_status ct_bvh_read_value(ct_bvh_reader *reader, const char *what, double *value);

// Makes a name that stands in the file UTF-8.
ct_status ct_bvh_make_utf8(ct_bvh_reader *reader, ct_bvh_piece *name);

// The rest of the line, up to a "{", trimmed and in UTF-8; it may be empty.
ct_status ct_bvh_read_name(ct_bvh_reader *reader, ct_bvh_piece *name);

// Does the number round to a finite float? The shortest decimal of the largest float, which a writer prints, lies above that float.
static inline bool ct_bvh_fits_float(double value) { return fabs(value) < 0x1.ffffffp127; }

// --- the parts ---------------------------------------------------------------------------------------------------------------------

// bvh_hierarchy.c: everything before MOTION. Leaves the reader on MOTION or at the end.
ct_status ct_bvh_read_hierarchy(ct_bvh_reader *reader);

// bvh_motion.c: MOTION and the rows. bvh->skeleton and the channels stand; makes bvh->clip and bvh->curves.
ct_status ct_bvh_read_motion(ct_bvh_reader *reader);

// bvh_rows.c: from the values of a row to a row of a clip. `layout` is the clip's.
typedef struct ct_bvh_rows ct_bvh_rows;
ct_status ct_bvh_rows_create(const ct_bvh *bvh, const ct_kernels *kernels, const ct_bvh_options *options, ct_layout layout,
                             ct_bvh_rows **out, ct_error *error);
void ct_bvh_rows_destroy(ct_bvh_rows *rows, const ct_allocator *allocator); // NULL is fine

// values: one a column, and a 0 after the last. Writes all of `row` but its padding, and the curves.
void ct_bvh_rows_convert(ct_bvh_rows *rows, const ct_skeleton *skeleton, const double *values, float *row, float *curves);

// bvh_root_offset.c: fills bvh->low and high; notes a doubt.
ct_status ct_bvh_measure(ct_bvh *bvh, const ct_kernels *kernels, ct_error *error);
ct_status ct_bvh_note_root_offset(ct_bvh_reader *reader);

#endif
