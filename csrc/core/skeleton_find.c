// skeleton_find.c: joints by name, and what else the user may have meant.
#include <stdio.h>
#include <string.h>

#include "skeleton.h"

enum { NEAR_COUNT = 5, COMPARED_LENGTH = 64, LISTED_COUNT = 8 };

typedef struct text {
    const char *start;
    size_t length;
} text;

static bool is_named(const char *name, const char *wanted, size_t length)
{
    return strlen(name) == length && memcmp(name, wanted, length) == 0;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// What counts of a name when names are compared: without a namespace ("mixamorig:Hips", "char|Hips"), and not more than fits the tables.
static text core_of(const char *name, size_t length)
{
    size_t start = 0;
    for (size_t i = 0; i + 1 < length; ++i) {
        if (name[i] == ':' || name[i] == '|') start = i + 1;
    }
    size_t rest = length - start;
    return (text){name + start, rest < COMPARED_LENGTH ? rest : COMPARED_LENGTH};
}

// Letters to add, drop or change to get from a to b, and the length of the longest run that both have; case doesn't count.
static void compare(text a, text b, size_t *distance, size_t *common)
{
    size_t edits[COMPARED_LENGTH + 1], runs[COMPARED_LENGTH + 1] = {0};
    for (size_t i = 0; i <= b.length; ++i) edits[i] = i;
    *common = 0;

    for (size_t i = 1; i <= a.length; ++i) {
        size_t diagonal_edits = edits[0], diagonal_run = 0;
        edits[0] = i;
        for (size_t k = 1; k <= b.length; ++k) {
            bool same = lower(a.start[i - 1]) == lower(b.start[k - 1]);
            size_t best = diagonal_edits + (same ? 0 : 1);
            if (edits[k] + 1 < best) best = edits[k] + 1;
            if (edits[k - 1] + 1 < best) best = edits[k - 1] + 1;
            diagonal_edits = edits[k];
            edits[k] = best;

            size_t run = same ? diagonal_run + 1 : 0;
            diagonal_run = runs[k];
            runs[k] = run;
            if (run > *common) *common = run;
        }
    }
    *distance = edits[b.length];
}

// 0: nothing alike, 1: the same. A shared run of three letters or more makes names near however much differs around it. The second term
// only orders names that are equally near.
static double likeness(text a, text b)
{
    if (a.length == 0 || b.length == 0) return 0;
    size_t longer = a.length > b.length ? a.length : b.length, shorter = a.length + b.length - longer;
    size_t distance, common;
    compare(a, b, &distance, &common);
    double by_edits = 1 - (double)distance / (double)longer;
    double by_run = common >= 3 ? (double)common / (double)shorter : 0;
    return (by_edits > by_run ? by_edits : by_run) + 1e-3 * by_edits;
}

typedef struct near_name {
    const char *name;
    double likeness;
} near_name;

// The names most like `wanted`, best first, each once.
static size_t find_near(const ct_skeleton *skeleton, text wanted, near_name nearest[NEAR_COUNT])
{
    size_t count = 0;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        const char *name = skeleton->names[j];
        double alike = likeness(wanted, core_of(name, strlen(name)));
        bool listed = false;
        for (size_t i = 0; i < count; ++i) listed |= strcmp(nearest[i].name, name) == 0;
        if (alike < 0.4 || listed || (count == NEAR_COUNT && alike <= nearest[count - 1].likeness)) continue;

        size_t i = count < NEAR_COUNT ? count++ : NEAR_COUNT - 1;
        for (; i > 0 && nearest[i - 1].likeness < alike; --i) nearest[i] = nearest[i - 1];
        nearest[i] = (near_name){name, alike};
    }
    return count;
}

// A bounded text that is added to piece by piece; what no longer fits is left out whole.
typedef struct list {
    char text[CT_MESSAGE_SIZE];
    size_t length;
} list;

static void add(list *l, const char *before, const char *piece, const char *after)
{
    size_t first = strlen(before), middle = strlen(piece), last = strlen(after);
    if (first + middle + last >= sizeof l->text - l->length) return;
    memcpy(l->text + l->length, before, first);
    memcpy(l->text + l->length + first, piece, middle);
    memcpy(l->text + l->length + first + middle, after, last + 1);
    l->length += first + middle + last;
}

static ct_status fail_unknown(const ct_skeleton *skeleton, const char *name, size_t name_length, ct_error *error)
{
    near_name nearest[NEAR_COUNT];
    size_t count = find_near(skeleton, core_of(name, name_length), nearest);
    list near = {0};
    for (size_t i = 0; i < count; ++i) add(&near, near.length > 0 ? ", '" : "; near names: '", nearest[i].name, "'");

    return ct_fail(error, CT_BAD_INDEX, "no joint '%.*s'%s (%zu joints, see skeleton.names)", ct_name_shown(name, name_length), name,
                   near.text, skeleton->joint_count);
}

static ct_status fail_ambiguous(const ct_skeleton *skeleton, const char *name, size_t name_length, size_t count, ct_error *error)
{
    list indices = {0};
    size_t listed = 0;
    for (size_t j = 0; j < skeleton->joint_count && listed < LISTED_COUNT; ++j) {
        if (!is_named(skeleton->names[j], name, name_length)) continue;
        char digits[24];
        snprintf(digits, sizeof digits, "%zu", j);
        add(&indices, listed++ > 0 ? ", " : "", digits, "");
    }
    return ct_fail(error, CT_BAD_INDEX, "%zu joints have the name '%.*s': %s%s; say which by its index", count,
                   ct_name_shown(name, name_length), name, indices.text, count > listed ? ", ..." : "");
}

ct_status ct_skeleton_find(const ct_skeleton *skeleton, const char *name, size_t name_length, size_t *joint, ct_error *error)
{
    size_t count = 0;
    for (size_t j = skeleton->joint_count; j-- > 0;) {
        if (!is_named(skeleton->names[j], name, name_length)) continue;
        *joint = j;
        ++count;
    }
    if (count == 0) return fail_unknown(skeleton, name, name_length, error);
    if (count > 1) return fail_ambiguous(skeleton, name, name_length, count, error);
    return CT_OK;
}
