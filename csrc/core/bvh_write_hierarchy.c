#include <string.h>

#include "bvh_reader.h"
#include "bvh_writer.h"
#include "number.h"

static const char *const channel_names[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
                                            "Zrotation", "Xscale",    "Yscale",    "Zscale"};

// --- names -------------------------------------------------------------------------------------------------------------------------

// Would a reader give this name back?
static bool is_readable(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || ct_bvh_is_blank(name[0]) || ct_bvh_is_blank(name[length - 1])) return false;
    return strpbrk(name, "\r\n{}") == NULL && ct_bvh_is_utf8((ct_bvh_piece){name, length});
}

// A channel's name is one word, and no other channel's.
static bool is_channel_name(const char *name)
{
    if (!is_readable(name)) return false;
    for (const char *at = name; *at; ++at) {
        if (ct_bvh_is_blank(*at)) return false;
    }
    return !(name[0] == '#' || (name[0] == '/' && name[1] == '/')) && !ct_bvh_is_keyword((ct_bvh_piece){name, strlen(name)});
}

ct_status ct_bvh_check_names(const ct_bvh_writer *writer)
{
    const ct_skeleton *skeleton = writer->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        const char *name = skeleton->names[j];
        if (is_readable(name)) continue;
        ct_fail(writer->error, CT_BAD_VALUE,
                "joint %zu has the name '%.*s', which BVH can't hold: it is empty or has line ends, braces or blanks around; rename it", j,
                ct_name_shown(name, strlen(name)), name);
        if (writer->error) writer->error->joint = (ptrdiff_t)j;
        return CT_BAD_VALUE;
    }
    for (size_t i = 0; writer->layout.tip_names && i < skeleton->tip_count; ++i) {
        const char *name = writer->layout.tip_names[i];
        if (!name || !*name || is_readable(name)) continue;
        return ct_fail(writer->error, CT_BAD_VALUE, "end site %zu has the name '%.*s', which BVH can't hold", i,
                       ct_name_shown(name, strlen(name)), name);
    }
    for (size_t i = 0; writer->layout.curves && i < writer->layout.curve_count; ++i) {
        const char *name = writer->layout.curve_names[i];
        if (is_channel_name(name)) continue;
        return ct_fail(writer->error, CT_BAD_VALUE, "curve %zu has the name '%.*s', which is no name of a channel", i,
                       ct_name_shown(name, strlen(name)), name);
    }
    return CT_OK;
}

// --- the tree ----------------------------------------------------------------------------------------------------------------------

// Children and tips of every joint as lists, lowest index first. CT_NO_PARENT ends a list.
typedef struct tree {
    int32_t *first_child, *next_sibling; // [joint_count + 1]: the last are the roots
    int32_t *first_tip, *next_tip;       // [joint_count], [tip_count]
    int32_t *lowest_tip;                 // [joint_count]: of the branches of this joint and of its later siblings, INT32_MAX without
} tree;

static void fill_tree(tree t, const ct_skeleton *skeleton)
{
    const size_t joint_count = skeleton->joint_count;
    for (size_t j = 0; j <= joint_count; ++j) t.first_child[j] = CT_NO_PARENT;
    for (size_t j = 0; j < joint_count; ++j) {
        t.first_tip[j] = CT_NO_PARENT;
        t.lowest_tip[j] = INT32_MAX;
    }
    for (size_t i = skeleton->tip_count; i-- > 0;) {
        size_t parent = (size_t)skeleton->tip_parents[i];
        t.next_tip[i] = t.first_tip[parent];
        t.first_tip[parent] = t.lowest_tip[parent] = (int32_t)i;
    }
    for (size_t j = joint_count; j-- > 0;) {
        size_t parent = skeleton->parents[j] == CT_NO_PARENT ? joint_count : (size_t)skeleton->parents[j];
        t.next_sibling[j] = t.first_child[parent];
        t.first_child[parent] = (int32_t)j;
        const int32_t later = t.next_sibling[j] == CT_NO_PARENT ? INT32_MAX : t.lowest_tip[t.next_sibling[j]];
        if (later < t.lowest_tip[j]) t.lowest_tip[j] = later;
        if (parent < joint_count && t.lowest_tip[j] < t.lowest_tip[parent]) t.lowest_tip[parent] = t.lowest_tip[j];
    }
}

static ct_status put_text(ct_bvh_writer *writer, const char *text) { return ct_bvh_put(writer, text, strlen(text)); }

static ct_status put_line_start(ct_bvh_writer *writer, size_t depth)
{
    enum { DEEPEST = 100 }; // deeper indents would make the file grow with the square of the depth
    ct_status status = CT_OK;
    for (size_t i = 0; i < depth && i < DEEPEST && status == CT_OK; ++i) status = put_text(writer, "\t");
    return status;
}

static ct_status put_line(ct_bvh_writer *writer, size_t depth, const char *first, const char *second)
{
    ct_status status = put_line_start(writer, depth);
    if (status == CT_OK) status = put_text(writer, first);
    if (status == CT_OK) status = put_text(writer, second);
    return status == CT_OK ? put_text(writer, "\n") : status;
}

static ct_status put_offset(ct_bvh_writer *writer, size_t depth, const float offset[3])
{
    ct_status status = put_line_start(writer, depth);
    if (status == CT_OK) status = put_text(writer, "OFFSET");
    for (int i = 0; i < 3 && status == CT_OK; ++i) {
        char number[CT_NUMBER_SIZE];
        ct_number_write_float(offset[i], number);
        status = put_text(writer, " ");
        if (status == CT_OK) status = put_text(writer, number);
    }
    return status == CT_OK ? put_text(writer, "\n") : status;
}

static ct_status put_channels(ct_bvh_writer *writer, size_t depth, size_t joint)
{
    const ct_bvh_layout *layout = &writer->layout;
    size_t curve = writer->curve_starts[joint], count = 0;
    const size_t start = layout->channel_starts[joint], end = layout->channel_starts[joint + 1];
    for (size_t i = start; i < end; ++i) count += layout->channels[i] != CT_CHANNEL_OTHER || layout->curves;

    char number[CT_NUMBER_SIZE];
    ct_number_write((double)count, number);
    ct_status status = put_line_start(writer, depth);
    if (status == CT_OK) status = put_text(writer, "CHANNELS ");
    if (status == CT_OK) status = put_text(writer, number);
    for (size_t i = start; i < end && status == CT_OK; ++i) {
        bool other = layout->channels[i] == CT_CHANNEL_OTHER;
        if (other && !layout->curves) continue;
        status = put_text(writer, " ");
        if (status == CT_OK) status = put_text(writer, other ? layout->curve_names[curve] : channel_names[layout->channels[i]]);
        curve += other;
    }
    return status == CT_OK ? put_text(writer, "\n") : status;
}

static ct_status put_tip(ct_bvh_writer *writer, size_t depth, size_t tip)
{
    const char *name = writer->layout.tip_names ? writer->layout.tip_names[tip] : NULL;
    ct_status status = put_line(writer, depth, "End ", name && *name ? name : "Site");
    if (status == CT_OK) status = put_line(writer, depth, "{", "");
    if (status == CT_OK) status = put_offset(writer, depth + 1, writer->skeleton->tip_offsets + 3 * tip);
    return status == CT_OK ? put_line(writer, depth, "}", "") : status;
}

static ct_status open_joint(ct_bvh_writer *writer, size_t depth, size_t joint)
{
    writer->order[writer->order_count++] = (int32_t)joint;
    ct_status status = put_line(writer, depth, depth ? "JOINT " : "ROOT ", writer->skeleton->names[joint]);
    if (status == CT_OK) status = put_line(writer, depth, "{", "");
    if (status == CT_OK) status = put_offset(writer, depth + 1, writer->skeleton->offsets + 3 * joint);
    return status == CT_OK ? put_channels(writer, depth + 1, joint) : status;
}

// Walks the tree by taking the lists apart.
static ct_status put_tree(ct_bvh_writer *writer, tree t)
{
    const ct_skeleton *skeleton = writer->skeleton;
    const size_t above_roots = skeleton->joint_count;
    size_t at = above_roots, depth = 0; // depth: of what is written next
    ct_status status = CT_OK;
    while (status == CT_OK) {
        int32_t child = t.first_child[at], tip = at == above_roots ? CT_NO_PARENT : t.first_tip[at];
        if (tip != CT_NO_PARENT && (child == CT_NO_PARENT || tip < t.lowest_tip[child])) {
            status = put_tip(writer, depth, (size_t)tip);
            t.first_tip[at] = t.next_tip[tip];
        } else if (child != CT_NO_PARENT) {
            status = open_joint(writer, depth++, (size_t)child);
            t.first_child[at] = t.next_sibling[child];
            at = (size_t)child;
        } else if (at != above_roots) {
            status = put_line(writer, --depth, "}", "");
            at = skeleton->parents[at] == CT_NO_PARENT ? above_roots : (size_t)skeleton->parents[at];
        } else {
            break;
        }
    }
    return status;
}

ct_status ct_bvh_write_hierarchy(ct_bvh_writer *writer)
{
    const ct_allocator *allocator = &writer->allocator;
    const size_t joint_count = writer->skeleton->joint_count, tip_count = writer->skeleton->tip_count;
    tree t = {.first_child = ct_allocate(allocator, joint_count + 1, sizeof(int32_t)),
              .next_sibling = ct_allocate(allocator, joint_count, sizeof(int32_t)),
              .first_tip = ct_allocate(allocator, joint_count, sizeof(int32_t)),
              .next_tip = ct_allocate(allocator, tip_count, sizeof(int32_t)),
              .lowest_tip = ct_allocate(allocator, joint_count, sizeof(int32_t))};
    ct_status status;
    if (t.first_child && t.next_sibling && t.first_tip && t.next_tip && t.lowest_tip) {
        fill_tree(t, writer->skeleton);
        status = put_text(writer, "HIERARCHY\n");
        if (status == CT_OK) status = put_tree(writer, t);
    } else {
        status = ct_fail_memory(writer->error, "the hierarchy");
    }
    ct_release(allocator, t.first_child);
    ct_release(allocator, t.next_sibling);
    ct_release(allocator, t.first_tip);
    ct_release(allocator, t.next_tip);
    ct_release(allocator, t.lowest_tip);
    return status;
}
