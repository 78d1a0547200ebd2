#include "bvh_style.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

ct_bvh_span ct_bvh_line(const char *text, size_t size, size_t start, size_t *next)
{
    size_t end = start;
    while (end < size && text[end] != '\n' && text[end] != '\r') ++end;
    *next = end;
    if (end < size) *next = text[end] == '\r' && end + 1 < size && text[end + 1] == '\n' ? end + 2 : end + 1;
    return (ct_bvh_span){start, end - start};
}

static void count_line_end(const char *text, size_t end, size_t next, ct_bvh_style *out)
{
    if (next - end == 2)
        ++out->crlf_count;
    else if (next - end == 1 && text[end] == '\n')
        ++out->lf_count;
    else if (next - end == 1)
        ++out->cr_count;
}

static ct_bvh_span trim(const char *text, ct_bvh_span line)
{
    while (line.length && is_blank(text[line.start])) ++line.start, --line.length;
    while (line.length && is_blank(text[line.start + line.length - 1])) --line.length;
    return line;
}

// Does `word` begin with `keyword` (capitals), in any case?
static bool begins(const char *text, ct_bvh_span word, const char *keyword)
{
    size_t length = strlen(keyword);
    if (word.length < length) return false;
    for (size_t i = 0; i < length; ++i) {
        char c = text[word.start + i];
        if ((c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c) != keyword[i]) return false;
    }
    return true;
}

static bool begins_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

static bool has(const char *text, ct_bvh_span span, char c) { return span.length && memchr(text + span.start, c, span.length) != NULL; }

static void scan_hierarchy_line(const char *text, ct_bvh_span line, ct_bvh_span words, ct_bvh_style *out)
{
    if (words.length == 0) {
        ++out->hierarchy_blank_lines;
        return;
    }
    if (!out->indent && is_blank(text[line.start])) out->indent = text[line.start];
    out->hierarchy_trailing_blanks += is_blank(text[line.start + line.length - 1]);
    out->hierarchy_tabs += has(text, words, '\t');
}

static void scan_row(const char *text, ct_bvh_span line, ct_bvh_span words, ct_bvh_style *out)
{
    ++out->row_count;
    out->exponent_rows += has(text, words, 'e') || has(text, words, 'E');
    out->trailing_blank_rows += is_blank(text[line.start + line.length - 1]);
    out->tab_rows += has(text, words, '\t');
}

void ct_bvh_scan_style(const char *text, size_t size, ct_bvh_style *out)
{
    *out = (ct_bvh_style){.rows_start = size};
    size_t start = 0, next, pending_blank_lines = 0;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        out->byte_order_mark = true;
        start = 3;
    }
    out->newline_at_end = size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r');

    for (; start < size; start = next) {
        ct_bvh_span line = ct_bvh_line(text, size, start, &next);
        ct_bvh_span words = trim(text, line);
        count_line_end(text, line.start + line.length, next, out);
        if (!out->motion) {
            out->motion = words.length == 6 && begins(text, words, "MOTION");
            if (out->motion)
                out->hierarchy_trailing_blanks += is_blank(text[line.start + line.length - 1]);
            else
                scan_hierarchy_line(text, line, words, out);
        } else if (out->row_count == 0 && (words.length == 0 || !begins_number(text[words.start]))) {
            if (words.length == 0) ++out->header_blank_lines;
            if (begins(text, words, "FRAMES")) out->frames_line = words;
            if (begins(text, words, "FRAME TIME")) out->frame_time_line = words;
        } else if (words.length == 0) {
            ++pending_blank_lines;
        } else {
            if (out->row_count == 0) out->rows_start = line.start;
            out->motion_blank_lines += pending_blank_lines;
            pending_blank_lines = 0;
            scan_row(text, line, words, out);
        }
    }
}
