#include "store/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"
#include "store/record_json.h"
#include "store/schema.h"
#include "store/sqlite.h"

namespace kbx::store {
namespace {

constexpr int kSchemaVersion = 1;
constexpr int kPatienceMs = 20000;  // a backup or a reader may hold the file for a while

Result<int64_t> user_version(sqlite3* db) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "PRAGMA user_version"));
  KBX_TRY_ASSIGN(bool row, s.step());
  return row ? s.integer(0) : 0;
}

// Two kbx on one run would judge everything twice. The lock goes with its process, however that ends. A file system
// without locks is no reason to stop.
Result<Fd> lock_folder(const std::filesystem::path& folder) {
  auto path = (folder / "lock").string();
  Fd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return fail(Code::usage, "another kbx is writing to " + folder.string() + "; wait for it, or choose another --run");
  return lock;
}

// What a kbx that was killed while it wrote left beside the files; nobody else writes here (the lock).
void remove_torn_files(const std::filesystem::path& folder) {
  std::error_code ec;
  std::vector<std::filesystem::path> torn;
  for (std::filesystem::recursive_directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec))
    if (at->path().extension().string().rfind(".tmp", 0) == 0 && at->is_regular_file(ec)) torn.push_back(at->path());
  for (const auto& path : torn) std::filesystem::remove(path, ec);
}

// A run that was there and whose database is gone must not begin anew without a word.
Result<void> check_not_emptied(const std::filesystem::path& folder) {
  std::error_code ec;
  auto path = folder / "run.db";
  auto size = std::filesystem::file_size(path, ec);
  if (ec) size = 0;
  if (size > 0 || !std::filesystem::exists(folder / "run.json", ec)) return {};
  const char* state = std::filesystem::exists(path, ec) ? "empty" : "missing";
  return fail(Code::store, path.string() + " is " + state + " and run.json tells of a run: restore it from a copy, or choose another --run");
}

// Every page and index, before anything is added: what is judged must not depend on results that cannot be read.
Result<void> check_whole(sqlite3* db, const std::string& path) {
  auto damaged = [&](const std::string& why) {
    return fail(Code::store, path + " is damaged (" + why + "): restore it from a copy, or choose another --run; `sqlite3 run.db .recover` may save results");
  };
  auto s = Statement::prepare(db, "PRAGMA quick_check(1)");
  if (!s) return damaged(s.error().message);
  auto row = s->step();
  if (!row) return damaged(row.error().message);
  if (*row && s->text(0) != "ok") return damaged(s->text(0).substr(0, 200));
  return {};
}

Result<Record> read_record(const std::string& text, const std::string& path) {
  auto json = parse_json(text);
  auto record = json ? record_from_json(*json) : Result<Record>(tl::unexpected(json.error()));
  if (!record) return tl::unexpected(with_context(std::move(record.error()), "in a record of " + path + "; it is damaged"));
  return record;
}

// The number of this attempt; an error when the key already has a result that stands.
Result<int64_t> next_attempt(sqlite3* db, const std::string& key) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "SELECT count(*), total(verdict != 'harness_error') FROM job WHERE key = ?"));
  s.bind(1, key);
  KBX_TRY_ASSIGN(bool row, s.step());
  if (row && s.integer(1) > 0) return fail(Code::store, "the job " + key + " is already in the run");
  return row ? s.integer(0) : 0;
}

Result<void> insert_job(sqlite3* db, const Record& r, int64_t attempt) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "INSERT INTO job VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  s.bind(1, r.job_key);
  s.bind(2, attempt);
  s.bind(3, r.ordinal);
  s.bind(4, r.candidate);
  s.bind(5, r.task);
  s.bind(6, r.category);
  s.bind(7, int64_t(r.sample));
  s.bind(8, to_text(r.verdict));
  s.bind(9, to_text(r.paper));
  s.bind(10, int64_t(r.call_ok));
  s.bind(11, int64_t(r.exe_ok));
  s.bind(12, r.device);
  s.bind(13, r.seconds);
  s.bind(14, r.source_hash);
  s.bind(15, dump_json(to_json(r)));
  return s.step().map([](bool) {});
}

Result<void> insert_findings(sqlite3* db, const Record& r, int64_t attempt) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "INSERT INTO finding VALUES (?,?,?,?,?,?,?)"));
  for (const Finding& f : r.findings) {
    s.reset();
    s.bind(1, r.job_key);
    s.bind(2, attempt);
    s.bind(3, to_text(f.layer));
    s.bind(4, f.rule);
    s.bind(5, to_text(f.severity));
    s.bind(6, int64_t(f.line));
    s.bind(7, f.message);
    KBX_TRY(s.step());
  }
  return {};
}

Result<void> insert_judgements(sqlite3* db, const Record& r, int64_t attempt) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "INSERT INTO judgement VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  for (const CaseJudgement& c : r.judgements)
    for (const Judgement* j : {&c.judgements.kbx, &c.judgements.paper}) {
      s.reset();
      s.bind(1, r.job_key);
      s.bind(2, attempt);
      s.bind(3, c.case_name);
      s.bind(4, c.phase);
      s.bind(5, j->path);
      s.bind(6, to_text(j->profile));
      s.bind(7, to_text(j->verdict));
      s.bind(8, j->metrics.mismatches);
      s.bind(9, j->metrics.count);
      s.bind(10, j->metrics.max_abs);
      s.bind(11, j->metrics.cosine);
      s.bind(12, j->metrics.l1_rel);
      s.bind(13, j->metrics.rmse);
      KBX_TRY(s.step());
    }
  return {};
}

}  // namespace

struct Store::Db {
  sqlite3* handle = nullptr;
  Fd lock;  // of a run that is being written
  ~Db() { sqlite3_close(handle); }
};

Store::Store(std::filesystem::path folder, std::unique_ptr<Db> db) : folder_(std::move(folder)), db_(std::move(db)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::filesystem::path& folder) {
  std::error_code ec;
  std::filesystem::create_directories(folder / "blobs", ec);
  if (ec) return fail(Code::store, "cannot create the run folder " + folder.string() + ": " + ec.message());
  auto db = std::make_unique<Db>();
  KBX_TRY_ASSIGN(db->lock, lock_folder(folder));
  remove_torn_files(folder);
  KBX_TRY(check_not_emptied(folder));
  auto path = (folder / "run.db").string();
  if (sqlite3_open_v2(path.c_str(), &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK)
    return sqlite_error(db->handle, "cannot open " + path);
  sqlite3_busy_timeout(db->handle, kPatienceMs);
  // NORMAL with WAL: kill -9 loses nothing that was committed; a power cut may lose the last jobs, never the file.
  KBX_TRY(execute(db->handle, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;", "cannot open " + path));
  KBX_TRY_ASSIGN(int64_t version, user_version(db->handle));
  if (version > kSchemaVersion) return fail(Code::store, path + " was written by a newer kbx (schema " + std::to_string(version) + ")");
  KBX_TRY(check_whole(db->handle, path));
  KBX_TRY(execute(db->handle, kSchemaSql, "cannot prepare " + path));
  return Store(folder, std::move(db));
}

Result<Store> Store::open_for_reading(const std::filesystem::path& folder) {
  auto path = (folder / "run.db").string();
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return fail(Code::usage, folder.string() + " is not a kbx run (it has no run.db)");
  auto db = std::make_unique<Db>();
  if (sqlite3_open_v2(path.c_str(), &db->handle, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK &&
      (sqlite3_close(db->handle), sqlite3_open_v2(path.c_str(), &db->handle, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK))
    return sqlite_error(db->handle, "cannot open " + path);
  sqlite3_busy_timeout(db->handle, kPatienceMs);
  KBX_TRY_ASSIGN(int64_t version, user_version(db->handle));
  if (version == 0) return fail(Code::store, path + " is empty: the run never began, or the file was cut; restore it from a copy, or run kbx eval again");
  if (version != kSchemaVersion) return fail(Code::store, path + " has schema " + std::to_string(version) + ", this kbx reads " + std::to_string(kSchemaVersion));
  return Store(folder, std::move(db));
}

Result<void> Store::put_fact(const std::string& name, const Json& value) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_->handle, "INSERT OR REPLACE INTO run VALUES (?,?)"));
  s.bind(1, name);
  s.bind(2, dump_json(value));
  KBX_TRY(s.step());
  KBX_TRY_ASSIGN(Json all, facts());
  return write_file(folder_ / "run.json", dump_json(all, 2) + "\n");
}

Result<Json> Store::facts() const {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_->handle, "SELECT name, value FROM run ORDER BY rowid"));
  Json out = Json::object();
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return out;
    KBX_TRY_ASSIGN(Json value, parse_json(s.text(1)));
    out[s.text(0)] = std::move(value);
  }
}

Result<void> Store::append(const Record& record) {
  KBX_TRY(execute(db_->handle, "BEGIN IMMEDIATE", "cannot write the run"));
  auto attempt = next_attempt(db_->handle, record.job_key);
  Result<void> done;
  if (!attempt) done = tl::unexpected(attempt.error());
  if (done) done = insert_job(db_->handle, record, *attempt);
  if (done) done = insert_findings(db_->handle, record, *attempt);
  if (done) done = insert_judgements(db_->handle, record, *attempt);
  if (done) done = execute(db_->handle, "COMMIT", "cannot write the run");
  if (!done) (void)execute(db_->handle, "ROLLBACK", "");
  return done;
}

Result<std::unordered_set<std::string>> Store::keys() const {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_->handle, "SELECT key FROM job WHERE verdict != 'harness_error'"));
  std::unordered_set<std::string> out;
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return out;
    out.insert(s.text(0));
  }
}

Result<int64_t> Store::count() const {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_->handle, "SELECT count(*) FROM result"));
  KBX_TRY_ASSIGN(bool row, s.step());
  return row ? s.integer(0) : 0;
}

Result<void> Store::each(const std::function<bool(const Record&)>& visit) const {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_->handle, "SELECT record FROM result ORDER BY ordinal, key"));
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return {};
    KBX_TRY_ASSIGN(Record record, read_record(s.text(0), (folder_ / "run.db").string()));
    if (!visit(record)) return {};
  }
}

namespace {

Result<std::optional<Record>> find_by(sqlite3* db, const std::string& path, const char* where, std::string_view what) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, std::string("SELECT record FROM result WHERE ") + where + " = ? ORDER BY ordinal LIMIT 1"));
  s.bind(1, what);
  KBX_TRY_ASSIGN(bool row, s.step());
  if (!row) return std::optional<Record>();
  KBX_TRY_ASSIGN(Record record, read_record(s.text(0), path));
  return std::optional<Record>(std::move(record));
}

}  // namespace

Result<std::optional<Record>> Store::find(std::string_view candidate) const {
  return find_by(db_->handle, (folder_ / "run.db").string(), "candidate", candidate);
}
Result<std::optional<Record>> Store::find_key(std::string_view key) const {
  return find_by(db_->handle, (folder_ / "run.db").string(), "key", key);
}
sqlite3* Store::connection() const { return db_->handle; }

Result<std::string> Store::put_blob(std::string_view bytes) {
  std::string hash = sha256_hex(bytes);
  auto dir = folder_ / "blobs" / hash.substr(0, 2);
  auto path = dir / hash;
  std::error_code ec;
  if (std::filesystem::exists(path, ec))
    if (auto there = read_file(path); there && *there == bytes) return hash;  // else half of it, after a power cut
  std::filesystem::create_directories(dir, ec);
  if (ec) return fail(Code::store, "cannot create " + dir.string() + ": " + ec.message());
  KBX_TRY(write_file(path, bytes));
  return hash;
}

Result<std::string> Store::blob(std::string_view hash) const {
  if (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != hash.npos) return fail(Code::store, "not a blob name: " + std::string(hash));
  KBX_TRY_ASSIGN(std::string bytes, read_file(folder_ / "blobs" / std::string(hash.substr(0, 2)) / std::string(hash)));
  if (sha256_hex(bytes) != hash) return fail(Code::store, "the blob " + std::string(hash) + " is damaged");
  return bytes;
}

}  // namespace kbx::store
