// JobRow: one stored result by the job table's columns, for what goes over very many of them. The whole record stays in
// the database until record() asks for its text; RecordParts cuts that text into its members without parsing them.
#pragma once
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "model/verdict.h"

namespace kbx::store {

class Statement;

// Views are valid inside the visit alone.
struct JobRow {
  std::string_view key, candidate, task, category, device, source_hash;  // category "": not in the suite
  int64_t ordinal = 0;
  int sample = 0;
  Verdict verdict = Verdict::harness_error, paper = Verdict::harness_error;
  bool call_ok = false, exe_ok = false;
  double seconds = 0;
  const Statement& statement;

  std::string_view record() const;  // JSON (store/record_json.h)
};

// The members of one JSON object as text. The text must be what dump_json() wrote (compact, valid); of anything else
// members may be missing, never bytes outside the text.
class RecordParts {
 public:
  explicit RecordParts(std::string_view object);
  std::string_view text(std::string_view name) const;  // the value's JSON; "" when absent
  Json json(std::string_view name) const;              // null when absent or damaged
  std::string string(std::string_view name) const;     // "" when absent or no string

 private:
  std::vector<std::pair<std::string_view, std::string_view>> members_;
};

}  // namespace kbx::store
