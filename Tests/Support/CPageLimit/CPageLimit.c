#include "CPageLimit.h"

#ifdef __APPLE__
bool page_limit_install(void) { return false; }
#else
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

/// SQLite calls this for each new connection.
static int limit(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines) {
    char text[4096];
    snprintf(text, sizeof text, "%s-reserve", sqlite3_db_filename(connection, "main"));
    if (access(text, F_OK) != 0) return SQLITE_OK;
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(connection, "PRAGMA page_count", -1, &statement, NULL);
    sqlite3_step(statement);
    int pages = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    snprintf(text, sizeof text, "PRAGMA max_page_count = %d", pages > 0 ? pages : 1);
    return sqlite3_exec(connection, text, NULL, NULL, NULL);
}

bool page_limit_install(void) { return sqlite3_auto_extension((void (*)(void))limit) == SQLITE_OK; }
#endif
