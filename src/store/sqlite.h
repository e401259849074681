// A thin owner of one SQLite connection and its statements; SQLite's own types stay inside this room's .cpp files.
#pragma once
#include <sqlite3.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace kbx::store {

// One prepared statement; reset and reused by its owner. Indices are 1-based as in SQLite.
class Statement {
 public:
  static Result<Statement> prepare(sqlite3* db, std::string_view sql);
  Statement(Statement&& other) noexcept : db_(other.db_), statement_(other.statement_) { other.statement_ = nullptr; }
  Statement& operator=(Statement&&) = delete;  // never reassigned
  ~Statement() { sqlite3_finalize(statement_); }

  void bind(int at, std::string_view text) { sqlite3_bind_text64(statement_, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8); }
  void bind(int at, int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, double value) { sqlite3_bind_double(statement_, at, value); }  // NaN becomes NULL
  // True while there is a row.
  Result<bool> step();
  void reset() { sqlite3_reset(statement_); }
  std::string text(int column) const;
  std::string_view view(int column) const;  // valid until the next step() or reset()
  int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }
  bool null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

 private:
  Statement(sqlite3* db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
  sqlite3* db_;
  sqlite3_stmt* statement_;
};

// The error of the connection's last call, with what was being done and what to do about it.
tl::unexpected<Error> sqlite_error(sqlite3* db, const std::string& doing);
Result<void> execute(sqlite3* db, const std::string& sql, const std::string& doing);

}  // namespace kbx::store
