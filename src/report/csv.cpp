// CSV: see the header.
#include "report/csv.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"

namespace kbx::report {
namespace {

constexpr std::string_view kHeader =
    "run,ordinal,candidate,task,category,sample,verdict,paper_verdict,call_ok,exe_ok,paper_call_ok,paper_exe_ok,device,"
    "seconds,cases,cases_answered,launches,findings,rules,flags,error_type,explanation,source_sha256,key\r\n";

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

std::string row(const std::string& run, const Record& r) {
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
      fmt::format("{},{},{},{},{},{}\r\n", csv_text(joined(rules)), csv_text(joined({r.flags.begin(), r.flags.end()})),
                  csv_text(r.error_type), csv_text(r.explanation), csv_text(r.source_hash), csv_text(r.job_key));
  return line;
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string clean = clean_utf8(text, 4000);
  if (!clean.empty() && std::string_view("=+-@\t\r").find(clean[0]) != std::string_view::npos)
    clean.insert(clean.begin(), '\'');
  return (quoted)(clean);
}

Result<void> write_csv(const Runs& runs, const Sink& out) {
  out(kHeader);
  return runs.each([&](const Runs::Run& run, const Record& record) {
    out(row(run.label, record));
    return true;
  });
}

}  // namespace kbx::report
