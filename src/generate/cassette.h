// Cassette: finished calls in a folder, one JSON line each in cassette.jsonl, to be played again without a server; between them
// in which order results came (order.h). Its own file, apart from any run, so that it can be shared and kept under version
// control (docs/runs.md).
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/fd.h"
#include "generate/order.h"
#include "llm/client.h"

namespace kbx::generate {

class Cassette {
  struct Place {
    int64_t at = 0, bytes = 0;
  };

 public:
  // Creates the folder. A last line that was cut off by a crash is passed over; any other bad line is an error.
  static Result<Cassette> open(const std::filesystem::path& folder);
  // nullopt: this call was never recorded. The request is the caller's.
  Result<std::optional<llm::Exchange>> find(const std::string& key) const;
  // Appends one line with one write.
  Result<void> add(const std::string& key, const llm::Exchange& exchange);
  // Appends: step number `at` of a task was this. The order as it was read is not changed.
  Result<void> add(const std::string& task, size_t at, const Step& step);
  // As it was recorded up to when it was opened.
  const Order& order() const { return order_; }
  size_t size() const { return places_.size(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  Result<void> append(const std::string& line);
  Result<void> read_line(const Json& json, Place place);
  explicit Cassette(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  Fd file_;
  int64_t end_ = 0;
  std::map<std::string, Place> places_;  // the last line of a key counts
  Order order_;
};

}  // namespace kbx::generate
