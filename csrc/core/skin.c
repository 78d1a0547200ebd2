#include "skin.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// Vertices in a block: about 0.1 ms of work. Each block packs the palette of its pose anew, which is little beside that.
enum { BLOCK_VERTICES = 16384 };

// True when nothing can be wrong. The usual case, so two passes that compilers make wide.
static bool is_clean(const ct_skin *skin)
{
    const size_t count = skin->vertex_count * skin->influence_count;
    const int32_t joint_count = skin->joint_count < INT32_MAX ? (int32_t)skin->joint_count : INT32_MAX;
    const float most = FLT_MAX / (float)(skin->influence_count + 1); // sums of these can't overflow
    int odd = 0;
    for (size_t i = 0; i < count; ++i) {
        odd |= skin->joints[i] < 0;
        odd |= skin->joints[i] >= joint_count;
    }
    for (size_t i = 0; i < count; ++i) {
        odd |= !(skin->weights[i] >= 0);
        odd |= !(skin->weights[i] <= most);
    }
    return !odd;
}

ct_status ct_skin_check(const ct_skin *skin, ct_error *error)
{
    if (is_clean(skin)) return CT_OK;
    for (size_t i = 0; i < skin->vertex_count; ++i) {
        float sum = 0;
        for (size_t k = 0; k < skin->influence_count; ++k) {
            long joint = skin->joints[i * skin->influence_count + k];
            float weight = skin->weights[i * skin->influence_count + k];
            if (joint < 0 || (size_t)joint >= skin->joint_count) {
                return ct_fail(error, CT_BAD_INDEX, "influence %zu of vertex %zu is joint %ld; the palette has %zu joints", k, i, joint,
                               skin->joint_count);
            }
            if (!isfinite(weight)) return ct_fail(error, CT_BAD_VALUE, "influence %zu of vertex %zu has a weight that is not finite", k, i);
            if (weight < 0) return ct_fail(error, CT_BAD_VALUE, "influence %zu of vertex %zu has a negative weight", k, i);
            sum += weight;
        }
        if (!isfinite(sum)) return ct_fail(error, CT_BAD_VALUE, "the weights of vertex %zu are too large to add up", i);
    }
    return CT_OK;
}

static void pack_linear(const float m[16], float packed[CT_SKIN_LINEAR_SIZE])
{
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) packed[4 * k + i] = m[4 * i + k];
    }
}

// --- a matrix as rotation and stretch ----------------------------------------------------------------------------------------------------

// cofactors[i][k] / determinant is the inverse transpose.
static double cofactors_of(double m[3][3], double cofactors[3][3])
{
    for (int i = 0; i < 3; ++i) {
        const double *a = m[(i + 1) % 3], *b = m[(i + 2) % 3];
        for (int k = 0; k < 3; ++k) cofactors[i][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    return m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
}

static double square_of(double m[3][3])
{
    double square = 0;
    for (int i = 0; i < 9; ++i) square += m[i / 3][i % 3] * m[i / 3][i % 3];
    return square;
}

// The rotation of the polar decomposition, by Newton's iteration with Higham's scaling. A mirroring matrix gives the rotation of its
// negative; one that flattens space has none and gives the identity.
static void nearest_rotation(double m[3][3], double rotation[3][3])
{
    double cofactors[3][3], size = square_of(m), determinant = cofactors_of(m, cofactors);
    bool flat = !(fabs(determinant) > 1e-9 * size * sqrt(size));
    double sign = determinant < 0 ? -1 : 1;
    for (int i = 0; i < 9; ++i) rotation[i / 3][i % 3] = flat ? i % 4 == 0 : sign * m[i / 3][i % 3];

    for (int round = 0; round < 30 && !flat; ++round) {
        determinant = cofactors_of(rotation, cofactors);
        double scale = sqrt(sqrt(square_of(cofactors) / square_of(rotation)) / determinant), change = 0;
        for (int i = 0; i < 9; ++i) {
            double old = rotation[i / 3][i % 3], next = 0.5 * (scale * old + cofactors[i / 3][i % 3] / (determinant * scale));
            change += (next - old) * (next - old);
            rotation[i / 3][i % 3] = next;
        }
        if (change < 1e-20) return;
    }
}

// Unit, w first: from the largest component, so that nothing is lost.
static void quaternion_of(double r[3][3], double q[4])
{
    const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
                               1 - r[0][0] - r[1][1] + r[2][2]};
    const double wx = r[2][1] - r[1][2], wy = r[0][2] - r[2][0], wz = r[1][0] - r[0][1];
    const double xy = r[0][1] + r[1][0], xz = r[0][2] + r[2][0], yz = r[1][2] + r[2][1];
    const double products[4][4] = {{squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
    int largest = 0;
    for (int i = 1; i < 4; ++i) largest = squares[i] > squares[largest] ? i : largest;

    double square = 0;
    for (int i = 0; i < 4; ++i) square += products[largest][i] * products[largest][i];
    for (int i = 0; i < 4; ++i) q[i] = products[largest][i] / sqrt(square);
}

static void pack_dual(const float matrix[16], float packed[CT_SKIN_DUAL_SIZE])
{
    double m[3][3], r[3][3], q[4];
    const double t[3] = {(double)matrix[3], (double)matrix[7], (double)matrix[11]};
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = (double)matrix[4 * (i / 3) + i % 3];
    nearest_rotation(m, r);
    quaternion_of(r, q);

    const double dual[4] = {
        -0.5 * (t[0] * q[1] + t[1] * q[2] + t[2] * q[3]),
        0.5 * (t[0] * q[0] + t[1] * q[3] - t[2] * q[2]),
        0.5 * (t[1] * q[0] + t[2] * q[1] - t[0] * q[3]),
        0.5 * (t[2] * q[0] + t[0] * q[2] - t[1] * q[1]),
    };
    for (int i = 0; i < 4; ++i) {
        packed[i] = (float)q[i];
        packed[4 + i] = (float)dual[i];
    }
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) packed[8 + 4 * k + i] = (float)(r[0][i] * m[0][k] + r[1][i] * m[1][k] + r[2][i] * m[2][k]);
        packed[8 + 4 * k + 3] = 0;
    }
}

// --- blocks of vertices ------------------------------------------------------------------------------------------------------------------

typedef struct job {
    const ct_skin *skin;
    ct_skin_kernel run;
    void (*pack)(const float *matrix, float *packed);
    size_t packed_size; // floats a joint
    size_t blocks_per_pose;
    const float *palettes;
    float *scratch;
    float *out_vertices, *out_normals;
} job;

static void skin_block(void *context, size_t worker, size_t block)
{
    const job *j = context;
    const ct_skin *skin = j->skin;
    size_t pose = block / j->blocks_per_pose, first = block % j->blocks_per_pose * BLOCK_VERTICES, left = skin->vertex_count - first;
    float *packed = j->scratch + worker * skin->joint_count * j->packed_size;
    const float *palette = j->palettes + pose * skin->joint_count * 16;

    for (size_t k = 0; k < skin->joint_count; ++k) j->pack(palette + 16 * k, packed + j->packed_size * k);
    j->run(skin, first, left < BLOCK_VERTICES ? left : BLOCK_VERTICES, packed, j->out_vertices + pose * skin->vertex_count * 3,
           j->out_normals ? j->out_normals + pose * skin->vertex_count * 3 : NULL);
}

static ct_status run_blocks(job *j, size_t count, int workers, const ct_interrupt *interrupt, ct_error *error)
{
    const ct_skin *skin = j->skin;
    assert((skin->normals == NULL) == (j->out_normals == NULL));
    if (count == 0 || skin->vertex_count == 0) return CT_OK;

    j->blocks_per_pose = (skin->vertex_count - 1) / BLOCK_VERTICES + 1;
    size_t blocks = count * j->blocks_per_pose, worker_count = ct_worker_count(workers, blocks);
    j->scratch = ct_allocate_raw(&skin->allocator, worker_count * skin->joint_count, j->packed_size * sizeof *j->scratch);
    if (!j->scratch) return ct_fail_memory(error, "the packed palette of a skin");
    ct_status status = ct_parallel((int)worker_count, blocks, skin_block, j, interrupt);
    ct_release(&skin->allocator, j->scratch);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "skinning was interrupted");
}

ct_status ct_skin_linear(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                         const ct_interrupt *interrupt, float *out_vertices, float *out_normals, ct_error *error)
{
    job j = {skin, kernels->skin.linear, pack_linear, CT_SKIN_LINEAR_SIZE, 0, palettes, NULL, out_vertices, out_normals};
    return run_blocks(&j, count, workers, interrupt, error);
}

ct_status ct_skin_dual_quaternion(const ct_skin *skin, const ct_kernels *kernels, size_t count, const float *palettes, int workers,
                                  const ct_interrupt *interrupt, float *out_vertices, float *out_normals, ct_error *error)
{
    job j = {skin, kernels->skin.dual_quaternion, pack_dual, CT_SKIN_DUAL_SIZE, 0, palettes, NULL, out_vertices, out_normals};
    return run_blocks(&j, count, workers, interrupt, error);
}
