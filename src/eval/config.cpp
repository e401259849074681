#include "eval/config.h"

#include <fmt/format.h>

namespace kbx::eval {

sandbox::Limits card_limits(sandbox::Limits limits) {
  constexpr int64_t kAddresses = int64_t(2) << 40;
  limits.memory_bytes += kAddresses;
  limits.call_seconds += 15;
  return limits;
}

std::string EvalConfig::fingerprint() const {
  std::string archs_text;
  for (int a : archs) archs_text += std::to_string(a) + ",";
  return fmt::format("seed={} archs={} device={} lint={} jail={} compile={} replay={} delegation={} kernel={} budget={} load={} call={} job={} memory={} processes={}{}", seed, archs_text, device,
                     lint, jail, compile, replay, delegation, kernel_seconds, compile_seconds, limits.load_seconds, limits.call_seconds, limits.job_seconds, limits.memory_bytes, limits.processes,
                     card ? fmt::format(" timing={} half_width={} cap={}", card->timing, card->half_width, card->cap_ms) : "") +
         (card && card->sanitizer ? " sanitize=1" : "") + (replay_required ? " replay_required=1" : "");
}

}  // namespace kbx::eval
