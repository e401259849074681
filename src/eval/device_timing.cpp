#include "eval/device_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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
    if (task.cost.least_flops > 0) {  // values cannot show it, and a card counts no operations
      t.compared = false;
      t.notes.push_back("whether the work was done cannot be seen at this size: it counts nowhere");
    }
    if (size.cost) {
      t.bytes = size.cost->bytes;
      t.flops = size.cost->flops;
      t.unit = size.cost->unit;
    }
  }

  Result<TimedSize> run() {
    if (!candidate_.tape) in_process(candidate_.why_not);
    else KBX_TRY(play());
    if (candidate_.library && out_.charges.empty() && out_.reference_off.empty()) KBX_TRY(play_own());
    if (clock_.alive()) KBX_TRY(clock_.ask({{"do", "unload"}}, {}, kSeconds));
    return std::move(out_);
  }

 private:
  // Both times as each process says, within the supervisor's own clock: no interval, and said to be less trusted.
  void in_process(const std::string& why) {
    SizeTiming& t = out_.timing;
    t.by = TimedBy::in_process;
    t.claimed = !config_.card->cupti.empty();  // where nothing can be recorded it is no candidate's doing
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
      } else {
        check_names(get(a.head, "outputs"));
        if (!out_.charges.empty()) return {};
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
    if (!out_.charges.empty() || (incomparable() && !right_by_truth("its outputs have many right values"))) return {};
    return time();
  }

  // What the candidate's own kernels give, on inputs on which all of them together were right. Where no two tapes are
  // compared nothing tells what a library's kernels are for.
  Result<void> play_own() {
    if (out_.timing.by != TimedBy::replay) {
      out_.charges.push_back(*candidate_.library);
      return {};
    }
    KBX_TRY(clock_.ask({{"do", "unload"}}, {}, kSeconds));
    struct Step { Json command; const Bytes* blob; };
    const Bytes none;
    const Json verify{{"do", "verify"}, {"set", 0}, {"outputs", comparisons()}};
    std::string fault;
    for (const Step& step : {Step{{{"do", "load"}, {"side", "candidate"}}, &candidate_.own}, Step{{{"do", "load"}, {"side", "reference"}}, &reference_.tape},
                             Step{drawing(task_, config_, size_, 0), &none}, Step{verify, &none}}) {
      auto answer = clock_.ask(step.command, *step.blob, kSeconds);
      fault = !answer ? answer.error().text() : answer->ok() ? "" : answer->fault() + ": " + answer->message();
      if (!fault.empty()) break;
      if (get_string(step.command, "do") == "verify") check_list(get(answer->head, "outputs"), "without them");
    }
    if (!out_.charges.empty()) fault = out_.charges.front().explanation;
    if (fault.empty()) return {};
    out_.charges = {*candidate_.library};
    out_.charges.front().explanation += "; without them: " + fault;
    return {};
  }

  // Every tensor that eager returns or changes must be there: only what is there is compared.
  void check_names(const Json& wanted) {
    if (!wanted.is_array()) return;
    for (const Json& w : wanted) {
      std::string name = get_string(w, "name").value_or("");
      auto same = [&](const DeviceTensor& t) { return t.name == name; };
      if (std::none_of(candidate_.outputs.begin(), candidate_.outputs.end(), same)) wrong_form(name + " is missing, which eager returns");
    }
  }
  void wrong_form(const std::string& says) {
    out_.charges.push_back({Verdict::wrong_structure, fmt::format("size {}: {}", size_.which->name, says), false, 0});
    out_.timing.problem = "wrong structure";
  }

  bool incomparable() const {
    return std::any_of(candidate_.outputs.begin(), candidate_.outputs.end(), [&](const DeviceTensor& t) { return !comparison(task_, t.name, t.dtype).not_compared.empty(); });
  }

  // Nothing to compare with on the card: the truth decides. Where the host cannot be asked the size is timed, and counts
  // nowhere. False: there is nothing to time.
  bool right_by_truth(const std::string& why) {
    Heard heard = appeal_ ? appeal_(clock_, 0, "candidate") : Heard();
    if (heard.said == Heard::Said::unplayable) in_process("playing the tape: " + heard.why);
    if (heard.said == Heard::Said::wrong) {
      out_.charges.push_back({Verdict::wrong_value, fmt::format("size {} on fresh inputs, against float64: {}", size_.which->name, heard.why), false, 0});
      out_.timing.problem = "wrong values";
    }
    if (heard.said == Heard::Said::nothing) {
      note_once("values at this size were not compared: " + why + ", and the host was not asked");
      out_.timing.compared = false;
    }
    return heard.said == Heard::Said::right || heard.said == Heard::Said::nothing;
  }

  Json comparisons() const {
    Json list = Json::array();
    for (const DeviceTensor& o : candidate_.outputs) {
      Comparison c = comparison(task_, o.name, o.dtype);
      list.push_back({{"name", o.name}, {"atol", 0.0}, {"rtol", c.rtol}, {"rtol_rms", c.rtol_rms}, {"exact", c.exact}});
    }
    return list;
  }

  // Where the candidate is right all the same and eager's tape is not, that does not give what eager gives, and is no
  // baseline. Where both are right they are two roundings of one thing: else whoever is as far from eager as the oracle
  // allows could choose to be held against eager's calls with all that the host adds to them.
  void appeal(int set) {
    Heard heard = appeal_ && out_.charges.front().verdict == Verdict::wrong_value ? appeal_(clock_, set, "candidate") : Heard();
    if (heard.said == Heard::Said::nothing || heard.said == Heard::Said::unplayable) return;
    std::string& explanation = out_.charges.front().explanation;
    if (heard.said == Heard::Said::wrong) {
      explanation += "; against float64: " + heard.why;
      return;
    }
    if (appeal_(clock_, set, "reference").said == Heard::Said::right) {
      note_once("right against float64, as eager is, and not near it: " + explanation);
      accepted_ = differences_;
    } else {
      out_.reference_off = explanation;
    }
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
    if (std::string problem = get_string(o, "problem").value_or(""); !problem.empty()) return wrong_form(t.name + ": " + problem);
    Comparison c = comparison(task_, t.name, t.dtype);
    double reference = get_double(o, "rms_reference").value_or(0), difference = get_double(o, "rms_difference").value_or(0);
    int64_t wrong = get_int(o, "mismatches").value_or(0), count = get_int(o, "count").value_or(0);
    std::string says;
    if (!c.not_compared.empty()) note_once(fmt::format("{} was not compared: {}", t.name, c.not_compared));
    else if (c.rms_share > 0 && !(difference <= c.rms_share * reference)) says = fmt::format("rms difference {:.3g} of {:.3g}", difference, reference);
    else if (c.rms_share == 0 && wrong > 0 && !few_and_near(c, o, wrong, count)) says = fmt::format("{} of {} elements differ from eager, at most by {:.3g}", wrong, count, get_double(o, "max_abs").value_or(0));
    differences_[t.name] = difference;
    if (auto known = accepted_.find(t.name); known != accepted_.end() && difference <= 2 * known->second) return;
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
    if (task_.cost.least_flops > 0) return;  // the work may well not have been done
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
    if (!right_by_truth("the reference has no tape")) return {};
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
  std::map<std::string, double> differences_, accepted_;  // rms, by output: the last one; what was right on both sides
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
