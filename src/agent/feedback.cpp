// Feedback as JSON, for the journal.
#include "agent/feedback.h"

namespace kbx::agent {

std::string_view to_text(FeedbackMode mode) { return mode == FeedbackMode::public_only ? "public_only" : "task_tests"; }

std::optional<FeedbackMode> feedback_mode_from_text(std::string_view text) {
  for (auto mode : {FeedbackMode::public_only, FeedbackMode::task_tests})
    if (to_text(mode) == text) return mode;
  return std::nullopt;
}

Json feedback_json(const Feedback& f) {
  Json j = {{"verdict", std::string(kbx::to_text(f.verdict))}, {"called", f.called}, {"executes", f.executes}};
  if (f.speedup) j["speedup"] = *f.speedup;
  if (f.time_us) j["time_us"] = *f.time_us;
  if (f.roofline) j["roofline"] = *f.roofline;
  for (auto [key, text] : {std::pair{"error", &f.error}, {"output", &f.output}, {"guess", &f.guess}, {"resources", &f.resources}, {"hardware", &f.hardware}, {"key", &f.key}})
    if (!text->empty()) j[key] = *text;
  return j;
}

Feedback feedback_from(const Json& json) {
  Feedback f;
  if (auto text = get_string(json, "verdict"))
    if (auto verdict = verdict_from_text(*text)) f.verdict = *verdict;
  f.called = get_bool(json, "called").value_or(false);
  f.executes = get_bool(json, "executes").value_or(false);
  f.speedup = get_double(json, "speedup");
  f.time_us = get_double(json, "time_us");
  f.roofline = get_double(json, "roofline");
  for (auto [key, text] : {std::pair{"error", &f.error}, {"output", &f.output}, {"guess", &f.guess}, {"resources", &f.resources}, {"hardware", &f.hardware}, {"key", &f.key}})
    *text = get_string(json, key).value_or("");
  return f;
}

}  // namespace kbx::agent
