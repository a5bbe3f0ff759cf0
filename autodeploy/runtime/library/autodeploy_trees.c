#include "autodeploy_library.h"

#include <string.h>

enum { FEATURE, MODE, IF_TRUE, IF_FALSE, MISSING, FIRST, MEMBERS, COLUMNS };

enum { AT_MOST, BELOW, AT_LEAST, ABOVE, EQUAL, DIFFERENT };

static int is_member(double number, const double *members, int64_t count)
{
    int64_t i;
    for (i = 0; i < count; ++i) {
        if (number == members[i]) {
            return 1;
        }
    }
    return 0;
}

/* Whether a row takes the first branch of a node. */
static int holds(const int64_t *node, double number, double split, const double *members)
{
    if (number != number && node[MISSING] != 0) {
        return 1;
    }
    switch (node[MODE]) {
    case AT_MOST:
        return number <= split;
    case BELOW:
        return number < split;
    case AT_LEAST:
        return number >= split;
    case ABOVE:
        return number > split;
    case EQUAL:
        return number == split;
    case DIFFERENT:
        return number != split;
    default:
        return is_member(number, members + node[FIRST], node[MEMBERS]);
    }
}

int autodeploy_trees(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     const halide_buffer_t *nodes, const halide_buffer_t *splits,
                     const halide_buffer_t *members, const halide_buffer_t *roots,
                     const halide_buffer_t *targets, const halide_buffer_t *weights,
                     halide_buffer_t *result)
{
    const int64_t *const table = (const int64_t *)(const void *)nodes->host;
    const double *const limits = (const double *)(const void *)splits->host;
    const double *const sets = (const double *)(const void *)members->host;
    const int64_t *const first = (const int64_t *)(const void *)roots->host;
    const int64_t *const places = (const int64_t *)(const void *)targets->host;
    const double *const shares = (const double *)(const void *)weights->host;
    const int64_t features = x->dim[0].extent, width = result->dim[0].extent;
    int64_t row, tree;
    (void)runtime;
    for (row = 0; row < x->dim[1].extent; ++row) {
        const double *const read = (const double *)(const void *)x->host + row * features;
        double *const sums = (double *)(void *)result->host + row * width;
        memset(sums, 0, (size_t)width * sizeof(double));
        for (tree = 0; tree < roots->dim[0].extent; ++tree) {
            int64_t at = first[tree];
            while (at >= 0) {
                const int64_t *const node = table + at * COLUMNS;
                at = holds(node, read[node[FEATURE]], limits[at], sets) ? node[IF_TRUE]
                                                                        : node[IF_FALSE];
            }
            sums[places[-1 - at]] += shares[-1 - at];
        }
    }
    return 0;
}
