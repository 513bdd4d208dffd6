#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// Returns the number of bytes that the process has allocated and not freed; 0 if the C library
/// does not count them.
size_t heap_bytes_in_use(void);

#endif
