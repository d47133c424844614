#include <md4c-html.h>

/* Counts what would be written, as a page's buffer would take it. */
static void cmd4c_count(const char *text, unsigned size, void *sum) {
    (void)text;
    *(unsigned long *)sum += size;
}

/* Writes a text as HTML with GitHub's extensions and gives the length; the HTML is not kept. */
static inline unsigned long cmd4c_html(const char *text, unsigned size) {
    unsigned long sum = 0;
    md_html(text, size, cmd4c_count, &sum, MD_DIALECT_GITHUB, 0);
    return sum;
}
