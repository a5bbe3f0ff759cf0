/* Tensors in files: what the demo program of a model reads and writes.
 *
 * The end of a file's name says what it is:
 *     .bin  the elements, nothing else
 *     .npy  NumPy's format, versions 1 to 3
 *     .pb   an ONNX TensorProto (read only), such as the test data of ONNX models
 * Elements are dense and row-major, in the byte order of this machine. A file is data from
 * elsewhere: whatever it holds, it is refused with a message unless it is exactly the tensor that
 * is expected.
 */
#ifndef AUTODEPLOY_TENSOR_FILE_H
#define AUTODEPLOY_TENSOR_FILE_H

#include "autodeploy_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read a tensor from a file into data, of tensor->bytes bytes, aligned as its elements need.
 *
 * Returns 0; or -1, where message, of message_bytes bytes, says in one line what was found and
 * what was expected, and data is undefined. Allocates memory for the file while it reads.
 */
int autodeploy_read_tensor(
    const char *path, const autodeploy_tensor *tensor, void *data, char *message,
    size_t message_bytes);

/* Write a tensor to a .npy or .bin file; returns as above. A file that cannot be written in full
 * is removed again. */
int autodeploy_write_tensor(
    const char *path, const autodeploy_tensor *tensor, const void *data, char *message,
    size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
