#pragma once
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

/// The bytes of the heap that are in use, or -1 where the system does not say. Large blocks, which are mapped, count too.
static inline long heap_bytes_in_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return (long)(heap.uordblks + heap.hblkhd);
}
#else
static inline long heap_bytes_in_use(void) { return -1; }
#endif
