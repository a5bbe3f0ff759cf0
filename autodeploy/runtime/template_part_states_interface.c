/* ---- The state ----------------------------------------------------------------------------- */

model_status model_reset(model_context *context)
{
    if (context == NULL) {
        return MODEL_ERROR_ARGUMENT;
    }
    clear_states(context);
@if counted@
    follow_rows(context);
@end@
    return MODEL_OK;
}

@if counted@
int64_t model_get_extent(const model_context *context, int index)
{
    int i;
    if (context == NULL || index < 0 || index >= OPEN_EXTENT_COUNT) {
        return -1;
    }
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        if (state_numbers[i].place == index) {
            return context->rows[i];
        }
    }
    return context->extents[index] * open_ranges[index].step;
}

@end@
/* Bytes before the contents of a saved state. */
static const size_t STATE_HEADER_BYTES =
    sizeof state_fingerprint + @state_number_count@ * sizeof(int64_t);

size_t model_state_bytes(const model_context *context)
{
    size_t bytes = STATE_HEADER_BYTES;
    int i;
    if (context == NULL) {
        return 0;
    }
    for (i = 0; i < KEPT_COUNT; ++i) {
        bytes += (size_t)kept_states[i].parts * bytes_of_state(context, &kept_states[i]);
    }
    return bytes;
}

/* Copy the contents of the state out, or in. */
static void copy_states(const model_context *context, uint8_t *out, const uint8_t *in)
{
    int i;
    for (i = 0; i < KEPT_COUNT; ++i) {
        const kept_state *const kept = &kept_states[i];
        const size_t bytes = bytes_of_state(context, kept);
        uint8_t *at = context->state + kept->offset;
        int32_t part;
        for (part = 0; part < kept->parts; ++part) {
            if (out != NULL) {
                memcpy(out, at, bytes);
                out += bytes;
            } else {
                memcpy(at, in, bytes);
                in += bytes;
            }
            at += kept->most * kept->row_bytes;
        }
    }
}

model_status model_save_state(model_context *context, void *memory, size_t bytes)
{
    uint8_t *const out = (uint8_t *)memory;
    if (context == NULL || memory == NULL) {
        return MODEL_ERROR_ARGUMENT;
    }
    if (bytes < model_state_bytes(context)) {
        say(context, "the memory is smaller than ", "model_state_bytes", "");
        return MODEL_ERROR_SIZE;
    }
    memcpy(out, state_fingerprint, sizeof state_fingerprint);
@if counted@
    memcpy(out + sizeof state_fingerprint, context->rows, sizeof context->rows);
@end@
    copy_states(context, out + STATE_HEADER_BYTES, NULL);
    return MODEL_OK;
}

model_status model_load_state(model_context *context, const void *memory, size_t bytes)
{
    const uint8_t *const in = (const uint8_t *)memory;
@if counted@
    int64_t before[STATE_NUMBER_COUNT];
    int64_t rows[STATE_NUMBER_COUNT];
    int i;
@end@
    if (context == NULL || memory == NULL) {
        return MODEL_ERROR_ARGUMENT;
    }
    if (bytes < STATE_HEADER_BYTES ||
        memcmp(in, state_fingerprint, sizeof state_fingerprint) != 0) {
        say(context, "this is no saved state of this ", "network", "");
        return MODEL_ERROR_ARGUMENT;
    }
@if counted@
    memcpy(rows, in + sizeof state_fingerprint, sizeof rows);
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        if (rows[i] < 0 || rows[i] > state_numbers[i].most) {
            say(context, "the saved state has no valid number of ", "rows", "");
            return MODEL_ERROR_ARGUMENT;
        }
    }
    memcpy(before, context->rows, sizeof before);
    memcpy(context->rows, rows, sizeof rows);
@end@
    if (bytes != model_state_bytes(context)) {
@if counted@
        memcpy(context->rows, before, sizeof before);
@end@
        say(context, "the saved state has another ", "size", "");
        return MODEL_ERROR_SIZE;
    }
    copy_states(context, NULL, in + STATE_HEADER_BYTES);
@if counted@
    follow_rows(context);
@end@
    context->message[0] = '\0';
    return MODEL_OK;
}

@if counted@
/* Refuse a run that finds more rows than it may; nothing has changed then. */
static model_status check_rows(model_context *context)
{
    int i;
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        const open_range *const range = &open_ranges[state_numbers[i].place];
        if (!may_find(range, context->rows[i])) {
            say(context, "the state is full: extent '", range->name, "' is ");
            autodeploy_message_add(context->message, MESSAGE_BYTES, range->numbers, MESSAGE_BYTES);
            autodeploy_message_add(context->message, MESSAGE_BYTES, ", there are ", MESSAGE_BYTES);
            autodeploy_message_add_number(context->message, MESSAGE_BYTES, (int)context->rows[i]);
            return MODEL_ERROR_SIZE;
        }
    }
    /* The last run has left the extents of its outputs. */
    start_open_shapes(context);
    open_all(context);
    return MODEL_OK;
}

@end@
