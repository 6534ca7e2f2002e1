// Empty definitions of the functions that code with libFuzzer's counters calls (clang's SanitizerCoverage). They let a
// program without libFuzzer use such code. Nothing is counted.

#include <stdint.h>

void __sanitizer_cov_8bit_counters_init(char *first, char *end) {}
void __sanitizer_cov_pcs_init(const uintptr_t *first, const uintptr_t *end) {}
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) {}
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) {}
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) {}
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) {}
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) {}
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) {}
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) {}
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) {}
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) {}
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {}
void __sanitizer_cov_trace_div4(uint32_t value) {}
void __sanitizer_cov_trace_div8(uint64_t value) {}
void __sanitizer_cov_trace_gep(uintptr_t index) {}

// The lowest address that the stack reached.
__thread uintptr_t __sancov_lowest_stack;
