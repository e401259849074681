// One line for each thing that is known.
#include "agent/outcome.h"

#include <fmt/core.h>

#include "agent/answer.h"

namespace kbx::agent {

std::string speedup_text(const Feedback& f) { return f.speedup ? fmt::format("{:.3g}x", *f.speedup) : "not timed"; }

Feedback not_evaluated(Verdict verdict, std::string why) {
  Feedback f;
  f.verdict = verdict;
  f.error = std::move(why);
  return f;
}

std::string outcome_text(const Feedback& f, bool cut) {
  std::string out;
  auto line = [&](std::string_view name, const std::string& text) {
    if (text.empty()) return;
    bool block = text.find('\n') != text.npos;
    out += fmt::format("- {}:{}{}\n", name, block ? "\n" : " ", text);
  };
  line("runs", f.called || f.executes ? "yes" : "no");
  line("correct", f.executes ? "yes" : fmt::format("no ({})", kbx::to_text(f.verdict)));
  if (f.executes) line("speedup over PyTorch", speedup_text(f));
  if (f.time_us) line("time", fmt::format("{:.4g} us", *f.time_us));
  line("error", f.error);
  line("printed", f.output);
  line("likely cause", f.guess);
  line("resources", f.resources);
  line("hardware", f.hardware);
  line("note", cut_note(cut));
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace kbx::agent
