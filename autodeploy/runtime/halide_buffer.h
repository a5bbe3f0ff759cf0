/* What a caller of Halide kernels must know: how a buffer is described to them.
 *
 * These declarations have the same layout as those of Halide's own HalideRuntime.h, so that the C
 * driver of a model compiles without a Halide installation. A file that includes Halide's header
 * includes that one first; this one then adds nothing.
 *
 * The order of dimensions is Halide's: dimension 0 is the innermost one.
 */
#ifndef AUTODEPLOY_HALIDE_BUFFER_H
#define AUTODEPLOY_HALIDE_BUFFER_H

#ifndef HALIDE_HALIDERUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of element; fits halide_type_t.code. A boolean is an unsigned integer of 1 bit. */
enum {
    halide_type_int = 0,
    halide_type_uint = 1,
    halide_type_float = 2,
    halide_type_bfloat = 4
};

/* The type of an element: kind, bits of one value, and 1 for scalars. */
struct halide_type_t {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};

/* One dimension: least coordinate, number of coordinates, and the distance between neighbours in
 * elements. No flag is defined. */
typedef struct halide_dimension_t {
    int32_t min;
    int32_t extent;
    int32_t stride;
    uint32_t flags;
} halide_dimension_t;

/* A tensor in memory. The driver's buffers lie in main memory only: device and device_interface
 * are zero. The structure owns neither host nor dim. */
typedef struct halide_buffer_t {
    uint64_t device;
    const void *device_interface;
    uint8_t *host;
    uint64_t flags;
    struct halide_type_t type;
    int32_t dimensions;
    halide_dimension_t *dim;
    void *padding;
} halide_buffer_t;

#ifdef __cplusplus
}
#endif

#endif
#endif
