#include <sqlite3.h>

// Swift cannot call sqlite3_db_config, which is variadic.
// Sets whether closing the last connection skips the checkpoint of the log.
static inline int csqlite_keep_log_at_close(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
