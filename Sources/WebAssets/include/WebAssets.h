#pragma once

#include <stddef.h>

/// One file of the page, compiled into the program.
typedef struct {
    /// The path under which it is served, with its leading slash.
    const char *path;
    /// The `Content-Type` to serve it with.
    const char *media_type;
    const unsigned char *bytes;
    size_t count;
} web_asset;

/// How many files the page has.
extern const size_t web_asset_count;

/// The file at `index`; nothing beyond `web_asset_count` may be asked for.
const web_asset *web_asset_at(size_t index);
