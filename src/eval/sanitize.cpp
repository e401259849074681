#include "eval/sanitize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/files.h"
#include "base/text.h"
#include "eval/device_reading.h"
#include "eval/replay.h"
#include "eval/tape_inputs.h"
#include "gpu/private_folder.h"

namespace kbx::eval {
namespace {

using gpu::SanitizerCheck;
using gpu::SanitizerIssue;

constexpr std::array kChecks{SanitizerCheck::memcheck, SanitizerCheck::racecheck, SanitizerCheck::initcheck};
constexpr const char* kCandidateFile = "candidate.py";  // as the worker names it
constexpr double kSeconds = 120, kLeaveSeconds = 30, kPlayMs = 100e3;
constexpr size_t kMostFindings = 20;  // of one tool

// Loads, draws, plays: what the tape does to the process is for the tool to say. "" = played.
std::string play(gpu::ClockProcess& clock, const SanitizedCall& call, const DeviceTape& tape, SanitizerCheck check) {
  if (auto card = clock.ready(kSeconds); !card) return card.error().text();
  Bytes blob;
  Json inputs = pack_inputs(call.inputs, tape, blob);
  // Only initcheck is misled by poison: to it that is writing.
  bool poison = check != SanitizerCheck::initcheck;
  struct Step { Json command; const Bytes* bytes; };
  const Bytes none;
  for (const Step& s : {Step{{{"do", "load"}, {"side", "candidate"}}, &call.tape}, Step{{{"do", "inputs"}, {"set", 0}, {"inputs", inputs}}, &blob},
                        Step{{{"do", "play"}, {"side", "candidate"}, {"set", 0}, {"poison", poison}, {"limit_ms", kPlayMs}}, &none}}) {
    auto answer = clock.ask(s.command, *s.bytes, kSeconds);
    if (!answer) return answer.error().text();
    if (!answer->ok()) return answer->fault() + ": " + answer->message();
  }
  return "";
}

// One tool on the call; its findings are added to `out`. Why it saw nothing, or "".
Result<std::string> run_check(const CardConfig& config, int card, const SanitizedCall& call, const DeviceTape& tape, SanitizerCheck check, Sanitized& out) {
  KBX_TRY_ASSIGN(auto folder, gpu::PrivateFolder::make("kbx-sanitize"));
  std::string log_path = (folder.path() / "log").string();
  gpu::ClockHome home = config.clock;
  home.wrap = gpu::sanitizer_words(*config.sanitizer, check, log_path);
  home.wrap_output = (folder.path() / "said").string();
  KBX_TRY_ASSIGN(auto clock, gpu::ClockProcess::start(home, card));
  std::string trouble = play(*clock, call, tape, check);
  bool left = clock->finish(kLeaveSeconds);
  auto text = read_file(log_path);
  gpu::SanitizerLog log = gpu::parse_sanitizer_log(text ? *text : "");
  std::set<std::string> kernels;
  for (const DeviceFunction& f : tape.functions) kernels.insert(f.name);
  size_t before = out.findings.size();
  read_sanitizer_log(check, log, kernels, call.inputs.which->name, out);
  if (out.findings.size() > before) return std::string();  // a fault of the play is what it found
  if (!log.trouble.empty()) return log.trouble;
  if (!trouble.empty()) return trouble;
  if (!log.complete) return std::string(left ? "its log has no end" : "it did not end in time");
  return std::string();
}

std::string shape_of(const std::vector<int64_t>& v) { return fmt::format("({})", fmt::join(v, ", ")); }

bool in_candidate(const gpu::CodePlace& p) { return p.file == kCandidateFile && p.line > 0; }

std::string place_text(const gpu::CodePlace& p) {
  std::string text = p.kernel.empty() ? "" : " in " + p.kernel;
  if (!p.file.empty() && !in_candidate(p)) text += fmt::format(" ({}:{})", p.file, p.line);
  return text;
}

Finding finding_of(SanitizerCheck check, const SanitizerIssue& issue, bool reject) {
  Finding f;
  f.layer = Layer::run;
  f.rule = "sanitizer_" + std::string(to_text(check));
  f.severity = reject ? Severity::reject : Severity::warn;
  f.message = fmt::format("compute-sanitizer: {}{}", issue.what, place_text(issue.at));
  if (in_candidate(issue.other)) f.message += fmt::format(", the other in line {}", issue.other.line);
  if (issue.thread.size() == 3 && issue.block.size() == 3) f.message += fmt::format(", thread {} of block {}", shape_of(issue.thread), shape_of(issue.block));
  if (!issue.detail.empty()) f.message += "; " + issue.detail;
  f.line = in_candidate(issue.at) ? issue.at.line : 0;
  f.place.program = issue.block;
  f.place.other_line = in_candidate(issue.other) ? issue.other.line : 0;
  f.place.count = issue.count;
  return f;
}

}  // namespace

void read_sanitizer_log(SanitizerCheck check, const gpu::SanitizerLog& log, const std::set<std::string>& kernels, const std::string& case_name, Sanitized& out) {
  bool charged = false;
  size_t told = 0;
  for (const SanitizerIssue& issue : log.issues) {
    bool theirs = kernels.count(issue.at.kernel) || kernels.count(issue.other.kernel) || in_candidate(issue.at) || in_candidate(issue.other);
    if (!theirs || told == kMostFindings) continue;
    bool hazard = issue.kind == SanitizerIssue::Kind::hazard;
    // A race between lines that are not the candidate's is the compiler's doing, or the tool's own mistake.
    bool reject = issue.kind == SanitizerIssue::Kind::access || (hazard && issue.certain && in_candidate(issue.at) && in_candidate(issue.other));
    Finding f = finding_of(check, issue, reject);
    if (reject && !charged) {
      out.charges.push_back({hazard ? Verdict::data_race : Verdict::illegal_memory_access, fmt::format("case {}: {}", case_name, f.message), false, f.line});
      charged = true;
    }
    out.findings.push_back(std::move(f));
    told++;
  }
}

Result<Sanitized> sanitize(const CardConfig& config, int card, const SanitizedCall& call) {
  Sanitized out;
  KBX_TRY_ASSIGN(DeviceTape tape, parse_device_tape(call.tape.data(), call.tape.size()));
  bool all = true;
  for (SanitizerCheck check : kChecks) {
    KBX_TRY_ASSIGN(std::string why_not, run_check(config, card, call, tape, check, out));
    if (why_not.empty()) continue;
    all = false;
    out.flags.push_back(fmt::format("not sanitized: {}: {}", to_text(check), shown(why_not, 400)));
  }
  if (all) out.flags.push_back("sanitized");
  return out;
}

Result<Sanitized> sanitize_largest(const CardConfig& config, int card, const TaskTruth& truth, const std::vector<size_t>& places, const TaskTruth& unseen, const sandbox::Outcome& out) {
  const sandbox::StepResult* best = nullptr;
  const CaseTruth* inputs = nullptr;
  uint64_t most = 0;
  for (size_t k = 0; k < places.size() && k < unseen.cases.size(); k++) {
    size_t at = truth.first_call(places[k]);
    if (at >= out.steps.size() || out.steps[at].device_tape.empty()) continue;
    const Bytes& bytes = out.steps[at].device_tape;
    auto tape = parse_device_tape(bytes.data(), bytes.size());
    if (!tape || !tape->launches() || !read_device_tape(*tape, {}).why_not.empty() || (best && tape->bytes <= most)) continue;
    most = tape->bytes;
    best = &out.steps[at];
    inputs = &unseen.cases[k];
  }
  if (best) return sanitize(config, card, {best->device_tape, *inputs});
  Sanitized none;
  none.flags.push_back("not sanitized: there is no recorded call that can be played");
  return none;
}

}  // namespace kbx::eval
