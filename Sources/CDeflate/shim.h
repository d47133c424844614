#pragma once
#include <libdeflate.h>

/// Compresses as gzip, as small as it goes, with no time and no name in the header; the size, or 0 on failure.
static inline size_t cdeflate_gzip(const void *input, size_t count, void *output, size_t capacity) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(12);
    if (!compressor) return 0;
    size_t written = libdeflate_gzip_compress(compressor, input, count, output, capacity);
    libdeflate_free_compressor(compressor);
    return written;
}
