/* What the sources of all kinds of devices share. They include it after struct autodeploy_device,
 * which has a program, its numbers, a name and an error; API is the name of their interface.
 */
#ifndef AUTODEPLOY_DEVICE_PARTS_H
#define AUTODEPLOY_DEVICE_PARTS_H

#include "autodeploy_device.h"
#include "autodeploy_message.h"

#include <stdlib.h>

static int fail(autodeploy_device *device, const char *what, int code)
{
    device->error[0] = '\0';
    autodeploy_message_add(device->error, ERROR_BYTES, what, 160);
    if (code != 0) {
        autodeploy_message_add(device->error, ERROR_BYTES, " (" API " error ", ERROR_BYTES);
        autodeploy_message_add_number(device->error, ERROR_BYTES, code);
        autodeploy_message_add(device->error, ERROR_BYTES, ")", ERROR_BYTES);
    }
    return -1;
}

/* No device fits a name, or any where that is NULL. */
static int finds_none(autodeploy_device *device, const char *name, int code)
{
    return fail(
        device, name == NULL ? API " finds no device" : API " finds no device of this name", code);
}

/* Prepare all; what is made is in the device, also after an error. */
static int open_all(autodeploy_device *device, const autodeploy_device_request *request);

int autodeploy_device_open(
    autodeploy_device **device, const autodeploy_device_program *program,
    const autodeploy_device_request *request, char *message, size_t message_bytes)
{
    autodeploy_device *const made = (autodeploy_device *)calloc(1, sizeof *made);
    *device = NULL;
    if (made == NULL) {
        autodeploy_message_add(message, message_bytes, "no memory for the device", message_bytes);
        return -1;
    }
    made->program = program;
    made->numbers = (autodeploy_device_number *)calloc(
        (size_t)program->number_count + 1, sizeof(autodeploy_device_number));
    if (made->numbers == NULL) {
        fail(made, "no memory for the device", 0);
    }
    if (made->numbers == NULL || open_all(made, request) != 0) {
        autodeploy_message_add(message, message_bytes, made->error, message_bytes);
        autodeploy_device_close(made);
        return -1;
    }
    *device = made;
    return 0;
}

autodeploy_device_number *autodeploy_device_numbers(autodeploy_device *device)
{
    return device->numbers;
}

/* The blocks of a start along three axes; whether there are any. */
static int blocks_of(
    const autodeploy_device *device, const autodeploy_device_start *start, size_t blocks[3])
{
    int i;
    for (i = 0; i < 3; ++i) {
        const int64_t count = start->grid[i];
        blocks[i] = (size_t)(count < 0 ? device->numbers[-1 - count].int32 : count);
    }
    return blocks[0] > 0 && blocks[1] > 0 && blocks[2] > 0;
}

const char *autodeploy_device_name(const autodeploy_device *device)
{
    return device->name;
}

const char *autodeploy_device_error(const autodeploy_device *device)
{
    return device->error;
}

#endif
