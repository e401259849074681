#include "cli/run_table.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "base/words.h"
#include "cli/terminal.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

constexpr size_t kMostRows = 16;

std::string clipped(const std::string& line) {
  std::string out = line;
  while (report::display_width(out) > terminal_width()) out.pop_back();
  while (!out.empty() && clean_utf8(out) != out) out.pop_back();  // cut inside a character
  return out;
}

std::string tokens(const generate::Spent& s) { return fmt::format("{} in {} out", short_count(s.usage.in), short_count(s.usage.out)); }

void add(generate::Spent& sum, const generate::Spent& one) {
  sum.calls += one.calls;
  sum.failed += one.failed;
  sum.usage.in += one.usage.in;
  sum.usage.out += one.usage.out;
  sum.usd += one.usd;
  sum.unpriced += one.unpriced;
}

}  // namespace

std::string short_count(int64_t n) {
  if (n < 10'000) return std::to_string(n);
  if (n < 1'000'000) return fmt::format("{}k", n / 1000);
  return fmt::format("{:.1f}M", double(n) / 1e6);
}

std::string money(const generate::Spent& s) {
  if (s.calls == 0 || s.unpriced == s.calls) return "-";
  return fmt::format("{}${:.{}f}", s.unpriced ? ">" : "", s.usd, s.usd < 0.1 ? 4 : 2);
}

void RunTable::changed(const generate::TaskView& view) {
  open_.insert_or_assign(view.task, view);
  draw();
}

void RunTable::finished(const generate::TaskEnd& end) {
  open_.erase(end.task);
  done_++;
  correct_ += end.verdict == Verdict::correct;
  add(spent_, end.spent);
  if (mode_ == Mode::silent) return;
  clear();
  std::string how = end.verdict ? std::string(to_text(*end.verdict)) : "no answer";
  say(fmt::format("{:>4}/{} {} {:<28} {:<22} {:>9} · {} · {}{}{}{}", done_, tasks_, end.verdict == Verdict::correct ? "✓" : "✗", shown(end.task), how, counted(end.spent.calls, "call"),
                  tokens(end.spent), money(end.spent), end.speedup ? fmt::format(" · {:.2f}x", *end.speedup) : "", end.cut_short ? " · cut short by the budget" : "",
                  end.from_before ? " · from before" : fmt::format(" · {:.0f} s", end.seconds)));
  last_ = {};
  draw();
}

void RunTable::note(const std::string& text) {
  clear();
  say("note: " + shown(text, 1000));
}

void RunTable::notice(const std::string& text) {
  std::lock_guard lock(mutex_);
  if (notices_.size() < 100) notices_.push_back(text);
}

void RunTable::tick() {
  std::vector<std::string> notices;
  {
    std::lock_guard lock(mutex_);
    notices = std::exchange(notices_, {});
  }
  for (const std::string& n : notices) note(n);
  draw();
}

void RunTable::clear() {
  if (drawn_ > 0) std::fprintf(stderr, "\033[%zuF\033[J", drawn_);
  drawn_ = 0;
}

void RunTable::draw() {
  if (mode_ != Mode::live || Steady::now() - last_ < std::chrono::milliseconds(150)) return;
  last_ = Steady::now();
  clear();
  std::string text;
  auto line = [&](const std::string& l) {
    text += clipped(l) + "\n";
    drawn_++;
  };
  line(fmt::format("{:<28} {:>5}  {:<22} {:<26} {:>6} {:>18} {:>9}", "task", "round", "last verdict", "state", "calls", "tokens", "cost"));
  generate::Spent all = spent_;
  size_t shown_rows = 0;
  for (const auto& [name, v] : open_) {
    add(all, v.spent);
    if (shown_rows++ < kMostRows)
      line(fmt::format("{:<28} {:>5}  {:<22} {:<26} {:>6} {:>18} {:>9}", shown(name), v.round, v.verdict ? to_text(*v.verdict) : "", shown(v.state), v.spent.calls, tokens(v.spent), money(v.spent)));
  }
  if (shown_rows > kMostRows) line(fmt::format("... and {} more", shown_rows - kMostRows));
  line(fmt::format("{}/{} tasks · {} correct · {} · {} · {} · {:.0f} s", done_, tasks_, correct_, counted(all.calls, "call"), tokens(all), money(all), seconds_since(start_)));
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace kbx::cli
