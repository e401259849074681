// Cards and architectures: see analyses.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/analysis/analyses.h"
#include "stats/rank_correlation.h"

namespace kbx::report {
namespace {

// speedup of every kernel by card: identity -> card -> times
using ByKernel = std::map<uint64_t, std::map<int, const Timed*>>;
ByKernel by_kernel(const Study& s) {
  ByKernel out;
  for (const Timed& v : s.timed)
    if (v.speedup) out[s.trials[size_t(v.trial)].identity][v.gpu] = &v;
  return out;
}

std::string archs_text(const std::vector<int>& archs) {
  std::string out;
  for (int a : archs) out += fmt::format("{}sm_{}", out.empty() ? "" : ", ", a);
  return out;
}

}  // namespace

Section across_gpus_table(const Study& s) {
  Table t{"across_gpus", "Speedups across GPUs", {{"a", "GPU"}, {"b", "and GPU"}, {"kernels", "kernels on both"}, {"rank", "rank correlation"}, {"max_min", "max/min speedup, median"}, {"largest", "largest"}, {"kernel", "of kernel"}}, {}, {}, ""};
  ByKernel kernels = by_kernel(s);
  for (int a = 0; a < s.gpus.size(); a++)
    for (int b = a + 1; b < s.gpus.size(); b++) {
      std::vector<double> x, y, ratio;
      std::string most;
      double largest = 0;
      for (const auto& [identity, cards] : kernels) {
        auto at = cards.find(a), bt = cards.find(b);
        if (at == cards.end() || bt == cards.end()) continue;
        x.push_back(*at->second->speedup);
        y.push_back(*bt->second->speedup);
        ratio.push_back(std::max(x.back(), y.back()) / std::min(x.back(), y.back()));
        if (ratio.back() > largest) {
          largest = ratio.back();
          most = at->second->candidate;
        }
      }
      if (x.empty()) continue;
      Cell rank = missing(fmt::format("too few: {}", x.size()));
      if (auto r = stats::rank_correlation(x, y)) rank = between(Form::number, r->spearman.value, r->spearman.interval.low, r->spearman.interval.high);
      t.rows.push_back({word(s.gpus[a]), word(s.gpus[b]), count(int64_t(x.size())), rank, median(Form::ratio, ratio), figure(Form::ratio, largest), word(most)});
    }
  if (t.rows.empty()) t.lacking = s.gpus.size() < 2 ? "the runs hold times of fewer than two GPUs (kbx merge joins runs of several)" : "no kernel was timed on two GPUs";
  t.notes = {"The same candidate with the same code on both cards, speedups against eager on the same card. Rank correlation: Spearman's, from six kernels on."};
  return {std::move(t), {}};
}

Section winners_table(const Study& s) {
  Table t{"winners", "Tasks won, by GPU", {{"gpu", "GPU"}, {"method", "method"}, {"won", "tasks won"}, {"surely", "surely"}, {"tasks", "tasks with a time of two methods"}}, {}, {}, ""};
  std::map<std::pair<int, int>, std::map<int, const Timed*>> best;  // (GPU, task) -> method -> its fastest
  for (const Timed& v : s.timed) {
    const Trial& trial = s.trials[size_t(v.trial)];
    if (!v.speedup || !trial.counts) continue;
    const Timed*& held = best[{v.gpu, trial.task}][trial.method];
    if (!held || *v.speedup > *held->speedup) held = &v;
  }
  std::map<std::pair<int, int>, std::array<int64_t, 2>> won;  // (GPU, method)
  std::map<int, int64_t> tasks;
  for (const auto& [key, methods] : best) {
    if (methods.size() < 2) continue;
    tasks[key.first]++;
    std::vector<std::pair<int, const Timed*>> order(methods.begin(), methods.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return *a.second->speedup > *b.second->speedup; });
    auto& row = won[{key.first, order[0].first}];
    row[0]++;
    row[1] += order[0].second->low && order[1].second->high && *order[0].second->low > *order[1].second->high;
  }
  for (const auto& [key, n] : won) t.rows.push_back({word(s.gpus[key.first]), word(s.methods[key.second]), count(n[0]), count(n[1]), count(tasks[key.first])});
  if (t.rows.empty()) t.lacking = "no task has times of two methods on one GPU";
  t.notes = {"The method whose fastest correct kernel of a task has the largest speedup. Surely: its interval lies above the second's."};
  return {std::move(t), {}};
}

Section architectures_table(const Study& s) {
  Table t{"architectures", "Kernels by architecture, from the compiler alone",
          {{"arch", "architecture"}, {"kernels", "kernels"}, {"compiled", "compiled"}, {"spilling", "spill registers"}, {"too_much_shared", "too much shared memory"}, {"registers", "registers, median"},
           {"occupancy", "occupancy, median"}, {"limit", "shared memory limit"}}, {}, {}, ""};
  for (const auto& [arch, c] : s.resources.archs) {
    const ArchLimits* limits = limits_of(arch);
    std::vector<double> registers(c.registers.begin(), c.registers.end()), occupancy(c.occupancy.begin(), c.occupancy.end());
    t.rows.push_back({word(fmt::format("sm_{}", arch)), count(c.kernels), share_of(c.compiled, c.kernels), share_of(c.spilling, c.compiled), share_of(c.too_much_shared, c.compiled),
                      median(Form::number, registers), median(Form::share, occupancy),
                      limits ? word(fmt::format("{} KiB", limits->shared_per_block / 1024)) : word("not known")});
  }
  if (t.rows.empty()) t.lacking = "no record holds compiled kernels";
  t.notes = {"A kernel of a candidate counts once an architecture: compiled when all its specialisations were. Registers: of its largest specialisation, a thread. Occupancy: of its smallest, theoretical, by registers, shared "
             "memory, warps and blocks; of those that can be launched. kbx eval --arch all judges for all six; the first decides the verdict, all are asked."};
  return {std::move(t), {}};
}

Section unportable_table(const Study& s) {
  Table t{"unportable", "Kernels that run on one architecture and cannot be launched on another",
          {{"candidate", "candidate"}, {"kernel", "kernel"}, {"line", "line"}, {"runs", "runs on"}, {"fails", "not on"}, {"why", "why not"}}, {}, {}, ""};
  for (const Unportable& u : s.resources.unportable)
    t.rows.push_back({word((s.sources.size() > 1 ? u.source + "/" : "") + u.candidate), word(u.kernel), u.line ? count(u.line) : word(""), word(archs_text(u.runs)), word(archs_text(u.fails)), word(u.why)});
  if (s.resources.unportable_count > int64_t(s.resources.unportable.size()))
    t.notes.push_back(fmt::format("The first {} of {}.", s.resources.unportable.size(), s.resources.unportable_count));
  if (t.rows.empty())
    t.lacking = s.resources.archs.size() < 2 ? "kernels were compiled for fewer than two architectures (kbx eval --arch all)" : fmt::format("none of {} kernels: each runs on all {} architectures or on none", s.resources.kernels, s.resources.archs.size());
  t.notes.push_back("By compiling alone: refused by the compiler, or more shared memory a block than the device has.");
  return {std::move(t), {}};
}

}  // namespace kbx::report
