// Markdown: see the header.
#include "report/markdown.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/words.h"
#include "report/timing_text.h"

namespace kbx::report {
namespace {

constexpr size_t kRowsMost = 60;  // of each list of candidates

std::string one_line(std::string_view text, size_t most) {
  return shown_line(text, most);
}

std::string share(int64_t n, int64_t of) {
  return of ? fmt::format("{} ({:.0f} %)", n, 100.0 * double(n) / double(of)) : "–";
}

std::string fact(const Json& facts, const char* group, const char* name) {
  const Json& j = get(get(facts, group), name);
  return j.is_string() ? j.get<std::string>() : j.is_null() ? "" : dump_json(j);
}

std::string facts_text(const Runs::Run& run) {
  std::string out = "- " + markdown_code(run.label) + ":";
  for (const char* name : {"kbx", "python", "torch", "triton", "numpy"})
    if (std::string v = fact(run.facts, "versions", name); !v.empty())
      out += fmt::format(" {} {},", name, markdown_text(v, 40));
  for (const char* name : {"device", "seed"})
    if (std::string v = fact(run.facts, "config", name); !v.empty())
      out += fmt::format(" {} {},", name, markdown_text(v, 40));
  if (out.back() == ',') out.pop_back();
  return out + "\n";
}

std::string categories_text(const Summary& s) {
  std::string out =
      "| category | candidates | call | correct | paper call | paper correct |\n|---|--:|--:|--:|--:|--:|\n";
  auto row = [&](const std::string& name, const Counts& c) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, c.candidates, share(c.call, c.candidates),
                       share(c.exe, c.candidates), share(c.paper_call, c.candidates), share(c.paper_exe, c.candidates));
  };
  for (const auto& [name, c] : s.by_category) row(markdown_text(name), c);
  row("**all**", s.all);
  return out;
}

std::string verdicts_text(const Summary& s) {
  std::string out = "| verdict | kbx | paper | meaning |\n|---|--:|--:|---|\n";
  for (size_t k = kVerdictCount; k-- > 0;)
    if (s.all.verdicts[k] || s.paper[k])
      out += fmt::format("| {} | {} | {} | {} |\n", to_text(Verdict(k)), s.all.verdicts[k], s.paper[k],
                         meaning(Verdict(k)));
  return out;
}

// A list of candidates with a bound on rows and bytes.
class Rows {
 public:
  Rows(std::string title, std::string head) : title_(std::move(title)), head_(std::move(head)) {}
  void add(const std::string& row) {
    count_++;
    if (rows_ < kRowsMost && text_.size() + row.size() < kMarkdownMost / 4) {
      text_ += row;
      rows_++;
    }
  }
  std::string text() const {
    if (!count_) return "";
    std::string more = rows_ < count_ ? fmt::format("\n… and {} more.\n", count_ - rows_) : "";
    return fmt::format("\n<details><summary>{}: {}</summary>\n\n{}{}{}\n</details>\n", title_, count_, head_, text_,
                       more);
  }

 private:
  std::string title_, head_, text_;
  size_t count_ = 0, rows_ = 0;
};

std::string timing_row(const std::string& name, const TimedRow& r) {
  std::string marks = r.problem.empty() ? r.marks : "no time: " + r.problem + (r.marks.empty() ? "" : "; " + r.marks);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, markdown_code(r.task), ratio_text(r.speedup), interval_text(r.low, r.high), ratio_text(r.host_speedup), percent_text(r.iou),
                     percent_text(r.mfu), marks.empty() ? "" : markdown_text(marks));
}

}  // namespace

std::string markdown_code(std::string_view text, size_t most) {
  std::string line = one_line(text, most), out;
  for (char c : line) {
    if (c == '`')
      out += '\'';
    else if (c == '|')
      out += "\\|";
    else
      out += c;
  }
  return out.find_first_not_of(' ') == out.npos ? "–" : "`" + out + "`";
}

std::string markdown_text(std::string_view text, size_t most) {
  std::string out;
  for (char c : one_line(text, most)) {
    if (std::string_view("&<>@#:|\\`*[]~$").find(c) != std::string_view::npos)
      out += fmt::format("&#{};", int(c));
    else if (c == '.' && ends_with(out, "www"))
      out += "&#46;";
    else
      out += c;
  }
  return out;
}

Result<void> write_markdown(const Runs& runs, const Sink& out) {
  KBX_TRY_ASSIGN(Summary s, runs.summary());
  bool many = runs.all().size() > 1;
  Rows disagreements("kbx and the published rules disagree",
                     "| candidate | task | kbx | paper | why |\n|---|---|---|---|---|\n");
  Rows times("Times", "| candidate | task | speedup | 95% interval | host | IOU | MFU | marks |\n|---|---|--:|---|--:|--:|--:|---|\n");
  Rows failures("Failed candidates", "| candidate | task | verdict | why |\n|---|---|---|---|\n");
  KBX_TRY(runs.each([&](const Runs::Run& run, const Record& r) {
    if (!r.in_suite) return true;
    std::string name = markdown_code(many ? run.label + "/" + r.candidate : r.candidate);
    std::string why = markdown_text(r.explanation);
    if (r.exe_ok != r.paper_exe_ok)
      disagreements.add(fmt::format("| {} | {} | {} | {} | {} |\n", name, markdown_code(r.task), to_text(r.verdict),
                                    to_text(r.paper), why));
    if (r.timing) times.add(timing_row(name, timed_row(r)));
    if (is_failure(r.verdict))
      failures.add(fmt::format("| {} | {} | {} | {} |\n", name, markdown_code(r.task), to_text(r.verdict), why));
    return true;
  }));
  std::string text = fmt::format("## kbx: {} of {} candidates correct\n\n", s.all.exe, s.all.candidates);
  for (const Runs::Run& run : runs.all()) text += facts_text(run);
  text += "\n" + categories_text(s) + "\n" + verdicts_text(s) + "\n";
  text += fmt::format("{}, {} judged", counted(s.candidates, "candidate"), s.all.candidates);
  if (s.not_in_suite) text += fmt::format(", {} of tasks that are not in the suite", s.not_in_suite);
  text += fmt::format("; {:.2f} s a candidate (median), {:.2f} s (p90).\n", s.seconds_quantile(0.5),
                      s.seconds_quantile(0.9));
  for (int64_t k : {1, 5, 10})
    if (auto p = s.pass_at(k)) text += fmt::format("{}pass@{} {:.3f}", k == 1 ? "\n" : ", ", k, *p);
  text += "\n";
  if (!s.timing.empty()) {
    text += "\n### Time\n\n";
    for (const std::string& line : timing_aggregates(s.timing)) text += "- " + markdown_text(line) + "\n";
  }
  out(text + times.text() + disagreements.text() + failures.text());
  return {};
}

}  // namespace kbx::report
