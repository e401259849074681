#include "stats/reward.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kbx::stats {
namespace {

struct Key {
  const char* name;
  double RewardSpec::*value;
};
constexpr std::array kKeys = {Key{"correct", &RewardSpec::correct}, Key{"fidelity", &RewardSpec::fidelity}, Key{"efficiency", &RewardSpec::efficiency},
                              Key{"forgiven", &RewardSpec::forgiven}};
constexpr const char* kHow = "; say `default`, or keys of docs/reward.md such as correct=0.2,fidelity=0.3,efficiency=0.5";

std::optional<double> share_from(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

Result<void> set(RewardSpec& spec, std::string_view item) {
  size_t equals = item.find('=');
  std::string_view name = item.substr(0, equals), text = equals == item.npos ? "" : item.substr(equals + 1);
  auto value = share_from(text);
  auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return name == k.name; });
  if (key == kKeys.end() && name != "in_process") return fail(Code::usage, fmt::format("a reward has no key `{}`{}", name, kHow));
  if (!value) return fail(Code::usage, fmt::format("reward key {} needs a number from 0 to 1, not `{}`{}", name, text, kHow));
  if (key != kKeys.end()) spec.*key->value = *value;
  else spec.in_process = *value != 0;
  return {};
}

double efficiency_of(const std::vector<SizeFact>& sizes) {
  double logs = 0;
  for (const SizeFact& s : sizes) {
    double share = std::min(1.0, s.least / s.time * std::clamp(s.low_factor, 0.0, 1.0));
    if (!(share > 0)) return 0;
    logs += std::log(share) / double(sizes.size());
  }
  return std::exp(logs);
}

}  // namespace

Result<RewardSpec> RewardSpec::parse(std::string_view text) {
  RewardSpec spec;
  if (text.empty()) return fail(Code::usage, std::string("the reward is empty") + kHow);
  if (text == "default") return spec;
  for (size_t from = 0; from <= text.size();) {
    size_t comma = std::min(text.find(',', from), text.size());
    KBX_TRY(set(spec, text.substr(from, comma - from)));
    from = comma + 1;
  }
  double sum = spec.correct + spec.fidelity + spec.efficiency;
  if (std::abs(sum - 1) > 1e-9) return fail(Code::usage, fmt::format("the reward's correct, fidelity and efficiency sum to {:g}, not to 1{}", sum, kHow));
  if (spec.forgiven >= 1) return fail(Code::usage, "the reward's forgiven must be below 1: with 1 no error would cost anything");
  return spec;
}

std::string RewardSpec::text() const {
  return fmt::format("correct={},fidelity={},efficiency={},forgiven={},in_process={}", correct, fidelity, efficiency, forgiven, in_process ? 1 : 0);
}

Reward reward_of(const RewardFacts& facts, const RewardSpec& spec) {
  bool timed = facts.sizes && !facts.sizes->empty();
  Reward out;
  out.most = spec.correct + spec.fidelity + (timed ? spec.efficiency : 0);
  if (!facts.accepted) return out;
  double used = std::clamp(facts.error_share.value_or(0), 0.0, 1.0);
  out.fidelity = 1 - std::max(0.0, used - spec.forgiven) / (1 - spec.forgiven);
  if (timed) out.efficiency = std::clamp(efficiency_of(*facts.sizes), 0.0, 1.0);
  out.score = std::clamp(spec.correct + spec.fidelity * *out.fidelity + spec.efficiency * out.efficiency.value_or(0), 0.0, 1.0);
  return out;
}

}  // namespace kbx::stats
