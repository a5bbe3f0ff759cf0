@if machines@
/* ---- Machines ------------------------------------------------------------------------------ */

const char *model_machine_name(int index)
{
    return index >= 0 && index < MODEL_MACHINE_COUNT ? programs[index]->machine : NULL;
}

const char *model_machine(const model_context *context)
{
    return context == NULL ? "" : context->program->machine;
}

@end@
@if device@
const char *model_device_name(const model_context *context)
{
    return context == NULL || context->device == NULL ? ""
                                                      : autodeploy_device_name(context->device);
}

@end@
/* ---- Inputs and outputs -------------------------------------------------------------------- */

const model_tensor_info *model_input_info(int index)
{
@if inputs@
    if (index >= 0 && index < MODEL_INPUT_COUNT) {
        return &input_infos[index];
    }
@end@
    (void)index;
    return NULL;
}

const model_tensor_info *model_output_info(int index)
{
    return index >= 0 && index < MODEL_OUTPUT_COUNT ? &output_infos[index] : NULL;
}

@if shapes@
const int64_t *model_output_shape(const model_context *context, int index)
{
    return context != NULL && index >= 0 && index < MODEL_OUTPUT_COUNT
               ? context->output_shapes[index]
               : NULL;
}

@end@
/* Let the message be a name between two texts; of a long name it has the beginning. */
static void say(model_context *context, const char *text, const char *name, const char *rest)
{
    context->message[0] = '\0';
    autodeploy_message_add(context->message, MESSAGE_BYTES, text, MESSAGE_BYTES);
    autodeploy_message_add(context->message, MESSAGE_BYTES, name, 160);
    autodeploy_message_add(context->message, MESSAGE_BYTES, rest, MESSAGE_BYTES);
}

@if counted@
static int is_of_state(int index)
{
    int i;
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        if (state_places[i] == index) {
            return 1;
        }
    }
    return 0;
}

@end@
@if open@
model_status model_set_extent(model_context *context, int index, int64_t extent)
{
    const open_range *range;
    if (context == NULL) {
        return MODEL_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= OPEN_EXTENT_COUNT) {
        say(context, "the last open extent is '", open_ranges[OPEN_EXTENT_COUNT - 1].name, "'");
        return MODEL_ERROR_ARGUMENT;
    }
    range = &open_ranges[index];
@if counted@
    if (is_of_state(index)) {
        say(context, "extent '", range->name, "' follows from the state");
        return MODEL_ERROR_ARGUMENT;
    }
@end@
@if whole_range@
    if (extent < range->least || extent > range->most || extent % range->step != 0) {
@end@
@if parts@
    if (part_of(range, extent) < 0) {
@end@
        say(context, "extent '", range->name, "' is ");
        autodeploy_message_add(context->message, MESSAGE_BYTES, range->numbers, MESSAGE_BYTES);
        return MODEL_ERROR_SIZE;
    }
    context->message[0] = '\0';
    context->extents[index] = extent / range->step;
@if parts@
    choose_program(context);
@end@
@if counted@
    start_open_shapes(context);
@end@
    open_all(context);
    return MODEL_OK;
}

const int64_t *model_input_shape(const model_context *context, int index)
{
    return context != NULL && index >= 0 && index < MODEL_INPUT_COUNT
               ? context->input_shapes[index]
               : NULL;
}

@end@
/* Check a pointer of the caller. */
static model_status check_tensor(
    model_context *context, const void *data, const model_tensor_info *info)
{
    if (info->bytes == 0) {
        return MODEL_OK;
    }
    if (data == NULL) {
        say(context, "the pointer to tensor '", info->name, "' is null");
        return MODEL_ERROR_ARGUMENT;
    }
    if ((uintptr_t)data % MODEL_TENSOR_ALIGNMENT != 0) {
        say(context, "the memory of tensor '", info->name, "' is not aligned to ");
        autodeploy_message_add_number(context->message, MESSAGE_BYTES, MODEL_TENSOR_ALIGNMENT);
        autodeploy_message_add(context->message, MESSAGE_BYTES, " bytes", MESSAGE_BYTES);
        return MODEL_ERROR_ALIGNMENT;
    }
    return MODEL_OK;
}

@if open@
/* Whether a tensor has no elements in the next run, and may have no memory. */
static int is_empty(const model_tensor_info *info, const int64_t *shape)
{
    int i;
    for (i = 0; i < info->rank; ++i) {
        if (shape[i] == 0) {
            return 1;
        }
    }
    return 0;
}

@end@
@if unified@
/* Which inputs, then outputs, the processor reads or writes: these are in its memory. */
static const unsigned char on_processor[] = {@on_processor@};

static model_status check_memory(
    model_context *context, int number, const void *data, const model_tensor_info *info)
{
    int holds = 0;
    if (on_processor[number] && context->device != NULL) {
        holds = autodeploy_device_holds(context->device, data);
    }
    if (holds < 0) {
        say(context, "", autodeploy_device_error(context->device), "");
        return MODEL_ERROR_DEVICE;
    }
    if (holds > 0) {
        say(context, "tensor '", info->name, "' is in memory of the device, and the processor uses it");
        return MODEL_ERROR_ARGUMENT;
    }
    return MODEL_OK;
}

@end@
static model_status check_tensors(
    model_context *context, const void *const *inputs, void *const *outputs)
{
    int i;
    if (outputs == NULL || (inputs == NULL && MODEL_INPUT_COUNT > 0)) {
        say(context, "the inputs or the outputs are missing", "", "");
        return MODEL_ERROR_ARGUMENT;
    }
    for (i = 0; i < MODEL_INPUT_COUNT; ++i) {
@if open@
        if (is_empty(model_input_info(i), context->input_shapes[i])) {
            continue;
        }
@end@
@if defaults@
        if (inputs[i] == NULL && input_defaults[i] != NULL) {
            continue;
        }
@end@
        model_status status = check_tensor(context, inputs[i], model_input_info(i));
@if unified@
        if (status == MODEL_OK) {
            status = check_memory(context, i, inputs[i], model_input_info(i));
        }
@end@
        if (status != MODEL_OK) {
            return status;
        }
    }
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
@if told_shapes@
        if (is_empty(model_output_info(i), context->output_shapes[i])) {
            continue;
        }
@end@
        model_status status = check_tensor(context, outputs[i], model_output_info(i));
@if unified@
        if (status == MODEL_OK) {
            status = check_memory(
                context, MODEL_INPUT_COUNT + i, outputs[i], model_output_info(i));
        }
@end@
        if (status != MODEL_OK) {
            return status;
        }
    }
    return MODEL_OK;
}
