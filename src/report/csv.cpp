// CSV: see the header.
#include "report/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/timing_summary.h"

namespace kbx::report {
namespace {

constexpr std::string_view kHeader =
    "run,ordinal,candidate,task,category,sample,verdict,paper_verdict,call_ok,exe_ok,paper_call_ok,paper_exe_ok,device,"
    "seconds,cases,cases_answered,launches,findings,rules,flags,error_type,explanation,source_sha256,key,"
    "gpu,board,speedup,speedup_low,speedup_high,host_speedup,iou,mfu,sizes,timing_marks,timing_problem\r\n";

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

const char* yes(bool b) { return b ? "true" : "false"; }

std::string joined(const std::set<std::string>& items) { return fmt::format("{}", fmt::join(items, "; ")); }

std::string number(const std::optional<double>& v) { return v ? fmt::format("{:.6g}", *v) : ""; }

// The columns behind `key`; empty ones without a timing.
std::string timing_fields(const Record& r) {
  if (!r.timing) return ",,,,,,,,,,";
  const Timing& t = *r.timing;
  TimedRow row = timed_row(r);
  std::string sizes;
  for (const SizeTiming& s : t.sizes)
    if (s.measured()) sizes += fmt::format("{}{} {:.6g}/{:.6g} us", sizes.empty() ? "" : "; ", s.case_name, s.candidate_us, s.reference_us);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}", csv_text(t.gpu), csv_text(t.board), number(t.speedup), number(t.low), number(t.high), number(t.host_speedup), number(t.iou), number(t.mfu),
                     csv_text(sizes), csv_text(row.marks), csv_text(row.problem));
}

}  // namespace

std::string_view csv_header() { return kHeader; }

std::string csv_row(const std::string& run, const Record& r) {
  std::set<std::string> rules;
  for (const Finding& f : r.findings) rules.insert(f.rule);
  int64_t answered = 0, launches = 0;
  for (const CaseRun& c : r.cases) {
    answered += c.answered;
    launches += c.launches;
  }
  std::string line = fmt::format("{},{},{},{},{},{},", csv_text(run), r.ordinal, csv_text(r.candidate),
                                 csv_text(r.task), csv_text(r.category), r.sample);
  line += fmt::format("{},{},{},{},{},{},", r.in_suite ? to_text(r.verdict) : "not_in_suite",
                      r.in_suite ? to_text(r.paper) : "not_in_suite", yes(r.call_ok), yes(r.exe_ok),
                      yes(r.paper_call_ok), yes(r.paper_exe_ok));
  line += fmt::format("{},{:.3f},{},{},{},{},", csv_text(r.device), r.seconds, r.cases.size(), answered, launches,
                      r.findings.size());
  line +=
      fmt::format("{},{},{},{},{},{},", csv_text(joined(rules)), csv_text(joined({r.flags.begin(), r.flags.end()})),
                  csv_text(r.error_type), csv_text(r.explanation), csv_text(r.source_hash), csv_text(r.job_key));
  return line + timing_fields(r) + "\r\n";
}

std::string csv_text(std::string_view text) {
  constexpr std::string_view kStarts[] = {"=", "+", "-", "@", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
  std::string clean = clean_utf8(text, 4000), out;
  bool first = true;  // in a cell: here, or behind what some spreadsheet takes for the end of one, quoted or not
  for (size_t at = 0; at < clean.size(); at++) {
    auto starts = [&](std::string_view s) { return std::string_view(clean).substr(at, s.size()) == s; };
    if (first && std::any_of(std::begin(kStarts), std::end(kStarts), starts)) out += '\'';
    out += clean[at];
    first = clean[at] == ';' || clean[at] == '\t' || clean[at] == '\n' || clean[at] == '\r';
  }
  return (quoted)(out);
}

Result<void> write_csv(const Runs& runs, const Sink& out) {
  out(csv_header());
  return runs.each([&](const Runs::Run& run, const Record& record) {
    out(csv_row(run.label, record));
    return true;
  });
}

}  // namespace kbx::report
