#include "report/reward.h"

#include <fmt/format.h>

#include <algorithm>

namespace kbx::report {
namespace {

// The worst over all outputs; absent where none has one, and where an output that should have one has none.
std::optional<double> worst_error(const Record& r, std::string& why) {
  std::optional<double> worst;
  for (const CaseJudgement& c : r.judgements) {
    const Judgement& j = c.judgements.kbx;
    if (j.error_share) worst = std::max(worst.value_or(0), *j.error_share);
    else if (j.kind == OracleKind::statistical || j.kind == OracleKind::factorization) why = "the oracle knows right and wrong only";
  }
  return worst;
}

// An oracle with a continuous error whose record has none: stored by an older kbx.
bool error_unknown(const Record& r) {
  return std::any_of(r.judgements.begin(), r.judgements.end(), [](const CaseJudgement& c) {
    const Judgement& j = c.judgements.kbx;
    bool continuous = j.kind != OracleKind::statistical && j.kind != OracleKind::factorization;
    return continuous && j.verdict == Verdict::correct && j.metrics.count > 0 && !j.error_share;
  });
}

// The least time of a size as a share of its time: by the datasheet, else by what calibration reached.
std::optional<stats::SizeFact> size_fact(const SizeTiming& s) {
  if (!s.measured() || !(s.candidate_us > 0)) return std::nullopt;
  stats::SizeFact fact{s.candidate_us, s.bound_us, 0};
  if (!(fact.least > 0)) fact.least = std::max(s.iou_reached.value_or(0), s.mfu_reached.value_or(0)) * s.candidate_us;
  if (!(fact.least > 0)) return std::nullopt;
  fact.least = std::max(fact.least, s.floor_us);
  // The interval is that of reference / candidate: its noise holds the candidate's.
  if (s.low > 0 && s.speedup > 0) fact.low_factor = s.low / s.speedup;
  return fact;
}

std::optional<std::vector<stats::SizeFact>> sizes_of(const Record& r, const stats::RewardSpec& spec, std::string& why) {
  auto unpaid = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (!r.timing) return unpaid(r.device == "cpu" ? "no GPU: efficiency was not measured" : "no time was taken");
  std::vector<stats::SizeFact> sizes;
  for (const SizeTiming& s : r.timing->sizes) {
    if (s.by == TimedBy::in_process && s.measured() && !spec.in_process) return unpaid("a time was taken in the candidate's own process");
    if (s.measured() && !s.compared) continue;  // nobody knows whether that time was for the work
    auto fact = size_fact(s);
    if (!fact) return unpaid(s.measured() ? "the card's peaks are not known" : "size " + s.case_name + " has no time: " + s.problem);
    sizes.push_back(*fact);
  }
  if (sizes.empty()) return unpaid(r.timing->sizes.empty() ? "the task has no performance size" : "the values were compared at no size");
  return sizes;
}

std::optional<double> traffic_of(const Record& r) {
  if (!r.cost || r.launches.empty()) return std::nullopt;
  double moved = 0;
  for (const Launch& l : r.launches) moved += double(l.unique_load_bytes + l.unique_store_bytes);
  if (!(moved > 0) || !(r.cost->bytes > 0)) return std::nullopt;
  return r.cost->bytes / moved;
}

Json maybe(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

}  // namespace

RecordReward reward_of(const Record& r, const stats::RewardSpec& spec) {
  RecordReward out;
  if (!r.in_suite || r.verdict == Verdict::harness_error || r.verdict == Verdict::not_judged) {
    out.why = r.in_suite ? "not decided: " + std::string(to_text(r.verdict)) : "the task is not in the suite";
    return out;
  }
  stats::RewardFacts facts;
  facts.accepted = r.verdict == Verdict::correct;
  std::string error_why, time_why;
  facts.sizes = sizes_of(r, spec, time_why);
  if (facts.accepted) {
    facts.error_share = out.error_share = worst_error(r, error_why);
    out.traffic = traffic_of(r);
    if (error_unknown(r)) {
      facts.error_share = 1;
      error_why = "an older kbx stored no error: fidelity is taken as on the bound";
    }
  }
  out.reward = stats::reward_of(facts, spec);
  if (!facts.accepted) out.why = "refused: " + std::string(to_text(r.verdict));
  else out.why = error_why.empty() ? time_why : time_why.empty() ? error_why : error_why + "; " + time_why;
  return out;
}

Json reward_json(const RecordReward& r) {
  Json score, most;
  std::optional<double> fidelity, efficiency;
  if (r.reward) {
    score = r.reward->score;
    most = r.reward->most;
    fidelity = r.reward->fidelity;
    efficiency = r.reward->efficiency;
  }
  return {{"score", score}, {"most", most}, {"fidelity", maybe(fidelity)}, {"efficiency", maybe(efficiency)},
          {"error_share", maybe(r.error_share)}, {"traffic", maybe(r.traffic)}, {"why", r.why}};
}

void RewardSummary::add(const RecordReward& r) {
  if (!r.reward) return;
  candidates++;
  paid += r.reward->score > 0 ? 1 : 0;
  sum += r.reward->score;
  most = std::max(most, r.reward->score);
}

Json reward_summary_json(const RewardSummary& s, const stats::RewardSpec& spec) {
  Json mean;
  if (s.candidates > 0) mean = s.sum / double(s.candidates);
  return {{"spec", spec.text()}, {"candidates", s.candidates}, {"paid", s.paid}, {"mean", mean}, {"largest", s.most}};
}

Json reward_schema() {
  Json share = {{"type", {"number", "null"}}, {"minimum", 0}, {"maximum", 1}}, any = {{"type", {"number", "null"}}, {"minimum", 0}};
  return {{"type", "object"},
          {"required", {"score", "most", "fidelity", "efficiency", "why"}},
          {"properties", {{"score", share}, {"most", share}, {"fidelity", share}, {"efficiency", share}, {"error_share", any},
                          {"traffic", any}, {"why", {{"type", "string"}}}}}};
}

Json reward_summary_schema() {
  Json integer = {{"type", "integer"}}, share = {{"type", {"number", "null"}}, {"minimum", 0}, {"maximum", 1}};
  return {{"type", "object"},
          {"properties", {{"spec", {{"type", "string"}}}, {"candidates", integer}, {"paid", integer}, {"mean", share}, {"largest", share}}}};
}

}  // namespace kbx::report
