// Candidates as JSON lines: one object a line, read as the bytes arrive, so that memory holds one line at a time. A bad
// line becomes a problem with its number and reason; the others are not touched by it.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kbx::intake {

struct JsonlRow {
  size_t line = 0;            // 1-based
  std::string task;           // "task", else "file" ("Fusion/fused_add_mean.py" or a bare name); empty when absent
  std::string reply;          // "predict", else "code", else "response"; null counts as an empty reply
  std::string entry;          // "entry"; empty when absent
  std::string id;             // "id", also a number; empty when absent
  std::optional<int> sample;  // "sample", >= 0
};

struct LineProblem {
  size_t line = 0;  // 1-based
  std::string reason;
};

class JsonlReader {
 public:
  struct Sink {
    std::function<void(JsonlRow)> row;
    std::function<void(LineProblem)> problem;
  };
  static constexpr size_t kMostLineBytes = size_t(16) << 20;

  explicit JsonlReader(Sink sink, size_t most_line_bytes = kMostLineBytes);
  // Any cut of the bytes gives the same rows. A byte order mark, CRLF and blank lines are accepted.
  void feed(std::string_view bytes);
  // The last line may lack its line end.
  void finish();

 private:
  void line_done();

  Sink sink_;
  size_t most_;
  std::string line_;
  size_t number_ = 1;
  bool skipping_ = false;  // inside a line that is too long
};

// Does the text's first line look like JSON lines of candidates (and not like a reply that happens to be JSON)?
bool looks_like_jsonl(std::string_view text);

}  // namespace kbx::intake
