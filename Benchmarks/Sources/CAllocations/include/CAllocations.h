#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdint.h>

/// How often this process asked for memory on the heap so far: malloc, calloc, realloc, aligned_alloc, posix_memalign.
uint64_t allocations_so_far(void);

#endif
