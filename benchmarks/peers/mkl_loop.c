/* Calls MKL's product of packed weights many times in a row, for each of several weights in turn. */
#define _POSIX_C_SOURCE 199309L

#include <time.h>

enum { ROW_MAJOR = 101, PLAIN = 111, PACKED = 151 };

typedef void (*compute)(int layout, int left_form, int right_form, int rows, int columns, int inner,
                        const float *left, int left_stride, const float *right, int right_stride,
                        float beta, float *result, int result_stride);

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return the seconds of `count` runs of all `products`. */
double loop_run(compute sgemm, int rows, int columns, int inner, const float *left,
                const float *const *packed, float *const *results, int products, long count)
{
    const double start = seconds();
    long i;
    for (i = 0; i < count; ++i) {
        int p;
        for (p = 0; p < products; ++p) {
            sgemm(ROW_MAJOR, PLAIN, PACKED, rows, columns, inner, left, inner, packed[p], columns,
                  0.0F, results[p], columns);
        }
    }
    return seconds() - start;
}
