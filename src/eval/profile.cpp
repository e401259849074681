#include "eval/profile.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "eval/device_reading.h"
#include "eval/plan.h"
#include "eval/protocol.h"
#include "eval/recorded_tape.h"
#include "eval/reference_tapes.h"
#include "gpu/private_folder.h"
#include "gpu/profile_log.h"
#include "sandbox/run.h"
#include "suite/drawn.h"

namespace kbx::eval {
namespace {

constexpr uint64_t kBase = 0x500000000000;
constexpr double kSeconds = 300, kLeaveSeconds = 60, kPlayMs = 280e3;

// The candidate's call at that size, recorded.
Result<Bytes> record(const ProfileRequest& what, const PerfCall& size, const EvalConfig& config, gpu::Cards::Slot& slot, sandbox::ForkServer& server) {
  sandbox::Request r = recorded_request(config, slot.card().index, kBase);
  r.source = what.candidate.source;
  r.entries = accepted_entries(what.candidate, what.task);
  r.protocol = protocol_of(what.task);
  r.arch = config.archs.front();
  r.steps.push_back(recording_step(what.task, size, r.limits));
  r.steps.back().host_calls = 0;
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server, r));
  auto refuse = [&](const std::string& why) { return fail(Code::usage, fmt::format("{} cannot be profiled at size {}: {}", what.candidate.id, size.which->name, shown(why, 1000))); };
  if (out.load_error) return refuse(out.load_error->type + ": " + out.load_error->message);
  if (out.steps.empty() || !out.steps[0].answered) return refuse(out.note.empty() ? "its process ended" : out.note);
  sandbox::StepResult& step = out.steps[0];
  if (step.error) return refuse(step.error->type + ": " + step.error->message);
  if (std::string why = why_no_tape(step); !why.empty()) return refuse(why);
  return std::move(step.device_tape);
}

// Why it was not played, or "".
std::string play(gpu::ClockProcess& clock, const Bytes& tape, const Json& inputs) {
  if (auto card = clock.ready(kSeconds); !card) return card.error().text();
  const Bytes none;
  struct Step { Json command; const Bytes* bytes; };
  for (const Step& s : {Step{{{"do", "load"}, {"side", "candidate"}}, &tape}, Step{{{"do", "inputs"}, {"set", 0}, {"inputs", inputs}}, &none},
                        Step{{{"do", "play"}, {"side", "candidate"}, {"set", 0}, {"poison", false}, {"limit_ms", kPlayMs}}, &none}}) {
    auto answer = clock.ask(s.command, *s.bytes, kSeconds);
    if (!answer) return answer.error().text();
    if (!answer->ok()) return answer->fault() + ": " + answer->message();
  }
  return "";
}

struct Attempt {
  gpu::ProfileLog log;
  std::string trouble;  // of the play
};

}  // namespace

Result<const PerfCall*> profiled_size(const std::vector<PerfCall>& sizes, const std::string& name) {
  const PerfCall* best = nullptr;
  std::string known;
  for (const PerfCall& s : sizes) {
    if (s.which->name == name) return &s;
    known += (known.empty() ? "" : ", ") + s.which->name;
    double bytes = s.cost ? s.cost->bytes : 0;
    if (!best || bytes >= (best->cost ? best->cost->bytes : 0)) best = &s;
  }
  if (!best) return fail(Code::usage, "the task has no performance sizes");
  if (!name.empty()) return fail(Code::usage, fmt::format("the task has no performance size {}; it has {}", name, known));
  return best;
}

Result<CandidateProfile> profile_tape(const gpu::Tool& tool, const CardConfig& config, int card, const Task& task, const PerfCall& size, uint64_t seed, const Bytes& bytes) {
  KBX_TRY_ASSIGN(DeviceTape tape, parse_device_tape(bytes.data(), bytes.size()));
  Json inputs = Json::array();
  for (const suite::Drawn& d : size.drawn) inputs.push_back({{"name", d.path}, {"draw", suite::draw_json(d, task, *size.which, seed, 0)}});
  std::vector<std::string> kernels;
  for (const DeviceFunction& f : tape.functions) kernels.push_back(f.name);
  auto attempt = [&](bool certain) -> Result<Attempt> {
    KBX_TRY_ASSIGN(auto folder, gpu::PrivateFolder::make("kbx-profile"));
    std::string log_path = (folder.path() / "log").string();
    gpu::ClockHome home = config.clock;
    home.wrap = gpu::profiler_words(tool, gpu::profile_metrics(certain), kernels, log_path);
    home.wrap_output = (folder.path() / "said").string();
    KBX_TRY_ASSIGN(auto clock, gpu::ClockProcess::start(home, card));
    Attempt out;
    out.trouble = play(*clock, bytes, inputs);
    clock->finish(kLeaveSeconds);
    auto text = read_file(log_path);
    out.log = gpu::parse_profile_log(text ? *text : "");
    return out;
  };
  KBX_TRY_ASSIGN(Attempt a, attempt(false));
  if (a.log.kernels.empty() && a.log.unknown_metric) {
    KBX_TRY_ASSIGN(a, attempt(true));
  }
  if (a.log.kernels.empty()) return fail(Code::sandbox, a.trouble.empty() || a.log.trouble != "ncu counted no kernel" ? a.log.trouble : a.log.trouble + ": " + a.trouble);
  CandidateProfile out;
  out.tool = tool.name + (tool.version.empty() ? "" : " " + tool.version);
  out.kernels = std::move(a.log.kernels);
  for (const std::string& note : {a.log.trouble, a.trouble})
    if (!note.empty()) out.notes.push_back(note);
  if (out.kernels.size() != tape.launches()) out.notes.push_back(fmt::format("{} of {} launches were counted", out.kernels.size(), tape.launches()));
  if (size.cost) out.formula_bytes = size.cost->bytes;
  return out;
}

Result<CandidateProfile> profile(const ProfileRequest& what, const EvalConfig& config, gpu::Cards& cards, sandbox::ForkServer& server) {
  if (config.card->cupti.empty()) return fail(Code::sandbox, "there is no CUPTI on this machine, so nothing can be recorded (kbx doctor)");
  KBX_TRY_ASSIGN(auto sizes, perf_calls(what.task));
  KBX_TRY_ASSIGN(const PerfCall* size, profiled_size(sizes, what.size));
  auto slot = cards.enter();
  slot.lease();
  KBX_TRY_ASSIGN(Bytes tape, record(what, *size, config, slot, server));
  KBX_TRY_ASSIGN(DeviceTape read, parse_device_tape(tape.data(), tape.size()));
  if (std::string why = read_device_tape(read, {}).why_not; !why.empty()) return fail(Code::usage, "its tape cannot be played: " + why);
  if (!read.launches()) return fail(Code::usage, "it launched nothing at this size");
  KBX_TRY_ASSIGN(CandidateProfile out, profile_tape(what.tool, *config.card, slot.card().index, what.task, *size, config.seed, tape));
  out.candidate = what.candidate.id;
  out.task = what.task.name;
  out.size = size->which->name;
  out.gpu = slot.card().name;
  return out;
}

}  // namespace kbx::eval
