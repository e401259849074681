#include "store/sqlite.h"

namespace kbx::store {

tl::unexpected<Error> sqlite_error(sqlite3* db, const std::string& doing) {
  int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
  std::string hint;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) hint = "; another kbx is writing this run: wait for it or use another --run folder";
  if (code == SQLITE_IOERR) hint = "; is the disk full, or failing? Free some space and run again with --resume";
  if (code == SQLITE_FULL) hint = "; the disk is full: free some space and run again with --resume";
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) hint = "; the file is not a kbx run or is damaged: restore it from a copy";
  if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN) hint = "; is the folder writable?";
  return fail(Code::store, doing + ": " + (db ? sqlite3_errmsg(db) : "out of memory") + hint);
}

Result<void> execute(sqlite3* db, const std::string& sql, const std::string& doing) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return sqlite_error(db, doing);
  return {};
}

Result<Statement> Statement::prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.data(), int(sql.size()), &statement, nullptr) != SQLITE_OK) return sqlite_error(db, "cannot query the run");
  return Statement(db, statement);
}

Result<bool> Statement::step() {
  int rc = sqlite3_step(statement_);
  if (rc == SQLITE_ROW) return true;
  if (rc == SQLITE_DONE) return false;
  return sqlite_error(db_, "cannot read or write the run");
}

std::string Statement::text(int column) const {
  auto* p = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return p ? std::string(p, size_t(sqlite3_column_bytes(statement_, column))) : std::string();
}

std::string_view Statement::view(int column) const {
  const auto* p = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return p ? std::string_view(p, size_t(sqlite3_column_bytes(statement_, column))) : std::string_view();
}

}  // namespace kbx::store
