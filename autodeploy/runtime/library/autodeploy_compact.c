#include "autodeploy_library.h"

#include <string.h>

int autodeploy_compact(autodeploy_runtime *runtime, const halide_buffer_t *x,
                       const halide_buffer_t *count, halide_buffer_t *result)
{
    const size_t width = (size_t)x->dim[0].extent * ((x->type.bits + 7u) / 8u);
    const size_t room = (size_t)x->dim[1].extent * width;
    const int64_t kept = *(const int64_t *)(const void *)count->host;
    const int32_t blocks = x->dim[2].extent;
    const size_t bytes = (size_t)kept * width;
    int32_t i;
    (void)runtime;
    for (i = 0; i < blocks; ++i) {
        memcpy(result->host + (size_t)i * bytes, x->host + (size_t)i * room, bytes);
    }
    memset(result->host + (size_t)blocks * bytes, 0, (size_t)blocks * (room - bytes));
    return 0;
}
