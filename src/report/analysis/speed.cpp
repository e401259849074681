// Times of correct kernels: see analyses.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/efficiency.h"
#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

constexpr const char* kNoTimes = "no correct candidate has a time (runs without a GPU have none)";
const std::string kKindNote =
    "Intervals of means and medians are about other kernels of the kind, not about the clock: each kernel's own interval is in its record (kbx show). Nothing is dropped; launch-bound kernels are compressed towards 1.";

// Kernels of one row.
struct Times {
  int64_t slower = 0, surely_slower = 0, surely_faster = 0, in_process = 0, launch_bound = 0;
  std::map<int, std::vector<double>> by_task;  // speedups
  std::vector<double> host, iou, mfu, floor, device_for_host;
  int64_t n = 0;

  void add(const Trial& t, const Timed& v) {
    if (!v.speedup) return;
    n++;
    by_task[t.task].push_back(*v.speedup);
    slower += *v.speedup < 1;
    surely_slower += v.high && *v.high < 1;
    surely_faster += v.low && *v.low > 1;
    in_process += v.in_process;
    launch_bound += v.launch_bound;
    if (v.host_speedup) {
      host.push_back(*v.host_speedup);
      device_for_host.push_back(*v.speedup / *v.host_speedup);
    }
    if (v.iou) iou.push_back(*v.iou);
    if (v.mfu) mfu.push_back(*v.mfu);
    if (v.floor_share) floor.push_back(*v.floor_share);
  }
  // One value a task: a task with many candidates weighs no more than one with few.
  std::vector<double> task_means() const {
    std::vector<double> out;
    for (const auto& [task, values] : by_task) out.push_back(*geometric_mean(values));
    return out;
  }
};

// Rows by (GPU, category or method); "all" of each GPU comes last.
using Groups = std::vector<std::pair<std::pair<std::string, std::string>, Times>>;
Groups grouped(const Study& s) {
  std::map<std::pair<std::string, std::string>, Times> categories, methods;
  std::map<std::string, Times> all;
  for (const Timed& v : s.timed) {
    const Trial& t = s.trials[size_t(v.trial)];
    if (!t.counts) continue;
    const std::string& gpu = s.gpus[v.gpu];
    categories[{gpu, s.categories[t.category]}].add(t, v);
    methods[{gpu, "method " + s.methods[t.method]}].add(t, v);
    all[gpu].add(t, v);
  }
  Groups out;
  for (auto* map : {&categories, &methods})
    for (auto& [key, times] : *map)
      if (times.n) out.emplace_back(key, std::move(times));
  for (auto& [gpu, times] : all)
    if (times.n) out.push_back({{gpu, "all"}, std::move(times)});
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  return out;
}

// The card that a run's times came from: shares of all judged candidates need to know which card has judged a failure.
std::map<int, std::string> card_of_sources(const Study& s) {
  std::map<int, std::string> out;
  for (const Timed& v : s.timed) {
    std::string& held = out[s.trials[size_t(v.trial)].source];
    if (held.empty()) held = s.gpus[v.gpu];
    else if (held != s.gpus[v.gpu]) held = "several";
  }
  return out;
}

}  // namespace

Section speed_table(const Study& s) {
  Table t{"speed", "Speed of correct kernels against eager",
          {{"gpu", "GPU"}, {"group", "group"}, {"kernels", "kernels"}, {"tasks", "tasks"}, {"speedup", "speedup, geometric mean"}, {"slower", "slower than eager"}, {"surely_slower", "surely slower"},
           {"surely_faster", "surely faster"}, {"host_speedup", "with the host"}, {"in_process", "timed in process"}, {"launch_bound", "launch-bound"}}, {}, {}, ""};
  for (const auto& [key, v] : grouped(s)) {
    auto means = v.task_means();
    t.rows.push_back({word(key.first), word(key.second), count(v.n), count(int64_t(means.size())), geometric(means), share_of(v.slower, v.n),
                      share_of(v.surely_slower, v.n), share_of(v.surely_faster, v.n), geometric(v.host), count(v.in_process), count(v.launch_bound)});
  }
  if (t.rows.empty()) t.lacking = kNoTimes;
  t.notes = {kKindNote, "Mean over tasks, in the log domain, of each task's mean. Surely: the whole interval of the kernel lies on that side of 1. With the host: one call as a user sees it, Python included."};
  return {std::move(t), {}};
}

Section fast_p_table(const Study& s) {
  constexpr double kShown[] = {0.5, 0.8, 1, 1.5, 2, 4};
  Table t{"fast_p", "fast_p: share of judged candidates that are correct and faster than p times eager", {{"gpu", "GPU"}, {"method", "method"}, {"judged", "judged"}}, {}, {}, ""};
  for (double p : kShown) t.columns.push_back({fmt::format("p{:g}", p), fmt::format("p = {:g}", p)});
  auto cards = card_of_sources(s);
  std::map<std::pair<std::string, std::string>, std::pair<int64_t, std::vector<double>>> groups;  // judged, speedups
  for (const Trial& trial : s.trials) {
    auto card = cards.find(trial.source);
    if (!trial.counts || !trial.judged() || card == cards.end()) continue;
    auto& [judged, speedups] = groups[{card->second, s.methods[trial.method]}];
    judged++;
    if (trial.timed >= 0 && s.timed[size_t(trial.timed)].speedup) speedups.push_back(*s.timed[size_t(trial.timed)].speedup);
  }
  Chart chart{Chart::Kind::lines, "fast_p", "fast_p", "p", "correct and faster than p", {}, {}, true, true};
  for (auto& [key, group] : groups) {
    auto& [judged, speedups] = group;
    auto above = [&, &values = speedups](double p) { return std::count_if(values.begin(), values.end(), [&](double v) { return v > p; }); };
    std::vector<Cell> row = {word(key.first), word(key.second), count(judged)};
    for (double p : kShown) row.push_back(share_of(above(p), judged));
    t.rows.push_back(std::move(row));
    Series series{groups.size() > 1 ? key.second + " (" + key.first + ")" : key.second, {}};
    for (int k = -12; k <= 24; k++) {
      double p = std::exp2(k / 6.0);
      series.points.push_back({p, double(above(p)) / double(judged), {}, {}});
    }
    chart.series.push_back(std::move(series));
  }
  if (t.rows.empty()) t.lacking = kNoTimes;
  t.notes = {"A correct candidate without a time is not faster than any p. Intervals: Wilson, 95 %. \"several\": one run used several cards, and a failure belongs to none of them."};
  if (t.rows.empty()) return {std::move(t), {}};
  return {std::move(t), std::move(chart)};
}

Section efficiency_table(const Study& s) {
  Table t{"efficiency", "Distance to the hardware, medians over correct kernels",
          {{"gpu", "GPU"}, {"group", "group"}, {"kernels", "kernels"}, {"iou", "IOU"}, {"mfu", "MFU"}, {"floor", "share of the floor"}, {"device_for_host", "device / host-inclusive speedup"}}, {}, {}, ""};
  for (const auto& [key, v] : grouped(s)) {
    if (key.second.starts_with("method ")) continue;
    t.rows.push_back({word(key.first), word(key.second), count(v.n), median(Form::share, v.iou), median(Form::share, v.mfu),
                      median(Form::share, v.floor), median(Form::ratio, v.device_for_host)});
  }
  if (t.rows.empty()) t.lacking = kNoTimes;
  t.notes = {kKindNote,
             "IOU, MFU: geometric mean over a kernel's sizes, of the datasheet's peaks (docs/efficiency.md); absent where a task has no bytes or flops formula or a card is in no table. "
             "Share of the floor: the least time by the datasheet / the time. Intervals of medians: order statistics, from six kernels on."};
  return {std::move(t), {}};
}

}  // namespace kbx::report
