// Joining runs: the same candidates on several GPUs, or parts of one evaluation. The result is a run like any other, with
// the fact `merged`: a list of {"run", "first", "count", "facts"}: whose results stand at which ordinals.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace kbx::store {

struct MergePart {
  std::string label;  // unique
  std::filesystem::path folder;
};
struct MergeDone {
  int64_t results = 0, doubles = 0;  // doubles: the same result in two runs, kept once
  std::vector<std::string> notes;    // what was mixed on purpose, blobs that are missing
};

// What may differ only when named in `allow`: "engine", "tasks", "seed". Errors, code usage: one of these differs and was
// not allowed (the message says which, with the values); `out` holds results already; a part was made by kbx run (its calls
// and answers belong to their own run: kbx analyze takes several runs). Nothing is written then.
Result<MergeDone> merge_runs(const std::vector<MergePart>& parts, const std::filesystem::path& out, const std::set<std::string>& allow);

}  // namespace kbx::store
