#include "eval/self_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kbx::eval {
namespace {

constexpr int kSets = 2;
constexpr int kMostFailures = 3;  // one behind the other: then the rest is not tried

struct Sample {
  double speedup = 0, low = 0, high = 0, us = 0, half_width = 0, groups = 0;
};

Result<Sample> sample_of(const Json& a) {
  auto number = [&](const char* key) { return get_double(a, key).value_or(0); };
  if (auto problem = get_string(a, "problem"); problem && !problem->empty()) return fail(Code::sandbox, *problem);
  Sample s{number("speedup"), number("low"), number("high"), number("reference_us"), number("half_width"), number("groups")};
  if (!(s.speedup > 0) || !(s.low > 0) || !(s.high >= s.low)) return fail(Code::sandbox, "the clock told no interval");
  const Json& after = get(a, "after");
  if (after.is_array())
    for (const Json& o : after)
      if (get_int(o, "mismatches").value_or(0) > 0) return fail(Code::sandbox, "the outputs of the two sides differ");
  return s;
}

Result<Sample> one_experiment(SteadyClock& clock, const EvalConfig& config, const AaKernel& kernel, const Bytes& first, const Bytes& second) {
  KBX_TRY(clock.ask({{"do", "load"}, {"side", "candidate"}}, first));
  KBX_TRY(clock.ask({{"do", "load"}, {"side", "reference"}}, second));
  for (int set = 0; set < kSets; set++) KBX_TRY(clock.ask({{"do", "inputs"}, {"set", set}, {"inputs", inputs_of(kernel.first, set)}}));
  // The same kernel gives the same bytes; with other work the outputs differ by right.
  Json outputs = Json::array();
  if (kernel.more_work == 0) outputs.push_back({{"name", "result"}, {"atol", 0.0}, {"rtol", 0.0}, {"rtol_rms", 0.0}, {"exact", true}});
  KBX_TRY_ASSIGN(auto timed, clock.ask({{"do", "time"}, {"half_width", config.card->half_width}, {"min_groups", 10}, {"cap_ms", config.card->cap_ms}, {"outputs", outputs}}));
  return sample_of(timed.head);
}

void summarise(AaResult& r, const std::vector<Sample>& samples) {
  r.experiments = int(samples.size());
  if (samples.empty()) return;
  double n = double(samples.size()), log_sum = 0, ratio_sum = 0, squares = 0;
  for (const Sample& s : samples) {
    r.covered += s.low <= 1 && 1 <= s.high;
    r.found += s.high < 1;  // more work on the first side: it is slower
    r.size_us += s.us / n;
    r.half_width += s.half_width / n;
    r.groups += s.groups / n;
    log_sum += std::log(s.speedup);
    ratio_sum += s.speedup;
  }
  if (r.more_work == 0) r.found = 0;
  r.mean_ratio = std::exp(log_sum / n);
  for (const Sample& s : samples) squares += std::pow(s.speedup - ratio_sum / n, 2);
  r.ratio_sd = samples.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

}  // namespace

std::vector<AaKernel> aa_kernels() {
  constexpr int64_t kSmall = int64_t(1) << 17, kMedium = int64_t(1) << 24, kLarge = int64_t(1) << 27;
  auto x = [](int64_t n) { return drawn_tensor("x", {n}, Dtype::f32); };
  auto alike = [](std::string name, TrustedCall call) { return AaKernel{std::move(name), call, call, 0}; };
  auto gelu = [&](int64_t room, int64_t n) { return TrustedCall{"gelu", {x(room)}, {n}}; };
  auto product = [](int64_t n) { return TrustedCall{"product", {drawn_tensor("a", {n, n}, Dtype::f16), drawn_tensor("b", {n, n}, Dtype::f16)}, {}}; };
  std::vector<AaKernel> out{alike("gelu, 2^17 elements", gelu(kSmall, kSmall)), alike("gelu, 2^24 elements", gelu(kMedium, kMedium)), alike("gelu, 2^27 elements", gelu(kLarge, kLarge))};
  for (double more : {0.02, 0.05}) {
    auto n = int64_t(double(kMedium) * (1 + more)) / 4096 * 4096;  // what divides the length decides the code
    out.push_back({fmt::format("gelu, 2^24 elements, {:.0f} % more", 100 * more), gelu(n, n), gelu(n, kMedium), more});
  }
  out.push_back(alike("256 steps, 2^17 elements", {"steps", {x(kSmall)}, {256}}));
  out.push_back(alike("8 launches, 2^17 elements", {"launches", {x(kSmall)}, {8}}));
  out.push_back(alike("matmul f16, 2048", product(2048)));
  out.push_back(alike("matmul f16, 8192", product(8192)));
  out.push_back(alike("torch gelu, 2^24 elements", {"torch_gelu", {x(kMedium)}, {}}));
  return out;
}

std::vector<int> experiments_of(const std::vector<AaKernel>& kernels, int total) {
  auto alike = std::count_if(kernels.begin(), kernels.end(), [](const AaKernel& k) { return k.more_work == 0; });
  int each = std::max(2, int((total + alike - 1) / std::max<int64_t>(1, alike)));
  std::vector<int> out;
  for (const AaKernel& k : kernels) out.push_back(k.more_work == 0 ? each : std::max(2, each / 2));
  return out;
}

AaResult run_aa(SteadyClock& clock, const EvalConfig& config, const AaKernel& kernel, const TrustedTape& first, const TrustedTape& second, int experiments) {
  AaResult r;
  r.kernel = kernel.name;
  r.more_work = kernel.more_work;
  r.problem = first.bytes.empty() ? first.why_not : second.bytes.empty() ? second.why_not : "";
  if (!r.problem.empty()) return r;
  std::vector<Sample> samples;
  for (int k = 0, row = 0; k < experiments && row < kMostFailures; k++) {
    auto sample = one_experiment(clock, config, kernel, first.bytes, second.bytes);
    clock.unload();
    if (sample) {
      samples.push_back(*sample);
      row = 0;
      continue;
    }
    r.failed++;
    row++;
    r.problem = sample.error().text();
  }
  summarise(r, samples);
  return r;
}

Result<AaResults> self_test(const MeasuringBench& bench, gpu::Cards::Slot& slot, int experiments) {
  if (bench.config.card->cupti.empty()) return fail(Code::sandbox, "there is no CUPTI on this machine, so nothing can be recorded");
  if (!slot.leased()) slot.lease();
  auto kernels = aa_kernels();
  auto counts = experiments_of(kernels, experiments);
  SteadyClock clock(slot);
  AaResults out;
  for (size_t at = 0; at < kernels.size();) {
    std::vector<TrustedCall> first, second;
    size_t last = at;
    for (; last < kernels.size() && kernels[last].first.entry == kernels[at].first.entry; last++) {
      first.push_back(kernels[last].first);
      second.push_back(kernels[last].second);
    }
    auto ones = record_trusted(bench, slot.card().index, kFirstBase, first), twos = record_trusted(bench, slot.card().index, kSecondBase, second);
    for (size_t k = 0; at + k < last; k++) {
      out.push_back(run_aa(clock, bench.config, kernels[at + k], ones[k], twos[k], counts[at + k]));
      const AaResult& r = out.back();
      bench.say(fmt::format("{}: {:.2f} us, 1.0 inside in {} of {}{}", r.kernel, r.size_us, r.covered, r.experiments, r.problem.empty() ? "" : "; " + r.problem));
    }
    at = last;
  }
  return out;
}

}  // namespace kbx::eval
