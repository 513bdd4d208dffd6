#include "CHeap.h"

#ifdef __linux__
#include <malloc.h>
#endif

size_t heap_bytes_in_use(void) {
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    // Large allocations are not in an arena, so they are counted separately.
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
#endif
    return 0;
}
