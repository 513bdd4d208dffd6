#pragma once
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

/// The number of heap bytes in use, or -1 if the system does not report it. The number includes
/// large blocks, which are memory-mapped.
static inline long heap_bytes_in_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return (long)(heap.uordblks + heap.hblkhd);
}
#else
static inline long heap_bytes_in_use(void) { return -1; }
#endif
