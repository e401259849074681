#include "eval/device_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kbx::eval {
namespace {

constexpr int kSets = 2;
constexpr double kSeconds = 60;  // for one command; a tape that hangs is stopped by the clock itself

using Answer = gpu::ClockProcess::Answer;

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  if (list.is_array())
    for (const Json& t : list)
      if (t.is_string()) out.push_back(t.get<std::string>());
  return out;
}

Json drawing(const Task& task, const EvalConfig& config, const PerfCall& size, int set) {
  Json inputs = Json::array();
  for (const suite::Drawn& d : size.drawn) inputs.push_back({{"name", d.path}, {"draw", suite::draw_json(d, task, *size.which, config.seed, set)}});
  return {{"do", "inputs"}, {"set", set}, {"inputs", inputs}};
}

class SizeRun {
 public:
  SizeRun(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size, const SizeRecording& candidate, const ReferenceSize& reference,
          double physical_floor_us, const Appeal& appeal)
      : clock_(clock), task_(task), config_(config), size_(size), candidate_(candidate), reference_(reference), physical_floor_us_(physical_floor_us), appeal_(appeal) {
    SizeTiming& t = out_.timing;
    t.case_name = size.which->name;
    t.candidate_host_us = candidate.host_seconds * 1e6;
    t.reference_host_us = reference.host_seconds * 1e6;
    if (size.cost) {
      t.bytes = size.cost->bytes;
      t.flops = size.cost->flops;
      t.unit = size.cost->unit;
    }
  }

  Result<TimedSize> run() {
    if (!candidate_.tape) in_process(candidate_.why_not);
    else KBX_TRY(play());
    if (!candidate_.own.empty() && out_.charges.empty() && out_.in_process.empty() && out_.reference_off.empty()) KBX_TRY(play_own());
    if (clock_.alive()) KBX_TRY(clock_.ask({{"do", "unload"}}, {}, kSeconds));
    return std::move(out_);
  }

 private:
  // Both times as each process says, within the supervisor's own clock: no interval, and said to be less trusted.
  void in_process(const std::string& why) {
    SizeTiming& t = out_.timing;
    out_.in_process = why;
    t.by = TimedBy::in_process;
    t.notes.push_back("in_process: " + why);
    t.candidate_us = t.candidate_host_us;
    t.reference_us = t.reference_host_us;
    if (t.candidate_us > 0 && t.reference_us > 0) t.speedup = t.reference_us / t.candidate_us;
    else t.problem = "not timed: " + why;
    if (t.measured() && t.candidate_us < physical_floor_us_) t.problem = fmt::format("faster than physics: the worker says {:.2f} us, the card needs {:.2f} us or more", t.candidate_us, physical_floor_us_);
  }

  // A fault of the candidate's tape ends the play: false, and the reason is told.
  Result<bool> done(const char* what, Result<Answer> answer) {
    if (!answer) {  // it ended or hung with the candidate's code on the card
      in_process(fmt::format("{}: {}", what, answer.error().text()));
      return false;
    }
    if (answer->ok()) return true;
    if (get_string(answer->head, "side") == "reference") out_.reference_fault = answer->fault() + ": " + answer->message();
    in_process(fmt::format("{}: {}: {}", what, answer->fault(), answer->message()));
    return false;
  }

  Result<void> play() {
    bool both = !reference_.tape.empty();
    KBX_TRY_ASSIGN(bool loaded, done("loading the tape", clock_.ask({{"do", "load"}, {"side", "candidate"}}, *candidate_.tape, kSeconds)));
    if (!loaded) return {};
    if (both) {
      KBX_TRY_ASSIGN(Answer a, clock_.ask({{"do", "load"}, {"side", "reference"}}, reference_.tape, kSeconds));
      if (!a.ok()) {
        out_.timing.notes.push_back("the reference's tape does not load: " + a.message());
        both = false;
      }
    }
    for (int set = 0; set < kSets; set++) {
      KBX_TRY_ASSIGN(bool drawn, done("drawing inputs", clock_.ask(drawing(task_, config_, size_, set), {}, kSeconds)));
      if (!drawn) return {};
    }
    if (!both) return alone();
    for (int set = 0; set < kSets && out_.charges.empty(); set++) {
      auto answer = clock_.ask({{"do", "verify"}, {"set", set}, {"outputs", comparisons()}}, {}, kSeconds);
      KBX_TRY_ASSIGN(bool verified, done("playing the tape", answer));
      if (!verified) return {};
      check_list(get(answer->head, "outputs"), "on fresh inputs");
      if (!out_.charges.empty()) appeal(set);
      if (!out_.reference_off.empty()) return {};
    }
    if (!out_.charges.empty()) return {};
    return time();
  }

  // What the candidate's own kernels give, on inputs on which all of them together were right: a size may go to a library
  // where the cases did not.
  Result<void> play_own() {
    if (out_.timing.by == TimedBy::mixed) {
      out_.reference_unknown = true;
      return {};
    }
    KBX_TRY(clock_.ask({{"do", "unload"}}, {}, kSeconds));
    struct Step { Json command; const Bytes* blob; };
    const Bytes none;
    const Json verify{{"do", "verify"}, {"set", 0}, {"outputs", comparisons()}};
    for (const Step& step : {Step{{{"do", "load"}, {"side", "candidate"}}, &candidate_.own}, Step{{{"do", "load"}, {"side", "reference"}}, &reference_.tape},
                             Step{drawing(task_, config_, size_, 0), &none}, Step{verify, &none}}) {
      auto answer = clock_.ask(step.command, *step.blob, kSeconds);
      std::string fault = !answer ? answer.error().text() : answer->ok() ? "" : answer->fault() + ": " + answer->message();
      if (!fault.empty()) out_.charges.push_back({Verdict::delegated, fmt::format("size {}, without the kernels of libraries: {}", size_.which->name, fault), false, 0});
      if (!fault.empty()) return {};
      if (get_string(step.command, "do") == "verify") check_list(get(answer->head, "outputs"), "without the kernels of libraries");
    }
    for (Charge& c : out_.charges) c.verdict = Verdict::delegated;
    return {};
  }

  Json comparisons() const {
    Json list = Json::array();
    for (const DeviceTensor& o : candidate_.outputs) {
      Comparison c = comparison(task_, o.name, o.dtype);
      list.push_back({{"name", o.name}, {"atol", 0.0}, {"rtol", c.rtol}, {"rtol_rms", c.rtol_rms}, {"exact", c.exact}});
    }
    return list;
  }

  // Where the candidate is right all the same, eager's tape does not give what eager gives, and is no baseline.
  void appeal(int set) {
    auto wrong = appeal_ ? appeal_(clock_, set) : std::nullopt;
    if (!wrong) return;
    std::string& explanation = out_.charges.front().explanation;
    if (!wrong->empty()) {
      explanation += "; against float64: " + *wrong;
      return;
    }
    out_.reference_off = explanation;
    out_.charges.clear();
  }

  // Charges what the comparison shows.
  void check_list(const Json& outputs, const std::string& when) {
    if (!outputs.is_array()) return;
    for (const Json& o : outputs) {
      std::string name = get_string(o, "name").value_or("");
      for (const DeviceTensor& t : candidate_.outputs)
        if (t.name == name) check_one(t, o, when);
    }
  }
  // Where rounding moves a coordinate over an edge, a few elements are further away than the others, and still near.
  static bool few_and_near(const Comparison& c, const Json& o, int64_t wrong, int64_t count) {
    constexpr double kShare = 1e-3, kFurther = 10;
    double most = get_double(o, "max_abs").value_or(INFINITY), rms = get_double(o, "rms_reference").value_or(0);
    return !c.exact && get_int(o, "nan").value_or(1) == 0 && double(wrong) <= kShare * double(count) && most <= kFurther * c.rtol_rms * rms;
  }
  void note_once(std::string text) {
    auto& notes = out_.timing.notes;
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
  }
  void check_one(const DeviceTensor& t, const Json& o, const std::string& when) {
    Comparison c = comparison(task_, t.name, t.dtype);
    double reference = get_double(o, "rms_reference").value_or(0), difference = get_double(o, "rms_difference").value_or(0);
    int64_t wrong = get_int(o, "mismatches").value_or(0), count = get_int(o, "count").value_or(0);
    std::string says;
    if (!c.not_compared.empty()) note_once(fmt::format("{} was not compared: {}", t.name, c.not_compared));
    else if (c.rms_share > 0 && !(difference <= c.rms_share * reference)) says = fmt::format("rms difference {:.3g} of {:.3g}", difference, reference);
    else if (c.rms_share == 0 && wrong > 0 && !few_and_near(c, o, wrong, count)) says = fmt::format("{} of {} elements differ from eager, at most by {:.3g}", wrong, count, get_double(o, "max_abs").value_or(0));
    if (says.empty()) return;
    out_.charges.push_back({Verdict::wrong_value, fmt::format("size {} {}, {}: {}", size_.which->name, when, t.name, says), false, 0});
    out_.timing.problem = "wrong values";
  }

  // The clock measures once more what is below `bound_us`.
  Json how() const { return {{"half_width", config_.card->half_width}, {"min_groups", 10}, {"cap_ms", config_.card->cap_ms}, {"bound_us", physical_floor_us_}}; }

  // A time that cannot be is ours to explain, not the candidate's merit or fault.
  void check_floor() {
    SizeTiming& t = out_.timing;
    if (!t.measured() || !(physical_floor_us_ > 0) || t.candidate_us >= physical_floor_us_) return;
    t.problem = fmt::format("faster than physics: {:.2f} us, and the card cannot do it in less than {:.2f} us", t.candidate_us, physical_floor_us_);
    out_.charges.push_back({Verdict::harness_error, fmt::format("size {}: {}, measured twice", size_.which->name, t.problem), false, 0});
  }

  Result<void> time() {
    Json command = how();
    command["do"] = "time";
    command["outputs"] = comparisons();
    auto answer = clock_.ask(command, {}, kSeconds);
    KBX_TRY_ASSIGN(bool timed, done("timing", answer));
    if (!timed) return {};
    take(answer->head);
    check_floor();
    check_list(get(answer->head, "after"), "after timing");
    if (!get_bool(answer->head, "inputs_intact").value_or(true))
      out_.charges.push_back({Verdict::delegated, fmt::format("size {}: memory outside the candidate's own arena was changed while it was timed", size_.which->name), false, 0});
    return {};
  }

  // The reference has no tape that plays: the candidate's device time against the reference's calls as they are.
  Result<void> alone() {
    check_alone();
    if (!out_.charges.empty()) return {};
    Json command = how();
    command["do"] = "time_one";
    command["side"] = "candidate";
    SizeTiming& t = out_.timing;
    const std::vector<std::string> notes = t.notes;
    for (int attempt = 0; attempt < 2; attempt++) {
      auto answer = clock_.ask(command, {}, kSeconds);
      KBX_TRY_ASSIGN(bool timed, done("timing", answer));
      if (!timed) return {};
      t.notes = notes;
      take(answer->head);
      if (t.candidate_us >= physical_floor_us_) break;
    }
    check_floor();
    t.by = TimedBy::mixed;
    t.reference_us = t.reference_host_us;
    t.speedup = t.candidate_us > 0 ? t.reference_us / t.candidate_us : 0;
    t.low = t.high = 0;
    t.notes.push_back("the reference was timed in its own process: " + (reference_.why_not.empty() ? "its tape does not load" : reference_.why_not));
    return {};
  }

  // Nothing to compare with on the card: the truth decides, where the host can be asked.
  void check_alone() {
    auto wrong = appeal_ ? appeal_(clock_, 0) : std::nullopt;
    if (!wrong) note_once("values at this size were not compared: the reference has no tape, and the host was not asked");
    if (!wrong || wrong->empty()) return;
    out_.charges.push_back({Verdict::wrong_value, fmt::format("size {} on fresh inputs, against float64: {}", size_.which->name, *wrong), false, 0});
    out_.timing.problem = "wrong values";
  }

  void take(const Json& a) {
    SizeTiming& t = out_.timing;
    auto number = [&](const char* key) { return get_double(a, key).value_or(0); };
    t.candidate_us = number(a.contains("mean_us") ? "mean_us" : "candidate_us");
    t.reference_us = number("reference_us");
    t.speedup = number("speedup");
    t.low = number("low");
    t.high = number("high");
    t.groups = int(number("groups"));
    t.pairs = int(number("pairs"));
    t.spikes = int(number("spikes"));
    t.dropped_pairs = int(number("dropped_pairs"));
    t.floor_us = number("floor_us");
    t.launch_bound = get_bool(a, "launch_bound").value_or(false);
    t.wait_ms = number("wait_ms");
    t.lowest_mhz = number("lowest_mhz");
    t.throttle_reasons = uint64_t(number("throttle_reasons"));
    for (std::string& note : texts(get(a, "notes"))) t.notes.push_back(std::move(note));
    if (auto problem = get_string(a, "problem"); problem && !problem->empty()) t.problem = *problem;
    // A call cannot take a user less time than the card needs for it.
    if (t.candidate_host_us > 0 && t.candidate_host_us < t.candidate_us) {
      t.notes.push_back("the worker said a host time below the device time; the device time stands");
      t.candidate_host_us = t.candidate_us;
    }
  }

  gpu::ClockProcess& clock_;
  const Task& task_;
  const EvalConfig& config_;
  const PerfCall& size_;
  const SizeRecording& candidate_;
  const ReferenceSize& reference_;
  double physical_floor_us_;
  const Appeal& appeal_;
  TimedSize out_;
};

}  // namespace

Result<TimedSize> time_size(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size,
                            const SizeRecording& candidate, const ReferenceSize& reference, double physical_floor_us, const Appeal& appeal) {
  return SizeRun(clock, task, config, size, candidate, reference, physical_floor_us, appeal).run();
}

Result<std::string> reference_trouble(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size, const ReferenceSize& reference) {
  const Json load{{"do", "load"}, {"side", "reference"}}, play{{"do", "play"}, {"side", "reference"}, {"set", 0}};
  struct Step { Json command; const Bytes* blob; };
  const Bytes none;
  for (const Step& step : {Step{load, &reference.tape}, Step{drawing(task, config, size, 0), &none}, Step{play, &none}}) {
    auto answer = clock.ask(step.command, *step.blob, kSeconds);
    if (!answer) return answer.error().text();
    if (!answer->ok()) return answer->fault() + ": " + answer->message();
  }
  KBX_TRY(clock.ask({{"do", "unload"}}, {}, kSeconds));
  return std::string();
}

}  // namespace kbx::eval
