#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdint.h>

/// The number of heap allocations of this process so far: malloc, calloc, realloc, aligned_alloc, posix_memalign.
uint64_t allocations_so_far(void);

#endif
