struct model_context {
@if machines@
    const model_program *program; /* the one for this processor */
@end@
@if parts@
    const model_program *program; /* the one for the numbers of the next run */
    const uint8_t *weights;
@end@
    halide_buffer_t buffers[@buffer_count@];
    autodeploy_runtime runtime; /* what kernels are given: scratch memory, error record */
    autodeploy_float_mode mode; /* in which they compute */
@if open@
    int64_t extents[@number_count@]; /* the numbers of the next run, in steps */
    halide_dimension_t dimensions[OPEN_DIMENSION_COUNT];
    int64_t input_shapes[MODEL_INPUT_COUNT][@max_rank@];
@end@
@if arena@
    uint8_t *arena;
@end@
@if in_pools@
    uint8_t *pools[MODEL_POOL_COUNT]; /* the arena */
@end@
@if device@
    autodeploy_device *device;
@end@
@if states@
    uint8_t *state; /* what is kept from run to run, after the arena */
@end@
@if counted@
    int64_t rows[STATE_NUMBER_COUNT]; /* how many rows of it there are */
@end@
@if pool@
    autodeploy_pool *pool; /* the further threads; NULL where there are none */
@end@
@if not freestanding@
    void *owned_context; /* what model_free gives back; NULL where it is the caller's */
    void *owned_arena;
@end@
@if weight_file@
    void *owned_weights;
@end@
@if shapes@
    int64_t output_shapes[MODEL_OUTPUT_COUNT][@max_rank@]; /* the extents of the last run */
@end@
    char message[MESSAGE_BYTES];
};
