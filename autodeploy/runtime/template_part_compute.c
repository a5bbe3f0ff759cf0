@if calls@
static model_status kernel_failed(model_context *context, const char *kernel, int code)
{
    char *const message = context->message;
    message[0] = '\0';
    autodeploy_message_add(message, MESSAGE_BYTES, "kernel '", MESSAGE_BYTES);
    autodeploy_message_add(message, MESSAGE_BYTES, kernel, 80);
    autodeploy_message_add(message, MESSAGE_BYTES, "' failed with code ", MESSAGE_BYTES);
    autodeploy_message_add_number(message, MESSAGE_BYTES, code);
    autodeploy_message_add(message, MESSAGE_BYTES, ": ", MESSAGE_BYTES);
    autodeploy_message_add(message, MESSAGE_BYTES, context->runtime.message, 120);
    return MODEL_ERROR_KERNEL;
}

@end@
@if device@
static model_status device_failed(model_context *context)
{
    context->message[0] = '\0';
    autodeploy_message_add(
        context->message, MESSAGE_BYTES, autodeploy_device_error(context->device), MESSAGE_BYTES);
    return MODEL_ERROR_DEVICE;
}

@end@
@if in_outputs@
/* The first aligned byte of an output, from which on it holds other tensors until it is written. */
static uint8_t *aligned(uint8_t *output)
{
    return output + (MODEL_ARENA_ALIGNMENT - (uintptr_t)output % MODEL_ARENA_ALIGNMENT) %
                        MODEL_ARENA_ALIGNMENT;
}

@end@
@if exchange@
/* What a step of a loop has computed is what the next one reads. */
static void exchange(halide_buffer_t *one, halide_buffer_t *other)
{
    uint8_t *const host = one->host;
    one->host = other->host;
    other->host = host;
}

@end@
/* The tensors of the caller are in place: call the kernels. */
static model_status compute(model_context *context)
{
@if steps@
    halide_buffer_t *const buffers = context->buffers;
@end@
@if device@
    autodeploy_device *const device = context->device;
@end@
@if not steps@
    (void)context;
@end@
@if calls@
    autodeploy_runtime *const runtime = &context->runtime;
    int code;
    autodeploy_runtime_reset(runtime);
@end@

@steps@
    return MODEL_OK;
}
