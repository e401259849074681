#include "cli/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/terminal.h"
#include "report/terminal.h"

namespace kbx::cli {

void Progress::expect(int64_t total, bool known) {
  total_ = total;
  known_ = known;
}

void Progress::started(const std::string& candidate, const std::string&) {
  current_ = candidate;
  draw();
}

void Progress::finished(const Record& r) {
  done_++;
  if (r.verdict == Verdict::correct) correct_++;
  else if (is_failure(r.verdict)) wrong_++;
  else other_++;
  if (mode_ == Mode::silent) return;
  clear();
  say(report::terminal_line(r, mode_ == Mode::bar, terminal_width()));
  last_ = {};
  draw();
}

void Progress::note(const std::string& text) {
  clear();
  say(shown_line(text));
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Progress::draw() {
  if (mode_ != Mode::bar || Steady::now() - last_ < std::chrono::milliseconds(100)) return;
  last_ = Steady::now();
  clear();
  constexpr int kCells = 24;
  double part = total_ > 0 ? double(done_) / double(total_) : 0;
  std::string bar;
  for (int k = 0; k < kCells; k++) bar += double(k) < part * kCells ? "█" : "░";
  double elapsed = seconds_since(start_);
  std::string eta = done_ > 0 && known_ ? fmt::format(" · {:.0f} s left", elapsed / double(done_) * double(total_ - done_)) : "";
  std::string line = fmt::format("{} {}/{}{} · {} correct · {} not · {:.0f} s{} · {}", bar, done_, total_, known_ ? "" : "+", correct_, wrong_, elapsed, eta, current_);
  std::fputs(shown_line(line, terminal_width() + 2 * size_t(kCells)).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace kbx::cli
