// Rule: one thing that a candidate must not do, or that a reader should know. A rule is one file under rules/, one
// line in rules.h and one fixture tests/lint/<id>.py.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/reach.h"
#include "model/finding.h"

namespace kbx::lint {

struct LintInput {
  std::string source;                         // Python, after extraction
  std::string entry;                          // the function that the judge calls
  std::vector<std::string> accepted_entries;  // other names that the judge takes: "kernel_function", ...
  bool quantization_task = false;
  // The task's own: dotted names ("torch.nn.functional.softmax", with all below it) or methods (".softmax").
  std::vector<std::string> forbidden_calls;
  std::vector<std::string> allowed_calls;  // exceptions from forbidden_calls
};

// Everything that rules look at. Lives as long as one lint() call; the input outlives it.
struct Context {
  explicit Context(const LintInput& input);

  const LintInput& input;
  Source source;
  Scopes scopes;
  mutable Names names;  // a cache behind a const interface
  std::vector<Reference> references;
  Reach reach;

  std::vector<std::string> entries() const;  // entry and accepted entries, without empty ones
};

// Collects what one rule finds.
class Report {
 public:
  Report(const Context& context, std::string_view rule, Severity severity)
      : context_(context), rule_(rule), severity_(severity) {}
  // `node` kNoNode: about the file as a whole. `severity` overrides the rule's own.
  void add(NodeId node, std::string message, std::optional<Severity> severity = std::nullopt);
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  const Context& context_;
  std::string_view rule_;
  Severity severity_;
  std::vector<Finding> findings_;
};

struct Rule {
  std::string_view id;       // also the name of its file and of its fixture
  Severity severity;         // the highest it gives
  std::string_view summary;  // what it finds
  std::string_view why;      // why that matters
  std::string_view honest;   // what looks alike and is not reported, or reported as less
  void (*check)(const Context&, Report&);
};

}  // namespace kbx::lint
