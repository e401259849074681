// lint(): runs the rules over one parsed source.
#include "lint/lint.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace kbx::lint {
namespace {

constexpr size_t kMostPerRule = 64;
constexpr size_t kLongestMessage = 400;

void keep_one_per_line(std::vector<Finding>& findings) {
  auto place = [](const Finding& f) { return std::tie(f.line, f.rule); };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) {
    return std::tuple(a.line, a.rule, -int(a.severity), a.column) <
           std::tuple(b.line, b.rule, -int(b.severity), b.column);
  });
  auto same = [&](const Finding& a, const Finding& b) { return a.line > 0 && place(a) == place(b); };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
}

std::vector<std::string> entries_of(const LintInput& input) {
  std::vector<std::string> out;
  if (!input.entry.empty()) out.push_back(input.entry);
  for (const std::string& name : input.accepted_entries)
    if (!name.empty()) out.push_back(name);
  return out;
}

}  // namespace

Context::Context(const LintInput& in)
    : input(in),
      source(in.source),
      scopes(source),
      names(source, scopes),
      references(find_references(source, scopes, names)),
      reach(source, scopes, names, references, entries_of(in)) {}

std::vector<std::string> Context::entries() const { return entries_of(input); }

void Report::add(NodeId node, std::string message, std::optional<Severity> severity) {
  if (findings_.size() >= kMostPerRule) return;
  Finding f{Layer::lint, std::string(rule_), severity.value_or(severity_), clean_utf8(message, kLongestMessage)};
  if (node != kNoNode) {
    if (context_.scopes.dead(node)) return;
    Place place = context_.source.place(node);
    f.line = place.line;
    f.column = place.column;
    if (f.severity > Severity::note && !context_.reach.runs(node)) {
      f.severity = Severity::note;
      f.message += " (in code that neither import nor the entry reaches)";
    }
  }
  findings_.push_back(std::move(f));
}

std::vector<Finding> lint(const LintInput& input) {
  Context context(input);
  std::vector<Finding> out;
  for (const Rule* rule : all_rules()) {
    Report report(context, rule->id, rule->severity);
    rule->check(context, report);
    for (Finding& f : report.take()) out.push_back(std::move(f));
  }
  keep_one_per_line(out);
  return out;
}

}  // namespace kbx::lint
