const char *model_status_message(model_status status)
{
    switch (status) {
    case MODEL_OK:
        return "no error";
    case MODEL_ERROR_ARGUMENT:
        return "a pointer is missing, or an option is out of its range";
    case MODEL_ERROR_ALIGNMENT:
        return "memory is not aligned as it must be";
    case MODEL_ERROR_SIZE:
        return "memory is too small";
    case MODEL_ERROR_MEMORY:
        return "the system has no more memory";
@if weight_file@
    case MODEL_ERROR_WEIGHTS_NOT_FOUND:
        return "the weight file cannot be opened";
    case MODEL_ERROR_WEIGHTS_READ:
        return "reading the weight file failed";
    case MODEL_ERROR_WEIGHTS_TRUNCATED:
        return "the weight file ends too early";
    case MODEL_ERROR_WEIGHTS_FORMAT:
        return "this is not a weight file";
    case MODEL_ERROR_WEIGHTS_VERSION:
        return "the weight file is of another format version";
    case MODEL_ERROR_WEIGHTS_BYTE_ORDER:
        return "the weight file is for machines of the other byte order";
    case MODEL_ERROR_WEIGHTS_MODEL:
        return "the weight file belongs to another model";
    case MODEL_ERROR_WEIGHTS_SIZE:
        return "the weight file has the wrong size";
    case MODEL_ERROR_WEIGHTS_CHECKSUM:
        return "the weight file is damaged";
@end@
    case MODEL_ERROR_KERNEL:
        return "a kernel failed";
    case MODEL_ERROR_THREADS:
        return "the system starts no more threads";
    case MODEL_ERROR_PROCESSOR:
        return "the kernels use instructions that this processor lacks";
@if device@
    case MODEL_ERROR_DEVICE:
        return "the device is missing or failed";
@end@
    }
    return "unknown status";
}

const char *model_error_message(const model_context *context)
{
    return context == NULL ? "" : context->message;
}

@if weight_file@
static model_status status_of(autodeploy_weights_status status)
{
    switch (status) {
    case AUTODEPLOY_WEIGHTS_OK:
        return MODEL_OK;
    case AUTODEPLOY_WEIGHTS_NOT_FOUND:
        return MODEL_ERROR_WEIGHTS_NOT_FOUND;
    case AUTODEPLOY_WEIGHTS_UNREADABLE:
        return MODEL_ERROR_WEIGHTS_READ;
    case AUTODEPLOY_WEIGHTS_TRUNCATED:
        return MODEL_ERROR_WEIGHTS_TRUNCATED;
    case AUTODEPLOY_WEIGHTS_FORMAT:
        return MODEL_ERROR_WEIGHTS_FORMAT;
    case AUTODEPLOY_WEIGHTS_OTHER_VERSION:
        return MODEL_ERROR_WEIGHTS_VERSION;
    case AUTODEPLOY_WEIGHTS_BYTE_ORDER:
        return MODEL_ERROR_WEIGHTS_BYTE_ORDER;
    case AUTODEPLOY_WEIGHTS_OTHER_MODEL:
        return MODEL_ERROR_WEIGHTS_MODEL;
    case AUTODEPLOY_WEIGHTS_SIZE:
        return MODEL_ERROR_WEIGHTS_SIZE;
    case AUTODEPLOY_WEIGHTS_CHECKSUM:
        return MODEL_ERROR_WEIGHTS_CHECKSUM;
    case AUTODEPLOY_WEIGHTS_ALIGNMENT_WRONG:
        return MODEL_ERROR_ALIGNMENT;
    case AUTODEPLOY_WEIGHTS_MEMORY:
        return MODEL_ERROR_MEMORY;
    }
    return MODEL_ERROR_WEIGHTS_FORMAT;
}

@end@
/* Say in options->message what is wrong, and return the status. */
static model_status refuse(const model_options *options, model_status status, const char *text)
{
    if (options->message != NULL && options->message_bytes > 0) {
        options->message[0] = '\0';
        autodeploy_message_add(options->message, options->message_bytes, text, MESSAGE_BYTES);
    }
    return status;
}
