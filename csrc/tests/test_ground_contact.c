// Joints stand, slide and sink as their tracks say; noise breaks no contact, and nothing is made up at the ends.
#include "ground_contact.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { SAMPLES = 40 };

typedef struct track {
    double points[SAMPLES][1][3];
} track;

static ct_tracks tracks_of(const track *t) { return (ct_tracks){SAMPLES, 1, &t->points[0][0][0]}; }

// Stands at a height of 0.1 at the samples from `down` to `up`; else it is 0.3 higher and moves by 0.2 a step.
static track walking(size_t down, size_t up)
{
    track t = {0};
    for (size_t i = 0; i < SAMPLES; ++i) {
        bool stands = down <= i && i <= up;
        double before = i ? t.points[i - 1][0][0] : 0;
        t.points[i][0][0] = before + (stands && i > down ? 0 : 0.2);
        t.points[i][0][2] = stands ? 0.1 : 0.4;
    }
    return t;
}

static const ct_contact_limits limits = {.window = 4, .speed = 0.01, .stay_speed = 0.02, .height = 0.02, .stay_height = 0.04};

static void check_contacts(const track *t, size_t down, size_t up)
{
    const double planted[1] = {0.1};
    bool contact[SAMPLES];
    int wrong = 0;
    ct_ground_contacts(tracks_of(t), planted, &limits, contact);
    for (size_t i = 0; i < SAMPLES; ++i) wrong += contact[i] != (down <= i && i <= up);
    CHECK(wrong == 0);
}

static void test_the_planted_height_is_where_a_tenth_of_the_samples_are(void)
{
    track t = walking(10, 20);
    ct_allocator allocator = ct_allocator_default();
    ct_error error;
    double height;
    t.points[3][0][2] = t.points[7][0][2] = -5; // dips
    CHECK(ct_planted_heights(&allocator, tracks_of(&t), &height, &error) == CT_OK);
    CHECK(height == 0.1);
    ct_tracks one = {1, 1, &t.points[0][0][0]};
    CHECK(ct_planted_heights(&allocator, one, &height, &error) == CT_OK && height == 0.4);
}

static void test_slide_counts_steps_that_begin_and_end_on_the_ground(void)
{
    track t = walking(10, 20);
    const double planted[1] = {0.1};
    double distance;
    size_t count;
    for (size_t i = 15; i < SAMPLES; ++i) t.points[i][0][1] += 0.03; // across
    t.points[17][0][2] = 0.05;                                       // below the ground is on it, too
    ct_ground_slide(tracks_of(&t), planted, 0.005, &distance, &count);
    CHECK_NEAR(distance, 0.03, 1e-15);
    CHECK(count == 10);
    t.points[15][0][2] = 0.1051;
    ct_ground_slide(tracks_of(&t), planted, 0.005, &distance, &count);
    CHECK(distance == 0 && count == 8);
}

static void test_a_contact_lasts_from_coming_down_to_leaving(void)
{
    track t = walking(10, 20);
    check_contacts(&t, 10, 20);
    t = walking(0, 20);
    check_contacts(&t, 0, 20);
    t = walking(10, SAMPLES - 1);
    check_contacts(&t, 10, SAMPLES - 1);
    t = walking(0, SAMPLES - 1);
    check_contacts(&t, 0, SAMPLES - 1);
    t = walking(SAMPLES, SAMPLES);
    check_contacts(&t, SAMPLES, SAMPLES);
}

static void test_a_still_foot_in_the_air_is_no_contact(void)
{
    track t = walking(10, 20);
    for (size_t i = 0; i < SAMPLES; ++i) t.points[i][0][2] += 0.05;
    check_contacts(&t, SAMPLES, SAMPLES);
}

static void test_noise_about_a_limit_breaks_no_contact(void)
{
    track t = walking(10, 30);
    for (size_t i = 12; i < 30; i += 2) t.points[i][0][2] += 0.03; // above the tight limit, below the loose one
    check_contacts(&t, 10, 30);
    for (size_t i = 10; i <= 30; ++i) t.points[i][0][2] = 0.13; // never below the tight one
    check_contacts(&t, SAMPLES, SAMPLES);
}

static void test_short_gaps_are_closed_and_short_contacts_left_out(void)
{
    track t = walking(10, 30);
    t.points[18][0][2] = t.points[19][0][2] = 0.2; // away for three steps, less than the window
    check_contacts(&t, 10, 30);
    t.points[20][0][2] = 0.2; // for four
    const double planted[1] = {0.1};
    bool contact[SAMPLES];
    ct_ground_contacts(tracks_of(&t), planted, &limits, contact);
    CHECK(contact[17] && !contact[18] && !contact[20] && contact[21]);

    t = walking(10, 13);                                                     // one step too short
    for (size_t i = 14; i < 17; ++i) t.points[i][0][0] = t.points[13][0][0]; // stays there, but rises
    check_contacts(&t, SAMPLES, SAMPLES);
}

static void test_a_clip_shorter_than_the_window_has_one_speed(void)
{
    const double planted[1] = {0}, still[6] = {0, 0, 0, 0.03, 0, 0}, moving[6] = {0, 0, 0, 0.05, 0, 0};
    const ct_contact_limits wide = {.window = 100, .speed = 0.04, .stay_speed = 0.04, .height = 0.1, .stay_height = 0.1};
    bool contact[2];
    ct_ground_contacts((ct_tracks){2, 1, still}, planted, &wide, contact);
    CHECK(contact[0] && contact[1]);
    ct_ground_contacts((ct_tracks){2, 1, moving}, planted, &wide, contact);
    CHECK(!contact[0] && !contact[1]);
    ct_ground_contacts((ct_tracks){1, 1, still}, planted, &wide, contact); // one sample has no speed
    CHECK(!contact[0]);
}

static void test_penetration_of_each_joint(void)
{
    const double points[4][2][3] = {{{0, 0, -0.1}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, -0.3}, {0, 0, 2}}, {{0, 0, 1}, {0, 0, 3}}};
    double deepest[2], mean[2], part[2];
    ct_ground_penetration((ct_tracks){4, 2, &points[0][0][0]}, 0, 0, deepest, mean, part);
    CHECK(deepest[0] == 0.3 && deepest[1] == 0);
    CHECK_NEAR(mean[0], 0.2, 1e-15);
    CHECK(mean[1] == 0 && part[0] == 0.5 && part[1] == 0);
    ct_ground_penetration((ct_tracks){4, 2, &points[0][0][0]}, 0, 0.2, deepest, mean, part);
    CHECK(deepest[0] == 0.3 && mean[0] == 0.3 && part[0] == 0.25);
}

int main(void)
{
    test_the_planted_height_is_where_a_tenth_of_the_samples_are();
    test_slide_counts_steps_that_begin_and_end_on_the_ground();
    test_a_contact_lasts_from_coming_down_to_leaving();
    test_a_still_foot_in_the_air_is_no_contact();
    test_noise_about_a_limit_breaks_no_contact();
    test_short_gaps_are_closed_and_short_contacts_left_out();
    test_a_clip_shorter_than_the_window_has_one_speed();
    test_penetration_of_each_joint();
    return check_report();
}
