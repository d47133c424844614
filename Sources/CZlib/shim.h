#pragma once
#include <string.h>
#include <zlib.h>

/// Compresses as gzip at the best level with no time and no name in the header; the size, or 0 on failure.
static inline size_t czlib_gzip(const void *input, size_t count, void *output, size_t capacity) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (count > 0xFFFFFFFFu || capacity > 0xFFFFFFFFu) return 0;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    gz_header header;
    memset(&header, 0, sizeof header);
    header.os = 255;
    deflateSetHeader(&stream, &header);
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = (Bytef *)output;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}
