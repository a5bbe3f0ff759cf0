/* Tensors of any type: what they are, and their elements as numbers and as text. */
#ifndef AUTODEPLOY_TENSOR_H
#define AUTODEPLOY_TENSOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The types of an element, by the numbers that ONNX gives them. */
enum {
    AUTODEPLOY_FLOAT32 = 1,
    AUTODEPLOY_UINT8 = 2,
    AUTODEPLOY_INT8 = 3,
    AUTODEPLOY_UINT16 = 4,
    AUTODEPLOY_INT16 = 5,
    AUTODEPLOY_INT32 = 6,
    AUTODEPLOY_INT64 = 7,
    AUTODEPLOY_STRING = 8,
    AUTODEPLOY_BOOL = 9,
    AUTODEPLOY_FLOAT16 = 10,
    AUTODEPLOY_FLOAT64 = 11,
    AUTODEPLOY_UINT32 = 12,
    AUTODEPLOY_UINT64 = 13,
    AUTODEPLOY_BFLOAT16 = 16,
    AUTODEPLOY_FLOAT8_E4M3FN = 17,
    AUTODEPLOY_FLOAT8_E4M3FNUZ = 18,
    AUTODEPLOY_FLOAT8_E5M2 = 19,
    AUTODEPLOY_FLOAT8_E5M2FNUZ = 20,
    AUTODEPLOY_UINT4 = 21,
    AUTODEPLOY_INT4 = 22,
    AUTODEPLOY_FLOAT4_E2M1FN = 23,
    AUTODEPLOY_FLOAT8_E8M0FNU = 24,
    AUTODEPLOY_UINT2 = 25,
    AUTODEPLOY_INT2 = 26
};

/* A tensor that is expected or given: extents outermost first, bytes of the whole. */
typedef struct autodeploy_tensor {
    const char *name;
    int dtype;
    int rank;
    const int64_t *shape;
    size_t bytes;
    int64_t *found; /* NULL, or where the extents of a file of this rank are stored */
} autodeploy_tensor;

/* A type of an element: its bytes (1 where several elements lie in one, and for strings), NumPy's name
 * of it, and NumPy's code without the byte order; behind that of strings stand their bytes. */
typedef struct autodeploy_element_type {
    int dtype;
    size_t bytes;
    const char *name;
    const char *npy;
} autodeploy_element_type;

/* The type with a number; one named "unknown type" where there is none. */
const autodeploy_element_type *autodeploy_find_type(int64_t dtype);

/* Number of elements of a tensor. */
size_t autodeploy_element_count(const autodeploy_tensor *tensor);

/* The bytes in which each string of a tensor lies: UTF-8, then zeros, one of them at least. */
size_t autodeploy_cell_bytes(const autodeploy_tensor *tensor);

/* The element of data at an index, as a double (large 64-bit integers are rounded). */
double autodeploy_element(int dtype, const void *data, size_t index);

/* Write the extents as 1x28x28, or scalar, into text of that size; cut where it is too long. */
void autodeploy_describe_shape(char *text, size_t bytes, int rank, const int64_t *shape);

/* Print text that a model may have chosen, such as a name: what no terminal shows in octal. */
void autodeploy_print_text(FILE *file, const char *text);

/* Print one element: floating-point numbers with 8 significant digits, strings as C writes them. */
void autodeploy_print_element(
    FILE *file, const autodeploy_tensor *tensor, const void *data, size_t index);

#ifdef __cplusplus
}
#endif

#endif
