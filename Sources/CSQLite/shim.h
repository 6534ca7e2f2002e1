#include <sqlite3.h>

// Sets whether closing the last connection skips the checkpoint of the log. Swift cannot call sqlite3_db_config,
// because it is variadic.
static inline int csqlite_keep_log_at_close(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

// Binds a copy of the text (SQLITE_TRANSIENT, a cast that Swift cannot write). A null text would bind NULL, and the
// text of an empty Swift string may be null.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text ? text : "", length, SQLITE_TRANSIENT);
}
