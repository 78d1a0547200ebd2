#include <assert.h>
#include <math.h>
#include <string.h>

#include "bvh_reader.h"
#include "number.h"

// What the lines before the rows say.
typedef struct header {
    bool has_frames_line, has_frames, has_frame_time; // has_frames: with a count that can be used
    size_t frames;
    const char *frames_place, *frame_time_place;
} header;

// --- Frames and Frame Time ---------------------------------------------------------------------------------------------------------

// Moves over a word, whatever the case, when it stands here and no letter follows.
static bool accept(ct_bvh_reader *reader, const char *keyword)
{
    size_t length = strlen(keyword);
    if ((size_t)(reader->end - reader->at) < length || !ct_bvh_equal((ct_bvh_piece){reader->at, length}, keyword)) return false;
    const char *behind = reader->at + length;
    if (behind < reader->end && ((*behind >= 'a' && *behind <= 'z') || (*behind >= 'A' && *behind <= 'Z'))) return false;
    reader->at = behind;
    return true;
}

static void skip_colon(ct_bvh_reader *reader)
{
    ct_bvh_at_line_end(reader, &reader->at);
    if (reader->at < reader->end && *reader->at == ':') ++reader->at;
    ct_bvh_at_line_end(reader, &reader->at);
}

static void skip_line(ct_bvh_reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n' && *reader->at != '\r') ++reader->at;
}

static ct_status read_frame_count(ct_bvh_reader *reader, header *lines)
{
    double count = -1;
    lines->has_frames_line = true;
    lines->frames_place = reader->at;
    const char *end = ct_number_read(reader->at, reader->end, &count);
    bool whole = end != reader->at && (end == reader->end || ct_bvh_is_blank(*end));
    if (!whole || count < 0 || count != floor(count)) {
        ct_status status = ct_bvh_odd(reader, CT_BVH_FRAMES_LINE, reader->at, "the rows were counted", "Frames needs a count, found %s",
                                      ct_bvh_excerpt_at(reader, reader->at).text);
        skip_line(reader);
        return status;
    }
    reader->at = end;
    lines->has_frames = true;
    lines->frames = count < 1e18 ? (size_t)count : SIZE_MAX;
    return CT_OK;
}

// A number in which a comma may stand for the point. Returns its end, or `at` when there is none.
static const char *read_with_comma(const char *at, const char *end, double *value, bool *comma)
{
    const char *number_end = ct_number_read(at, end, value);
    *comma = number_end < end && *number_end == ',';
    if (!*comma) return number_end;

    char copy[CT_NUMBER_SIZE];
    size_t length = 0;
    for (; at + length < end && length < sizeof copy && !ct_bvh_is_blank(at[length]); ++length)
        copy[length] = at[length] == ',' ? '.' : at[length];
    return at + (ct_number_read(copy, copy + length, value) - copy);
}

static ct_status read_frame_time(ct_bvh_reader *reader, header *lines)
{
    const char *place = reader->at;
    double value = 0;
    bool comma;
    const char *end = read_with_comma(place, reader->end, &value, &comma);
    bool whole = end != place && (end == reader->end || ct_bvh_is_blank(*end));
    lines->has_frame_time = true;
    lines->frame_time_place = place;

    bool usable = whole && ct_clip_check_time(0, value, NULL) == CT_OK;
    if (!usable && reader->options.fps == 0)
        return ct_bvh_fail(reader, place,
                           "Frame Time is %s, which is no time between frames; give fps=", ct_bvh_excerpt_at(reader, place).text);
    if (!usable) {
        ct_status status =
            ct_bvh_odd(reader, CT_BVH_FRAME_TIME, place, "the given fps counts", "Frame Time is %s", ct_bvh_excerpt_at(reader, place).text);
        if (status != CT_OK) return status;
        skip_line(reader);
        return CT_OK;
    }
    if (comma) {
        ct_status status = ct_bvh_odd(reader, CT_BVH_DECIMAL_COMMA, place, "read as a decimal point", "Frame Time %s has a comma",
                                      ct_bvh_excerpt_at(reader, place).text);
        if (status != CT_OK) return status;
    }
    reader->bvh->file_frame_time = value;
    reader->at = end;

    // Rows may follow on the same line, words may not.
    const char *rest = reader->at;
    double number;
    if (ct_bvh_at_line_end(reader, &rest) || ct_number_read(rest, reader->end, &number) != rest) return CT_OK;
    ct_status status = ct_bvh_odd(reader, CT_BVH_TEXT_AFTER, rest, "left out", "%s after Frame Time", ct_bvh_excerpt_at(reader, rest).text);
    skip_line(reader);
    return status;
}

static ct_status read_header(ct_bvh_reader *reader, header *lines)
{
    *lines = (header){.has_frames = false};
    accept(reader, "MOTION");
    for (;;) {
        ct_status status = ct_bvh_skip_blanks(reader);
        if (status != CT_OK) return status;
        const char *place = reader->at;
        if (!lines->has_frames_line && accept(reader, "Frames")) {
            if (lines->has_frame_time) {
                status = ct_bvh_odd(reader, CT_BVH_LINE_ORDER, place, "read all the same", "Frames comes after Frame Time");
                if (status != CT_OK) return status;
            }
            skip_colon(reader);
            status = read_frame_count(reader, lines);
        } else if (!lines->has_frame_time && (accept(reader, "FrameTime") || accept(reader, "Frame"))) {
            ct_bvh_at_line_end(reader, &reader->at);
            accept(reader, "Time");
            skip_colon(reader);
            status = read_frame_time(reader, lines);
        } else {
            return CT_OK;
        }
        if (status != CT_OK) return status;
    }
}

// What a clip can't have is refused here, so that all that was read can be written and read again.
static ct_status check_time(const ct_bvh_reader *reader, const header *lines, size_t frame_count, double frame_time)
{
    ct_error why;
    if (ct_clip_check_time(frame_count, frame_time, &why) == CT_OK) return CT_OK;
    return ct_bvh_fail(reader, lines->frame_time_place, "%s; give another fps=", why.message);
}

static ct_status check_header(ct_bvh_reader *reader, const header *lines, double *frame_time)
{
    bool nothing = reader->at == reader->end && !lines->has_frame_time;
    *frame_time = reader->options.fps > 0 ? 1 / reader->options.fps : reader->bvh->file_frame_time;
    if (nothing) {
        if (*frame_time == 0) *frame_time = 1.0 / 30;
        return ct_bvh_odd(reader, CT_BVH_NO_MOTION, reader->at, "a clip without frames (the frame time, which none needs, is fps= or 1/30)",
                          "the file ends before Frame Time and the rows of MOTION");
    }
    if (!lines->has_frames_line) {
        ct_status status = ct_bvh_odd(reader, CT_BVH_FRAMES_LINE, reader->at, "the rows were counted", "expected Frames:, found %s",
                                      ct_bvh_excerpt_at(reader, reader->at).text);
        if (status != CT_OK) return status;
    }
    if (lines->has_frame_time) return CT_OK;
    if (*frame_time == 0)
        return ct_bvh_fail(reader, reader->at, "expected Frame Time:, found %s; give fps=", ct_bvh_excerpt_at(reader, reader->at).text);
    return ct_bvh_odd(reader, CT_BVH_FRAME_TIME, reader->at, "the given fps counts", "Frame Time is missing");
}

// --- rows --------------------------------------------------------------------------------------------------------------------------

typedef struct table {
    ct_bvh_reader *reader;
    const header *lines;
    size_t column_count, curve_count;
    double *values; // [column_count + 1], the last 0
    ct_bvh_rows *rows;
    ct_clip *clip;
    size_t room, kept, dropped;  // rows
    const char *unchecked_until; // rows that end before here need not end with a line
    bool flows;                  // rows have nothing to do with lines
} table;

// Whatever the file declares, room for no more rows than its bytes could hold (two a number), nor, before rows are there, for more than
// this many times the bytes.
enum { ROOM_PER_BYTE = 64, ROOM_AT_LEAST = 1 << 20 };

static size_t first_room(const table *t)
{
    size_t bytes = (size_t)(t->reader->end - t->reader->at), columns = t->column_count;
    size_t room = t->lines->has_frames ? bytes / (2 * columns) + 1 : bytes / (8 * columns) + 1;
    if (t->lines->has_frames && t->lines->frames < room) room = t->lines->frames;

    size_t row_bytes = ct_row_length(ct_layout_of(t->reader->joints.count, true, true)) * sizeof(float);
    size_t affordable = (bytes < SIZE_MAX / ROOM_PER_BYTE / 2 ? ROOM_PER_BYTE * bytes + ROOM_AT_LEAST : bytes) / row_bytes + 1;
    return room < affordable ? room : affordable;
}

static ct_status set_room(table *t, size_t room)
{
    ct_bvh *bvh = t->reader->bvh;
    ct_clip *clip = t->clip;
    size_t row_length = ct_row_length(clip->layout);
    size_t row_floats, curve_floats;
    if (!ct_multiply(room, row_length, &row_floats) || !ct_multiply(room, t->curve_count, &curve_floats))
        return ct_fail_memory(t->reader->error, "the frames");
    float *rows = ct_allocate_raw(&bvh->allocator, row_floats, sizeof *rows);
    float *curves = ct_allocate_raw(&bvh->allocator, curve_floats, sizeof *curves);
    if (!rows || !curves) {
        ct_release(&bvh->allocator, rows);
        ct_release(&bvh->allocator, curves);
        return ct_fail_memory(t->reader->error, "the frames");
    }
    memcpy(rows, clip->rows, t->kept * row_length * sizeof *rows);
    if (bvh->curves) memcpy(curves, bvh->curves, t->kept * t->curve_count * sizeof *curves);
    ct_release(&bvh->allocator, clip->rows);
    ct_release(&bvh->allocator, bvh->curves);
    clip->rows = rows;
    bvh->curves = curves;
    clip->frame_count = t->room = room;
    if (room > t->kept) ct_layout_pad(clip->layout, room - t->kept, rows + t->kept * row_length);
    return CT_OK;
}

static bool is_not_finite_word(ct_bvh_piece word)
{
    if (word.length && (*word.text == '+' || *word.text == '-')) word = (ct_bvh_piece){word.text + 1, word.length - 1};
    if (ct_bvh_equal(word, "nan") || ct_bvh_equal(word, "inf") || ct_bvh_equal(word, "infinity")) return true;
    if (word.length >= 4 && ct_bvh_equal((ct_bvh_piece){word.text, 4}, "nan(")) return true;
    return word.length > 3 && memcmp(word.text, "1.#", 3) == 0; // as Microsoft's C library wrote them
}

// Why the value of a column can't be read.
static ct_status fail_value(table *t, size_t column, const char *place)
{
    ct_bvh_reader *reader = t->reader;
    const ct_bvh_column *c = ct_bvh_column_at(reader, column);
    ct_bvh_excerpt channel = ct_bvh_excerpt_of(c->name);
    ct_bvh_excerpt joint = ct_bvh_excerpt_of(ct_bvh_joint_at(reader, (size_t)c->joint)->name);
    ct_bvh_excerpt found = ct_bvh_excerpt_at(reader, place);
    reader->joint = c->joint;
    reader->frame = (ptrdiff_t)(t->kept + t->dropped);
    ct_bvh_reader here = *reader;
    here.at = place;
    double value;
    const char *end = ct_number_read(place, reader->end, &value);
    bool too_large = end != place && !ct_bvh_fits_float(value);
    if (too_large || is_not_finite_word(ct_bvh_word(&here)))
        return ct_bvh_fail(reader, place, "channel '%s' of joint '%s' is %s in frame %td; a number must be finite (and fit 32 bits)",
                           channel.text, joint.text, found.text, reader->frame);
    if (end != place && end < reader->end && *end == ',')
        return ct_bvh_fail(reader, place,
                           "channel '%s' of joint '%s' in frame %td is %s; numbers need a decimal point and blanks between them",
                           channel.text, joint.text, reader->frame, found.text);
    return ct_bvh_fail(reader, place, "expected a number for channel '%s' of joint '%s' in frame %td, found %s", channel.text, joint.text,
                       reader->frame, found.text);
}

// One number at the reader, which is not on a blank.
static inline ct_status read_number(table *t, size_t column)
{
    ct_bvh_reader *reader = t->reader;
    const char *end = ct_number_read(reader->at, reader->end, &t->values[column]);
    if (end == reader->at || !ct_bvh_fits_float(t->values[column])) return fail_value(t, column, reader->at);
    if (end < reader->end && !ct_bvh_is_blank(*end)) {
        double next;
        if ((*end != '+' && *end != '-') || ct_number_read(end, reader->end, &next) == end) return fail_value(t, column, reader->at);
        reader->joint = ct_bvh_column_at(reader, column)->joint;
        reader->frame = (ptrdiff_t)(t->kept + t->dropped);
        ct_status status = ct_bvh_check_number_end(reader, reader->at, end);
        reader->joint = reader->frame = CT_NOWHERE;
        if (status != CT_OK) return status;
    }
    reader->at = end;
    return CT_OK;
}

// One row by count. *count is less than the columns when the file ends first.
static ct_status read_row(table *t, size_t *count)
{
    ct_bvh_reader *reader = t->reader;
    for (*count = 0; *count < t->column_count; ++*count) {
        while (reader->at < reader->end && ct_bvh_is_blank(*reader->at)) ++reader->at;
        if (reader->at < reader->end && (*reader->at == '#' || *reader->at == '/')) {
            ct_status status = ct_bvh_skip_blanks(reader);
            if (status != CT_OK) return status;
        }
        if (reader->at == reader->end) return CT_OK;
        ct_status status = read_number(t, *count);
        if (status != CT_OK) return status;
    }
    return CT_OK;
}

// How many numbers stand between `at` and the end of its line; *line_end is that end.
static size_t count_numbers(const ct_bvh_reader *reader, const char *at, const char **line_end)
{
    size_t count = 0;
    while (!ct_bvh_at_line_end(reader, &at)) {
        double value;
        const char *end = ct_number_read(at, reader->end, &value);
        if (end == at) break;
        ++count;
        at = end;
    }
    while (at < reader->end && *at != '\n' && *at != '\r') ++at;
    *line_end = at;
    return count;
}

// The row from `start` to the reader ends inside a line. Rows that are lines have a neighbour that is too short or too long: that one is
// dropped, and the next row starts with a line again. *keep when the row is good all the same.
static ct_status check_lines(table *t, const char *start, bool *keep)
{
    ct_bvh_reader *reader = t->reader;
    const size_t columns = t->column_count, frame = t->kept + t->dropped;
    const char *line = reader->at, *line_end;
    while (line > start && line[-1] != '\n' && line[-1] != '\r') --line;

    if (line == start) { // a whole line: some rows, or one that is too long
        size_t count = columns + count_numbers(reader, reader->at, &line_end);
        *keep = count % columns == 0;
        if (*keep) {
            t->unchecked_until = line_end;
            return CT_OK;
        }
        reader->frame = (ptrdiff_t)frame;
        const char *extra = reader->at;
        ct_bvh_at_line_end(reader, &extra);
        reader->at = line_end;
        return ct_bvh_odd(reader, CT_BVH_LONG_ROW, extra, "the row was dropped",
                          "frame %zu has %zu values where the joints have %zu channels", frame, count, columns);
    }

    size_t on_line = count_numbers(reader, line, &line_end);
    if (frame == 0 && on_line < columns) {
        t->flows = *keep = true;
        t->unchecked_until = reader->end;
        return CT_OK;
    }
    *keep = false;
    size_t before = 0;
    for (const char *at = start; at < line; ++at) {
        before += count_numbers(reader, at, &at);
    }
    const char *cut = line;
    while (cut > start && ct_bvh_is_blank(cut[-1])) --cut;
    reader->frame = (ptrdiff_t)frame;
    reader->at = line;
    return ct_bvh_odd(reader, CT_BVH_SHORT_ROW, cut, "the row was dropped", "frame %zu ends after %zu of %zu values", frame, before,
                      columns);
}

// Text where a row should start: a second MOTION, or what may be left out behind the last row.
static ct_status read_text_after(table *t)
{
    ct_bvh_reader *reader = t->reader;
    ct_bvh_piece word = ct_bvh_word(reader);
    reader->frame = CT_NOWHERE;
    if (ct_bvh_equal(word, "MOTION") || ct_bvh_equal(word, "HIERARCHY"))
        return ct_bvh_fail(reader, reader->at, "a second %s; split the file into one for each motion",
                           ct_bvh_excerpt_at(reader, reader->at).text);
    size_t met = t->kept + t->dropped;
    if (is_not_finite_word(word) || (t->lines->has_frames && met < t->lines->frames)) return fail_value(t, 0, reader->at);
    ct_status status =
        ct_bvh_odd(reader, CT_BVH_TEXT_AFTER, reader->at, "left out", "%s after the last row", ct_bvh_excerpt_at(reader, reader->at).text);
    reader->at = reader->end;
    return status;
}

static bool starts_number(const ct_bvh_reader *reader)
{
    double value;
    return ct_number_read(reader->at, reader->end, &value) != reader->at;
}

static ct_status keep_row(table *t)
{
    if (t->kept == t->room) {
        ct_status status = set_room(t, t->room + t->room / 2 + 16);
        if (status != CT_OK) return status;
    }
    const ct_bvh *bvh = t->reader->bvh;
    ct_bvh_rows_convert(t->rows, bvh->skeleton, t->values, ct_clip_row(t->clip, t->kept), bvh->curves + t->kept * t->curve_count);
    ++t->kept;
    return CT_OK;
}

static ct_status read_rows(table *t)
{
    ct_bvh_reader *reader = t->reader;
    for (;;) {
        ct_status status = ct_bvh_skip_blanks(reader);
        if (status != CT_OK || reader->at == reader->end) return status;
        const char *start = reader->at;
        if (!starts_number(reader)) return read_text_after(t);

        size_t count;
        status = read_row(t, &count);
        if (status != CT_OK) return status;
        if (count < t->column_count) {
            size_t frame = t->kept + t->dropped++;
            reader->frame = (ptrdiff_t)frame;
            const char *cut = reader->end;
            while (ct_bvh_is_blank(cut[-1])) --cut;
            return ct_bvh_odd(reader, CT_BVH_SHORT_ROW, cut, "the row was dropped", "frame %zu ends after %zu of %zu values", frame, count,
                              t->column_count);
        }
        bool keep = true;
        const char *behind = reader->at;
        if (reader->at >= t->unchecked_until && !ct_bvh_at_line_end(reader, &behind)) {
            status = check_lines(t, start, &keep);
            if (status != CT_OK) return status;
        }
        if (keep)
            status = keep_row(t);
        else
            ++t->dropped;
        if (status != CT_OK) return status;
    }
}

static ct_status check_row_count(table *t)
{
    ct_bvh_reader *reader = t->reader;
    const size_t met = t->kept + t->dropped, declared = t->lines->frames;
    reader->frame = CT_NOWHERE;
    if (t->flows && (t->dropped || (t->lines->has_frames && met != declared)))
        return ct_bvh_fail(reader, t->lines->frames_place, "the values of MOTION are not rows of %zu channels, neither by lines nor in all",
                           t->column_count);
    if (t->dropped > t->kept + 1)
        return ct_bvh_fail(reader, t->lines->frames_place, "%zu of %zu rows do not have the %zu values of the joints' channels", t->dropped,
                           met, t->column_count);
    if (!t->lines->has_frames || met == declared) return CT_OK;
    if (met < declared)
        return ct_bvh_odd(reader, CT_BVH_FEWER_ROWS, t->lines->frames_place, "the rows that are there were read",
                          "Frames declares %zu rows, the file has %zu", declared, met);
    return ct_bvh_odd(reader, CT_BVH_MORE_ROWS, t->lines->frames_place, "all of them were read",
                      "Frames declares %zu rows, the file has %zu", declared, met);
}

static ct_status read_table(table *t)
{
    ct_status status = read_rows(t);
    if (status == CT_OK) status = check_row_count(t);
    if (status != CT_OK) return status;
    if (t->kept < t->room - t->room / 4) { // give back what a wrong count took
        status = set_room(t, t->kept);
        if (status != CT_OK) return status;
    }
    t->clip->frame_count = t->kept;
    status = check_time(t->reader, t->lines, t->kept, t->clip->frame_time);
    return status == CT_OK ? ct_clip_finish(t->clip, t->reader->error) : status;
}

// Without channels there is nothing to read.
static ct_status read_empty_rows(ct_bvh_reader *reader, const header *lines)
{
    if (lines->has_frames && lines->frames > 0) {
        ct_status status = ct_bvh_odd(reader, CT_BVH_FEWER_ROWS, lines->frames_place, "a clip without frames",
                                      "Frames declares %zu rows, but no joint has channels", lines->frames);
        if (status != CT_OK) return status;
    }
    ct_status status = ct_bvh_skip_blanks(reader);
    if (status != CT_OK || reader->at == reader->end) return status;
    return ct_bvh_odd(reader, CT_BVH_TEXT_AFTER, reader->at, "left out", "%s, but no joint has channels",
                      ct_bvh_excerpt_at(reader, reader->at).text);
}

ct_status ct_bvh_read_motion(ct_bvh_reader *reader)
{
    ct_bvh *bvh = reader->bvh;
    header lines;
    double frame_time;
    ct_status status = read_header(reader, &lines);
    if (status == CT_OK) status = check_header(reader, &lines, &frame_time);
    if (status == CT_OK) status = check_time(reader, &lines, 0, frame_time);
    if (status != CT_OK) return status;
    bvh->declared_frame_count = lines.frames;

    table t = {.reader = reader,
               .lines = &lines,
               .column_count = reader->columns.count,
               .curve_count = bvh->curve_count,
               .unchecked_until = reader->at};
    bool scales = false;
    for (size_t i = 0; i < t.column_count; ++i) {
        scales |= bvh->channels[i] >= CT_CHANNEL_X_SCALE && bvh->channels[i] <= CT_CHANNEL_Z_SCALE;
    }
    status = ct_clip_create(&bvh->allocator, bvh->skeleton, 0, frame_time, false, scales, &bvh->clip, reader->error);
    if (status != CT_OK) return status;
    t.clip = bvh->clip;
    if (t.column_count == 0) {
        status = read_empty_rows(reader, &lines);
        return status == CT_OK ? ct_clip_finish(t.clip, reader->error) : status;
    }

    t.values = ct_allocate(&bvh->allocator, t.column_count + 1, sizeof *t.values);
    status = t.values ? ct_bvh_rows_create(bvh, reader->kernels, &reader->options, t.clip->layout, &t.rows, reader->error)
                      : ct_fail_memory(reader->error, "the rows");
    if (status == CT_OK) status = set_room(&t, first_room(&t));
    if (status == CT_OK) status = read_table(&t);
    ct_bvh_rows_destroy(t.rows, &bvh->allocator);
    ct_release(&bvh->allocator, t.values);
    return status;
}
