// Transitions: see the header.
#include "dataset/transition.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kbx::dataset {
namespace {

constexpr std::array<std::string_view, kKindCount> kKinds = {"error_to_fix", "error_to_call", "slow_to_fast", "regression", "call_to_error", "fast_to_slow"};
constexpr std::array<std::string_view, kKindCount> kMeanings = {
    "wrong before, right after",
    "neither is right; the second compiles, runs and returns where the first did not",
    "both right and timed on one card; the second's whole speedup interval lies above the first's",
    "right before, wrong after",
    "neither is right; the second no longer compiles, runs or returns",
    "both right and timed on one card; the second's whole speedup interval lies below the first's"};

// A line of attempts: one slot of a method's run, or all samples of a task in one run.
using Line = std::tuple<size_t, std::string, int>;  // run, task, slot (-1: samples)

}  // namespace

std::string_view to_text(Kind kind) { return kKinds[size_t(kind)]; }
std::string_view meaning(Kind kind) { return kMeanings[size_t(kind)]; }
std::string_view to_text(Relation relation) { return relation == Relation::rounds ? "rounds" : "samples"; }

std::optional<Kind> kind_of(const Attempt& a, const Attempt& b, Judge judge) {
  if (a.exe_ok(judge) != b.exe_ok(judge)) return b.exe_ok(judge) ? Kind::error_to_fix : Kind::regression;
  if (!a.exe_ok(judge)) {
    if (a.call_ok(judge) == b.call_ok(judge)) return {};
    return b.call_ok(judge) ? Kind::error_to_call : Kind::call_to_error;
  }
  if (!a.timed() || !b.timed() || a.out.gpu != b.out.gpu) return {};
  if (*b.out.low > *a.out.high) return Kind::slow_to_fast;
  if (*b.out.high < *a.out.low) return Kind::fast_to_slow;
  return {};
}

Transitions find_transitions(const std::vector<Attempt>& attempts, Judge judge) {
  std::map<Line, std::vector<size_t>> lines;
  std::map<Line, int> lengths;
  std::set<std::pair<size_t, std::string>> in_rounds;  // tasks some slot of which was asked for again
  for (const Attempt& a : attempts)
    if (a.slot && ++lengths[{a.run, a.task, *a.slot}] > 1) in_rounds.emplace(a.run, a.task);
  for (size_t k = 0; k < attempts.size(); k++) {
    const Attempt& a = attempts[k];
    int slot = in_rounds.count({a.run, a.task}) ? a.slot.value_or(-1) : -1;
    if (a.decided(judge)) lines[{a.run, a.task, slot}].push_back(k);
  }
  Transitions out;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (auto& [line, places] : lines) {
    bool rounds = std::get<2>(line) >= 0;
    auto order = [&](size_t k) { return std::tuple(attempts[k].round.value_or(0), attempts[k].step.value_or(0), attempts[k].ordinal); };
    std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) { return order(a) < order(b); });
    for (size_t k = 1; k < places.size(); k++) {
      const Attempt &a = attempts[places[k - 1]], &b = attempts[places[k]];
      out.looked_at++;
      if (a.normal == b.normal) {
        out.same_program++;
        continue;
      }
      auto kind = kind_of(a, b, judge);
      if (!kind) continue;
      if (!seen.emplace(a.task, a.normal, b.normal).second) {
        out.repeated++;
        continue;
      }
      out.all.push_back({places[k - 1], places[k], *kind, rounds ? Relation::rounds : Relation::samples});
    }
  }
  return out;
}

}  // namespace kbx::dataset
