#include "store/generation.h"

#include "store/generation_tables.h"
#include "store/sqlite.h"

namespace kbx::store {
namespace {

Json ids_json(const std::vector<CallId>& ids) {
  Json out = Json::array();
  for (const CallId& id : ids) out.push_back(call_id_json(id));
  return out;
}

Result<bool> has_tables(sqlite3* db) {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'answer'"));
  KBX_TRY_ASSIGN(bool row, s.step());
  return row && s.integer(0) > 0;
}

// Rows of one query, each handed to `visit`, which returns false to stop.
Result<void> rows(sqlite3* db, const char* sql, const std::function<Result<bool>(Statement&)>& visit, const std::string& task = "") {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, sql));
  if (!task.empty()) s.bind(1, task);
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return {};
    KBX_TRY_ASSIGN(bool on, visit(s));
    if (!on) return {};
  }
}

std::optional<double> maybe_real(const Statement& s, int column) {
  return s.null(column) ? std::nullopt : std::optional<double>(s.real(column));
}

}  // namespace

Json call_id_json(const CallId& id) { return {{"task", id.task}, {"role", id.role}, {"round", id.round}, {"slot", id.slot}, {"attempt", id.attempt}}; }

CallId call_id_from(const Json& json) {
  return {get_string(json, "task").value_or(""), get_string(json, "role").value_or(""), int(get_int(json, "round").value_or(0)), int(get_int(json, "slot").value_or(0)),
          int(get_int(json, "attempt").value_or(0))};
}

Result<Generation> Generation::open(Store& store) {
  sqlite3* db = store.connection();
  KBX_TRY(execute(db, kGenerationSql, "cannot prepare " + (store.folder() / "run.db").string()));
  Generation out(db, true);
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db, "SELECT max((SELECT coalesce(max(seq), 0) FROM call), (SELECT coalesce(max(seq), 0) FROM evaluation),"
                                                     " (SELECT coalesce(max(seq), 0) FROM memory), (SELECT coalesce(max(seq), 0) FROM answer))"));
  KBX_TRY_ASSIGN(bool row, s.step());
  out.next_ = row ? s.integer(0) + 1 : 1;
  return out;
}

Result<Generation> Generation::open_for_reading(const Store& store) {
  KBX_TRY_ASSIGN(bool present, has_tables(store.connection()));
  return Generation(store.connection(), present);
}

Result<int64_t> Generation::insert(const char* table, const std::function<void(Statement&)>& bind, int columns) {
  std::string marks;
  for (int k = 0; k < columns; k++) marks += k ? ",?" : "?";
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(db_, std::string("INSERT INTO ") + table + " VALUES (" + marks + ")"));
  s.bind(1, next_);
  bind(s);
  KBX_TRY(s.step());
  return next_++;
}

Result<int64_t> Generation::append(const CallRow& r) {
  return insert("call", [&](Statement& s) {
    s.bind(2, r.key);
    s.bind(3, r.id.task);
    s.bind(4, r.id.role);
    s.bind(5, int64_t(r.id.round));
    s.bind(6, int64_t(r.id.slot));
    s.bind(7, int64_t(r.id.attempt));
    s.bind(8, r.model);
    s.bind(9, r.prompt);
    s.bind(10, r.request);
    s.bind(11, r.raw);
    s.bind(12, dump_json(r.result));
    s.bind(13, int64_t(r.replied));
    s.bind(14, r.usage.in);
    s.bind(15, r.usage.in_cached);
    s.bind(16, r.usage.in_cache_write);
    s.bind(17, r.usage.out);
    s.bind(18, r.usage.reasoning);
    s.bind(19, int64_t(r.usage.estimated));
    if (r.usd) s.bind(20, *r.usd);
    s.bind(21, r.seconds);
    s.bind(22, r.finished);
  }, 22);
}

Result<int64_t> Generation::append(const EvaluationRow& r) {
  return insert("evaluation", [&](Statement& s) {
    s.bind(2, r.task);
    s.bind(3, int64_t(r.round));
    s.bind(4, int64_t(r.slot));
    s.bind(5, int64_t(r.step));
    s.bind(6, r.candidate);
    s.bind(7, r.code);
    s.bind(8, dump_json(Json{{"call", call_id_json(r.from)}, {"how", r.how}, {"truncated", r.truncated}}));
    s.bind(9, r.job);
    s.bind(10, dump_json(r.feedback));
    s.bind(11, r.seconds);
    s.bind(12, r.gpu_seconds);
  }, 12);
}

Result<void> Generation::append(const MemoryRow& r) {
  return insert("memory", [&](Statement& s) {
    s.bind(2, r.task);
    s.bind(3, int64_t(r.round));
    s.bind(4, int64_t(r.slot));
    s.bind(5, r.candidate);
    s.bind(6, r.code);
    s.bind(7, r.strategy);
    s.bind(8, r.reflection);
    if (r.judge_score) s.bind(9, *r.judge_score);
    s.bind(10, dump_json(r.feedback));
    s.bind(11, dump_json(ids_json(r.calls)));
  }, 11).map([](int64_t) {});
}

Result<void> Generation::append(const AnswerRow& r) {
  return insert("answer", [&](Statement& s) {
    s.bind(2, r.task);
    s.bind(3, r.candidate);
    s.bind(4, r.code);
    s.bind(5, r.why);
    s.bind(6, dump_json(Json(r.samples)));
    s.bind(7, int64_t(r.cut_short));
  }, 7).map([](int64_t) {});
}

Result<void> Generation::each_call(const std::function<bool(const CallRow&)>& visit, const std::string& task) const {
  if (!present_) return {};
  std::string sql = std::string("SELECT seq, key, task, role, round, slot, attempt, model, prompt, request, raw, result, replied, tokens_in, cached, cache_write, tokens_out,"
                                " reasoning, estimated, usd, seconds, finished FROM call") + (task.empty() ? "" : " WHERE task = ?") + " ORDER BY seq";
  return rows(db_, sql.c_str(),
              [&](Statement& s) -> Result<bool> {
                CallRow r;
                r.seq = s.integer(0);
                r.key = s.text(1);
                r.id = {s.text(2), s.text(3), int(s.integer(4)), int(s.integer(5)), int(s.integer(6))};
                r.model = s.text(7);
                r.prompt = s.text(8);
                r.request = s.text(9);
                r.raw = s.text(10);
                KBX_TRY_ASSIGN(r.result, parse_json(s.text(11)));
                r.replied = s.integer(12) != 0;
                r.usage = {s.integer(13), s.integer(14), s.integer(15), s.integer(16), s.integer(17), s.integer(18) != 0};
                r.usd = maybe_real(s, 19);
                r.seconds = s.real(20);
                r.finished = s.text(21);
                return visit(r);
              },
              task);
}

Result<void> Generation::each_evaluation(const std::function<bool(const EvaluationRow&)>& visit, const std::string& task) const {
  if (!present_) return {};
  std::string sql = std::string("SELECT seq, task, round, slot, step, candidate, code, origin, job, feedback, seconds, gpu_seconds FROM evaluation") +
                    (task.empty() ? "" : " WHERE task = ?") + " ORDER BY seq";
  return rows(db_, sql.c_str(),
              [&](Statement& s) -> Result<bool> {
                EvaluationRow r;
                r.seq = s.integer(0);
                r.task = s.text(1);
                r.round = int(s.integer(2));
                r.slot = int(s.integer(3));
                r.step = int(s.integer(4));
                r.candidate = s.text(5);
                r.code = s.text(6);
                KBX_TRY_ASSIGN(Json origin, parse_json(s.text(7)));
                r.from = call_id_from(get(origin, "call"));
                r.how = get_string(origin, "how").value_or("");
                r.truncated = get_bool(origin, "truncated").value_or(false);
                r.job = s.text(8);
                KBX_TRY_ASSIGN(r.feedback, parse_json(s.text(9)));
                r.seconds = s.real(10);
                r.gpu_seconds = s.real(11);
                return visit(r);
              },
              task);
}

Result<std::vector<MemoryRow>> Generation::memories() const {
  std::vector<MemoryRow> out;
  if (!present_) return out;
  KBX_TRY(rows(db_, "SELECT task, round, slot, candidate, code, strategy, reflection, judge_score, feedback, calls FROM memory AS m"
                    " WHERE seq = (SELECT max(seq) FROM memory AS o WHERE o.task = m.task AND o.round = m.round AND o.slot = m.slot) ORDER BY task, round, slot",
               [&](Statement& s) -> Result<bool> {
                 MemoryRow r{s.text(0), int(s.integer(1)), int(s.integer(2)), s.text(3), s.text(4), s.text(5), s.text(6), maybe_real(s, 7), {}, {}};
                 KBX_TRY_ASSIGN(r.feedback, parse_json(s.text(8)));
                 KBX_TRY_ASSIGN(Json calls, parse_json(s.text(9)));
                 for (const Json& c : calls) r.calls.push_back(call_id_from(c));
                 out.push_back(std::move(r));
                 return true;
               }));
  return out;
}

Result<std::vector<AnswerRow>> Generation::answers() const {
  std::vector<AnswerRow> out;
  if (!present_) return out;
  KBX_TRY(rows(db_, "SELECT task, candidate, code, why, samples, cut_short FROM answer AS a WHERE seq = (SELECT max(seq) FROM answer AS o WHERE o.task = a.task) ORDER BY task",
               [&](Statement& s) -> Result<bool> {
                 AnswerRow r{s.text(0), s.text(1), s.text(2), s.text(3), {}, s.integer(5) != 0};
                 KBX_TRY_ASSIGN(Json samples, parse_json(s.text(4)));
                 for (const Json& c : samples)
                   if (c.is_string()) r.samples.push_back(c.get<std::string>());
                 out.push_back(std::move(r));
                 return true;
               }));
  return out;
}

}  // namespace kbx::store
