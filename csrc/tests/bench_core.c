// Work of a fixed size for counting instructions, always at the baseline level so that machines agree.
//
//   bench_core         lists "case function", a line each: what to run, and the function whose instructions are counted
//   bench_core CASE    does it once
#include "forward_kinematics.h"
#include "made_up.h"

enum { JOINTS = 65, POSES = 32, ROTATIONS = 512 };

static const ct_kernels *kernels;
static ct_error error;

// A pose at each of POSES times of a made-up motion.
typedef struct character {
    ct_skeleton *skeleton;
    ct_clip *clip;
    ct_poses poses;
} character;

static character made_up_character(void)
{
    static float rows[POSES * 7 * 80];
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    return (character){
        skeleton, made_up_motion(skeleton, 100, 1.0 / 60, false, false, 0.1), {ct_layout_of(JOINTS, true, false), POSES, rows}};
}

static void sample(const character *c)
{
    double times[POSES];
    for (int i = 0; i < POSES; ++i) times[i] = 1.6 * i / POSES + 0.001;
    ct_clip_sample(c->clip, kernels, times, CT_NLERP, CT_CLAMP, 1, c->poses, NULL);
}

static void clip_sample(void)
{
    character c = made_up_character();
    sample(&c);
}

static void forward_kinematics(void)
{
    static float positions[POSES * JOINTS * 3], rotations[POSES * JOINTS * 4];
    character c = made_up_character();
    sample(&c);
    ct_forward_kinematics(c.skeleton, kernels, c.poses, 1, NULL, positions, rotations, &error);
}

static void matrices(void)
{
    static float all[POSES * JOINTS * 16];
    character c = made_up_character();
    sample(&c);
    ct_global_matrices(c.skeleton, kernels, c.poses, 1, NULL, all, &error);
}

// Angles, then the quaternions of them and the angles again: structures of arrays.
static void euler_both_ways(void)
{
    static float angles[3][ROTATIONS], quaternions[4][ROTATIONS];
    const float *const in[3] = {angles[0], angles[1], angles[2]}, *const back[4] = {quaternions[0], quaternions[1], quaternions[2],
                                                                                    quaternions[3]};
    float *const to[4] = {quaternions[0], quaternions[1], quaternions[2], quaternions[3]}, *const again[3] = {angles[0], angles[1],
                                                                                                              angles[2]};
    uint64_t state = 3;
    for (int i = 0; i < 3 * ROTATIONS; ++i) angles[i / ROTATIONS][i % ROTATIONS] = (float)made_up_number(&state);
    kernels->quaternion.f32[CT_QUATERNION_from_tait_bryan](ROTATIONS, in, to);
    kernels->quaternion.f32[CT_QUATERNION_to_tait_bryan](ROTATIONS, back, again);
}

static const struct {
    const char *name, *function;
    void (*run)(void);
} cases[] = {
    {"clip_sample", "ct_clip_sample", clip_sample},
    {"forward_kinematics", "ct_forward_kinematics", forward_kinematics},
    {"matrices", "ct_global_matrices", matrices},
    {"euler_to_quaternion", "from_tait_bryan_f32", euler_both_ways},
    {"quaternion_to_euler", "to_tait_bryan_f32", euler_both_ways},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int main(int argc, char **argv)
{
    kernels = ct_kernels_of(CT_LEVEL_BASELINE);
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (argc < 2)
            printf("%s %s\n", cases[i].name, cases[i].function);
        else if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    }
    return 0;
}
