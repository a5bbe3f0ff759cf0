/* Read the number that follows an option; 0, or -1. */
static int read_number(const char *text, long *number)
{
    char *end;
    if (text == NULL) {
        return -1;
    }
    errno = 0;
    *number = strtol(text, &end, 10);
    return end == text || *end != '\0' || errno != 0 || *number < 1 || *number > 1000000000L ? -1
                                                                                         : 0;
}

static int add_file(arguments *given, const char *path)
{
@if weight_file@
    if (given->weights == NULL) {
        given->weights = path;
        return EXIT_SUCCESS;
    }
@end@
    if (given->input_count == MODEL_INPUT_COUNT) {
        return fail("too many files; see --help");
    }
    given->inputs[given->input_count++] = path;
    return EXIT_SUCCESS;
}

static int add_output(arguments *given, const char *path)
{
    if (path == NULL) {
        return fail("option --output takes a file");
    }
    if (given->output_count == MODEL_OUTPUT_COUNT) {
        return fail("option --output was given more often than there are outputs");
    }
    given->outputs[given->output_count++] = path;
    return EXIT_SUCCESS;
}

/* Take an option that has no value; 0, or -1 for any other. */
static int add_flag(arguments *given, const char *option)
{
    const int flush = strcmp(option, "--flush-subnormals") == 0;
    if (!flush && strcmp(option, "--keep-subnormals") != 0) {
        return -1;
    }
    given->flush_subnormals = flush ? 1 : -1;
    return 0;
}

/* Take one option and its value; *used, which is 1, becomes the number of words it has. */
static int add_option(arguments *given, const char *option, const char *value, int *used)
{
    char message[MESSAGE_BYTES];
    long *number;
    if (add_flag(given, option) == 0) {
        return EXIT_SUCCESS;
    }
    *used = 2;
    if (strcmp(option, "--output") == 0) {
        return add_output(given, value);
    }
@if machines@
    if (strcmp(option, "--machine") == 0) {
        given->machine = value;
        return value != NULL ? EXIT_SUCCESS : fail("option --machine takes a name; see --info");
    }
@end@
    number = strcmp(option, "--bench") == 0     ? &given->bench
             : strcmp(option, "--threads") == 0 ? &given->threads
             : strcmp(option, "--top") == 0     ? &given->top
                                                : NULL;
    if (number == NULL) {
        (void)snprintf(message, sizeof message, "unknown option '%.200s'; see --help", option);
        return fail(message);
    }
    if (read_number(value, number) != 0) {
        (void)snprintf(
            message, sizeof message, "option %s takes a number from 1 to 1000000000", option);
        return fail(message);
    }
    return EXIT_SUCCESS;
}

static int read_arguments(int count, char **words, arguments *given)
{
    int only_files = 0;
    int used;
    int i;
    memset(given, 0, sizeof *given);
    for (i = 1; i < count; i += used) {
        int result;
        used = 1;
        if (!only_files && strcmp(words[i], "--") == 0) {
            only_files = 1;
            continue;
        }
        result = only_files || strncmp(words[i], "--", 2) != 0
                     ? add_file(given, words[i])
                     : add_option(given, words[i], i + 1 < count ? words[i + 1] : NULL, &used);
        if (result != EXIT_SUCCESS) {
            return result;
        }
    }
@if weight_file@
    if (given->weights == NULL || given->input_count < MODEL_INPUT_COUNT) {
        return fail("expected a weight file and a file for each input; see --help");
    }
@end@
@if not weight_file@
    if (given->input_count < MODEL_INPUT_COUNT) {
        return fail("expected a file for each input; see --help");
    }
@end@
    return EXIT_SUCCESS;
}

static int mentions(int count, char **words, const char *option)
{
    int i;
    for (i = 1; i < count && strcmp(words[i], "--") != 0; ++i) {
        if (strcmp(words[i], option) == 0) {
            return 1;
        }
    }
    return 0;
}
