#include "eval/recorded_tape.h"

#include "eval/device_reading.h"

namespace kbx::eval {

sandbox::Request recorded_request(const EvalConfig& config, int card, uint64_t base) {
  sandbox::Request r;
  r.role = sandbox::Role::gpu;
  r.gpu = card;
  r.recorder = sandbox::DeviceRecorder{config.card->probe, config.card->cupti, base};
  r.limits = card_limits(config.limits);
  r.jail = config.jail;
  return r;
}

std::string why_no_tape(const sandbox::StepResult& step) {
  if (!step.device_tape.empty()) return "";
  return step.device_trouble.empty() ? "no tape was taken down" : step.device_trouble;
}

Result<DeviceTape> recorded_tape(const sandbox::StepResult& step) {
  if (std::string why = why_no_tape(step); !why.empty()) return fail(Code::usage, why);
  return parse_device_tape(step.device_tape.data(), step.device_tape.size());
}

Result<DeviceTape> playable_tape(const sandbox::StepResult& step) {
  KBX_TRY_ASSIGN(DeviceTape tape, recorded_tape(step));
  if (std::string why = read_device_tape(tape, {}).why_not; !why.empty()) return fail(Code::usage, why);
  return tape;
}

}  // namespace kbx::eval
