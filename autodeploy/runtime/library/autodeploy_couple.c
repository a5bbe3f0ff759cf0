#include "autodeploy_library.h"

#include <math.h>

/* No class is surer than this to lose against another one. */
static const double LEAST = 1e-7;

/* Fill a matrix with what each two classes say of each other: p Q p is the sum over all pairs of
 * (r_ji p_i - r_ij p_j)², where r_ij is the probability of i among i and j. */
static void fill(double *matrix, const double *shares, int64_t n)
{
    int64_t i, j;
    for (i = 0; i < n * n; ++i) {
        matrix[i] = 0.0;
    }
    for (i = 0; i < n; ++i) {
        for (j = i + 1; j < n; ++j) {
            double first = *shares++, second;
            first = first < LEAST ? LEAST : first > 1.0 - LEAST ? 1.0 - LEAST : first;
            second = 1.0 - first;
            matrix[i * n + i] += second * second;
            matrix[j * n + j] += first * first;
            matrix[i * n + j] = matrix[j * n + i] = -first * second;
        }
    }
}

/* Set `product` to the matrix times p, and return p times that. */
static double multiply(const double *matrix, const double *p, double *product, int64_t n)
{
    double total = 0.0;
    int64_t i, j;
    for (i = 0; i < n; ++i) {
        product[i] = 0.0;
        for (j = 0; j < n; ++j) {
            product[i] += matrix[i * n + j] * p[j];
        }
        total += p[i] * product[i];
    }
    return total;
}

/* Minimise p Q p where all p are 1 together, one p after the other: algorithm 2 of Wu, Lin and Weng,
 * "Probability Estimates for Multi-class Classification by Pairwise Coupling". */
static void minimise(const double *matrix, double *product, double *p, int64_t n)
{
    int64_t round, i, j;
    for (i = 0; i < n; ++i) {
        p[i] = 1.0 / (double)n;
    }
    for (round = 0; round < 100; ++round) {
        double total = multiply(matrix, p, product, n), error = 0.0;
        for (i = 0; i < n; ++i) {
            const double own = fabs(product[i] - total);
            error = own > error ? own : error;
        }
        if (error < 0.005 / (double)n) {
            break;
        }
        for (i = 0; i < n; ++i) {
            const double *const row = matrix + i * n;
            const double step = (total - product[i]) / row[i], scale = 1.0 / (1.0 + step);
            total = (total + step * (step * row[i] + 2.0 * product[i])) * scale * scale;
            p[i] += step;
            for (j = 0; j < n; ++j) {
                product[j] = (product[j] + step * row[j]) * scale;
                p[j] *= scale;
            }
        }
    }
}

int autodeploy_couple(autodeploy_runtime *runtime, const halide_buffer_t *shares,
                      halide_buffer_t *result, halide_buffer_t *work)
{
    const int64_t n = result->dim[0].extent, pairs = shares->dim[0].extent;
    const double *const read = (const double *)(const void *)shares->host;
    double *const found = (double *)(void *)result->host;
    double *const matrix = (double *)(void *)work->host;
    int64_t row;
    (void)runtime;
    for (row = 0; row < result->dim[1].extent; ++row) {
        fill(matrix, read + row * pairs, n);
        minimise(matrix, matrix + n * n, found + row * n, n);
    }
    return 0;
}
