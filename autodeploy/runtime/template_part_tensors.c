@if weight_parts@
static const autodeploy_weights_expected *expected_by(const model_program *program)
{
    int i = 0;
    while (programs[i] != program) {
        ++i;
    }
    return &expected_weights[i];
}

/* Where a weight is that lies at an offset of the data. What a context has read of a file are the
 * parts that its program reads, one behind the other; a caller brings a whole file. */
static const uint8_t *weight_at(
    const model_context *context, const uint8_t *weights, size_t offset)
{
    const autodeploy_weights_expected *const expected = expected_by(context->program);
    size_t i;
    if (context->owned_weights == NULL) {
        return weights + offset;
    }
    for (i = 0; i < expected->part_count; ++i) {
        const autodeploy_weights_part *const part = &expected->parts[i];
        if (offset - part->offset < part->bytes) {
            return weights + (offset - part->offset);
        }
        weights += part->bytes;
    }
    return weights; /* of a weight without elements */
}

@end@
@if device@
static const uint8_t *device_weight(const void *context, const uint8_t *weights, size_t offset)
{
@if weight_parts@
    return weight_at((const model_context *)context, weights, offset);
@end@
@if not weight_parts@
    (void)context;
    return weights + offset;
@end@
}

@end@
@if open@
/* What is open in the program that computes. */
static const open_tables *tables_of(const model_context *context)
{
@if one@
    (void)context;
    return &opened;
@end@
@if several@
    return &context->program->open;
@end@
}

@end@
@if states@
/* Bytes of the arena before the memory of states. */
static const size_t STATE_START = @state_start@;

@end@
@if in_pools@
static const size_t pool_starts[MODEL_POOL_COUNT] = {@pool_starts@};
static const size_t pool_sizes[MODEL_POOL_COUNT] = {@pool_sizes@};

/* Offsets count through all pools. */
static uint8_t *place_in_pool(const model_context *context, size_t offset)
{
    int i = MODEL_POOL_COUNT - 1;
    while (offset < pool_starts[i]) {
        --i;
    }
    return context->pools[i] + (offset - pool_starts[i]);
}

/* The caller's pools, or parts of an arena. */
static void set_pools(model_context *context, const model_options *options, uint8_t *arena)
{
    int i;
    for (i = 0; i < MODEL_POOL_COUNT; ++i) {
        context->pools[i] =
            arena != NULL ? arena + pool_starts[i] : (uint8_t *)options->pools[i];
    }
}

static model_status check_pools(const model_options *options)
{
    int i, given = options->arena != NULL ? MODEL_POOL_COUNT + 1 : 0;
    for (i = 0; i < MODEL_POOL_COUNT; ++i) {
        given += options->pools[i] != NULL;
        if (options->pools[i] != NULL && options->pool_bytes[i] < pool_sizes[i]) {
            return refuse(options, MODEL_ERROR_SIZE, "a pool is smaller than its MODEL_POOL_..._BYTES");
        }
        if ((uintptr_t)options->pools[i] % MODEL_ARENA_ALIGNMENT != 0) {
            return refuse(
                options, MODEL_ERROR_ALIGNMENT, "a pool is not aligned to MODEL_ARENA_ALIGNMENT bytes");
        }
    }
    return given == 0 || given == MODEL_POOL_COUNT || given == MODEL_POOL_COUNT + 1
               ? MODEL_OK
               : refuse(options, MODEL_ERROR_ARGUMENT, "give all pools, or an arena");
}

@end@
/* Describe every tensor to the kernels; those of the caller get their memory in model_run. */
static void place_buffers(model_context *context, const uint8_t *weights, uint8_t *arena)
{
    int i;
@if in_pools@
    (void)arena;
@end@
@if open@
    const open_shape *const shapes = tables_of(context)->shapes;
@end@
@if one@
    for (i = 0; i < BUFFER_COUNT; ++i) {
        const place *const at = &buffer_places[i];
@end@
@if several@
    for (i = 0; i < context->program->buffer_count; ++i) {
        const place *const at = &context->program->places[i];
@end@
        halide_buffer_t *const buffer = &context->buffers[i];
        buffer->type = at->type;
        buffer->dimensions = at->rank;
        buffer->dim = (halide_dimension_t *)(uintptr_t)at->dimensions;
@if open@
        if (at->open >= 0) {
            buffer->dim = context->dimensions + shapes[at->open].first;
        }
@end@
        if (at->where == IN_WEIGHTS) {
@if weight_parts@
            buffer->host = address(weight_at(context, weights, at->offset));
@end@
@if not weight_parts@
            buffer->host = address(weights + at->offset);
@end@
@if states@
        } else if (at->where == IN_STATE) {
            buffer->host = context->state + at->offset;
@end@
        } else if (at->where == IN_ARENA) {
@if in_pools@
            buffer->host = place_in_pool(context, at->offset);
@end@
@if not in_pools@
            buffer->host = arena + at->offset;
@end@
        }
    }
}

@if by_values@
/* Until a run says otherwise outputs have their largest extents. */
static void start_shapes(model_context *context)
{
    int i;
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
        const model_tensor_info *const info = model_output_info(i);
        if (info->rank > 0) {
            memcpy(context->output_shapes[i], info->shape, (size_t)info->rank * sizeof(int64_t));
        }
    }
}

@end@
