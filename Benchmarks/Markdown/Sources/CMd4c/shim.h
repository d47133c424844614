#include <md4c-html.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *bytes;
    unsigned long count, room;
} cmd4c_buffer;

/* Keeps what is written, as a page's buffer would. */
static void cmd4c_keep(const char *text, unsigned size, void *target) {
    cmd4c_buffer *buffer = target;
    if (buffer->count + size > buffer->room) {
        buffer->room = 2 * (buffer->count + size);
        buffer->bytes = realloc(buffer->bytes, buffer->room);
        if (!buffer->bytes) abort();
    }
    memcpy(buffer->bytes + buffer->count, text, size);
    buffer->count += size;
}

/* Writes a text as HTML with GitHub's extensions and gives the length. */
static inline unsigned long cmd4c_html(const char *text, unsigned size) {
    cmd4c_buffer buffer = {0, 0, 0};
    md_html(text, size, cmd4c_keep, &buffer, MD_DIALECT_GITHUB, 0);
    free(buffer.bytes);
    return buffer.count;
}
