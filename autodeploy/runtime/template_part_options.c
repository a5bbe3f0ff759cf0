/* Kernels take pointers without const, also to what they only read. */
static uint8_t *address(const void *pointer)
{
    return (uint8_t *)(uintptr_t)pointer;
}

static model_status check_options(const model_options *options)
{
@if weight_file@
    if ((options->weights == NULL) == (options->weights_path == NULL)) {
        return refuse(options, MODEL_ERROR_ARGUMENT, "give either weights or weights_path");
    }
@end@
@if not weight_file@
    if (options->weights != NULL || options->weights_path != NULL) {
        return refuse(options, MODEL_ERROR_ARGUMENT, "the weights are linked in, give no others");
    }
@end@
@if freestanding@
    if (options->threads < 0 || options->threads > 1) {
        return refuse(options, MODEL_ERROR_ARGUMENT, "there is one thread, give 0 or 1");
    }
@end@
@if not freestanding@
    if (options->threads < 0) {
        return refuse(options, MODEL_ERROR_ARGUMENT, "the number of threads is not negative");
    }
    if (options->threads > MODEL_MAX_THREADS) {
        char text[MESSAGE_BYTES] = "this program was compiled for at most ";
        autodeploy_message_add_number(text, sizeof text, MODEL_MAX_THREADS);
        autodeploy_message_add(text, sizeof text, MODEL_MAX_THREADS == 1 ? " thread" : " threads", MESSAGE_BYTES);
        autodeploy_message_add(text, sizeof text, ", not for ", MESSAGE_BYTES);
        autodeploy_message_add_number(text, sizeof text, options->threads);
        return refuse(options, MODEL_ERROR_ARGUMENT, text);
    }
@end@
    if (options->flush_subnormals < -1 || options->flush_subnormals > 1) {
        return refuse(options, MODEL_ERROR_ARGUMENT, "flush_subnormals is -1, 0 or 1");
    }
    if (options->arena != NULL && options->arena_bytes < MODEL_ARENA_BYTES) {
        return refuse(
            options, MODEL_ERROR_SIZE, "the arena is smaller than MODEL_ARENA_BYTES");
    }
    if ((uintptr_t)options->arena % MODEL_ARENA_ALIGNMENT != 0) {
        return refuse(
            options, MODEL_ERROR_ALIGNMENT, "the arena is not aligned to MODEL_ARENA_ALIGNMENT bytes");
    }
    if (options->context != NULL && options->context_bytes < model_context_bytes()) {
        return refuse(
            options, MODEL_ERROR_SIZE, "the memory for the context is smaller than model_context_bytes()");
    }
    if ((uintptr_t)options->context % sizeof(uint64_t) != 0) {
        return refuse(options, MODEL_ERROR_ALIGNMENT, "the memory for the context is not aligned");
    }
    return MODEL_OK;
}

@if processor@
/* An instruction set is missing. */
static model_status refuse_processor(const model_options *options, const char *lacking)
{
    char text[MESSAGE_BYTES] = "the kernels use ";
    autodeploy_message_add(text, sizeof text, lacking, MESSAGE_BYTES);
    autodeploy_message_add(
        text, sizeof text, ", which this processor or its operating system lacks", MESSAGE_BYTES);
    return refuse(options, MODEL_ERROR_PROCESSOR, text);
}

@end@
@if machines@
/* Choose the program for this processor, or the one that the options name, from number first on. */
static model_status choose_program(
    const model_options *options, int first, const model_program **chosen)
{
    const char *lacking = NULL;
    int i;
    for (i = first; i < MODEL_MACHINE_COUNT; ++i) {
        const model_program *const program = programs[i];
        if (options->machine == NULL || strcmp(options->machine, program->machine) == 0) {
            lacking = autodeploy_cpu_lacks(program->sets, program->set_count);
            if (lacking == NULL) {
                *chosen = program;
                return MODEL_OK;
            }
        }
    }
    if (lacking == NULL) {
        char text[MESSAGE_BYTES] = "there is no program for machine '";
        autodeploy_message_add(text, sizeof text, options->machine, 60);
        autodeploy_message_add(text, sizeof text, "', there are those for ", MESSAGE_BYTES);
        autodeploy_message_add(text, sizeof text, @machines@, 120);
        return refuse(options, MODEL_ERROR_ARGUMENT, text);
    }
    return refuse_processor(options, lacking);
}

@end@
@if x86@
/* A kernel would end the process at an instruction that is not there. */
static model_status check_processor(const model_options *options)
{
    static const char *const used[] = {@x86_sets@};
    const char *const lacking = autodeploy_cpu_lacks(used, (int)(sizeof used / sizeof used[0]));
    return lacking == NULL ? MODEL_OK : refuse_processor(options, lacking);
}

@end@
