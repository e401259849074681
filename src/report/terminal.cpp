#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "report/diagnostic.h"
#include "report/hardware.h"
#include "report/text_table.h"
#include "report/timing_text.h"

namespace kbx::report {
namespace {

const char* colour_of(Verdict v) {
  if (v == Verdict::correct) return "\033[32m";
  if (v == Verdict::not_judged) return "\033[33m";
  if (v == Verdict::harness_error) return "\033[35m";
  return "\033[31m";
}
std::string paint(const std::string& text, Verdict v, bool colour) { return colour ? colour_of(v) + text + "\033[0m" : text; }
std::string share(int64_t n, int64_t of) { return of ? fmt::format("{} ({:.0f}%)", n, 100.0 * double(n) / double(of)) : "-"; }
const char* mark(Verdict v) { return v == Verdict::correct ? "✓" : v == Verdict::not_judged ? "?" : v == Verdict::harness_error ? "!" : "✗"; }

}  // namespace

std::string terminal_summary(const Summary& s, double wall, bool colour) {
  using Align = TextTable::Align;
  TextTable categories({{"category"}, {"candidates", Align::right}, {"call", Align::right}, {"correct", Align::right}, {"paper call", Align::right}, {"paper correct", Align::right}});
  auto row = [&](const std::string& name, const Counts& c) {
    categories.add({name, std::to_string(c.candidates), share(c.call, c.candidates), share(c.exe, c.candidates), share(c.paper_call, c.candidates), share(c.paper_exe, c.candidates)});
  };
  for (const auto& [name, c] : s.by_category) row(name, c);
  categories.rule();
  row("all", s.all);
  TextTable verdicts({{"verdict"}, {"kbx", Align::right}, {"paper", Align::right}, {"meaning"}});
  for (size_t k = kVerdictCount; k-- > 0;)
    if (s.all.verdicts[k] || s.paper[k])
      verdicts.add({std::string(to_text(Verdict(k))), std::to_string(s.all.verdicts[k]), std::to_string(s.paper[k]), std::string(meaning(Verdict(k)))});
  std::string out = categories.text() + "\n" + verdicts.text() + "\n";
  out += fmt::format("{}, {} judged", counted(s.candidates, "candidate"), s.all.candidates);
  if (s.not_in_suite) out += fmt::format(", {} of tasks that are not in the suite", s.not_in_suite);
  out += fmt::format("; {:.1f} s, {:.2f} s a candidate (median), {:.2f} s (p90)\n", wall, s.seconds_quantile(0.5), s.seconds_quantile(0.9));
  std::string pass;
  for (int64_t k : {1, 2, 4, 5, 8, 10, 16, 32, 64, 100})
    if (auto p = s.pass_at(k)) pass += fmt::format("{}pass@{} {:.3f}", pass.empty() ? "" : ", ", k, *p);
  if (s.all.candidates > int64_t(s.by_task.size()) && !pass.empty()) out += fmt::format("over {}: {}\n", counted(int64_t(s.by_task.size()), "task"), pass);
  if (!s.timing.empty()) out += "\n" + timing_summary_text(s.timing);
  if (int64_t n = s.all.of(Verdict::harness_error)) out += paint(fmt::format("{}: not the candidates' fault; run again with --resume\n", counted(n, "harness error")), Verdict::harness_error, colour);
  return out;
}

std::string terminal_line(const Record& r, bool colour, size_t width) {
  std::string verdict = fmt::format("{} {:<22}", mark(r.verdict), r.in_suite ? to_text(r.verdict) : "not_in_suite");
  std::string head = fmt::format("{:<34} {:<28} {:>6.2f} s  ", shown_line(r.candidate, 34), shown_line(r.task, 28), r.seconds);
  size_t used = display_width(verdict) + 1 + display_width(head);
  return paint(verdict, r.verdict, colour) + " " + head + shown_line(r.explanation, width > used + 10 ? width - used - 3 : 40);
}

namespace {

constexpr size_t kCasesShown = 10;

// What a candidate wrote, so that none of its lines stands where ours begin.
std::string indented(std::string_view text, const char* before) {
  std::string out;
  for (const std::string& line : split(text, '\n')) out += (out.empty() ? "" : "\n") + std::string(before) + line;
  return out;
}

std::string trimmed_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// Without `all` a few of those that are not right.
std::string cases_text(const Record& r, bool all) {
  using Align = TextTable::Align;
  TextTable t({{"case"}, {"inputs"}, {"output"}, {"kbx"}, {"paper"}, {"max abs", Align::right}, {"max ulp", Align::right}, {"wrong", Align::right}});
  size_t right = 0, left_out = 0;
  for (const CaseJudgement& c : r.judgements) {
    const Judgement& k = c.judgements.kbx;
    right += k.verdict == Verdict::correct;
    if (!all && k.verdict == Verdict::correct) continue;
    if (!all && t.size() == kCasesShown) {
      left_out++;
      continue;
    }
    t.add({shown(c.case_name), c.phase, shown(k.path), std::string(to_text(k.verdict)), std::string(to_text(c.judgements.paper.verdict)), fmt::format("{:.3g}", k.metrics.max_abs),
           fmt::format("{:.3g}", k.metrics.max_ulp), fmt::format("{} of {}", k.metrics.mismatches, k.metrics.count)});
  }
  if (r.judgements.empty()) return "";
  std::string more = left_out ? fmt::format("and {} more (--cases lists all)\n", left_out) : "";
  return (t.size() ? t.text() : "") + more + fmt::format("{} of {} outputs are right\n\n", right, r.judgements.size());
}

// The frames; the exception's words are left out where a diagnostic has them already.
std::string traceback_text(const Record& r, const std::vector<Diagnostic>& diagnostics) {
  bool told = std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.rule == "compiler_refused"; });
  size_t words = told ? r.traceback.find("\n" + r.error_type + ": ") : r.traceback.npos;
  return "traceback:\n" + indented(shown(trimmed_end(r.traceback.substr(0, words)), 4000), "  ") + "\n";
}

}  // namespace

namespace {

// What a kernel was compiled into for one target: one form for every set of argument types and constants. "12" or "12-209".
struct Forms {
  std::string kernel;
  int arch = 0;
  bool ok = true;
  std::vector<const Compiled*> of;

  template <class Field>
  std::string range(Field field) const {
    auto [least, most] = std::minmax_element(of.begin(), of.end(), [&](const Compiled* a, const Compiled* b) { return field(*a) < field(*b); });
    return field(**least) == field(**most) ? fmt::format("{}", field(**least)) : fmt::format("{}-{}", field(**least), field(**most));
  }
};

std::vector<Forms> forms_of(const Record& r) {
  std::vector<Forms> out;
  for (const Compiled& c : r.compiled) {
    auto same = std::find_if(out.begin(), out.end(), [&](const Forms& f) { return f.kernel == c.kernel && f.arch == c.arch && f.ok == c.ok; });
    if (same == out.end()) same = out.insert(out.end(), {c.kernel, c.arch, c.ok, {}});
    same->of.push_back(&c);
  }
  std::stable_sort(out.begin(), out.end(), [&](const Forms& a, const Forms& b) { return a.kernel < b.kernel; });
  return out;
}

}  // namespace

std::string terminal_resources(const Record& r) {
  using Align = TextTable::Align;
  TextTable t({{"kernel"}, {"target"}, {"forms", Align::right}, {"registers", Align::right}, {"stack", Align::right}, {"spills", Align::right}, {"shared", Align::right}, {"warps", Align::right},
               {"stages", Align::right}, {"compile s", Align::right}});
  for (const Forms& f : forms_of(r)) {
    std::vector<std::string> row = {shown(f.kernel, 60), fmt::format("sm_{}", f.arch), std::to_string(f.of.size())};
    if (!f.ok) {
      row.emplace_back("refused");
      t.add(std::move(row));
      continue;
    }
    double seconds = 0;
    for (const Compiled* c : f.of) seconds += c->seconds;
    for (const std::string& cell : {f.range([](const Compiled& c) { return c.registers; }), f.range([](const Compiled& c) { return c.stack; }),
                                    f.range([](const Compiled& c) { return c.spill_stores + c.spill_loads; }), f.range([](const Compiled& c) { return c.shared; }),
                                    f.range([](const Compiled& c) { return c.num_warps; }), f.range([](const Compiled& c) { return c.num_stages; }), fmt::format("{:.2f}", seconds)})
      row.push_back(cell);
    t.add(std::move(row));
  }
  return t.size() ? t.text() + "\n" : "";
}

std::string terminal_candidate(const Record& r, const std::string& source, const CandidateView& view) {
  std::string verdict = std::string(mark(r.verdict)) + " " + std::string(to_text(r.verdict));
  std::string out = fmt::format("{}  {}  task {}\n  {}\n", paint(verdict, r.verdict, view.colour), shown_line(r.candidate, 200), shown_line(r.task, 100), meaning(r.verdict));
  if (r.paper != r.verdict) out += fmt::format("  by the published rules: {}\n", to_text(r.paper));
  for (const std::string& f : r.flags) out += "  flag: " + shown_line(f, 200) + "\n";
  out += "\n";
  auto lines = split_lines(source);
  auto diagnostics = diagnose(r);
  // Without any, the explanation has to stand by itself.
  if (diagnostics.empty() && !r.explanation.empty()) out += indented(shown(r.explanation, 1500), "  ") + "\n\n";
  DiagnosticStyle style{view.file.empty() ? r.candidate : view.file, view.colour};
  for (const Diagnostic& d : diagnostics) out += diagnostic_text(d, lines, style) + "\n";
  if (!r.traceback.empty()) out += traceback_text(r, diagnostics) + "\n";
  out += cases_text(r, view.all_cases) + timing_text(r) + terminal_resources(r) + hardware_text(r);
  if (std::string count = diagnostic_count(diagnostics); !count.empty()) out += count + "\n";
  return out;
}

}  // namespace kbx::report
