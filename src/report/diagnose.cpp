// From a record's findings and judgements to diagnostics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"
#include "report/diagnostic.h"
#include "report/help.h"

namespace kbx::report {
namespace {

constexpr const char* kUnknownRefusal = "the compiler refused the kernel";

// "a, b (1, 2), c" -> a | b (1, 2) | c
std::vector<std::string> clauses(const std::string& text) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (size_t k = 0; k < text.size(); k++) {
    char c = text[k];
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth <= 0 && k + 1 < text.size() && text[k + 1] == ' ') {
      out.emplace_back();
      k++;
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }
std::string triple(const std::vector<int64_t>& v) { return fmt::format("({})", fmt::join(v, ", ")); }

// What the machine found, in words: "<what>, argument `x` (..), .., program (3, 0, 0), tt.load".
void describe_machine(Diagnostic& d, const Finding& f) {
  auto parts = clauses(f.message);
  d.title = parts[0];
  std::vector<std::string> argument, rest;
  std::string program;
  for (size_t k = 1; k < parts.size(); k++) {
    const std::string& p = parts[k];
    if (starts_with(p, "argument ")) argument.push_back(p.substr(9));
    else if (starts_with(p, "program ")) program = p.substr(8);
    else if (starts_with(p, "programs ")) program = p.substr(9);
    else rest.push_back(p);
  }
  bool has_argument = !argument.empty();
  argument.insert(argument.end(), rest.begin(), rest.end());
  if (!argument.empty()) d.notes.emplace_back(has_argument ? "argument" : "detail", joined(argument));
  const FindingPlace& p = f.place;
  bool told = f.message.find(" element ") != std::string::npos;
  if (!told && (p.index || !p.shape_index.empty())) {
    std::string index = p.shape_index.empty() ? std::to_string(*p.index) : fmt::format("{}", fmt::join(p.shape_index, ", "));
    d.notes.emplace_back("element", fmt::format("{}[{}]{}{}", p.argument, index, p.value.empty() ? "" : ": ", p.value));
  } else if (!p.value.empty()) {
    d.notes.emplace_back("value", p.value);
  }
  if (program.empty() && !p.program.empty()) {
    program = triple(p.program);
    if (!p.other_program.empty()) program += " and " + triple(p.other_program);
  }
  if (!program.empty()) d.notes.emplace_back("program", program);
  if (p.other_line && p.other_line != f.line) d.notes.emplace_back("other access", fmt::format("line {}", p.other_line));
}

// The compiler's "at 4:24:\n<code>\n   ^\n<words>": the words are the title, the caret's place is the column. Several
// excerpts: the last one is the innermost.
void describe_compiler(Diagnostic& d, const std::string& message) {
  auto lines = split_lines(message);
  size_t caret = lines.size();
  for (size_t k = 1; k < lines.size(); k++)
    if (trim(lines[k]) == "^") caret = k;
  bool excerpt = caret < lines.size();
  std::vector<std::string> words;
  for (size_t k = excerpt ? caret + 1 : 0; k < lines.size() && words.size() < 5; k++)
    if (!trim(lines[k]).empty()) words.push_back(trim(lines[k]));
  if (excerpt) d.column = int(lines[caret].find('^')) + 1;
  d.title = words.empty() ? kUnknownRefusal : words[0];
  for (size_t k = 1; k < words.size(); k++) d.notes.emplace_back("compiler", words[k]);
}

// First line as the title, a few more as notes.
void describe_text(Diagnostic& d, const std::string& message) {
  for (const std::string& line : split_lines(message)) {
    std::string text = trim(line);
    if (text.empty() || d.notes.size() == 4) continue;
    if (d.title.empty()) d.title = text;
    else d.notes.emplace_back("text", text);
  }
}

std::string number_text(double v) {
  return std::isnan(v) ? "nan" : std::isinf(v) ? (v < 0 ? "-inf" : "inf") : fmt::format("{:.7g}", v);
}

bool wrong(const CaseJudgement& c) { return c.judgements.kbx.verdict != Verdict::correct; }
// As the verdict stands in findings: outlier inputs have their own.
Verdict verdict_of(const CaseJudgement& c) {
  Verdict v = c.judgements.kbx.verdict;
  return v == Verdict::wrong_value && c.phase == "outlier" ? Verdict::wrong_value_outlier : v;
}

Diagnostic of_judgement(const CaseJudgement& c, Verdict verdict, bool some_unwritten) {
  const Judgement& j = c.judgements.kbx;
  Diagnostic d;
  d.severity = j.verdict == Verdict::not_judged ? Severity::note : Severity::reject;
  d.rule = to_text(verdict);
  std::string index = j.index.empty() ? "" : fmt::format("[{}]", fmt::join(j.index, ", "));
  d.title = fmt::format("{}{}: {}", j.path, index, meaning(verdict));
  std::string phase = c.phase == "outlier" ? " (outlier inputs)" : c.phase == "repeat" ? " (again, other inputs)" : "";
  d.notes.emplace_back("case", c.case_name + phase);
  // A metric over the whole output has no element to show: its numbers are in the explanation.
  if (j.metric == "abs" || j.metric == "ulp" || j.metric == "nan" || j.metric == "inf" || !j.index.empty()) {
    d.notes.emplace_back("got", number_text(j.got));
    d.notes.emplace_back("expected", number_text(j.expected) + (j.bound > 0 ? fmt::format(", give or take {:.3g}", j.bound) : ""));
  }
  d.notes.emplace_back("why", j.explanation);
  bool nan_nobody_wrote = some_unwritten && j.metric == "nan";  // what memory holds before a call reads as NaN
  d.help = nan_nobody_wrote ? help_for(to_text(Verdict::unwritten_output), "") : help_for(d.rule, j.explanation);
  return d;
}

Diagnostic of_finding(const Finding& f) {
  Diagnostic d;
  d.severity = f.severity;
  d.rule = f.rule;
  d.line = f.line;
  if (f.layer == Layer::ir) describe_machine(d, f);
  else if (f.layer == Layer::compile) describe_compiler(d, f.message);
  else describe_text(d, f.message);
  if (f.column > 0) d.column = f.column;
  d.help = help_for(f.rule, f.message);
  return d;
}

// Charges come back as findings of the judge: what a line's finding or a judgement says already.
bool repeats(const Finding& f, const Record& r) {
  if (f.layer != Layer::judge) return false;
  for (const CaseJudgement& c : r.judgements)
    if (wrong(c) && f.rule == to_text(verdict_of(c)) && ends_with(f.message, ", " + c.judgements.kbx.explanation)) return true;
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& o) {
    if (o.layer == Layer::judge) return false;
    bool refused = o.layer == Layer::compile && f.rule == "compile_error" && f.line == o.line;
    return refused || ends_with(f.message, ": " + o.message);
  });
}

std::string without_digits(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }), text.end());
  return text;
}

// Of a verdict without a place one case is shown, of a line's finding one program: numbers in words do not tell apart.
bool same(const Diagnostic& a, const Diagnostic& b) {
  if (a.rule != b.rule || a.line != b.line || a.severity != b.severity) return false;
  return without_digits(a.title) == without_digits(b.title) || (a.line == 0 && verdict_from_text(a.rule).has_value());
}

void add(std::vector<Diagnostic>& list, Diagnostic d) {
  auto found = std::find_if(list.begin(), list.end(), [&](const Diagnostic& o) { return same(o, d); });
  if (found != list.end()) found->more++;
  else list.push_back(std::move(d));
}

}  // namespace

std::vector<Diagnostic> diagnose(const Record& r) {
  std::vector<Diagnostic> out;
  for (const Finding& f : r.findings)
    if (!repeats(f, r)) add(out, of_finding(f));
  auto everywhere = [](const CaseJudgement& c) { return c.phase != "outlier" && c.judgements.kbx.verdict == Verdict::wrong_value; };
  bool wrong_anyway = std::any_of(r.judgements.begin(), r.judgements.end(), everywhere);
  auto unwritten = [](const Finding& f) { return f.rule == to_text(Verdict::unwritten_output); };
  bool some_unwritten = std::any_of(r.findings.begin(), r.findings.end(), unwritten);
  // "Right on standard inputs" is said of outlier inputs only where it is true.
  for (const CaseJudgement& c : r.judgements)
    if (wrong(c)) add(out, of_judgement(c, wrong_anyway ? c.judgements.kbx.verdict : verdict_of(c), some_unwritten));
  auto rank = [&](const Diagnostic& d) { return std::tuple(d.severity, d.line > 0, d.line == 0 && d.rule == to_text(r.verdict)); };
  std::stable_sort(out.begin(), out.end(), [&](const Diagnostic& a, const Diagnostic& b) { return rank(a) > rank(b); });
  return out;
}

}  // namespace kbx::report
