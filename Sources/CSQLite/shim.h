#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, and sqlite3_db_config takes variable arguments: Swift can
// say neither.

/// Binds text that the library copies; a null pointer with no length is the empty text, not NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, index, length ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that the library copies; a null pointer with no length is the empty blob, not NULL.
static inline int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
    return sqlite3_bind_blob64(statement, index, length ? bytes : "", length, SQLITE_TRANSIENT);
}

/// Refuses SQL that could damage the file on purpose, such as writing the schema table.
static inline int csqlite_defend(sqlite3 *database) {
    int rc = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return rc != SQLITE_OK ? rc : sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// Has the library not count its memory, which takes a lock for each piece of it; before the first database is opened.
static inline int csqlite_skip_memory_counts(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
