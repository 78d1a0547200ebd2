#include <string.h>

#include "bvh_reader.h"
#include "number.h"

// Where the reader stands among the braces.
typedef struct place_in_tree {
    int32_t joint; // the innermost open one, or CT_NO_PARENT
    bool in_tip;   // inside an End Site of that joint
} place_in_tree;

static const struct {
    const char *name;
    ct_channel channel;
} known_channels[] = {
    {"Xposition", CT_CHANNEL_X_POSITION}, {"Yposition", CT_CHANNEL_Y_POSITION}, {"Zposition", CT_CHANNEL_Z_POSITION},
    {"Xrotation", CT_CHANNEL_X_ROTATION}, {"Yrotation", CT_CHANNEL_Y_ROTATION}, {"Zrotation", CT_CHANNEL_Z_ROTATION},
    {"Xscale", CT_CHANNEL_X_SCALE},       {"Yscale", CT_CHANNEL_Y_SCALE},       {"Zscale", CT_CHANNEL_Z_SCALE},
};

static ct_channel channel_of(ct_bvh_piece word)
{
    for (size_t i = 0; i < sizeof known_channels / sizeof *known_channels; ++i) {
        if (ct_bvh_equal(word, known_channels[i].name)) return known_channels[i].channel;
    }
    return CT_CHANNEL_OTHER;
}

// A new zeroed item at the end of a list; NULL when out of memory.
static void *append(const ct_bvh_reader *reader, ct_bvh_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        void *items = ct_grow(&reader->allocator, list->items, list->count, room, size);
        if (!items) return NULL;
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + size * list->count++;
}

static ct_bvh_node *node_at(const ct_bvh_reader *reader, place_in_tree place)
{
    return place.in_tip ? ct_bvh_tip_at(reader, reader->tips.count - 1) : ct_bvh_joint_at(reader, (size_t)place.joint);
}

// "joint 'Hips'", "the End Site of 'Hips'"
typedef struct node_label {
    char text[96];
} node_label;

static node_label label_of(const ct_bvh_reader *reader, const ct_bvh_node *node, bool is_tip)
{
    node_label label;
    const ct_bvh_node *joint = is_tip ? ct_bvh_joint_at(reader, (size_t)node->parent) : node;
    const char *start = is_tip ? "the End Site of '" : "joint '";
    size_t length = strlen(start);
    memcpy(label.text, start, length);
    ct_bvh_excerpt name = ct_bvh_excerpt_of(joint->name);
    size_t name_length = strlen(name.text);
    memcpy(label.text + length, name.text, name_length);
    memcpy(label.text + length + name_length, "'", 2);
    return label;
}

static node_label label_at(const ct_bvh_reader *reader, place_in_tree place)
{
    return label_of(reader, node_at(reader, place), place.in_tip);
}

static ct_status open_brace(ct_bvh_reader *reader, place_in_tree place)
{
    ct_status status = ct_bvh_skip_blanks(reader);
    if (status != CT_OK) return status;
    if (reader->at == reader->end) return CT_OK; // said at the end
    if (*reader->at == '{') {
        ++reader->at;
        return CT_OK;
    }
    return ct_bvh_odd(reader, CT_BVH_BRACES, reader->at, "read as if it were there", "%s has no '{', but %s", label_at(reader, place).text,
                      ct_bvh_excerpt_at(reader, reader->at).text);
}

static ct_status close_all(ct_bvh_reader *reader, place_in_tree *place)
{
    if (place->joint == CT_NO_PARENT) return CT_OK;
    ct_status status = ct_bvh_odd(reader, CT_BVH_BRACES, reader->at, "the keyword closes it", "%s comes before the '}' of %s",
                                  ct_bvh_excerpt_at(reader, reader->at).text, label_at(reader, *place).text);
    *place = (place_in_tree){CT_NO_PARENT, false};
    return status;
}

static ct_status close_brace(ct_bvh_reader *reader, place_in_tree *place)
{
    const char *brace = reader->at++;
    if (place->joint == CT_NO_PARENT) return ct_bvh_odd(reader, CT_BVH_BRACES, brace, "skipped", "a '}' that closes nothing");
    if (place->in_tip)
        place->in_tip = false;
    else
        place->joint = ct_bvh_joint_at(reader, (size_t)place->joint)->parent;
    return CT_OK;
}

// ROOT or JOINT, with the reader behind the keyword.
static ct_status open_joint(ct_bvh_reader *reader, const char *keyword, place_in_tree *place)
{
    if (reader->joints.count == CT_MAX_JOINTS)
        return ct_bvh_fail(reader, keyword, "more than %d joints; such a file can't be read", CT_MAX_JOINTS);
    ct_bvh_node *joint = append(reader, &reader->joints, sizeof *joint);
    if (!joint) return ct_fail_memory(reader->error, "the joints");
    joint->place = keyword;
    joint->parent = place->joint;
    joint->column_start = reader->columns.count;
    place->joint = (int32_t)reader->joints.count - 1;

    ct_status status = ct_bvh_read_name(reader, &joint->name);
    if (status != CT_OK) return status;
    if (joint->name.length == 0) { // on the next line?
        status = ct_bvh_skip_blanks(reader);
        if (status == CT_OK) status = ct_bvh_read_name(reader, &joint->name);
        if (status != CT_OK) return status;
    }
    if (joint->name.length == 0) {
        status = ct_bvh_odd(reader, CT_BVH_NO_NAME, keyword, "named ''", "a joint without a name");
        if (status != CT_OK) return status;
    }
    return open_brace(reader, *place);
}

// "End Site", with the reader behind "End".
static ct_status open_tip(ct_bvh_reader *reader, const char *keyword, place_in_tree *place)
{
    if (place->joint == CT_NO_PARENT)
        return ct_bvh_fail(reader, keyword, "an End Site outside all joints; it belongs into the braces of one");
    if (place->in_tip)
        return ct_bvh_fail(reader, keyword, "an End Site inside %s; close that with '}' first", label_at(reader, *place).text);
    if (reader->tips.count == CT_MAX_JOINTS)
        return ct_bvh_fail(reader, keyword, "more than %d end sites; such a file can't be read", CT_MAX_JOINTS);
    ct_bvh_node *tip = append(reader, &reader->tips, sizeof *tip);
    if (!tip) return ct_fail_memory(reader->error, "the end sites");
    tip->place = keyword;
    tip->parent = place->joint;
    place->in_tip = true;

    ct_status status = ct_bvh_read_name(reader, &tip->name);
    return status == CT_OK ? open_brace(reader, *place) : status;
}

static ct_status read_offset(ct_bvh_reader *reader, const char *keyword, place_in_tree place)
{
    if (place.joint == CT_NO_PARENT) return ct_bvh_fail(reader, keyword, "OFFSET outside all joints; expected ROOT or MOTION");
    ct_bvh_node *node = node_at(reader, place);
    if (node->has_offset) {
        ct_status status =
            ct_bvh_odd(reader, CT_BVH_TWO_OFFSETS, keyword, "the last one counts", "a second OFFSET in %s", label_at(reader, place).text);
        if (status != CT_OK) return status;
    }
    node->has_offset = true;
    for (int i = 0; i < 3; ++i) {
        ct_status status = ct_bvh_read_value(reader, "OFFSET (three numbers)", &node->offset[i]);
        if (status != CT_OK) return status;
    }
    return CT_OK;
}

// Does the joint have this position or scale channel already?
static bool is_repeated(const ct_bvh_reader *reader, ct_channel channel)
{
    if (ct_channel_is_rotation(channel)) return false;
    size_t start = ct_bvh_joint_at(reader, reader->joints.count - 1)->column_start;
    for (size_t i = start; i < reader->columns.count; ++i) {
        if (ct_bvh_column_at(reader, i)->channel == channel) return true;
    }
    return false;
}

static ct_status add_column(ct_bvh_reader *reader, place_in_tree place, ct_bvh_piece word)
{
    ct_channel channel = channel_of(word);
    const char *at = word.text;
    ct_status status = ct_bvh_make_utf8(reader, &word);
    if (status != CT_OK) return status;
    if (place.in_tip) {
        status = ct_bvh_odd(reader, CT_BVH_TIP_CHANNELS, at, "kept as curves", "%s has CHANNELS", label_at(reader, place).text);
        channel = CT_CHANNEL_OTHER;
    } else if (channel == CT_CHANNEL_OTHER) {
        status = ct_bvh_odd(reader, CT_BVH_UNKNOWN_CHANNEL, at, "kept as a curve", "unknown channel '%s' of %s",
                            ct_bvh_excerpt_of(word).text, label_at(reader, place).text);
    } else if (is_repeated(reader, channel)) {
        status = ct_bvh_odd(reader, CT_BVH_REPEATED_CHANNEL, at, "kept as a curve", "a second channel '%s' of %s",
                            ct_bvh_excerpt_of(word).text, label_at(reader, place).text);
        channel = CT_CHANNEL_OTHER;
    }
    if (status != CT_OK) return status;

    ct_bvh_column *column = append(reader, &reader->columns, sizeof *column);
    if (!column) return ct_fail_memory(reader->error, "the channels");
    *column = (ct_bvh_column){.channel = (uint8_t)channel, .in_tip = place.in_tip, .joint = place.joint, .name = word};
    return CT_OK;
}

// Names of channels from here on: as many as declared, fewer when a keyword comes first, more when they stand on the same line.
static ct_status read_channel_names(ct_bvh_reader *reader, place_in_tree place, size_t declared, size_t *count)
{
    for (*count = 0;; ++*count) {
        const char *behind = reader->at;
        bool line_ends = ct_bvh_at_line_end(reader, &behind);
        if (*count >= declared && line_ends) return CT_OK;

        ct_status status = ct_bvh_skip_blanks(reader);
        if (status != CT_OK) return status;
        ct_bvh_piece word = ct_bvh_word(reader);
        if (ct_bvh_is_keyword(word) || (*count >= declared && channel_of(word) == CT_CHANNEL_OTHER)) return CT_OK;
        status = add_column(reader, place, word);
        if (status != CT_OK) return status;
        reader->at += word.length;
    }
}

static ct_status read_channels(ct_bvh_reader *reader, const char *keyword, place_in_tree place)
{
    if (place.joint == CT_NO_PARENT) return ct_bvh_fail(reader, keyword, "CHANNELS outside all joints; expected ROOT or MOTION");
    ct_bvh_node *node = node_at(reader, place);
    if (node->has_channels) return ct_bvh_fail(reader, keyword, "a second CHANNELS in %s; remove one", label_at(reader, place).text);
    node->has_channels = true;
    if ((size_t)place.joint != reader->joints.count - 1 && !place.in_tip)
        return ct_bvh_fail(reader, keyword, "CHANNELS of %s stand behind its children; the order of the columns is not known",
                           label_at(reader, place).text);

    double declared;
    ct_status status = ct_bvh_skip_blanks(reader);
    if (status != CT_OK) return status;
    const char *number = reader->at;
    status = ct_bvh_read_value(reader, "CHANNELS (how many, then their names)", &declared);
    if (status != CT_OK) return status;
    if (declared < 0 || declared > 1e9 || declared != (double)(size_t)declared)
        return ct_bvh_fail(reader, number, "CHANNELS needs a count, found %s", ct_bvh_excerpt_at(reader, number).text);

    size_t count;
    status = read_channel_names(reader, place, (size_t)declared, &count);
    if (status != CT_OK || count == (size_t)declared) return status;
    return ct_bvh_odd(reader, CT_BVH_CHANNEL_COUNT, number, "the names count", "%s declares %zu channels and names %zu",
                      label_at(reader, place).text, (size_t)declared, count);
}

// One keyword with what belongs to it, or a brace. *done at MOTION.
static ct_status read_item(ct_bvh_reader *reader, place_in_tree *place, bool *done)
{
    const char *at = reader->at;
    if (*at == '}') return close_brace(reader, place);
    ct_bvh_piece word = ct_bvh_word(reader);
    bool is_root = ct_bvh_equal(word, "ROOT"), is_joint = ct_bvh_equal(word, "JOINT");

    if (is_root || ct_bvh_equal(word, "MOTION")) {
        *done = !is_root;
        ct_status status = close_all(reader, place);
        if (status != CT_OK || !is_root) return status;
    }
    if (is_joint && place->in_tip)
        return ct_bvh_fail(reader, at, "a JOINT inside %s; close that with '}' first", label_at(reader, *place).text);
    if (is_joint && place->joint == CT_NO_PARENT) {
        ct_status status = ct_bvh_odd(reader, CT_BVH_JOINT_AS_ROOT, at, "taken as a ROOT", "a JOINT outside all joints");
        if (status != CT_OK) return status;
    }

    reader->at += word.length;
    if (is_root || is_joint) return open_joint(reader, at, place);
    if (ct_bvh_equal(word, "End")) return open_tip(reader, at, place);
    if (ct_bvh_equal(word, "OFFSET")) return read_offset(reader, at, *place);
    if (ct_bvh_equal(word, "CHANNELS")) return read_channels(reader, at, *place);
    reader->at = at;
    if (place->joint == CT_NO_PARENT && (ct_bvh_equal(word, "Frames:") || ct_bvh_equal(word, "Frames"))) {
        *done = true;
        return ct_bvh_odd(reader, CT_BVH_NO_MOTION, at, "read as if it were there", "the keyword MOTION is missing before Frames");
    }
    return ct_bvh_fail(reader, at, "expected %s, found %s",
                       place->joint == CT_NO_PARENT ? "ROOT or MOTION"
                       : place->in_tip              ? "OFFSET or '}'"
                                                    : "OFFSET, CHANNELS, JOINT, End Site or '}'",
                       ct_bvh_excerpt_at(reader, at).text);
}

// Position channels on all axes stand in for a joint's OFFSET; anything else would be made up.
static ct_status check_joint_offsets(ct_bvh_reader *reader)
{
    for (size_t j = 0; j < reader->joints.count; ++j) {
        const ct_bvh_node *joint = ct_bvh_joint_at(reader, j);
        if (joint->has_offset) continue;
        size_t end = j + 1 < reader->joints.count ? ct_bvh_joint_at(reader, j + 1)->column_start : reader->columns.count;
        int positions = 0;
        for (size_t i = joint->column_start; i < end; ++i) positions += ct_bvh_column_at(reader, i)->channel <= CT_CHANNEL_Z_POSITION;

        reader->joint = (ptrdiff_t)j;
        node_label label = label_of(reader, joint, false);
        if (positions < 3) return ct_bvh_fail(reader, joint->place, "%s has no OFFSET; add one (three numbers)", label.text);
        ct_status status =
            ct_bvh_odd(reader, CT_BVH_NO_OFFSET, joint->place, "its position channels replace it", "%s has no OFFSET", label.text);
        if (status != CT_OK) return status;
    }
    reader->joint = CT_NOWHERE;
    return CT_OK;
}

static ct_status leave_out_tips_without_offset(ct_bvh_reader *reader)
{
    size_t kept = 0;
    for (size_t i = 0; i < reader->tips.count; ++i) {
        const ct_bvh_node *tip = ct_bvh_tip_at(reader, i);
        if (tip->has_offset) {
            *ct_bvh_tip_at(reader, kept++) = *tip;
            continue;
        }
        ct_status status =
            ct_bvh_odd(reader, CT_BVH_NO_OFFSET, tip->place, "left out", "%s has no OFFSET", label_of(reader, tip, true).text);
        if (status != CT_OK) return status;
    }
    reader->tips.count = kept;
    return CT_OK;
}

ct_status ct_bvh_read_hierarchy(ct_bvh_reader *reader)
{
    ct_status status = ct_bvh_skip_blanks(reader);
    if (status != CT_OK) return status;
    ct_bvh_piece word = ct_bvh_word(reader);
    if (ct_bvh_equal(word, "HIERARCHY")) {
        reader->at += word.length;
    } else if (ct_bvh_equal(word, "ROOT")) {
        status = ct_bvh_odd(reader, CT_BVH_NO_HIERARCHY, reader->at, "read as if it were there", "the keyword HIERARCHY is missing");
        if (status != CT_OK) return status;
    } else {
        return ct_bvh_fail(reader, reader->at, "expected HIERARCHY, found %s; this is no BVH file",
                           ct_bvh_excerpt_at(reader, reader->at).text);
    }

    place_in_tree place = {CT_NO_PARENT, false};
    for (bool done = false; !done;) {
        status = ct_bvh_skip_blanks(reader);
        if (status != CT_OK) return status;
        if (reader->at == reader->end) break;
        reader->joint = place.joint;
        status = read_item(reader, &place, &done);
        if (status != CT_OK) return status;
    }
    reader->joint = place.joint;
    if (place.joint != CT_NO_PARENT)
        return ct_bvh_fail(reader, reader->end, "the file ends inside %s; it was cut off", label_at(reader, place).text);
    if (reader->joints.count == 0) return ct_bvh_fail(reader, reader->at, "no ROOT; expected one after HIERARCHY");

    status = check_joint_offsets(reader);
    return status == CT_OK ? leave_out_tips_without_offset(reader) : status;
}
