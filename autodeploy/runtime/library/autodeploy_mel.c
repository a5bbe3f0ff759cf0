#include "autodeploy_library.h"

#include <math.h>
#include <string.h>

static const double per_mel = 1127.01048033415743; /* 2595 / log(10) */

static int refused(autodeploy_runtime *runtime)
{
    halide_error(runtime, "sizes and edges of mel bands do not fit the result");
    return 1;
}

int autodeploy_mel(autodeploy_runtime *runtime, const halide_buffer_t *sizes,
                   const halide_buffer_t *edges, halide_buffer_t *weights)
{
    const int64_t *const given = (const int64_t *)(const void *)sizes->host;
    const double *const hertz = (const double *)(const void *)edges->host;
    const int64_t bands = weights->dim[0].extent, bins = weights->dim[1].extent;
    const double low = per_mel * log1p(hertz[0] / 700.0);
    const double step = (per_mel * log1p(hertz[1] / 700.0) - low) / (double)(bands + 2);
    double *const result = (double *)(void *)weights->host;
    int64_t band, i, corner;
    if (given[0] != bands || given[1] < 0 || given[1] / 2 + 1 != bins || given[2] <= 0) {
        return refused(runtime);
    }
    memset(result, 0, (size_t)(bands * bins) * sizeof(double));
    for (band = 0; band < bands; ++band) {
        int64_t at[3] = {0, 0, 0};
        for (corner = 0; corner < 3; ++corner) {
            const double tone = 700.0 * expm1((low + (double)(band + corner) * step) / per_mel);
            const double bin = floor((double)(given[1] + 1) * tone / (double)given[2]);
            if (!(bin >= 0.0 && bin <= (double)bins)) {
                return refused(runtime);
            }
            at[corner] = (int64_t)bin;
        }
        if (at[1] >= bins || at[0] > at[1] || at[1] > at[2]) {
            return refused(runtime);
        }
        for (i = at[0]; i <= at[1]; ++i) {
            result[i * bands + band] =
                at[1] == at[0] ? 1.0 : (double)(i - at[0]) / (double)(at[1] - at[0]);
        }
        for (i = at[1]; i < at[2]; ++i) {
            result[i * bands + band] = (double)(at[2] - i) / (double)(at[2] - at[1]);
        }
    }
    return 0;
}
