/* A library that is opened when a program starts, such as that of a device: nothing is linked. */
#ifndef AUTODEPLOY_OPENED_H
#define AUTODEPLOY_OPENED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

/* Open a library. NULL if there is none of this name. */
static inline void *autodeploy_open_library(const char *name)
{
#if defined(_WIN32)
    return (void *)LoadLibraryA(name);
#else
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
#endif
}

/* Let *function, a pointer to a function, be that of a name. 0, or an error if there is none. */
static inline int autodeploy_find_function(void *library, const char *name, void *function)
{
#if defined(_WIN32)
    void *const found = (void *)(uintptr_t)GetProcAddress((HMODULE)library, name);
#else
    void *const found = dlsym(library, name);
#endif
    /* It has the bytes of a pointer to data on all systems that have such libraries. */
    memcpy(function, &found, sizeof found);
    return found == NULL ? -1 : 0;
}

#endif
