#include "clock/sampling.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kbx::clock {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  auto middle = values.begin() + ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Pair {
  double us[2] = {0, 0};
};
struct Group {
  int64_t placement = 0;
  std::vector<Pair> pairs;
};

class Sampler {
 public:
  Sampler(Bench& bench, const SamplingRule& rule, std::mt19937_64& random) : bench_(bench), rule_(rule), random_(random), sides_(bench.sides()) {}

  Outcome<Sampling> go() {
    KBX_TRY(warm_up());
    started_ = bench_.now_ms();
    for (;;) {
      KBX_TRY(group());
      out_.spent_ms = bench_.now_ms() - started_ - out_.wait_ms;
      bool enough = int(groups_.size()) >= rule_.least_groups || out_.spent_ms >= rule_.most_ms;
      bool over = out_.spent_ms >= cap_ms_ && enough;
      if (over || int(groups_.size()) >= rule_.min_groups) {
        estimate();
        if (over || out_.resolved) return out_;
      }
    }
  }

 private:
  // Three pairs: what one costs, and the card at work.
  Outcome<void> warm_up() {
    KBX_TRY(bench_.new_group());
    for (int k = 0; k < 3; k++) {
      double start = bench_.now_ms();
      for (int s = 0; s < sides_; s++) KBX_TRY(bench_.run(s, next_++));
      pair_ms_ = bench_.now_ms() - start;
    }
    per_group_ = int(std::clamp(rule_.group_ms / std::max(pair_ms_, 1e-6), 1.0, double(rule_.most_pairs)));
    cap_ms_ = pair_ms_ > rule_.slow_pair_ms ? rule_.slow_cap_ms : rule_.cap_ms;
    return {};
  }

  Outcome<void> group() {
    Group group;
    KBX_TRY_ASSIGN(group.placement, bench_.new_group());
    for (int s = 0; s < sides_; s++) KBX_TRY(bench_.run(s, next_));  // discarded: cold address translation
    while (int(group.pairs.size()) < per_group_) {
      next_++;
      auto pair = one_pair();
      if (!pair) return tl::unexpected(std::move(pair.error()));
      if (throttled()) {
        out_.dropped++;
        KBX_TRY(wait_for_clock());
      } else {
        group.pairs.push_back(*pair);
      }
    }
    groups_.push_back(std::move(group));
    return {};
  }

  // In random order, so that no rhythm of the card can favour a side.
  Outcome<Pair> one_pair() {
    Pair pair;
    pair_mhz_ = 0;
    int first = sides_ == 2 ? int(random_() & 1) : 0;
    for (int k = 0; k < sides_; k++) {
      int side = first ^ k;
      auto sample = bench_.run(side, next_);
      if (!sample) return tl::unexpected(std::move(sample.error()));
      pair.us[side] = sample->us;
      if (sample->mhz > 0) {
        pair_mhz_ = pair_mhz_ > 0 ? std::min(pair_mhz_, sample->mhz) : sample->mhz;
        out_.lowest_mhz = out_.lowest_mhz > 0 ? std::min(out_.lowest_mhz, sample->mhz) : sample->mhz;
        out_.highest_mhz = std::max(out_.highest_mhz, sample->mhz);
      }
      if (gap_us_ > 0) bench_.idle_us(gap_us_);
    }
    return pair;
  }

  double gate_mhz() const { return rule_.gate * std::max(rule_.nominal_mhz, out_.highest_mhz); }
  bool throttled() const { return rule_.nominal_mhz > 0 && pair_mhz_ > 0 && pair_mhz_ < gate_mhz() && out_.wait_ms < rule_.most_wait_ms; }

  // Until the clock is back, then some rest after every run: interleaved under a power cap, two sides would change
  // each other's speed.
  Outcome<void> wait_for_clock() {
    constexpr double kStepMs = 4;
    out_.gates++;
    double start = bench_.now_ms(), waited = 0;
    for (bool low = true; low && out_.wait_ms + waited < rule_.most_wait_ms;) {
      bench_.idle_us(kStepMs * 1e3);
      auto mhz = bench_.clock_mhz();
      if (!mhz) return tl::unexpected(std::move(mhz.error()));
      low = *mhz > 0 && *mhz < gate_mhz();
      waited = bench_.now_ms() - start;
    }
    out_.wait_ms += waited;
    gap_us_ = std::clamp(gap_us_ * 1.5, 0.25 * pair_ms_ * 1e3, pair_ms_ * 1e3);
    return {};
  }

  // Groups on one placement are one draw of it: their sums are taken together.
  struct Placements {
    std::vector<stats::GroupSums> sums;
    std::vector<int> pairs;
    std::map<int64_t, size_t> at;
    int first = 0;  // seen in the first stage
  };

  void estimate() {
    std::vector<double> all[2];
    for (const Group& g : groups_)
      for (const Pair& p : g.pairs)
        for (int s = 0; s < sides_; s++) all[s].push_back(p.us[s]);
    double limit[2] = {rule_.spike * median(all[0]), rule_.spike * median(all[1])}, sum[2] = {0, 0};
    Placements places;
    int kept = 0;
    out_.groups = 0;
    for (const Group& g : groups_) {
      int before = kept;
      for (const Pair& p : g.pairs) {
        if (p.us[0] > limit[0] || (sides_ == 2 && p.us[1] > limit[1])) continue;
        auto [it, fresh] = places.at.emplace(g.placement, places.sums.size());
        if (fresh) places.sums.emplace_back(), places.pairs.push_back(0);
        places.sums[it->second].a += p.us[1];
        places.sums[it->second].b += p.us[0];
        places.pairs[it->second]++;
        for (int s = 0; s < sides_; s++) sum[s] += p.us[s];
        kept++;
      }
      out_.groups += kept > before;
      if (out_.groups <= rule_.min_groups) places.first = int(places.sums.size());
    }
    out_.pairs = int(all[0].size());
    out_.spikes = out_.pairs - kept;
    out_.placements = int(places.sums.size());
    for (int s = 0; s < sides_; s++) out_.mean_us[s] = kept ? sum[s] / kept : 0;
    std::vector<double> means;
    for (size_t k = 0; k < places.sums.size(); k++) means.push_back(places.sums[k].b / places.pairs[k]);
    if (sides_ == 2) out_.ratio = stats::ratio_estimate(places.sums, places.first);
    out_.mean = stats::mean_estimate(means, places.first);
    out_.resolved = out_.groups >= rule_.min_groups && (sides_ == 2 ? out_.ratio.half_width : out_.mean.half_width) <= rule_.half_width;
  }

  Bench& bench_;
  const SamplingRule& rule_;
  std::mt19937_64& random_;
  int sides_;
  Sampling out_;
  std::vector<Group> groups_;
  int64_t next_ = 0;
  int per_group_ = 1;
  double pair_ms_ = 0, cap_ms_ = 0, started_ = 0, gap_us_ = 0, pair_mhz_ = 0;
};

}  // namespace

Outcome<Sampling> sample(Bench& bench, const SamplingRule& rule, std::mt19937_64& random) { return Sampler(bench, rule, random).go(); }

}  // namespace kbx::clock
