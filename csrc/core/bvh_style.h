// bvh_style.h: how a BVH file is written, whatever it says.
//
// Readers choke on line ends, blanks and number formats, so these are counted over the bytes alone, good file or bad. Nothing fails and
// nothing is allocated.
#ifndef CT_BVH_STYLE_H
#define CT_BVH_STYLE_H

#include <stdbool.h>
#include <stddef.h>

// A piece of the text: `length` bytes from byte `start`; 0, 0 when there is none.
typedef struct ct_bvh_span {
    size_t start, length;
} ct_bvh_span;

typedef struct ct_bvh_style {
    size_t crlf_count, lf_count, cr_count; // ends of lines, each counted once
    bool byte_order_mark;
    bool newline_at_end;
    bool motion; // there is a MOTION line

    // Lines of the hierarchy, up to MOTION.
    char indent;                      // what the first indented line begins with: ' ' or '\t'; 0 when none is indented
    size_t hierarchy_blank_lines;     // lines of nothing but blanks
    size_t hierarchy_trailing_blanks; // lines that end in blanks
    size_t hierarchy_tabs;            // lines with a tab between two words

    // From MOTION to the first row of numbers. The spans leave out blanks at both ends.
    ct_bvh_span frames_line, frame_time_line;
    size_t header_blank_lines;

    // Rows: lines of numbers.
    size_t rows_start; // the byte where they begin
    size_t row_count;
    size_t exponent_rows, trailing_blank_rows, tab_rows; // with an e or E; with blanks at the end; with tabs between values
    size_t motion_blank_lines;                           // between rows, not after the last
} ct_bvh_style;

void ct_bvh_scan_style(const char *text, size_t size, ct_bvh_style *out);

// The line that begins at `text` + `start`, without its end; *next is where the following one begins (`size` at the end). LF, CR and CRLF
// all end lines.
ct_bvh_span ct_bvh_line(const char *text, size_t size, size_t start, size_t *next);

#endif
