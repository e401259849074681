// Feedback: what a loop, and through it a model, learns of a candidate. Made from a Record by feedback_of(), which shows
// nothing that a contestant must not know (docs/methods.md): which cases it may speak of is the mode's.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/verdict.h"

namespace kbx::agent {

// task_tests: the benchmark's own failures, as the published agents see them. public_only: cases of other shapes and
// seeds than those that count.
enum class FeedbackMode : unsigned char { public_only, task_tests };
std::string_view to_text(FeedbackMode mode);
std::optional<FeedbackMode> feedback_mode_from_text(std::string_view text);

struct Feedback {
  Verdict verdict = Verdict::harness_error;
  bool called = false, executes = false;  // stages 1 and 2
  std::optional<double> speedup;          // over eager, geometric mean; only on a card
  std::optional<double> time_us;
  std::optional<double> roofline;         // the least time of the card / the time; 1 = nothing left to gain
  std::string error;       // trimmed: the candidate's frame, the line, the compiler's message, or the wrong value
  std::string output;      // what it printed
  std::string guess;       // the kind of a wrong value: "wrong axis", "missing mask", "precision", ...; "" = none
  std::string resources;   // registers, spills, shared memory by architecture, a few lines; "" = unknown
  std::string hardware;    // roofline position, achieved bandwidth, launches, the heaviest line; "" = unknown
  std::string key;         // of the record that it was made from
};

Json feedback_json(const Feedback& feedback);
Feedback feedback_from(const Json& json);

}  // namespace kbx::agent
