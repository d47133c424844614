// What the standard library expects from its C++ runtime and the embedded one lacks, or has at a price that a page
// should not pay.

#include <stddef.h>
#include <stdint.h>

#ifdef CHECK
// In the machine that checks the core there is no page to ask.
double strtod(const char *text, char **end);

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    char *end = 0;
    *result = strtod(text, &end);
    return end == text ? 0 : end;
}
#else
// Reading a number: the page's own way is exact, and there already. Gives how many characters it took.
__attribute__((import_module("page"), import_name("number"))) int page_number(const char *text, double *result);

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    int count = page_number(text, result);
    return count > 0 ? text + count : 0;
}
#endif

// The seed of dictionaries. The one of the libc brings a cipher and all of formatted output along.
__attribute__((import_module("wasi_snapshot_preview1"), import_name("random_get"))) int random_get(void *start, size_t count);

void arc4random_buf(void *start, size_t count) {
    if (random_get(start, count) != 0) __builtin_trap();
}

// Comparing strings knows no canonical equivalence here: the core compares names of the protocol, ids and words of its
// own, which are ASCII. The tables for the rest would be a fifth of what the page loads.
uint16_t _swift_stdlib_getNormData(uint32_t scalar) {
    (void)scalar;
    return 0;
}

uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
    (void)scalar;
    return 0;
}

uint32_t _swift_stdlib_getComposition(uint32_t one, uint32_t other) {
    (void)one;
    (void)other;
    return UINT32_MAX;
}

extern const uint8_t *const _swift_stdlib_nfd_decompositions;
static const uint8_t nothing[2];
const uint8_t *const _swift_stdlib_nfd_decompositions = nothing;
