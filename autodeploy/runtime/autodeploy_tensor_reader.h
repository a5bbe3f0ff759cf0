/* What the readers of the tensor formats share: bytes to read, and checks against what is expected.
 *
 * Private to autodeploy_tensor_file.c and autodeploy_tensor_proto.c.
 */
#ifndef AUTODEPLOY_TENSOR_READER_H
#define AUTODEPLOY_TENSOR_READER_H

#include "autodeploy_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tensors of more dimensions are not read. */
enum { AUTODEPLOY_MAX_RANK = 32 };

/* The bytes from at to end of a file, the tensor that it should hold, and where to say what is
 * wrong with it. */
typedef struct autodeploy_reader {
    const uint8_t *at;
    const uint8_t *end;
    const char *path;
    const autodeploy_tensor *tensor;
    char *message;
    size_t message_bytes;
} autodeploy_reader;

/* Say what is wrong, after the name of the file; returns -1. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int autodeploy_reader_fail(const autodeploy_reader *in, const char *format, ...);

/* Bytes that are left. */
size_t autodeploy_reader_left(const autodeploy_reader *in);

/* Whether the least significant byte of a number comes first in memory. */
int autodeploy_little_endian(void);

/* Compare shape or element type with what is expected; 0, or -1 with a message. */
int autodeploy_reader_check_shape(const autodeploy_reader *in, int rank, const int64_t *shape);
int autodeploy_reader_check_type(const autodeploy_reader *in, int64_t dtype);

/* Copy bytes of elements to data where their number is the expected one; 0, or -1 with a message. */
int autodeploy_reader_copy(
    const autodeploy_reader *in, const uint8_t *from, size_t bytes, void *data);

/* Copy the bytes of a string to its cell; 0, or -1 where it has no room or holds a zero. */
int autodeploy_reader_copy_string(
    const autodeploy_reader *in, const uint8_t *from, size_t bytes, size_t index, void *data);

/* Read all of in as an ONNX TensorProto; 0, or -1 with a message. */
int autodeploy_read_proto(autodeploy_reader *in, void *data);

#ifdef __cplusplus
}
#endif

#endif
