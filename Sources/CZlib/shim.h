#pragma once
#include <stdlib.h>
#include <zlib.h>

// Zlib's initializers are macros, and its record must not move while it is in use, so it is made here.

/// A new stream that compresses as gzip, with no time and no name; null without memory.
static inline z_stream *czlib_open_deflate(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

/// A new stream that reads gzip; null without memory.
static inline z_stream *czlib_open_inflate(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, 15 + 16) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

/// Takes input and gives output, as much as fits; both counts become what was taken and what was given.
static inline int czlib_step(z_stream *stream, int deflates, int flush, const void *input, unsigned *taken, void *output,
                             unsigned *given) {
    unsigned count = *taken, capacity = *given;
    stream->next_in = (Bytef *)input;
    stream->avail_in = count;
    stream->next_out = (Bytef *)output;
    stream->avail_out = capacity;
    int result = deflates ? deflate(stream, flush) : inflate(stream, Z_NO_FLUSH);
    *taken = count - stream->avail_in;
    *given = capacity - stream->avail_out;
    return result;
}

/// Begins the next member of a file that has several.
static inline int czlib_restart_inflate(z_stream *stream) { return inflateReset(stream); }

static inline void czlib_close(z_stream *stream, int deflates) {
    if (deflates) deflateEnd(stream); else inflateEnd(stream);
    free(stream);
}
