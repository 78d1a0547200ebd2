#include <assert.h>
#include <math.h>
#include <string.h>

#include "bvh_reader.h"

void ct_bvh_destroy(ct_bvh *bvh)
{
    if (!bvh) return;
    ct_allocator allocator = bvh->allocator;
    for (size_t i = 0; bvh->tip_names && i < bvh->tip_count; ++i) ct_release(&allocator, bvh->tip_names[i]);
    for (size_t i = 0; bvh->curve_names && i < bvh->curve_count; ++i) ct_release(&allocator, bvh->curve_names[i]);
    ct_release(&allocator, bvh->tip_names);
    ct_release(&allocator, bvh->curve_names);
    ct_release(&allocator, bvh->curves);
    ct_release(&allocator, bvh->channels);
    ct_release(&allocator, bvh->channel_starts);
    ct_clip_destroy(bvh->clip);
    ct_skeleton_destroy(bvh->skeleton);
    ct_release(&allocator, bvh);
}

// --- what kind of file? ------------------------------------------------------------------------------------------------------------

static bool starts_with(const ct_bvh_reader *reader, const char *bytes, size_t count)
{
    return (size_t)(reader->end - reader->start) >= count && memcmp(reader->start, bytes, count) == 0;
}

// Says what a file is that is no BVH; NULL when it may be one.
static const char *other_format(const ct_bvh_reader *reader)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *format;
    } known[] = {{"Kaydara FBX Binary", 18, "an FBX file"},
                 {"; FBX", 5, "an FBX file"},
                 {"glTF", 4, "a glTF binary (GLB) file"},
                 {"{", 1, "a JSON file (glTF?)"},
                 {":FULLY-SPECIFIED", 16, "an AMC file"},
                 {"#!OML", 5, "an AMC file"},
                 {":version", 8, "an ASF file"},
                 {"PK\3\4", 4, "a zip archive; unpack it first"},
                 {"\x1f\x8b", 2, "a gzip archive; unpack it first"},
                 {"\xff\xfe", 2, "text in UTF-16; save it as UTF-8"},
                 {"\xfe\xff", 2, "text in UTF-16; save it as UTF-8"},
                 {"<?xml", 5, "an XML file"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (starts_with(reader, known[i].bytes, known[i].count)) return known[i].format;
    }
    if (reader->end - reader->start >= 512 && reader->start[1] == 0x50 && reader->start[0] > 0 && reader->start[0] < 20)
        return "a C3D file";

    const size_t size = (size_t)(reader->end - reader->start), looked_at = size < 256 ? size : 256;
    if (size >= 4 && reader->start[0] && !reader->start[1] && reader->start[2] && !reader->start[3])
        return "text in UTF-16; save it as UTF-8";
    return memchr(reader->start, '\0', looked_at) ? "a binary file" : NULL;
}

// --- from what was read to the result ----------------------------------------------------------------------------------------------

static char *copy_text(const ct_allocator *allocator, const char *prefix, ct_bvh_piece text)
{
    size_t prefix_length = strlen(prefix);
    char *copy = ct_allocate(allocator, prefix_length + text.length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, prefix, prefix_length);
    memcpy(copy + prefix_length, text.text, text.length);
    return copy;
}

static ct_status keep_channels(ct_bvh_reader *reader)
{
    ct_bvh *bvh = reader->bvh;
    const size_t joint_count = reader->joints.count, column_count = reader->columns.count;
    bvh->channels = ct_allocate(&bvh->allocator, column_count, sizeof *bvh->channels);
    bvh->channel_starts = ct_allocate(&bvh->allocator, joint_count + 1, sizeof *bvh->channel_starts);
    if (!bvh->channels || !bvh->channel_starts) return ct_fail_memory(reader->error, "the channels");

    size_t curve_count = 0;
    for (size_t j = 0; j < joint_count; ++j) bvh->channel_starts[j] = ct_bvh_joint_at(reader, j)->column_start;
    bvh->channel_starts[joint_count] = column_count;
    for (size_t i = 0; i < column_count; ++i) {
        bvh->channels[i] = ct_bvh_column_at(reader, i)->channel;
        curve_count += bvh->channels[i] == CT_CHANNEL_OTHER;
    }

    bvh->curve_names = ct_allocate(&bvh->allocator, curve_count, sizeof *bvh->curve_names);
    if (!bvh->curve_names) return ct_fail_memory(reader->error, "the curves");
    bvh->curve_count = curve_count;
    size_t next = 0;
    for (size_t i = 0; i < column_count; ++i) {
        const ct_bvh_column *column = ct_bvh_column_at(reader, i);
        if (column->channel != CT_CHANNEL_OTHER) continue;
        // An end site's channel must not come back as one of the joint when it is written.
        char *name = copy_text(&bvh->allocator, column->in_tip ? "End." : "", column->name);
        if (!name) return ct_fail_memory(reader->error, "the curves");
        bvh->curve_names[next++] = name;
    }
    return CT_OK;
}

static ct_status keep_tip_names(ct_bvh_reader *reader)
{
    ct_bvh *bvh = reader->bvh;
    bvh->tip_names = ct_allocate(&bvh->allocator, reader->tips.count, sizeof *bvh->tip_names);
    if (!bvh->tip_names) return ct_fail_memory(reader->error, "the end sites");
    bvh->tip_count = reader->tips.count;
    for (size_t i = 0; i < reader->tips.count; ++i) {
        bvh->tip_names[i] = copy_text(&bvh->allocator, "", ct_bvh_tip_at(reader, i)->name);
        if (!bvh->tip_names[i]) return ct_fail_memory(reader->error, "the end sites");
    }
    return CT_OK;
}

static ct_status scale_offset(ct_bvh_reader *reader, const ct_bvh_node *node, float out[3])
{
    for (int i = 0; i < 3; ++i) {
        double scaled = node->offset[i] * reader->options.scale;
        if (!ct_bvh_fits_float(scaled)) return ct_bvh_fail(reader, node->place, "OFFSET is too large; a number must fit 32 bits");
        out[i] = (float)scaled + 0.0f; // not -0, which equals 0 but has other bits
    }
    return CT_OK;
}

// Room for the arrays of ct_skeleton_parts.
typedef struct parts_room {
    const char **names;
    size_t *lengths;
    int32_t *parents, *tip_parents;
    float *offsets, *tip_offsets;
} parts_room;

static ct_status fill_parts(ct_bvh_reader *reader, parts_room room)
{
    for (size_t j = 0; j < reader->joints.count; ++j) {
        const ct_bvh_node *joint = ct_bvh_joint_at(reader, j);
        room.names[j] = joint->name.text;
        room.lengths[j] = joint->name.length;
        room.parents[j] = joint->parent;
        reader->joint = (ptrdiff_t)j;
        ct_status status = scale_offset(reader, joint, room.offsets + 3 * j);
        if (status != CT_OK) return status;
    }
    for (size_t i = 0; i < reader->tips.count; ++i) {
        const ct_bvh_node *tip = ct_bvh_tip_at(reader, i);
        room.tip_parents[i] = tip->parent;
        reader->joint = tip->parent;
        ct_status status = scale_offset(reader, tip, room.tip_offsets + 3 * i);
        if (status != CT_OK) return status;
    }
    reader->joint = CT_NOWHERE;
    return CT_OK;
}

static ct_status make_skeleton(ct_bvh_reader *reader)
{
    const ct_allocator *allocator = &reader->allocator;
    const size_t joint_count = reader->joints.count, tip_count = reader->tips.count;
    parts_room room = {.names = ct_allocate(allocator, joint_count, sizeof *room.names),
                       .lengths = ct_allocate(allocator, joint_count, sizeof *room.lengths),
                       .parents = ct_allocate(allocator, joint_count, sizeof *room.parents),
                       .tip_parents = ct_allocate(allocator, tip_count, sizeof *room.tip_parents),
                       .offsets = ct_allocate(allocator, joint_count, 3 * sizeof *room.offsets),
                       .tip_offsets = ct_allocate(allocator, tip_count, 3 * sizeof *room.tip_offsets)};
    bool all = room.names && room.lengths && room.parents && room.tip_parents && room.offsets && room.tip_offsets;
    ct_status status = all ? fill_parts(reader, room) : ct_fail_memory(reader->error, "the skeleton");
    if (status == CT_OK) {
        ct_skeleton_parts parts = {.joint_count = joint_count,
                                   .tip_count = tip_count,
                                   .names = room.names,
                                   .name_lengths = room.lengths,
                                   .parents = room.parents,
                                   .offsets = room.offsets,
                                   .tip_parents = room.tip_parents,
                                   .tip_offsets = room.tip_offsets};
        status = ct_skeleton_create(allocator, &parts, &reader->bvh->skeleton, reader->error);
    }
    ct_release(allocator, room.names);
    ct_release(allocator, room.lengths);
    ct_release(allocator, room.parents);
    ct_release(allocator, room.tip_parents);
    ct_release(allocator, room.offsets);
    ct_release(allocator, room.tip_offsets);
    return status;
}

static ct_status read_all(ct_bvh_reader *reader)
{
    if (starts_with(reader, "\xef\xbb\xbf", 3)) reader->at = reader->start += 3;
    bool only_blanks = true;
    for (const char *at = reader->start; at < reader->end && only_blanks; ++at) only_blanks = ct_bvh_is_blank(*at);
    if (only_blanks) return ct_bvh_fail(reader, reader->start, "the file is empty; expected HIERARCHY");
    const char *format = other_format(reader);
    if (format) return ct_bvh_fail(reader, NULL, "this is no BVH file but %s", format);

    ct_status status = ct_bvh_read_hierarchy(reader);
    if (status == CT_OK) status = make_skeleton(reader);
    if (status == CT_OK) status = keep_tip_names(reader);
    if (status == CT_OK) status = keep_channels(reader);
    if (status == CT_OK) status = ct_bvh_read_motion(reader);
    if (status == CT_OK) status = ct_bvh_measure(reader->bvh, reader->kernels, reader->error);
    if (status == CT_OK) status = ct_bvh_note_root_offset(reader);
    return status;
}

ct_status ct_bvh_read(const ct_allocator *allocator, const ct_kernels *kernels, const char *text, size_t size,
                      const ct_bvh_options *options, ct_bvh **out, ct_error *error)
{
    assert(options->scale > 0 && isfinite(options->scale));
    assert(options->fps >= 0 && isfinite(options->fps));
    ct_error unwanted;
    ct_bvh *bvh = ct_allocate(allocator, 1, sizeof *bvh);
    if (!bvh) return ct_fail_memory(error, "a BVH file");
    bvh->allocator = *allocator;
    bvh->root_offset_added = options->root_offset_add;

    ct_bvh_reader reader = {.start = text,
                            .at = text,
                            .end = text + size,
                            .allocator = *allocator,
                            .kernels = kernels,
                            .options = *options,
                            .bvh = bvh,
                            .error = error ? error : &unwanted,
                            .joint = CT_NOWHERE,
                            .frame = CT_NOWHERE};
    ct_status status = read_all(&reader);
    ct_release(allocator, reader.joints.items);
    ct_release(allocator, reader.tips.items);
    ct_release(allocator, reader.columns.items);
    while (reader.converted) {
        ct_bvh_converted *next = reader.converted->next;
        ct_release(allocator, reader.converted);
        reader.converted = next;
    }
    if (status != CT_OK) {
        ct_bvh_destroy(bvh);
        return status;
    }
    *out = bvh;
    return CT_OK;
}
