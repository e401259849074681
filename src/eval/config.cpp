#include "eval/config.h"

#include <fmt/format.h>

namespace kbx::eval {

std::string EvalConfig::fingerprint() const {
  std::string archs_text;
  for (int a : archs) archs_text += std::to_string(a) + ",";
  return fmt::format("seed={} archs={} device={} lint={} jail={} compile={} replay={} delegation={} kernel={} budget={} load={} call={} job={} memory={} processes={}", seed, archs_text, device,
                     lint, jail, compile, replay, delegation, kernel_seconds, compile_seconds, limits.load_seconds, limits.call_seconds, limits.job_seconds, limits.memory_bytes, limits.processes);
}

}  // namespace kbx::eval
