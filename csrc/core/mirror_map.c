// Partners and sides by name.
#include <stdlib.h>
#include <string.h>

#include "mirror.h"

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Bytes of other scripts count as letters: what they spell is no separator.
static bool is_separator(char c) { return !(is_lower(c) || is_upper(c) || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80); }

typedef struct side_word {
    const char *text[2]; // left, right
} side_word;

static const side_word WORDS[] = {{{"Left", "Right"}}, {{"left", "right"}}, {{"LEFT", "RIGHT"}}, {{"\xE5\xB7\xA6", "\xE5\x8F\xB3"}}};
static const side_word LETTERS[] = {{{"l", "r"}}, {{"L", "R"}}};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS, LETTER_COUNT = sizeof LETTERS / sizeof *LETTERS };

// A side found in a name: `length` bytes at `at`, which `other` replaces in the partner's name.
typedef struct side_token {
    size_t at, length;
    bool is_right;
    const char *other;
} side_token;

// Does a word begin at name[i]? Names end in NUL, so looking one ahead is safe.
static bool starts_word(const char *name, size_t i)
{
    if (i == 0 || !(is_lower(name[i - 1]) || is_upper(name[i - 1]))) return true;
    return is_upper(name[i]) && (is_lower(name[i - 1]) || is_lower(name[i + 1]));
}

static bool find_word(const char *name, size_t i, side_token *token)
{
    for (size_t w = 0; w < WORD_COUNT; ++w) {
        for (int right = 0; right < 2; ++right) {
            size_t length = strlen(WORDS[w].text[right]);
            if (strncmp(name + i, WORDS[w].text[right], length) != 0) continue;
            if (!starts_word(name, i) && name[i + length] != '\0') continue;
            *token = (side_token){i, length, right, WORDS[w].text[!right]};
            return true;
        }
    }
    return false;
}

static bool find_letter(const char *name, size_t i, side_token *token)
{
    if (i > 0 && !is_separator(name[i - 1])) return false;
    for (size_t w = 0; w < LETTER_COUNT; ++w) {
        for (int right = 0; right < 2; ++right) {
            char letter = LETTERS[w].text[right][0], next = name[i + 1];
            if (name[i] != letter) continue;
            bool is_alone = next == '\0' || is_separator(next);
            bool is_prefix = is_lower(letter) ? is_upper(next) || is_lower(next) : is_upper(next) && is_lower(name[i + 2]);
            if (!is_alone && !is_prefix) continue;
            *token = (side_token){i, 1, right, LETTERS[w].text[!right]};
            return true;
        }
    }
    return false;
}

typedef struct named_joint {
    const char *name;
    int32_t joint;
} named_joint;

static int by_name(const void *a, const void *b)
{
    const named_joint *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

// The one joint of a name; -1 for none or several.
static int32_t find_joint(const named_joint *sorted, size_t count, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == count || strcmp(sorted[low].name, name) != 0) return -1;
    bool is_repeated = low + 1 < count && strcmp(sorted[low + 1].name, name) == 0;
    return is_repeated ? -1 : sorted[low].joint;
}

typedef struct search {
    const named_joint *sorted;
    size_t count;
    char *partner_name; // room for the longest name and CT_MIRROR_NAME_ROOM more
} search;

// The first side in a name from *at on; then *at is behind it.
static bool find_side(const char *name, size_t *at, side_token *token)
{
    for (size_t i = *at; name[i] != '\0'; ++i) {
        if (!find_word(name, i, token) && !find_letter(name, i, token)) continue;
        *at = i + 1;
        return true;
    }
    return false;
}

// Not merely the first letter of a word, which 'lowerback' and 'Ribs' have too.
static bool is_plain(const char *name, const side_token *token) { return token->length > 1 || !is_lower(name[token->at + 1]); }

// `out` has room for CT_MIRROR_NAME_ROOM bytes more than the name.
static void swap_side(const char *name, const side_token *token, char *out)
{
    size_t other = strlen(token->other);
    memcpy(out, name, token->at);
    memcpy(out + token->at, token->other, other);
    strcpy(out + token->at + other, name + token->at + token->length);
}

bool ct_mirror_name(const char *name, char *out)
{
    side_token token;
    for (size_t at = 0; find_side(name, &at, &token);) {
        if (!is_plain(name, &token) || !starts_word(name, token.at)) continue; // 'bright' ends in a side
        swap_side(name, &token, out);
        return true;
    }
    strcpy(out, name);
    return false;
}

// The partner of a name by the first side in it that has one; -1 when none has. *side is the side that the name tells: the one that has the
// partner, or else the first that is plain.
static int32_t find_partner(const search *s, const char *name, ct_side *side)
{
    *side = CT_SIDE_MIDDLE;
    side_token token;
    for (size_t at = 0; find_side(name, &at, &token);) {
        swap_side(name, &token, s->partner_name);
        int32_t partner = find_joint(s->sorted, s->count, s->partner_name);
        if (partner >= 0 || (is_plain(name, &token) && *side == CT_SIDE_MIDDLE)) *side = token.is_right ? CT_SIDE_RIGHT : CT_SIDE_LEFT;
        if (partner >= 0) return partner;
    }
    return -1;
}

static uint8_t role_of(int32_t partner, ct_side side)
{
    if (partner >= 0) return side == CT_SIDE_RIGHT ? CT_MIRROR_RIGHT : CT_MIRROR_LEFT;
    return side == CT_SIDE_MIDDLE ? CT_MIRROR_MIDDLE : CT_MIRROR_ALONE;
}

static void find_partners(const ct_skeleton *skeleton, const search *s, int32_t *map, uint8_t *roles, uint8_t *sides)
{
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        ct_side side;
        map[j] = find_partner(s, skeleton->names[j], &side);
        roles[j] = role_of(map[j], side);
        sides[j] = (uint8_t)side;
    }
    // Joints that share a name each find the partner, which finds none of them.
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (map[j] >= 0 && map[map[j]] != (int32_t)j) {
            map[j] = -1;
            roles[j] = CT_MIRROR_ALONE;
        }
    }
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (map[j] < 0) map[j] = (int32_t)j;
    }
}

static bool parents_are_partners(const ct_skeleton *skeleton, const int32_t *map, size_t joint)
{
    int32_t parent = skeleton->parents[joint], other = skeleton->parents[map[joint]];
    if (parent == CT_NO_PARENT || other == CT_NO_PARENT) return parent == other;
    return map[parent] == other;
}

// Parents come first, so they are settled when their children are looked at; a pair is settled at its second joint.
static void part_the_uprooted(const ct_skeleton *skeleton, int32_t *map, uint8_t *roles)
{
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (map[j] >= (int32_t)j || parents_are_partners(skeleton, map, j)) continue;
        roles[j] = roles[map[j]] = CT_MIRROR_UPROOTED;
        map[map[j]] = map[j];
        map[j] = (int32_t)j;
    }
}

// ct_mirror_map, and what each name says by itself: sides [joint_count] ct_side.
static ct_status read_names(const ct_skeleton *skeleton, int32_t *map, uint8_t *roles, uint8_t *sides, ct_error *error)
{
    const ct_allocator *allocator = &skeleton->allocator;
    size_t count = skeleton->joint_count, longest = 0;
    for (size_t j = 0; j < count; ++j) {
        size_t length = strlen(skeleton->names[j]);
        if (length > longest) longest = length;
    }

    named_joint *sorted = ct_allocate(allocator, count, sizeof *sorted);
    char *partner_name = ct_allocate(allocator, longest + CT_MIRROR_NAME_ROOM, 1);
    ct_status status = sorted && partner_name ? CT_OK : ct_fail_memory(error, "finding partners by name");
    if (status == CT_OK) {
        for (size_t j = 0; j < count; ++j) sorted[j] = (named_joint){skeleton->names[j], (int32_t)j};
        qsort(sorted, count, sizeof *sorted, by_name);
        find_partners(skeleton, &(search){sorted, count, partner_name}, map, roles, sides);
        part_the_uprooted(skeleton, map, roles);
    }
    ct_release(allocator, sorted);
    ct_release(allocator, partner_name);
    return status;
}

ct_status ct_mirror_map(const ct_skeleton *skeleton, int32_t *map, uint8_t *roles, ct_error *error)
{
    size_t count = skeleton->joint_count;
    uint8_t *bytes = ct_allocate(&skeleton->allocator, count, 2);
    if (!bytes) return ct_fail_memory(error, "finding partners by name");
    ct_status status = read_names(skeleton, map, roles ? roles : bytes, bytes + count, error);
    ct_release(&skeleton->allocator, bytes);
    return status;
}

// Names have told `sides`; joints with a partner keep theirs. `below` is room for joint_count bytes.
static void settle_sides(const ct_skeleton *skeleton, const uint8_t *roles, uint8_t *below, uint8_t *sides)
{
    const uint8_t both = 1 << CT_SIDE_LEFT | 1 << CT_SIDE_RIGHT;
    memset(below, 0, skeleton->joint_count);
    for (size_t j = skeleton->joint_count; j-- > 0;) {
        int32_t parent = skeleton->parents[j];
        if (sides[j] != CT_SIDE_MIDDLE) below[j] |= (uint8_t)(1 << sides[j]);
        if (parent != CT_NO_PARENT) below[parent] |= below[j];
    }
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        int32_t parent = skeleton->parents[j];
        if (roles[j] == CT_MIRROR_LEFT || roles[j] == CT_MIRROR_RIGHT) continue;
        if (below[j] == both) {
            sides[j] = CT_SIDE_MIDDLE;
        } else if (sides[j] == CT_SIDE_MIDDLE && parent != CT_NO_PARENT) {
            sides[j] = sides[parent];
        }
    }
}

ct_status ct_mirror_sides(const ct_skeleton *skeleton, uint8_t *sides, ct_error *error)
{
    const ct_allocator *allocator = &skeleton->allocator;
    size_t count = skeleton->joint_count;
    int32_t *map = ct_allocate(allocator, count, sizeof *map);
    uint8_t *bytes = ct_allocate(allocator, count, 2);
    ct_status status = map && bytes ? CT_OK : ct_fail_memory(error, "telling left from right");
    if (status == CT_OK) status = read_names(skeleton, map, bytes, sides, error);
    if (status == CT_OK) settle_sides(skeleton, bytes, bytes + count, sides);
    ct_release(allocator, map);
    ct_release(allocator, bytes);
    return status;
}

static int shown(const char *name) { return ct_name_shown(name, strlen(name)); }

ct_status ct_mirror_check(const ct_skeleton *skeleton, const int32_t *map, ct_error *error)
{
    const char *const *names = skeleton->names;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        if (map[j] < 0 || (size_t)map[j] >= skeleton->joint_count)
            return ct_fail(error, CT_BAD_INDEX, "joint %zu ('%.*s') maps to %ld; there are %zu joints", j, shown(names[j]), names[j],
                           (long)map[j], skeleton->joint_count);
    }
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        const char *name = names[j], *partner = names[map[j]];
        if (map[map[j]] != (int32_t)j)
            return ct_fail(error, CT_BAD_VALUE, "joint %zu ('%.*s') maps to '%.*s', which maps to '%.*s'; partners map to each other", j,
                           shown(name), name, shown(partner), partner, shown(names[map[map[j]]]), names[map[map[j]]]);
        if (map[j] != (int32_t)j && !parents_are_partners(skeleton, map, j))
            return ct_fail(error, CT_BAD_VALUE, "joint %zu ('%.*s') maps to '%.*s', but their parents don't map to each other", j,
                           shown(name), name, shown(partner), partner);
    }
    return CT_OK;
}
