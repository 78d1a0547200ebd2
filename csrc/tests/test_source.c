// Pose sources in a tree: who may be part of whom, what a stage does for them, and that a failure leaves all as it was.
#include "source.h"

#include <string.h>

#include "check.h"
#include "failing_allocator.h"
#include "made_up.h"

static ct_error error;
enum { MOST_CHILDREN = 3 };

// Counts its updates, fills its row with the count times a parameter and passes its children on; fails when told.
typedef struct counter {
    ct_source source;
    ct_amount factor;
    double count;
    bool fails;
    ct_source *children[MOST_CHILDREN];
} counter;

static ct_status update(ct_source *source, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *why)
{
    counter *self = (counter *)source;
    self->count += step->dt;
    size_t length = ct_row_length(source->layout);
    for (size_t i = 0; i < length; ++i) out->row[i] = (float)(self->count * ct_amount_of(&self->factor, step->values));
    out->root = (ct_root_delta){0};
    float *row = source->row_count ? ct_scratch_row(&scratch) : NULL;
    for (size_t i = 0; i < source->child_count; ++i) {
        ct_root_delta root;
        ct_status status = ct_source_update_child(source->children[i], step, scratch, source->layout, 0.5, row, &root, out, why);
        if (status != CT_OK) return status;
        for (size_t k = 0; k < length; ++k) out->row[k] += row[k];
    }
    out->played[out->played_count++] = (ct_played){.what = self, .weight = 1};
    return self->fails ? ct_fail(why, CT_BAD_VALUE, "told to fail") : CT_OK;
}

static void reset(ct_source *source) { ((counter *)source)->count = 0; }

static ct_status bind(ct_source *source, ct_parameters *parameters, ct_error *why)
{
    return ct_amount_bind(&((counter *)source)->factor, parameters, why);
}

static const ct_source_ops ops = {update, reset, bind};

static void make(counter *self, const ct_skeleton *skeleton, const char *name, bool scales)
{
    *self = (counter){.factor = {.fixed = 1, .name = name}};
    self->source = (ct_source){.ops = &ops,
                               .skeleton = skeleton,
                               .layout = ct_layout_of(skeleton->joint_count, true, scales),
                               .row_count = 1,
                               .played_most = 1,
                               .state = &self->count,
                               .state_size = sizeof self->count,
                               .children = self->children};
}

static void adopt(counter *parent, counter *child) { CHECK(ct_source_adopt(&parent->source, &child->source, "child", &error) == CT_OK); }

static bool refused(counter *parent, counter *child, const char *why)
{
    bool is_refused = ct_source_adopt(&parent->source, &child->source, "child", &error) == CT_BAD_VALUE;
    return is_refused && strstr(error.message, why) && parent->source.child_count == 0;
}

static void test_a_source_is_part_of_one_other_and_never_of_itself(void)
{
    ct_skeleton *three = made_up_tree(3), *four = made_up_tree(4), *same = made_up_tree(3);
    counter a, b, c, other, equal;
    make(&a, three, NULL, false);
    make(&b, three, NULL, false);
    make(&c, three, NULL, false);
    make(&other, four, NULL, false);
    make(&equal, same, NULL, false);
    adopt(&a, &b);
    CHECK(refused(&c, &b, "part of another"));
    CHECK(refused(&b, &a, "hold itself"));
    CHECK(refused(&c, &c, "hold itself"));
    CHECK(refused(&c, &other, "4 joints, the skeleton has 3"));
    c.source.busy = true;
    CHECK(refused(&b, &c, "in an update"));
    c.source.busy = false;
    adopt(&c, &equal);

    ct_allocator allocator = ct_allocator_default();
    ct_stage *stage;
    CHECK(ct_stage_create(&allocator, &b.source, &stage, &error) == CT_BAD_VALUE);
    ct_source_release_children(&a.source);
    CHECK(ct_stage_create(&allocator, &b.source, &stage, &error) == CT_OK);
    ct_stage_destroy(stage);
    ct_skeleton_destroy(three);
    ct_skeleton_destroy(four);
    ct_skeleton_destroy(same);
}

// Two below one below the outermost; parameters by name, shared.
typedef struct tree {
    failing_allocator counted;
    ct_skeleton *skeleton;
    counter top, middle, left, right;
    ct_stage *stage;
    float row[10 * 16];
    ct_frame frame;
} tree;

static void grow(tree *t)
{
    t->counted = (failing_allocator){0};
    t->skeleton = made_up_tree(3);
    make(&t->top, t->skeleton, "a", true);
    make(&t->middle, t->skeleton, NULL, false);
    make(&t->left, t->skeleton, "b", true);
    make(&t->right, t->skeleton, "a", false);
    adopt(&t->middle, &t->left);
    adopt(&t->middle, &t->right);
    adopt(&t->top, &t->middle);
    ct_allocator allocator = failing_allocator_use(&t->counted);
    // Adopted bottom up, so that each knows how much all below may tell.
    CHECK(t->top.source.played_most == 4);
    CHECK(ct_stage_create(&allocator, &t->top.source, &t->stage, &error) == CT_OK);
    t->stage->values[0] = 10, t->stage->values[1] = 100;
}

static void fell(tree *t)
{
    ct_stage_destroy(t->stage);
    CHECK(t->counted.live == 0);
    ct_skeleton_destroy(t->skeleton);
}

static void test_a_stage_updates_all_and_allocates_nothing(void)
{
    static tree t;
    grow(&t);
    CHECK(t.stage->parameters.count == 2 && t.stage->scratch.row_count == 3);
    size_t calls = t.counted.calls;
    for (int i = 0; i < 4; ++i) CHECK(ct_stage_update(t.stage, 0.5, NULL, t.row, &t.frame, &error) == CT_OK);
    CHECK(t.counted.calls == calls);
    // Each has counted to 2: 10 of the top, 1 of the middle, 100 and 10 of those below.
    CHECK_NEAR(t.row[0], 2 * (10 + 1 + 100 + 10), 1e-5);
    // The middle has no scales, so they are 1 there.
    CHECK_NEAR(t.row[CT_SCALE * t.top.source.layout.stride], 2 * 10 + 1, 1e-5);
    CHECK(t.frame.played_count == 4);
    CHECK(t.frame.played[0].what == &t.left && t.frame.played[0].weight == 0.25);
    CHECK(t.frame.played[2].what == &t.middle && t.frame.played[2].weight == 0.5);
    CHECK(t.frame.played[3].what == &t.top && t.frame.played[3].weight == 1);
    fell(&t);
}

static void test_a_failure_leaves_all_states_as_they_were(void)
{
    static tree t;
    grow(&t);
    CHECK(ct_stage_update(t.stage, 1, NULL, t.row, &t.frame, &error) == CT_OK);
    counter *all[] = {&t.top, &t.middle, &t.left, &t.right};
    for (size_t i = 0; i < 4; ++i) {
        all[i]->fails = true;
        CHECK(ct_stage_update(t.stage, 1, NULL, t.row, &t.frame, &error) == CT_BAD_VALUE);
        CHECK(strcmp(error.message, "told to fail") == 0);
        for (size_t k = 0; k < 4; ++k) CHECK(all[k]->count == 1);
        all[i]->fails = false;
    }
    ct_source_reset(&t.top.source);
    for (size_t k = 0; k < 4; ++k) CHECK(all[k]->count == 0);
    fell(&t);
}

int main(void)
{
    test_a_source_is_part_of_one_other_and_never_of_itself();
    test_a_stage_updates_all_and_allocates_nothing();
    test_a_failure_leaves_all_states_as_they_were();
    return check_report();
}
