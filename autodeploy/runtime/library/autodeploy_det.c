#include "autodeploy_library.h"

#include <math.h>
#include <string.h>

/* Eliminate column after column of a matrix of n rows, whose elements change. Of each column the
 * row with the largest element is the pivot; nan is larger than all. */
static double determinant(double *matrix, int64_t n)
{
    double product = 1.0;
    int64_t column, row, i;
    for (column = 0; column < n; ++column) {
        int64_t pivot = column;
        double *const first = matrix + column * n;
        for (row = column + 1; row < n; ++row) {
            if (!(fabs(matrix[row * n + column]) <= fabs(matrix[pivot * n + column]))) {
                pivot = row;
            }
        }
        if (pivot != column) {
            double *const other = matrix + pivot * n;
            for (i = column; i < n; ++i) {
                const double moved = first[i];
                first[i] = other[i];
                other[i] = moved;
            }
            product = -product;
        }
        product *= first[column];
        if (first[column] == 0.0) {
            /* All below are zero: no elimination, but what is left may hold nan. */
            continue;
        }
        for (row = column + 1; row < n; ++row) {
            double *const to = matrix + row * n;
            const double factor = to[column] / first[column];
            for (i = column + 1; i < n; ++i) {
                to[i] -= factor * first[i];
            }
        }
    }
    return product;
}

int autodeploy_det(autodeploy_runtime *runtime, const halide_buffer_t *x, halide_buffer_t *result,
                   halide_buffer_t *work)
{
    const int64_t n = x->dim[0].extent, count = x->dim[2].extent;
    const double *const matrices = (const double *)(const void *)x->host;
    double *const matrix = (double *)(void *)work->host;
    double *const results = (double *)(void *)result->host;
    int64_t i;
    (void)runtime;
    for (i = 0; i < count; ++i) {
        memcpy(matrix, matrices + i * n * n, (size_t)(n * n) * sizeof(double));
        results[i] = determinant(matrix, n);
    }
    return 0;
}
