// Commands that measure.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/clock.h"
#include "clock/session.h"

namespace kbx::clock {
namespace {

constexpr double kFloors = 3;  // below so many floors a ratio is compressed

// The sides at work: placements take turns by group, seeds by pair.
class SidesBench : public Bench {
 public:
  struct Setting {
    std::string steps = kAllSteps;
    bool move_memory = true, move_code = true;
    double limit_ms = 10e3;
  };
  // `copies`: how many each side's arena should come to have.
  SidesBench(Card& card, const Runner& runner, std::vector<Side*> sides, size_t copies, std::vector<int> sets, Setting setting)
      : card_(card), runner_(runner), list_(std::move(sides)), copies_(copies), sets_(std::move(sets)), setting_(std::move(setting)) {}

  int sides() const override { return int(list_.size()); }
  Outcome<RunSample> run(int side, int64_t pair) override {
    auto sample = runner_.run(*list_[size_t(side)], sets_[size_t(pair) % sets_.size()], setting_.steps, setting_.limit_ms);
    if (!sample) sample.error().side = side == 0 ? "candidate" : "reference";
    return sample;
  }
  Outcome<int64_t> new_group() override {
    KBX_TRY(card_.wait());
    // In random order: what is allocated in turn lies in turn, and a side that is always first would have places of its own.
    std::vector<size_t> order(list_.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::shuffle(order.begin(), order.end(), card_.random);
    group_++;
    size_t copy = setting_.move_memory ? next_copy(order) : 0;
    for (size_t k : order) {
      if (setting_.move_memory) KBX_TRY(list_[k]->arena().place(copy));
      if (setting_.move_code) KBX_TRY(list_[k]->reload_code(Images::Which::movable));
    }
    // Of one or two placements there is no spread: then the groups are all there is.
    return setting_.move_memory && copies_ >= 3 ? int64_t(copy) : group_;
  }
  Outcome<double> clock_mhz() override { return runner_.probe(); }
  void idle_us(double us) override {
    if (us >= 200) {
      ::usleep(useconds_t(us));
      return;
    }
    for (auto start = Steady::now(); seconds_since(start) * 1e6 < us;) continue;
  }
  double now_ms() override { return seconds_since(start_) * 1e3 - growing_ms_; }

 private:
  // A new copy of each arena while there are to be more, then those that are there, in a new random order each round. The
  // sides' copies go in pairs, so that a pair is one draw of placements.
  size_t next_copy(const std::vector<size_t>& order) {
    if (there() < copies_ && grow(order)) return there() - 1;
    if (round_.empty()) {
      round_.resize(there());
      std::iota(round_.begin(), round_.end(), size_t(0));
      std::shuffle(round_.begin(), round_.end(), card_.random);
    }
    size_t copy = round_.back();
    round_.pop_back();
    return copy;
  }
  size_t there() const {
    size_t least = list_[0]->arena().copies();
    for (Side* side : list_) least = std::min(least, side->arena().copies());
    return least;
  }
  // In turn: pools from different regions of the memory would differ. Only as many as there are groups, since the driver
  // serves one process of the machine at a time. Not part of the time that measuring may take. False: memory is short.
  bool grow(const std::vector<size_t>& order) {
    auto start = Steady::now();
    size_t before = there();
    for (size_t k : order)
      if (list_[k]->arena().copies() == before && !list_[k]->arena().add_copy()) copies_ = before;  // less is free than the driver said
    growing_ms_ += seconds_since(start) * 1e3;
    return there() > before;
  }

  Card& card_;
  const Runner& runner_;
  std::vector<Side*> list_;
  size_t copies_;
  std::vector<size_t> round_;  // copies that are still to come in this round
  int64_t group_ = 0;
  std::vector<int> sets_;
  Setting setting_;
  Steady::time_point start_ = Steady::now();
  double growing_ms_ = 0;
};

SidesBench::Setting setting_of(const Json& command) {
  SidesBench::Setting s;
  s.steps = get_string(command, "steps").value_or(kAllSteps);
  s.move_memory = get_bool(command, "move_memory").value_or(true);
  s.move_code = get_bool(command, "move_code").value_or(true);
  s.limit_ms = get_double(command, "limit_ms").value_or(s.limit_ms);
  return s;
}

SamplingRule rule_of(const Json& command, double nominal_mhz) {
  SamplingRule r;
  r.half_width = get_double(command, "half_width").value_or(r.half_width);
  r.min_groups = int(std::clamp<long long>(get_int(command, "min_groups").value_or(r.min_groups), 2, 10000));
  double cap = get_double(command, "cap_ms").value_or(r.cap_ms);
  r.slow_cap_ms *= cap / r.cap_ms;
  r.cap_ms = cap;
  r.nominal_mhz = get_bool(command, "gate").value_or(true) ? nominal_mhz : 0;
  return r;
}

}  // namespace

Outcome<size_t> Session::copies() const {
  KBX_TRY_ASSIGN(size_t free, card_->free_bytes());
  return copies_wanted(candidate_ ? candidate_->arena().bytes() : 0, reference_ ? reference_->arena().bytes() : 0, free);
}

Json Session::sampling_json(const Sampling& s, bool pair) const {
  Json j{{"groups", s.groups}, {"placements", s.placements}, {"pairs", s.pairs}, {"spikes", s.spikes}, {"dropped_pairs", s.dropped}, {"gates", s.gates}, {"wait_ms", s.wait_ms},
         {"lowest_mhz", s.lowest_mhz}, {"highest_mhz", s.highest_mhz}, {"spent_ms", s.spent_ms}, {"resolved", s.resolved}, {"floor_us", floor_graph_}};
  double least = pair ? std::min(s.mean_us[0], s.mean_us[1]) : s.mean_us[0];
  j["launch_bound"] = least < kFloors * floor_graph_;
  if (pair) {
    j["candidate_us"] = s.mean_us[0];
    j["reference_us"] = s.mean_us[1];
    j["speedup"] = s.ratio.ratio;
    j["low"] = s.ratio.low;
    j["high"] = s.ratio.high;
    j["half_width"] = s.ratio.half_width;
  } else {
    j["mean_us"] = s.mean.mean;
    j["low_us"] = s.mean.low;
    j["high_us"] = s.mean.high;
  }
  return j;
}

Outcome<Message> Session::time(const Message& m) {
  if (!candidate_ || !reference_) return fault(Fault::Kind::command, "both sides must be loaded");
  if (sets_.empty()) return fault(Fault::Kind::command, "no inputs");
  std::vector<Tolerance> tolerances = tolerances_;
  if (m.head.contains("outputs")) {
    KBX_TRY_ASSIGN(tolerances, read_tolerances(get(m.head, "outputs")));
  }
  std::vector<int> sets;
  for (const auto& [number, set] : sets_) sets.push_back(number);
  if (sets.size() > 2) sets.resize(2);
  std::vector<std::string> notes = candidate_->notes();
  KBX_TRY_ASSIGN(size_t wanted, copies());
  SamplingRule rule = rule_of(m.head, nominal_mhz_);
  SidesBench bench(*card_, *runner_, {candidate_.get(), reference_.get()}, wanted, sets, setting_of(m.head));
  Json before, out;
  add_state(before, "before");
  KBX_TRY_ASSIGN(Sampling s, sample(bench, rule, card_->random));
  double bound = get_double(m.head, "bound_us").value_or(0);
  bool few = s.groups < rule.least_groups, below = bound > 0 && s.mean_us[0] < bound;
  if (few || below) {
    notes.push_back(few ? fmt::format("repeated: {} groups", s.groups) : "repeated: below the physical floor");
    KBX_TRY_ASSIGN(s, sample(bench, rule, card_->random));
  }
  if (bound > 0 && s.mean_us[0] < bound) notes.push_back("below the physical floor");
  if (wanted < 3) notes.push_back("fewer than 3 placements, and the interval holds for them alone: little memory is free");
  if (s.wait_ms >= rule.most_wait_ms) notes.push_back("throttled: the clock did not come back");
  out = sampling_json(s, true);
  out["problem"] = s.groups < rule.least_groups ? fmt::format("no interval: {} groups", s.groups) : "";
  out.update(before);
  add_state(out, "after");
  KBX_TRY_ASSIGN(out["after"], compare_all(tolerances));
  bool intact = true;
  for (int k : sets) {
    KBX_TRY_ASSIGN(bool same, sets_.at(k).intact(*card_, *kernels_));
    intact = intact && same;
  }
  out["inputs_intact"] = intact;
  for (const std::string& n : candidate_->program().notes())
    if (std::find(notes.begin(), notes.end(), n) == notes.end()) notes.push_back(n);
  out["notes"] = notes;
  return Message{std::move(out), {}};
}

Outcome<Message> Session::time_one(const Message& m) {
  KBX_TRY_ASSIGN(Side* side, loaded(m.head));
  if (sets_.empty()) return fault(Fault::Kind::command, "no inputs");
  std::vector<int> sets;
  for (const auto& [number, set] : sets_) sets.push_back(number);
  KBX_TRY_ASSIGN(size_t wanted, copies());
  SamplingRule rule = rule_of(m.head, nominal_mhz_);
  SidesBench bench(*card_, *runner_, {side}, wanted, sets, setting_of(m.head));
  KBX_TRY_ASSIGN(Sampling s, sample(bench, rule, card_->random));
  Json out = sampling_json(s, false);
  out["notes"] = side->notes();
  add_state(out, "after");
  return Message{std::move(out), {}};
}

Outcome<Message> Session::plain(const Message& m) {
  KBX_TRY_ASSIGN(Side* side, loaded(m.head));
  if (sets_.empty()) return fault(Fault::Kind::command, "no inputs");
  auto setting = setting_of(m.head);
  auto runs = std::clamp<long long>(get_int(m.head, "runs").value_or(20), 1, 10000);
  std::vector<double> us;
  for (long long k = 0; k < runs + 3; k++) {
    KBX_TRY_ASSIGN(RunSample s, runner_->run_plain(*side, sets_.begin()->first, setting.steps, setting.limit_ms));
    if (k >= 3) us.push_back(s.us);
  }
  std::sort(us.begin(), us.end());
  auto at = [&](double share) { return us[size_t(share * double(us.size() - 1))]; };
  return Message{{{"median_us", at(0.5)}, {"p10_us", at(0.1)}, {"p90_us", at(0.9)}, {"runs", runs}}, {}};
}

}  // namespace kbx::clock
