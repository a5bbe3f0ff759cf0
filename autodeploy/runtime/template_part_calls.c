/* ---- Kernels, compiled by Halide: 0, or an error code ------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif
@kernels@
#ifdef __cplusplus
}
#endif

/* ---- Tensors ------------------------------------------------------------------------------- */

/* Every tensor that a kernel or a copy touches, by its place in model_context.buffers. */
enum {
@buffers@
};

/* Extents and strides (in elements) of each shape that occurs, innermost dimension first. */
@shapes@
