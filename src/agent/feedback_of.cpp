// Which words of a record a model sees.
#include "agent/feedback_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/guess.h"
#include "base/text.h"
#include "model/efficiency.h"

namespace kbx::agent {
namespace {

constexpr size_t kMostError = 3000, kMostOutput = 2000, kMostFindings = 6, kMostWrongCases = 8, kMostKernels = 6;

std::string source_line(const std::vector<std::string>& lines, int number) {
  return number >= 1 && size_t(number) <= lines.size() ? trim(lines[size_t(number) - 1]) : "";
}

// "line 13: y = torch.empty_lik(x)"
std::string place(const std::vector<std::string>& lines, int number) {
  std::string text = source_line(lines, number);
  return text.empty() ? "" : fmt::format("line {}: {}", number, clean_utf8(text, 200));
}

// Verdicts that wrong values lead to: the judgements say more than the explanation.
bool is_of_values(Verdict v) { return v == Verdict::wrong_value || v == Verdict::wrong_value_outlier || v == Verdict::unwritten_output || v == Verdict::wrong_structure || v == Verdict::mutated_input; }

std::string case_label(const CaseJudgement& c) { return c.case_name + (c.phase == "outlier" ? " (outlier inputs)" : c.phase == "repeat" ? " (again, other inputs)" : ""); }

std::string wrong_values(const Record& r) {
  const CaseJudgement* shown = nullptr;
  std::vector<std::string> wrong;
  std::set<std::string> all;
  for (const CaseJudgement& c : r.judgements) {
    std::string label = case_label(c);
    all.insert(label);
    const Judgement& j = c.judgements.kbx;
    if (j.verdict == Verdict::correct || j.verdict == Verdict::not_judged) continue;
    if (std::find(wrong.begin(), wrong.end(), label) == wrong.end()) wrong.push_back(label);
    if (!shown || (j.verdict == r.verdict && shown->judgements.kbx.verdict != r.verdict)) shown = &c;
  }
  if (!shown) return "";
  std::string out = fmt::format("case {}: {}", case_label(*shown), shown->judgements.kbx.explanation);
  if (wrong.size() > 1) {
    out += fmt::format("\nwrong in {} of {} cases:", wrong.size(), all.size());
    for (size_t k = 0; k < wrong.size() && k < kMostWrongCases; k++) out += (k ? ", " : " ") + wrong[k];
    if (wrong.size() > kMostWrongCases) out += ", ...";
  }
  return out;
}

// Findings that reject, one of a rule and line; what the compiler said comes as compiler_refused and compile_error.
std::string findings_text(const Record& r, const std::vector<std::string>& lines, bool messages) {
  std::string out;
  std::set<std::pair<std::string, int>> seen;
  size_t count = 0;
  for (const Finding& f : r.findings) {
    if (f.severity != Severity::reject || f.rule == "compiler_refused" || f.rule == to_text(r.verdict)) continue;
    if (f.rule == "wrong_value" || f.rule == "wrong_value_outlier" || f.rule == "wrong_structure" || !seen.emplace(f.rule, f.line).second) continue;
    if (count++ == kMostFindings) break;
    std::string at = place(lines, f.line);
    out += fmt::format("{}{}{}{}", out.empty() ? "" : "\n", f.rule, messages || f.layer == Layer::lint ? ": " + clean_utf8(f.message, 400) : "", at.empty() ? "" : " (" + at + ")");
  }
  return out;
}

std::string error_text(const Evidence& e, const std::vector<std::string>& lines) {
  const Record& r = e.record;
  if (r.verdict == Verdict::correct) return "";
  if (r.verdict == Verdict::harness_error) return "The kernel could not be evaluated; this says nothing about it.";
  if (r.verdict == Verdict::not_judged) return "This machine cannot decide whether the kernel is right.";
  std::string out, more = findings_text(r, lines, e.cases_may_be_shown);
  if (e.cases_may_be_shown) {
    if (is_of_values(r.verdict)) out = wrong_values(r);
    if (out.empty()) out = r.traceback.empty() ? r.explanation : r.traceback;
    // The traceback says where; the explanation says in which case.
    if (!r.traceback.empty() && out == r.traceback && starts_with(r.explanation, "case ")) out += "\nin " + r.explanation.substr(0, r.explanation.find(':'));
  } else {
    out = std::string(meaning(r.verdict));
    if (!r.error_type.empty()) out += fmt::format(": {}", clean_utf8(r.error_type, 80));
    for (const Finding& f : r.findings)
      if (f.severity == Severity::reject && f.rule == to_text(r.verdict) && f.line > 0) {
        if (std::string at = place(lines, f.line); !at.empty()) out += "\n" + at;
        break;
      }
  }
  if (!more.empty()) out += (out.empty() ? "" : "\n") + more;
  return clean_utf8(out, kMostError);
}

std::string range_text(int low, int high) { return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high); }

std::string resources_text(const Record& r) {
  struct Span {
    int low_registers = 1 << 30, high_registers = 0, spills = 0, shared = 0;
  };
  std::map<std::pair<int, std::string>, Span> by;
  for (const Compiled& c : r.compiled) {
    if (!c.ok) continue;
    Span& s = by[{c.arch, c.kernel}];
    s.low_registers = std::min(s.low_registers, c.registers), s.high_registers = std::max(s.high_registers, c.registers);
    s.spills = std::max(s.spills, c.spill_stores + c.spill_loads);
    s.shared = std::max(s.shared, c.shared);
  }
  std::string out;
  size_t count = 0;
  for (const auto& [key, s] : by) {
    if (count++ == kMostKernels) break;
    out += fmt::format("{}sm_{} {}: {} registers a thread, {}, {} B shared", out.empty() ? "" : "\n", key.first, clean_utf8(key.second, 60), range_text(s.low_registers, s.high_registers),
                       s.spills == 0 ? "no spills" : fmt::format("up to {} B of spills", s.spills), s.shared);
  }
  return out;
}

// The source line with most traffic over all launches of a call, and its share.
std::string heaviest_line(const Record& r, const std::vector<std::string>& lines) {
  std::map<int, double> bytes;
  double all = 0;
  for (const Launch& l : r.launches)
    for (const LaunchLine& line : l.lines) {
      double b = double(line.load_bytes) + double(line.store_bytes) + double(line.atomic_bytes);
      if (line.line > 0) bytes[line.line] += b;
      all += b;
    }
  auto heaviest = std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (heaviest == bytes.end() || heaviest->second <= 0) return "";
  return fmt::format("heaviest {}, {:.0f} % of the bytes moved", place(lines, heaviest->first), 100 * heaviest->second / all);
}

double accessed(const Record& r) {
  double out = 0;
  for (const Launch& l : r.launches) out += double(l.load_bytes) + double(l.store_bytes) + double(l.atomic_bytes);
  return out;
}

std::string size_text(const SizeTiming& s, bool name) {
  std::string out = fmt::format("{}{:.4g} us, {:.3g}x", name ? s.case_name + ": " : "", s.candidate_us, s.speedup);
  if (s.iou) out += fmt::format(", {:.0f} % of the memory bandwidth", 100 * *s.iou);
  if (s.mfu) out += fmt::format(", {:.0f} % of the {} peak", 100 * *s.mfu, s.unit);
  if (!s.limit.empty()) out += fmt::format(", bound by {}", s.limit == "memory" ? "memory" : "the " + s.limit + " units");
  if (s.launch_bound) out += ", so short that launching decides";
  return out;
}

std::optional<double> roofline_of(const Timing& t) {
  std::vector<double> shares;
  for (const SizeTiming& s : t.sizes)
    if (s.measured() && s.compared && !s.claimed && s.bound_us > 0 && s.candidate_us > 0) shares.push_back(s.bound_us / s.candidate_us);
  return shares.empty() ? std::nullopt : geometric_mean(shares);
}

std::optional<double> time_of(const Timing& t) {
  std::vector<double> times;
  for (const SizeTiming& s : t.sizes) {
    if (!s.measured() || s.claimed) return std::nullopt;
    if (s.compared) times.push_back(s.candidate_us);
  }
  return times.empty() ? std::nullopt : geometric_mean(times);
}

std::string hardware_text(const Evidence& e, const std::vector<std::string>& lines, std::optional<double> roofline) {
  const Record& r = e.record;
  std::string out;
  auto line = [&](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  };
  if (r.timing && e.cases_may_be_shown)
    for (const SizeTiming& s : r.timing->sizes)
      if (s.measured()) line(size_text(s, true));
  if (roofline) line(fmt::format("{:.0f} % of the roofline (the least time the card's datasheet allows), over all sizes", 100 * *roofline));
  if (!r.launches.empty()) {
    std::string text = fmt::format("{} launch{} a call", r.launches.size(), r.launches.size() == 1 ? "" : "es");
    if (r.cost && r.cost->bytes > 0) text += fmt::format(", {:.2f} times the bytes that must move", accessed(r) / r.cost->bytes);
    line(text);
    line(heaviest_line(r, lines));
  }
  return out;
}

}  // namespace

Feedback feedback_of(const Evidence& e) {
  const Record& r = e.record;
  std::vector<std::string> lines = split_lines(e.code);
  Feedback f;
  f.verdict = r.verdict;
  f.called = r.call_ok;
  f.executes = r.exe_ok && r.verdict == Verdict::correct;
  f.key = r.job_key;
  f.error = error_text(e, lines);
  if (is_of_values(r.verdict) && e.cases_may_be_shown) f.guess = guess_of(r, e.task);
  if (e.cases_may_be_shown) f.output = trim(clean_utf8(r.output, kMostOutput));
  f.resources = resources_text(r);
  if (r.timing) {
    f.speedup = r.timing->speedup;
    f.time_us = time_of(*r.timing);
    f.roofline = roofline_of(*r.timing);
  }
  f.hardware = hardware_text(e, lines, f.roofline);
  return f;
}

void tell_speed(Feedback& of_public, const Feedback& counted) {
  if (!of_public.executes || !counted.executes) return;
  of_public.speedup = counted.speedup;
  of_public.time_us = counted.time_us;
  of_public.roofline = counted.roofline;
  of_public.hardware = counted.hardware;
}

}  // namespace kbx::agent
