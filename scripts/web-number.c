// The one function that the standard library expects from its C++ runtime and the embedded one lacks: reading a
// number. JSON has one decimal point everywhere, and this libc knows no other locale.
double strtod(const char *text, char **end);

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    char *end = 0;
    *result = strtod(text, &end);
    return end == text ? 0 : end;
}
