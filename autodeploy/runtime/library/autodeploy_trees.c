#include "autodeploy_library.h"

#include <math.h>

enum { FEATURE, TEST, IF_TRUE, IF_FALSE, COLUMNS };

enum { AT_MOST, BELOW, EQUAL, TESTS = 3, NAN_HOLDS = 4 };

enum { SUM, LEAST, LARGEST };

/* A tree stays in the cache while some rows fall through it. */
enum { ROWS = 64 };

/* Whether a row takes the first branch of a node. */
static int holds(int32_t test, double number, double split)
{
    int found;
    switch (test & TESTS) {
    case AT_MOST:
        found = number <= split;
        break;
    case BELOW:
        found = number < split;
        break;
    default:
        found = number == split;
        break;
    }
    return found || ((test & NAN_HOLDS) != 0 && number != number);
}

static void vote(double *score, double weight, int64_t how)
{
    if (how == SUM) {
        *score += weight;
    } else if (isnan(*score) || (how == LEAST ? weight < *score : weight > *score)) {
        *score = weight;
    }
}

int autodeploy_trees(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     const halide_buffer_t *nodes, const halide_buffer_t *splits,
                     const halide_buffer_t *roots, const halide_buffer_t *starts,
                     const halide_buffer_t *targets, const halide_buffer_t *weights,
                     halide_buffer_t *result, int64_t how)
{
    const double *const table = (const double *)(const void *)x->host;
    const int32_t *const node = (const int32_t *)(const void *)nodes->host;
    const double *const limits = (const double *)(const void *)splits->host;
    const int32_t *const first = (const int32_t *)(const void *)roots->host;
    const int32_t *const votes = (const int32_t *)(const void *)starts->host;
    const int32_t *const places = (const int32_t *)(const void *)targets->host;
    const double *const shares = (const double *)(const void *)weights->host;
    double *const scores = (double *)(void *)result->host;
    const int64_t features = x->dim[0].extent, width = result->dim[0].extent;
    const int64_t rows = x->dim[1].extent;
    int64_t from, row, tree, i;
    (void)runtime;
    for (i = 0; i < rows * width; ++i) {
        scores[i] = how == SUM ? 0.0 : (double)NAN;
    }
    for (from = 0; from < rows; from += ROWS) {
        for (tree = 0; tree < roots->dim[0].extent; ++tree) {
            for (row = from; row < rows && row < from + ROWS; ++row) {
                const double *const read = table + row * features;
                int64_t at = first[tree];
                while (at >= 0) {
                    const int32_t *const own = node + at * COLUMNS;
                    at = holds(own[TEST], read[own[FEATURE]], limits[at]) ? own[IF_TRUE]
                                                                          : own[IF_FALSE];
                }
                for (i = votes[-1 - at]; i < votes[-at]; ++i) {
                    vote(scores + row * width + places[i], shares[i], how);
                }
            }
        }
    }
    for (i = 0; i < rows * width; ++i) {
        scores[i] = isnan(scores[i]) && how != SUM ? 0.0 : scores[i];
    }
    return 0;
}
