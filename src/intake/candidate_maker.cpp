// Ids, sample numbers and extraction for one reply at a time.
#include "intake/candidate_maker.h"

#include <algorithm>
#include <limits>

#include "intake/piece.h"
#include "intake/published_tests.h"
#include "intake/python_shape.h"

namespace kbx::intake {

Extracted extract_source(std::string_view text, ExtractMode mode, const Target& target) {
  auto kept = before_published_tests(text);
  Extracted out{
      .code = std::string(kept), .how = mode == ExtractMode::upstream ? "upstream" : "whole", .candidates = 1};
  if (mode != ExtractMode::upstream && text.find("```") != text.npos && !shape_of(kept).valid) {
    Extracted reply = extract(text, mode, target);
    if (reply.how != "whole" && defines_target(shape_of(reply.code), target)) {
      reply.findings.push_back({Layer::intake, "reply_in_source_file", Severity::note,
                                "The .py file holds a Markdown reply; its code was extracted.", 0, 0});
      return reply;
    }
  }
  if (kept.size() != text.size())
    out.findings.push_back({Layer::intake, "published_tests_cut", Severity::note,
                            "The text behind the line of 146 '#' (the published tests) was cut off.", 0, 0});
  return out;
}

std::string CandidateMaker::unique_id(const RawCandidate& raw) {
  for (const auto& id : {raw.id, raw.fallback_id})
    if (!id.empty() && ids_.insert(id).second) return id;
  for (int n = 2;; n++) {
    std::string id = raw.fallback_id + "#" + std::to_string(n);
    if (ids_.insert(id).second) return id;
  }
}

int CandidateMaker::sample_number(const RawCandidate& raw, const std::string& task) {
  int& next = next_sample_[raw.group + "\n" + task];
  int number = raw.sample.value_or(next);
  next = std::max(next, number == std::numeric_limits<int>::max() ? number : number + 1);
  return number;
}

Candidate CandidateMaker::make(RawCandidate raw) {
  auto match = options_.tasks->resolve(options_.task.empty() ? raw.task : options_.task);
  const KnownTask* known = match.known ? options_.tasks->find(match.task) : nullptr;
  Target target;
  if (known) target.names = known->entries;
  if (!raw.entry.empty()) target.names.insert(target.names.begin(), raw.entry);

  Extracted code =
      raw.is_source ? extract_source(raw.text, options_.mode, target) : extract(raw.text, options_.mode, target);
  Candidate out;
  out.id = unique_id(raw);
  out.sample = sample_number(raw, match.task);
  out.task = std::move(match.task);
  out.entry = std::move(raw.entry);
  out.source = std::move(code.code);
  out.reply = std::move(raw.text);
  out.how = std::move(code.how);
  out.truncated = code.truncated;
  out.findings = std::move(code.findings);
  if (!match.known)
    out.findings.push_back({Layer::intake, "unknown_task", Severity::warn, std::move(match.message), 0, 0});
  return out;
}

}  // namespace kbx::intake
