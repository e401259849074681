// CandidateMaker: gives every reply its id, its sample number and its extracted code.
#pragma once
#include <map>
#include <set>
#include <string>

#include "intake/load.h"

namespace kbx::intake {

struct RawCandidate {
  std::string id;           // wished for
  std::string fallback_id;  // when that one is taken
  std::string group;        // samples are counted per task and group (a .jsonl file, a folder, the loose files)
  std::string task;         // as requested
  std::string entry;
  std::optional<int> sample;  // given; else counted
  std::string text;
  bool is_source = false;  // a .py file: taken as it is, unless it plainly is a reply
};

class CandidateMaker {
 public:
  explicit CandidateMaker(const LoadOptions& options) : options_(options) {}
  Candidate make(RawCandidate raw);

 private:
  std::string unique_id(const RawCandidate& raw);
  int sample_number(const RawCandidate& raw, const std::string& task);

  const LoadOptions& options_;
  std::set<std::string, std::less<>> ids_;
  std::map<std::string, int, std::less<>> next_sample_;
};

// A .py file: its text in front of the published tests. In the modes kbx and repair a file that is no Python but a
// saved reply (a fence whose code defines the target) is extracted like one.
Extracted extract_source(std::string_view text, ExtractMode mode, const Target& target);

}  // namespace kbx::intake
