// write_dataset(): runs in, a folder out that `datasets.load_dataset` reads (docs/dataset.md).
//   DIR/README.md                     the card: configs, features, counts, what the data are and are not
//   DIR/data/<table>/<part>.parquet   with parquet
//   DIR/jsonl/<table>/<part>.jsonl    with jsonl; with both, DIR/jsonl/README.md makes that folder loadable, too
#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "dataset/rows.h"
#include "dataset/split.h"

namespace kbx::dataset {

struct Options {
  Judge judge = Judge::kbx;
  Shares shares{0.8, 0.1, 0.1};
  bool jsonl = true, parquet = true;
  report::MethodRules methods;
  std::map<std::string, std::string> prompts;  // by task: shown where the model's own question is not known
  std::vector<TaskName> tasks;                 // of the suite, for the split
};

struct Totals {
  int64_t candidates = 0, distinct = 0, left_out = 0;  // of tasks in the suite; left_out: harness errors, no code
  int64_t by_rule = 0;  // in no other count: a rule for methods left them out
  int64_t looked_at = 0, same_program = 0, repeated = 0;  // pairs in a row (dataset/transition.h)
  std::array<std::array<int64_t, kPartCount>, kTableCount> rows{};
  std::array<std::array<int64_t, kPartCount>, kKindCount> kinds{};
  std::array<int64_t, kPartCount> tasks{};
  ScrubCounts scrubbed;
};

// DIR must not exist or be empty; it appears when all is written (beside it, DIR.part until then). An error: a folder with
// something in it (code usage), a disk that is full, a store that cannot be read.
Result<Totals> write_dataset(const report::Runs& runs, const Options& options, const std::filesystem::path& folder);

// The same for the published corpus' form (dataset/upstream.h): four .jsonl files.
Result<Totals> write_upstream(const report::Runs& runs, const Options& options, const std::filesystem::path& folder);

}  // namespace kbx::dataset
