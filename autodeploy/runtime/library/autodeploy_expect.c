#include "autodeploy_library.h"

#include <string.h>

int autodeploy_expect(autodeploy_runtime *runtime, const halide_buffer_t *given,
                      const halide_buffer_t *wanted)
{
    size_t bytes = sizeof(int64_t);
    int32_t axis;
    for (axis = 0; axis < wanted->dimensions; ++axis) {
        bytes *= (size_t)wanted->dim[axis].extent;
    }
    if (bytes == 0 || memcmp(given->host, wanted->host, bytes) == 0) {
        return 0;
    }
    halide_error(runtime, "an input has another value than the shapes of the model say");
    return 1;
}
