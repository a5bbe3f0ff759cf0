@if weight_file@
static model_status load_weights(
    model_context *context, const model_options *options, const uint8_t **weights)
{
@if weight_parts@
    const autodeploy_weights_expected *const expected = expected_by(context->program);
@end@
@if not weight_parts@
    const autodeploy_weights_expected *const expected = &expected_weights;
@end@
    if (options->weights != NULL) {
        return status_of(autodeploy_weights_check(
            options->weights, options->weights_bytes, expected, weights,
            options->message, options->message_bytes));
    }
    return status_of(autodeploy_weights_read(
        options->weights_path, expected, &context->owned_weights, weights,
        options->message, options->message_bytes));
}

@end@
@if not weight_file@
static model_status find_weights(const model_options *options, const uint8_t **weights)
{
    *weights = model_weight_data;
    return (uintptr_t)model_weight_data % MODEL_WEIGHTS_ALIGNMENT == 0
               ? MODEL_OK
               : refuse(options, MODEL_ERROR_ALIGNMENT, "the linker has not aligned the weights");
}

@end@
static model_status find_arena(
    model_context *context, const model_options *options, uint8_t **arena)
{
    if (options->arena != NULL) {
        *arena = (uint8_t *)options->arena;
        return MODEL_OK;
    }
@if in_pools@
    if (options->pools[0] != NULL) {
        return MODEL_OK;
    }
@end@
@if freestanding@
    (void)context;
    return refuse(options, MODEL_ERROR_ARGUMENT, "give memory for the arena: there is no heap");
@end@
@if not freestanding@
    *arena = (uint8_t *)autodeploy_memory_take(MODEL_ARENA_BYTES, &context->owned_arena);
    return *arena != NULL ? MODEL_OK
                          : refuse(options, MODEL_ERROR_MEMORY, "no memory for the arena");
@end@
}

@if pool@
/* How many threads compute: those asked for, as far as there are processors. */
static int thread_count(const model_options *options)
{
    const int processors = autodeploy_pool_processors();
    return options->threads < processors ? options->threads : processors;
}

/* The pool lies behind the context. */
static model_status start_threads(model_context *context, const model_options *options)
{
    const int threads = thread_count(options);
    if (threads > 1) {
        context->pool = autodeploy_pool_start(
            context + 1, threads, THREAD_SCRATCH_BYTES, &context->runtime);
        if (context->pool == NULL) {
            return refuse(
                options, MODEL_ERROR_THREADS, model_status_message(MODEL_ERROR_THREADS));
        }
    }
    return MODEL_OK;
}

@end@
@if device@
static model_status open_device(
    model_context *context, const model_options *options, const uint8_t *weights)
{
    const autodeploy_device_request request = {
        options->device, device_weight, context, weights,
@if kept@
        options->cache,
@end@
@if not kept@
        NULL,
@end@
    };
    char text[MESSAGE_BYTES] = "";
    return autodeploy_device_open(
               &context->device, &device_program, &request, text, sizeof text) == 0
               ? MODEL_OK
               : refuse(options, MODEL_ERROR_DEVICE, text);
}

@if machines@
/* Go on with a program that has no device. */
static model_status leave_device(
    model_context *context, const model_options *options, uint8_t *arena)
{
    const uint8_t *weights = NULL;
    model_status status = choose_program(options, 1, &context->program);
    if (status == MODEL_OK) {
@if weight_file@
        free(context->owned_weights);
        context->owned_weights = NULL;
        status = load_weights(context, options, &weights);
@end@
@if not weight_file@
        status = find_weights(options, &weights);
@end@
    }
    if (status == MODEL_OK) {
        place_buffers(context, weights, arena);
@if open@
        start_open_shapes(context);
        open_all(context);
@end@
    }
    return status;
}

@end@
@end@
size_t model_context_bytes(void)
{
    size_t bytes = sizeof(model_context);
@if pool@
    bytes += autodeploy_pool_bytes(MODEL_MAX_THREADS, THREAD_SCRATCH_BYTES);
@end@
    return bytes;
}

model_status model_init(model_context **context, const model_options *options)
{
    const uint8_t *weights = NULL;
    uint8_t *arena = NULL;
@if machines@
    const model_program *program = NULL;
@end@
    model_context *made;
    model_status status;
    if (context == NULL || options == NULL) {
        return MODEL_ERROR_ARGUMENT;
    }
    *context = NULL;
    status = check_options(options);
@if in_pools@
    if (status == MODEL_OK) {
        status = check_pools(options);
    }
@end@
@if x86@
    if (status == MODEL_OK) {
        status = check_processor(options);
    }
@end@
@if machines@
    if (status == MODEL_OK) {
        status = choose_program(options, 0, &program);
    }
@end@
    if (status != MODEL_OK) {
        return status;
    }
    made = (model_context *)options->context;
@if freestanding@
    if (made == NULL) {
        return refuse(
            options, MODEL_ERROR_ARGUMENT, "give memory for the context: there is no heap");
    }
    memset(made, 0, sizeof *made);
@end@
@if not freestanding@
    if (made == NULL) {
        made = (model_context *)malloc(model_context_bytes());
    }
    if (made == NULL) {
        return refuse(options, MODEL_ERROR_MEMORY, "no memory for the context");
    }
    memset(made, 0, sizeof *made);
@if machines@
    made->program = program;
@end@
    made->owned_context = options->context != NULL ? NULL : made;
@end@
@if weight_file@
    status = load_weights(made, options, &weights);
@end@
@if not weight_file@
    status = find_weights(options, &weights);
@end@
    if (status == MODEL_OK) {
        status = find_arena(made, options, &arena);
    }
    if (status != MODEL_OK) {
        model_free(made);
        return status;
    }
@if arena@
    made->arena = arena;
@end@
@if in_pools@
    set_pools(made, options, arena);
@end@
@if states@
@if in_pools@
    made->state = place_in_pool(made, STATE_START);
@end@
@if not in_pools@
    made->state = arena + STATE_START;
@end@
    clear_states(made);
@end@
@if parts@
    made->weights = weights;
    start_extents(made);
    choose_program(made);
    open_all(made);
@end@
@if not parts@
    place_buffers(made, weights, arena);
@end@
@if by_values@
    start_shapes(made);
@end@
@if whole_range@
    start_open_shapes(made);
    start_extents(made);
    open_all(made);
@end@
    autodeploy_runtime_init(&made->runtime, NULL, 0);
    made->mode = autodeploy_float_mode_of_runs(
        options->flush_subnormals != 0 ? options->flush_subnormals > 0 : MODEL_FLUSH_SUBNORMALS);
@if pool@
    status = start_threads(made, options);
    if (status != MODEL_OK) {
        model_free(made);
        return status;
    }
@end@
@if device@
@if not machines@
    status = open_device(made, options, weights);
@end@
@if machines@
    if (made->program == programs[0]) {
        status = open_device(made, options, weights);
        if (status != MODEL_OK && options->machine == NULL && options->device == NULL) {
            status = leave_device(made, options, arena);
        }
    } else if (options->device != NULL) {
        status = refuse(options, MODEL_ERROR_ARGUMENT, "the program that runs has no device");
    }
@end@
    if (status != MODEL_OK) {
        model_free(made);
        return status;
    }
@if weights_on_device@
    if (made->device != NULL) {
        free(made->owned_weights); /* it has a copy of all */
        made->owned_weights = NULL;
    }
@end@
@end@
    *context = made;
    return MODEL_OK;
}

void model_free(model_context *context)
{
@if freestanding@
    (void)context; /* the memory is the caller's */
@end@
@if not freestanding@
    if (context != NULL) {
@if pool@
        autodeploy_pool_stop(context->pool);
@end@
@if device@
        autodeploy_device_close(context->device);
@end@
        free(context->owned_arena);
@if weight_file@
        free(context->owned_weights);
@end@
        free(context->owned_context);
    }
@end@
}
