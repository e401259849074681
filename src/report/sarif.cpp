// SARIF: see the header.
#include "report/sarif.h"

#include <algorithm>

#include "lint/sarif.h"
#include "model/version.h"

namespace kbx::report {
namespace {

std::vector<Finding> findings_of(const Record& r) {
  std::vector<Finding> out = r.findings;
  bool said = std::any_of(out.begin(), out.end(), [](const Finding& f) { return f.severity == Severity::reject; });
  if (r.in_suite && is_failure(r.verdict) && !said) {
    Finding f;
    f.layer = Layer::judge;
    f.rule = to_text(r.verdict);
    f.severity = Severity::reject;
    f.message = r.explanation.empty() ? std::string(meaning(r.verdict)) : r.explanation;
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace

Result<void> write_sarif(const Runs& runs, const Sink& out) {
  std::vector<lint::SarifFile> files;
  KBX_TRY(runs.each([&](const Runs::Run&, const Record& record) {
    files.push_back({record.candidate, findings_of(record)});
    return true;
  }));
  out(dump_json(lint::to_sarif(files, kEngineVersion), 1) + "\n");
  return {};
}

}  // namespace kbx::report
