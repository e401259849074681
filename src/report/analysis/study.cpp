// Gathering: see the header.
#include "report/analysis/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/text.h"
#include "model/efficiency.h"
#include "report/analysis/resources.h"
#include "store/job_row.h"
#include "store/json_cut.h"
#include "store/timing_json.h"

namespace kbx::report {
namespace {

using store::JobRow;
using store::RecordParts;

std::string text(const Json& j, const char* key) { return get_string(j, key).value_or(""); }
bool is(const RecordParts& parts, std::string_view name, std::string_view value) {
  std::string_view text = parts.text(name);
  return text.size() == value.size() + 2 && text.substr(1, value.size()) == value;
}

// The first judgement that gave this verdict: its oracle and, where it names one, its metric.
std::string oracle_of(const RecordParts& parts, Verdict verdict) {
  for (std::string_view judged : store::list_parts(parts.text("judgements"))) {
    RecordParts j(RecordParts(judged).text("kbx"));
    if (!is(j, "verdict", to_text(verdict))) continue;
    std::string metric = j.string("metric");
    return j.string("kind") + (metric.empty() ? "" : ": " + metric);
  }
  return "";
}

// The rule of the first finding that rejects; what the verdict itself says is no news.
std::string rule_of(const RecordParts& parts, Verdict verdict) {
  for (std::string_view found : store::list_parts(parts.text("findings"))) {
    RecordParts f(found);
    if (is(f, "severity", "reject") && !is(f, "rule", to_text(verdict))) return f.string("rule");
  }
  return "";
}

// What exactly went wrong, in one or two words; "" = the record does not say.
std::string kind_of(const RecordParts& parts, Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong_structure:
    case Verdict::wrong_value:
    case Verdict::wrong_value_outlier:
    case Verdict::contract_violation: return oracle_of(parts, verdict);
    case Verdict::constraint_violation:
    case Verdict::illegal_memory_access:
    case Verdict::data_race:
    case Verdict::delegated: return rule_of(parts, verdict);
    default: return parts.string("error_type");
  }
}

Timed timed_of(const Timing& t) {
  Timed out;
  out.speedup = t.speedup;
  out.low = t.low;
  out.high = t.high;
  out.host_speedup = t.host_speedup;
  out.iou = t.iou;
  out.mfu = t.mfu;
  std::vector<double> shares;
  bool whole = !t.sizes.empty();
  for (const SizeTiming& s : t.sizes) {
    out.launch_bound |= s.measured() && s.launch_bound;
    out.in_process |= s.measured() && s.by == TimedBy::in_process;
    if (s.measured() && !s.compared) continue;
    whole &= s.measured() && s.bound_us > 0 && s.candidate_us > 0;
    if (whole) shares.push_back(s.bound_us / s.candidate_us);
    if (s.measured() && !s.limit.empty()) out.limit = s.limit;
  }
  if (whole) out.floor_share = geometric_mean(shares);
  return out;
}

void add_quantized(const RecordParts& parts, int trial, std::vector<Quantized>& out) {
  for (std::string_view judged : store::list_parts(parts.text("judgements"))) {
    RecordParts c(judged), j(c.text("kbx"));
    if (!is(j, "kind", "quantized") || is(c, "phase", "repeat")) continue;
    RecordParts m(j.text("metrics"));
    auto number = [&](std::string_view name) { return store::number_part(m, name).value_or(NAN); };
    out.push_back({trial, number("cosine"), number("l1_rel"), number("rmse"), number("rel_rmse")});
  }
}

// The run that a merged run's record came from: its fact `merged` is a list of {"run", "first", "count", ...}.
struct Origins {
  struct Part {
    int64_t first = 0, end = 0;
    std::string run;
    Json facts;
  };
  std::vector<Part> parts;

  explicit Origins(const Json& facts) {
    const Json& list = get(facts, "merged");
    if (!list.is_array()) return;
    for (const Json& p : list) {
      int64_t first = get_int(p, "first").value_or(0);
      parts.push_back({first, first + get_int(p, "count").value_or(0), text(p, "run"), get(p, "facts")});
    }
  }
  const Part* of(int64_t ordinal) const {
    auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.first <= ordinal && ordinal < p.end; });
    return found == parts.end() ? nullptr : &*found;
  }
};

class Gatherer {
 public:
  Gatherer(Study& study, const MethodRules& rules) : study_(study), rules_(rules) {}

  void begin(const Runs::Run& run) {
    run_ = &run;
    origins_.emplace(run.facts);
    id_ = study_.runs.of(run.label);
    study_.facts.push_back(run.facts);
    from_.clear();
    by_candidate_.clear();
    generated_ = get(run.facts, "generation").is_object();
  }

  bool add(const JobRow& row) {
    if (row.category.empty()) {
      study_.not_in_suite++;
      return true;
    }
    const Origins::Part* part = origins_->of(row.ordinal);
    Method method = method_of(rules_, part ? part->run : run_->label, part ? part->facts : run_->facts, row.candidate);
    if (method.name == kLeftOut) {
      study_.left_out++;
      return true;
    }
    RecordParts parts(row.record());
    if (parts.text("engine_version").empty()) {
      damaged_ = row.candidate;
      return false;
    }
    note_circumstances(parts);
    Trial t;
    t.run = id_;
    t.source = study_.sources.of(part ? part->run : run_->label);
    t.task = study_.tasks.of(row.task);
    t.category = study_.categories.of(row.category);
    from_.insert(method.from);
    t.method = study_.methods.of(method.name);
    t.verdict = row.verdict;
    t.paper = row.paper;
    t.call = row.call_ok;
    t.place = place_of(row.candidate, row.task);
    t.identity = std::hash<std::string_view>()(row.candidate) * 31 + std::hash<std::string_view>()(row.source_hash);
    t.ordinal = row.ordinal;
    t.seconds = float(row.seconds);
    study_.harness_errors += row.verdict == Verdict::harness_error;
    study_.not_judged += row.verdict == Verdict::not_judged;
    int index = int(study_.trials.size());
    if (is_failure(row.verdict))
      if (std::string kind = kind_of(parts, row.verdict); !kind.empty()) t.kind = study_.kinds.of(kind);
    if (row.category == "quantization" && row.verdict > Verdict::compile_error) add_quantized(parts, index, study_.quantized);
    if (t.correct() && !parts.text("timing").empty()) add_timing(row, parts, index, t);
    study_.resources.add(row, parts, study_.sources[t.source]);
    study_.trials.push_back(t);
    if (t.place || generated_) by_candidate_[std::string(row.candidate)] = index;
    return true;
  }

  Result<void> end() {
    if (!damaged_.empty()) return fail(Code::store, "the record of " + damaged_ + " is damaged: restore the run from a copy");
    std::string text;
    for (Method::From from : from_) text += (text.empty() ? "" : ", ") + std::string(to_text(from));
    study_.method_from.push_back(text);
    return add_generation(*run_, id_, by_candidate_, study_);
  }

 private:
  void note_circumstances(const RecordParts& parts) {
    for (auto [name, key] : {std::pair{"engine version", "engine_version"}, {"seed", "seed"}}) {
      std::string_view value = parts.text(key);
      auto& counts = study_.circumstances[name];
      auto at = counts.find(std::string(value));
      if (at == counts.end()) counts.emplace(std::string(value), 1);
      else at->second++;
    }
  }

  void add_timing(const JobRow& row, const RecordParts& parts, int index, Trial& t) {
    auto timing = store::timing_from(parts.json("timing"));
    if (!timing) return;
    Timed timed = timed_of(*timing);
    timed.candidate = std::string(row.candidate);
    timed.trial = index;
    timed.gpu = study_.gpus.of(timing->gpu);
    t.timed = int(study_.timed.size());
    study_.timed.push_back(std::move(timed));
  }

  Study& study_;
  const MethodRules& rules_;
  const Runs::Run* run_ = nullptr;
  std::optional<Origins> origins_;
  int id_ = 0;
  std::string damaged_;  // the candidate of a record that cannot be read
  std::set<Method::From> from_;
  bool generated_ = false;                             // by kbx run
  std::unordered_map<std::string, int> by_candidate_;  // trials of its candidates
};

}  // namespace

int Names::of(std::string_view name) {
  auto [at, fresh] = ids_.try_emplace(std::string(name), int(names_.size()));
  if (fresh) names_.emplace_back(name);
  return at->second;
}

std::vector<int> Names::sorted() const {
  std::vector<int> out(names_.size());
  for (size_t k = 0; k < out.size(); k++) out[k] = int(k);
  std::sort(out.begin(), out.end(), [&](int a, int b) { return names_[size_t(a)] < names_[size_t(b)]; });
  return out;
}

std::optional<Place> place_of(std::string_view candidate, std::string_view task) {
  if (!starts_with(candidate, task) || candidate.size() <= task.size() || candidate[task.size()] != '/') return std::nullopt;
  Place p;
  const char* at = candidate.data() + task.size();
  const char* end = candidate.data() + candidate.size();
  for (int* part : {&p.round, &p.slot, &p.step}) {
    if (at == end || *at != '/') return std::nullopt;
    auto [next, error] = std::from_chars(at + 1, end, *part);
    if (error != std::errc() || *part < 0) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional<Place>(p) : std::nullopt;
}

Result<Study> study_of(const Runs& runs, const MethodRules& rules) {
  Study study;
  Gatherer gatherer(study, rules);
  for (const Runs::Run& run : runs.all()) {
    gatherer.begin(run);
    auto done = run.store.each_row([&](const JobRow& row) { return gatherer.add(row); });
    if (done) done = gatherer.end();
    if (!done) return tl::unexpected(with_context(std::move(done.error()), "reading " + run.store.folder().string()));
  }
  return study;
}

}  // namespace kbx::report
