#include "store/record_json.h"

#include <cmath>

#include "store/launch_json.h"
#include "store/timing_json.h"

namespace kbx::store {
namespace {

// JSON has no NaN or Inf: they are strings.
Json number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}
double number(const Json& object, const char* key) {
  const Json& j = get(object, key);
  if (j.is_number()) return j.get<double>();
  if (!j.is_string()) return 0;
  auto s = j.get<std::string>();
  return s == "inf" ? INFINITY : s == "-inf" ? -INFINITY : NAN;
}
std::string text(const Json& j, const char* key) { return get_string(j, key).value_or(""); }

Json metrics_json(const Metrics& m) {
  return {{"count", m.count}, {"mismatches", m.mismatches}, {"first_mismatch", m.first_mismatch}, {"worst", m.worst},
          {"max_abs", number(m.max_abs)}, {"max_rel", number(m.max_rel)}, {"max_ulp", number(m.max_ulp)}, {"max_allowed", number(m.max_allowed)}, {"cosine", number(m.cosine)},
          {"l1_rel", number(m.l1_rel)}, {"rmse", number(m.rmse)}, {"rel_rmse", number(m.rel_rmse)}, {"nan_got", m.nan_got},
          {"nan_want", m.nan_want}, {"inf_got", m.inf_got}, {"inf_want", m.inf_want},
          {"nan_position_mismatches", m.nan_position_mismatches}, {"inf_position_mismatches", m.inf_position_mismatches}};
}
Metrics metrics_from(const Json& j) {
  Metrics m;
  auto integer = [&](const char* key) { return int64_t(get_int(j, key).value_or(0)); };
  m.count = integer("count");
  m.mismatches = integer("mismatches");
  m.first_mismatch = integer("first_mismatch");
  m.worst = integer("worst");
  m.max_abs = number(j, "max_abs");
  m.max_rel = number(j, "max_rel");
  m.max_ulp = number(j, "max_ulp");
  m.max_allowed = number(j, "max_allowed");
  m.cosine = number(j, "cosine");
  m.l1_rel = number(j, "l1_rel");
  m.rmse = number(j, "rmse");
  m.rel_rmse = number(j, "rel_rmse");
  m.nan_got = integer("nan_got");
  m.nan_want = integer("nan_want");
  m.inf_got = integer("inf_got");
  m.inf_want = integer("inf_want");
  m.nan_position_mismatches = integer("nan_position_mismatches");
  m.inf_position_mismatches = integer("inf_position_mismatches");
  return m;
}

Json judgement_json(const Judgement& j) {
  Json out = {{"path", j.path}, {"kind", to_text(j.kind)}, {"profile", to_text(j.profile)}, {"verdict", to_text(j.verdict)},
          {"metrics", metrics_json(j.metrics)}, {"explanation", j.explanation}, {"metric", j.metric}, {"index", j.index},
          {"expected", number(j.expected)}, {"got", number(j.got)}, {"bound", number(j.bound)}};
  if (j.error_share) out["error_share"] = *j.error_share;
  return out;
}
Judgement judgement_from(const Json& j) {
  Judgement out;
  out.path = text(j, "path");
  out.kind = oracle_kind_from_text(text(j, "kind")).value_or(OracleKind::close);
  out.profile = profile_from_text(text(j, "profile")).value_or(Profile::kbx);
  out.verdict = verdict_from_text(text(j, "verdict")).value_or(Verdict::harness_error);
  out.metrics = metrics_from(get(j, "metrics"));
  out.explanation = text(j, "explanation");
  out.metric = text(j, "metric");
  if (const Json& index = get(j, "index"); index.is_array())
    for (const Json& k : index)
      if (k.is_number_integer()) out.index.push_back(k.get<int64_t>());
  out.expected = number(j, "expected");
  out.got = number(j, "got");
  out.bound = number(j, "bound");
  out.error_share = get_double(j, "error_share");
  return out;
}

Json compiled_json(const Compiled& c) {
  return {{"kernel", c.kernel}, {"arch", c.arch}, {"ok", c.ok}, {"registers", c.registers}, {"stack", c.stack},
          {"spill_stores", c.spill_stores}, {"spill_loads", c.spill_loads}, {"shared", c.shared}, {"num_warps", c.num_warps},
          {"num_stages", c.num_stages}, {"seconds", number(c.seconds)}, {"error", c.error}};
}
Compiled compiled_from(const Json& j) {
  Compiled c;
  auto small = [&](const char* key) { return int(get_int(j, key).value_or(0)); };
  c.kernel = text(j, "kernel");
  c.arch = small("arch");
  c.ok = get_bool(j, "ok").value_or(false);
  c.registers = small("registers");
  c.stack = small("stack");
  c.spill_stores = small("spill_stores");
  c.spill_loads = small("spill_loads");
  c.shared = small("shared");
  c.num_warps = small("num_warps");
  c.num_stages = small("num_stages");
  c.seconds = number(j, "seconds");
  c.error = text(j, "error");
  return c;
}

template <class T, class F>
Json list_json(const std::vector<T>& items, F each) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(each(item));
  return out;
}
template <class T, class F>
void list_from(const Json& list, std::vector<T>& out, F each) {
  if (list.is_array())
    for (const Json& j : list) out.push_back(each(j));
}

}  // namespace

Json to_json(const Record& r) {
  Json j = {{"key", r.job_key}, {"ordinal", r.ordinal}, {"candidate", r.candidate}, {"task", r.task}, {"category", r.category},
            {"sample", r.sample}, {"source_hash", r.source_hash}, {"reply_hash", r.reply_hash}, {"how", r.how},
            {"verdict", to_text(r.verdict)}, {"paper", to_text(r.paper)}, {"in_suite", r.in_suite}, {"call_ok", r.call_ok}, {"exe_ok", r.exe_ok},
            {"paper_call_ok", r.paper_call_ok}, {"paper_exe_ok", r.paper_exe_ok}, {"retryable", r.retryable}, {"explanation", r.explanation},
            {"error_type", r.error_type}, {"traceback", r.traceback}, {"output", r.output}, {"flags", r.flags}};
  j["findings"] = list_json(r.findings, finding_json);
  j["cases"] = list_json(r.cases, [](const CaseRun& c) {
    return Json{{"case", c.case_name}, {"phase", c.phase}, {"answered", c.answered}, {"ok", c.ok}, {"error", c.error}, {"seconds", number(c.seconds)}, {"launches", c.launches}};
  });
  j["judgements"] = list_json(r.judgements, [](const CaseJudgement& c) {
    return Json{{"case", c.case_name}, {"phase", c.phase}, {"kbx", judgement_json(c.judgements.kbx)}, {"paper", judgement_json(c.judgements.paper)}};
  });
  j["compiled"] = list_json(r.compiled, compiled_json);
  j["launches"] = list_json(r.launches, launch_json);
  if (r.cost) j["cost"] = {{"case", r.cost->case_name}, {"bytes", number(r.cost->bytes)}, {"flops", number(r.cost->flops)}, {"unit", r.cost->unit}};
  j["ops"] = r.ops;
  if (r.timing) j["timing"] = timing_json(*r.timing);
  j["device"] = r.device;
  j["seed"] = std::to_string(r.seed);  // 64 bits do not fit a JSON number everywhere
  j["engine_version"] = r.engine_version;
  j["task_version"] = r.task_version;
  j["started"] = r.started;
  j["seconds"] = number(r.seconds);
  j["stage_seconds"] = r.stage_seconds;
  return j;
}

Result<Record> record_from_json(const Json& j) {
  auto verdict = verdict_from_text(text(j, "verdict")), paper = verdict_from_text(text(j, "paper"));
  if (!verdict || !paper) return fail(Code::store, "a stored record has no known verdict (written by another version of kbx?)");
  Record r;
  r.verdict = *verdict;
  r.paper = *paper;
  r.job_key = text(j, "key");
  r.ordinal = get_int(j, "ordinal").value_or(0);
  r.candidate = text(j, "candidate");
  r.task = text(j, "task");
  r.category = text(j, "category");
  r.sample = int(get_int(j, "sample").value_or(0));
  r.source_hash = text(j, "source_hash");
  r.reply_hash = text(j, "reply_hash");
  r.how = text(j, "how");
  r.in_suite = get_bool(j, "in_suite").value_or(true);
  r.call_ok = get_bool(j, "call_ok").value_or(false);
  r.exe_ok = get_bool(j, "exe_ok").value_or(false);
  r.paper_call_ok = get_bool(j, "paper_call_ok").value_or(false);
  r.paper_exe_ok = get_bool(j, "paper_exe_ok").value_or(false);
  r.retryable = get_bool(j, "retryable").value_or(false);
  r.explanation = text(j, "explanation");
  r.error_type = text(j, "error_type");
  r.traceback = text(j, "traceback");
  r.output = text(j, "output");
  list_from(get(j, "flags"), r.flags, [](const Json& f) { return f.is_string() ? f.get<std::string>() : std::string(); });
  list_from(get(j, "findings"), r.findings, finding_from);
  list_from(get(j, "cases"), r.cases, [](const Json& c) {
    return CaseRun{text(c, "case"), text(c, "phase"), get_bool(c, "answered").value_or(false), get_bool(c, "ok").value_or(false),
                   text(c, "error"), number(c, "seconds"), int(get_int(c, "launches").value_or(0))};
  });
  list_from(get(j, "judgements"), r.judgements, [](const Json& c) {
    return CaseJudgement{text(c, "case"), text(c, "phase"), {judgement_from(get(c, "kbx")), judgement_from(get(c, "paper"))}};
  });
  list_from(get(j, "compiled"), r.compiled, compiled_from);
  list_from(get(j, "launches"), r.launches, launch_from);
  if (const Json& cost = get(j, "cost"); cost.is_object()) r.cost = CallCost{text(cost, "case"), number(cost, "bytes"), number(cost, "flops"), text(cost, "unit")};
  if (const Json& ops = get(j, "ops"); ops.is_object())
    for (const auto& [key, v] : ops.items())
      if (v.is_number_integer()) r.ops[key] = v.get<int64_t>();
  r.timing = timing_from(get(j, "timing"));
  r.device = text(j, "device");
  r.seed = std::strtoull(text(j, "seed").c_str(), nullptr, 10);
  r.engine_version = text(j, "engine_version");
  r.task_version = text(j, "task_version");
  r.started = text(j, "started");
  r.seconds = number(j, "seconds");
  if (const Json& stages = get(j, "stage_seconds"); stages.is_object())
    for (const auto& [key, v] : stages.items()) r.stage_seconds[key] = number(stages, key.c_str());
  return r;
}

}  // namespace kbx::store
