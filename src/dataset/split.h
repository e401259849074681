// Splits: which part of a data set a task belongs to. Everything of one task, and of its precision variants (gelu,
// gelu_fp16, ...), is in one part, so nothing leaks.
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kbx::dataset {

enum class Part : unsigned char { train, validation, test };
inline constexpr size_t kPartCount = 3;
std::string_view to_text(Part part);

using Shares = std::array<double, kPartCount>;
// "80,10,10" (any positive scale; a share may be 0) or "none": all is train.
Result<Shares> parse_shares(const std::string& text);

// A task without its precision: "gelu_fp16" -> "gelu", "linear_w8a8" -> "linear".
std::string family(std::string_view task);

struct TaskName {
  std::string name, category;
};

class Splits {
 public:
  // `tasks`: the whole suite, so that a task's part does not depend on which candidates a data set happens to hold. Stratified:
  // within a category the families stand in the order of their hashes and are cut by the shares, where each category
  // starts is its own hash. A family belongs to the category of its first member.
  Splits(const std::vector<TaskName>& tasks, const Shares& shares);
  // A task outside the suite: by its family's hash alone.
  Part part_of(std::string_view task) const;

 private:
  Part at(double place) const;
  Shares until_;  // cumulative, of 1
  std::map<std::string, Part, std::less<>> parts_;  // by family
};

}  // namespace kbx::dataset
