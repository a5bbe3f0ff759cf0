#include "autodeploy_library.h"

int autodeploy_select(autodeploy_runtime *runtime, const halide_buffer_t *mask,
                      halide_buffer_t *numbers, halide_buffer_t *count)
{
    const int64_t length = mask->dim[0].extent, room = numbers->dim[0].extent;
    int64_t *const to = (int64_t *)(void *)numbers->host;
    int64_t found = 0, i;
    for (i = 0; i < length; ++i) {
        if (mask->host[i] != 0) {
            if (found == room) {
                halide_error(runtime, "a condition selects more elements than there are");
                return 1;
            }
            to[found++] = i;
        }
    }
    *(int64_t *)(void *)count->host = found;
    while (found < room) {
        to[found++] = 0;
    }
    return 0;
}
