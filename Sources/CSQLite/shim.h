#include <sqlite3.h>

// Swift cannot call sqlite3_db_config, whose arguments vary.
// Whether closing the last connection leaves the log as it is, without bringing it into the file.
static inline int csqlite_keep_log_at_close(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
