// Store: one run's database (SQLite, append-only) and its blobs. A run is a folder: run.db (the truth), run.json (a
// copy of the run table for humans), blobs/<aa>/<sha256>. One writer; readers at any time (WAL).
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/json.h"
#include "base/result.h"
#include "model/record.h"
#include "store/job_row.h"

struct sqlite3;

namespace kbx::store {

class Store {
 public:
  // Creates the folder and the schema when absent. Errors: not a kbx run, a newer schema, a corrupt or locked file.
  static Result<Store> open(const std::filesystem::path& folder);
  static Result<Store> open_for_reading(const std::filesystem::path& folder);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& folder() const { return folder_; }

  // The run's own facts (config, versions, machine); a name is written once.
  Result<void> put_fact(const std::string& name, const Json& value);
  Result<Json> facts() const;

  // One transaction. A key whose result stands is not written again (code store); one that ended as harness_error may be
  // tried again, and then the last attempt counts.
  Result<void> append(const Record& record);
  Result<std::unordered_set<std::string>> keys() const;  // of the results that stand
  Result<int64_t> count() const;
  // Every record in input order, one at a time; the callback returns false to stop.
  Result<void> each(const std::function<bool(const Record&)>& visit) const;
  // The same results in the same order as their columns alone, many times faster than each() (store/job_row.h).
  Result<void> each_row(const std::function<bool(const JobRow&)>& visit) const;
  Result<std::optional<Record>> find(std::string_view candidate) const;  // the first with this id
  Result<std::optional<Record>> find_key(std::string_view key) const;    // the attempt that counts

  // Content-addressed bytes; returns the SHA-256. Writing the same bytes again costs nothing.
  Result<std::string> put_blob(std::string_view bytes);
  Result<std::string> blob(std::string_view hash) const;

  sqlite3* connection() const;  // for this room's other tables

 private:
  struct Db;
  Store(std::filesystem::path folder, std::unique_ptr<Db> db);
  std::filesystem::path folder_;
  std::unique_ptr<Db> db_;
};

}  // namespace kbx::store
