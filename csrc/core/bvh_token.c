#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bvh_reader.h"
#include "number.h"

// --- errors and notes --------------------------------------------------------------------------------------------------------------

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static void find_line_and_column(const ct_bvh_reader *reader, const char *place, size_t *line, size_t *column)
{
    const char *line_start = reader->start;
    *line = 1;
    for (const char *at = reader->start; at < place; ++at) {
        if (!is_line_end(*at) || (*at == '\r' && at + 1 < reader->end && at[1] == '\n')) continue;
        ++*line;
        line_start = at + 1;
    }
    *column = 1;
    for (const char *at = line_start; at < place; ++at) *column += ((unsigned char)*at & 0xC0) != 0x80; // characters, not bytes
}

static ct_status fail_at(const ct_bvh_reader *reader, const char *place, const char *message)
{
    ct_fail(reader->error, CT_BAD_FILE, "%s", message);
    if (place) find_line_and_column(reader, place, &reader->error->line, &reader->error->column);
    reader->error->joint = reader->joint;
    reader->error->frame = reader->frame;
    return CT_BAD_FILE;
}

ct_status ct_bvh_fail(const ct_bvh_reader *reader, const char *place, const char *format, ...)
{
    char message[CT_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail_at(reader, place, message);
}

ct_status ct_bvh_odd(const ct_bvh_reader *reader, ct_bvh_oddity oddity, const char *place, const char *done, const char *format, ...)
{
    ct_bvh *bvh = reader->bvh;
    bool strict = reader->options.strict && oddity != CT_BVH_ROOT_OFFSET && oddity != CT_BVH_FRAME_TIME;
    for (size_t i = 0; i < bvh->note_count && !strict; ++i) {
        if (bvh->notes[i].oddity != oddity) continue;
        ++bvh->notes[i].count;
        return CT_OK;
    }

    char message[CT_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof message) length = (int)sizeof message - 1;
    snprintf(message + length, sizeof message - (size_t)length, "; %s", strict ? "strict reading refuses it" : done);
    if (strict) return fail_at(reader, place, message);

    ct_bvh_note *note = &bvh->notes[bvh->note_count++];
    *note = (ct_bvh_note){.oddity = oddity, .count = 1};
    memcpy(note->message, message, sizeof message);
    if (place) find_line_and_column(reader, place, &note->line, &note->column);
    return CT_OK;
}

ct_bvh_excerpt ct_bvh_excerpt_of(ct_bvh_piece text)
{
    // Cut between characters, so that "..." fits; what is not UTF-8 may have no such place.
    ct_bvh_excerpt excerpt;
    const size_t room = sizeof excerpt.text - sizeof "...";
    size_t length = text.length < room ? text.length : room;
    while (length < text.length && length > 0 && ((unsigned char)text.text[length] & 0xC0) == 0x80) --length;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text.text[i];
        excerpt.text[i] = c < 0x20 || c == 0x7F ? '?' : (char)c;
    }
    memcpy(excerpt.text + length, length < text.length ? "..." : "", length < text.length ? sizeof "..." : 1);
    return excerpt;
}

ct_bvh_excerpt ct_bvh_excerpt_at(const ct_bvh_reader *reader, const char *place)
{
    if (place == reader->end) return (ct_bvh_excerpt){"the end of the file"};
    size_t length = 0;
    while (place + length < reader->end && !ct_bvh_is_blank(place[length])) ++length;
    if (length == 0) length = 1;
    if (length > sizeof((ct_bvh_excerpt *)0)->text) length = sizeof((ct_bvh_excerpt *)0)->text;
    ct_bvh_excerpt word = ct_bvh_excerpt_of((ct_bvh_piece){place, length}), quoted;
    bool utf8 = ct_bvh_is_utf8((ct_bvh_piece){word.text, strlen(word.text)});
    for (size_t i = 0; word.text[i] && !utf8; ++i) {
        if (word.text[i] & 0x80) word.text[i] = '?'; // a message is UTF-8, whatever the file is
    }
    snprintf(quoted.text, sizeof quoted.text, "'%.61s'", word.text);
    return quoted;
}

// --- tokens ------------------------------------------------------------------------------------------------------------------------

static bool starts_comment(const ct_bvh_reader *reader, const char *at)
{
    return at < reader->end && (*at == '#' || (*at == '/' && reader->end - at > 1 && at[1] == '/'));
}

ct_status ct_bvh_skip_comment(ct_bvh_reader *reader)
{
    if (!starts_comment(reader, reader->at)) return CT_OK;
    ct_status status = ct_bvh_odd(reader, CT_BVH_COMMENT, reader->at, "skipped", "a comment, which BVH does not know");
    while (reader->at < reader->end && !is_line_end(*reader->at)) ++reader->at;
    return status;
}

ct_status ct_bvh_skip_blanks(ct_bvh_reader *reader)
{
    for (;;) {
        while (reader->at < reader->end && ct_bvh_is_blank(*reader->at)) ++reader->at;
        if (!starts_comment(reader, reader->at)) return CT_OK;
        ct_status status = ct_bvh_skip_comment(reader);
        if (status != CT_OK) return status;
    }
}

bool ct_bvh_at_line_end(const ct_bvh_reader *reader, const char **at)
{
    while (*at < reader->end && ct_bvh_is_blank(**at) && !is_line_end(**at)) ++*at;
    return *at == reader->end || is_line_end(**at) || starts_comment(reader, *at);
}

ct_bvh_piece ct_bvh_word(const ct_bvh_reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && !ct_bvh_is_blank(*at) && *at != '{' && *at != '}') ++at;
    return (ct_bvh_piece){reader->at, (size_t)(at - reader->at)};
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

bool ct_bvh_equal(ct_bvh_piece word, const char *keyword)
{
    if (word.length != strlen(keyword)) return false;
    for (size_t i = 0; i < word.length; ++i) {
        if (lower(word.text[i]) != lower(keyword[i])) return false;
    }
    return true;
}

bool ct_bvh_is_keyword(ct_bvh_piece word)
{
    static const char *const keywords[] = {"HIERARCHY", "ROOT", "JOINT", "End", "OFFSET", "CHANNELS", "MOTION"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; ++i) {
        if (ct_bvh_equal(word, keywords[i])) return true;
    }
    return word.length == 0; // at a brace or the end
}

ct_status ct_bvh_check_number_end(ct_bvh_reader *reader, const char *number, const char *end)
{
    if (end == reader->end || ct_bvh_is_blank(*end) || *end == '{' || *end == '}') return CT_OK;
    double next;
    if ((*end == '+' || *end == '-') && ct_number_read(end, reader->end, &next) != end)
        return ct_bvh_odd(reader, CT_BVH_GLUED_NUMBERS, number, "read as two", "two numbers without a blank between them: %s",
                          ct_bvh_excerpt_at(reader, number).text);
    if (*end == ',')
        return ct_bvh_fail(reader, number, "%s has a comma; numbers need a decimal point and blanks between them",
                           ct_bvh_excerpt_at(reader, number).text);
    return ct_bvh_fail(reader, number, "expected a number, found %s", ct_bvh_excerpt_at(reader, number).text);
}

ct_status ct_bvh_read_value(ct_bvh_reader *reader, const char *what, double *value)
{
    ct_status status = ct_bvh_skip_blanks(reader);
    if (status != CT_OK) return status;

    const char *end = ct_number_read(reader->at, reader->end, value);
    if (end == reader->at)
        return ct_bvh_fail(reader, reader->at, "%s needs a number, found %s", what, ct_bvh_excerpt_at(reader, reader->at).text);
    if (!isfinite(*value)) return ct_bvh_fail(reader, reader->at, "%s is too large: %s", what, ct_bvh_excerpt_at(reader, reader->at).text);
    status = ct_bvh_check_number_end(reader, reader->at, end);
    reader->at = end;
    return status;
}

// --- names -------------------------------------------------------------------------------------------------------------------------

bool ct_bvh_is_utf8(ct_bvh_piece text)
{
    const unsigned char *at = (const unsigned char *)text.text, *end = at + text.length;
    while (at < end) {
        if (*at < 0x80) {
            ++at;
            continue;
        }
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : 1;
        uint32_t code = *at & (0x3Fu >> more);
        if (*at < 0xC2 || *at > 0xF4 || end - at <= more) return false;
        for (int i = 1; i <= more; ++i) {
            if ((at[i] & 0xC0) != 0x80) return false;
            code = code << 6 | (at[i] & 0x3Fu);
        }
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
        at += more + 1;
    }
    return true;
}

// Every byte is a character of its own; those above 127 take two bytes of UTF-8.
static ct_status convert_latin_1(ct_bvh_reader *reader, ct_bvh_piece *name)
{
    ct_bvh_converted *converted = ct_allocate(&reader->allocator, 1, sizeof *converted + 2 * name->length);
    if (!converted) return ct_fail_memory(reader->error, "a name");
    converted->next = reader->converted;
    reader->converted = converted;

    size_t length = 0;
    for (size_t i = 0; i < name->length; ++i) {
        unsigned char c = (unsigned char)name->text[i];
        if (c >= 0x80) converted->text[length++] = (char)(0xC0 | c >> 6);
        converted->text[length++] = (char)(c < 0x80 ? c : 0x80 | (c & 0x3F));
    }
    *name = (ct_bvh_piece){converted->text, length};
    return CT_OK;
}

ct_status ct_bvh_make_utf8(ct_bvh_reader *reader, ct_bvh_piece *name)
{
    const char *place = name->text;
    if (memchr(place, '\0', name->length)) return ct_bvh_fail(reader, place, "a NUL byte in a name; this is no text file");
    if (ct_bvh_is_utf8(*name)) return CT_OK;
    ct_status status = convert_latin_1(reader, name);
    if (status != CT_OK) return status;
    return ct_bvh_odd(reader, CT_BVH_LATIN_1, place, "its bytes were taken as Latin-1", "the name '%s' is not UTF-8",
                      ct_bvh_excerpt_of(*name).text);
}

ct_status ct_bvh_read_name(ct_bvh_reader *reader, ct_bvh_piece *name)
{
    const char *at = reader->at;
    ct_bvh_at_line_end(reader, &at);
    const char *end = at;
    while (end < reader->end && !is_line_end(*end) && *end != '{') ++end;
    reader->at = end;
    while (end > at && ct_bvh_is_blank(end[-1])) --end;
    *name = (ct_bvh_piece){at, (size_t)(end - at)};
    return ct_bvh_make_utf8(reader, name);
}
