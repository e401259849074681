// Board: see the header.
#include "report/board.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "stats/t_quantile.h"

namespace kbx::report {
namespace {

constexpr double kZ = 1.959963984540054;  // normal quantile of 0.975

bool is_caught(Verdict v) { return v == Verdict::constraint_violation || v == Verdict::sandbox_violation || v == Verdict::delegated; }

}  // namespace

Share wilson(double p, double n) {
  double z2 = kZ * kZ, middle = (p + z2 / (2 * n)) / (1 + z2 / n), half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return {p, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

void Tally::add(const Record& r) {
  if (r.verdict == Verdict::harness_error || r.verdict == Verdict::not_judged) {
    undecided++;
    return;
  }
  judged++;
  call += r.call_ok;
  right += r.exe_ok;
  paper += r.paper_exe_ok;
  caught += is_caught(r.verdict);
  auto& [n, good] = tasks[r.task];
  n++;
  good += r.exe_ok;
}

int64_t Tally::solved() const {
  return std::count_if(tasks.begin(), tasks.end(), [](const auto& t) { return t.second.second > 0; });
}

std::optional<Share> Tally::share() const {
  if (!judged) return {};
  double count = double(tasks.size()), mean = 0, square = 0;
  for (const auto& [task, n] : tasks) mean += double(n.second) / double(n.first) / count;
  for (const auto& [task, n] : tasks) square += std::pow(double(n.second) / double(n.first) - mean, 2);
  double effective = count, of_mean = count > 1 ? square / (count - 1) / count : 0;
  if (judged > int64_t(tasks.size()) && of_mean > 0) effective = std::max(1.0, std::min(mean * (1 - mean) / of_mean, double(judged)) * std::pow(kZ / stats::t_quantile(0.95, int(count) - 1), 2));
  return wilson(mean, effective);
}

void Board::add(const Record& r, const std::string& method, bool counts) {
  candidates++;
  if (!r.in_suite) {
    not_in_suite++;
    return;
  }
  category_of[r.task] = r.category;
  if (!counts) {
    steps++;
    return;
  }
  MethodBoard& board = methods[method];
  board.all.add(r);
  board.by_category[r.category].add(r);
  board.by_task[r.task].add(r);
  board.verdicts[size_t(r.verdict)]++;
  board.timing.add(r);
}

Json tally_json(const Tally& t) {
  auto share = t.share();
  auto digits = [](double v) { return std::round(v * 1e5) / 1e5; };
  return Json::array({t.judged, t.tasks.size(), t.call, t.right, t.paper, t.caught, t.undecided, share ? Json(digits(share->value)) : Json(), share ? Json(digits(share->low)) : Json(),
                      share ? Json(digits(share->high)) : Json(), t.solved()});
}

Json board_json(const Board& board, const std::map<std::string, std::string>& pages) {
  Json methods = Json::array(), tasks = Json::array(), categories = Json::array(), verdicts = Json::array();
  std::set<std::string> names;
  for (const auto& [task, category] : board.category_of) names.insert(category);
  for (const std::string& name : names) categories.push_back(name);
  for (const auto& [name, m] : board.methods) {
    Json cells = Json::object();
    for (const auto& [category, tally] : m.by_category) cells[category] = tally_json(tally);
    auto speedup = m.timing.geometric_mean();
    methods.push_back({{"name", name}, {"all", tally_json(m.all)}, {"cells", cells}, {"verdicts", m.verdicts}, {"speedup", speedup ? Json(*speedup) : Json()}, {"timed", m.timing.timed()}});
  }
  for (const auto& [task, category] : board.category_of) {
    Json cells = Json::array();
    for (const auto& [name, m] : board.methods) {
      auto tally = m.by_task.find(task);
      cells.push_back(tally == m.by_task.end() ? Json() : tally_json(tally->second));
    }
    tasks.push_back({{"name", task}, {"category", category}, {"page", pages.at(task)}, {"cells", cells}});
  }
  for (size_t k = 0; k < kVerdictCount; k++) verdicts.push_back(Json::array({to_text(Verdict(k)), meaning(Verdict(k))}));
  return {{"candidates", board.candidates}, {"steps", board.steps}, {"notInSuite", board.not_in_suite}, {"verdicts", verdicts}, {"categories", categories}, {"methods", methods}, {"tasks", tasks}};
}

}  // namespace kbx::report
