// Suite: all tasks of one folder, and how people name them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/task.h"

namespace kbx::suite {

struct Suite {
  std::vector<Task> tasks;  // sorted by (category, name); names are unique

  // By name or alias, in any of the forms in use: "softmax", "math/softmax", "Math/softmax.py", "adamw", "AdamW".
  // An exact name wins over an alias, an alias over the entry's name, exact spelling over other capitals.
  const Task* find(std::string_view name) const;
  // "; did you mean a, b?" of the tasks' names near `name`, where a category may stand of those too; "" when none is.
  enum class Meant : unsigned char { task, task_or_category };
  std::string did_you_mean(std::string_view name, Meant meant) const;
};

// A folder with its faulty tasks left out, each fault one line.
struct ScannedSuite {
  Suite suite;
  std::vector<std::string> problems;
};

// Walks FOLDER/<category>/<name>/task.toml with reference.py, witness.py and mutants.py beside it. Names starting
// with "." or "_" are passed over. An error only when the folder itself cannot be read or holds no task at all.
Result<ScannedSuite> scan_suite(const std::filesystem::path& folder);
// The same, but any problem is an error that lists them all.
Result<Suite> load_suite(const std::filesystem::path& folder);
// One task folder; its category is the parent folder's name.
Result<Task> load_task(const std::filesystem::path& task_folder);

// SHA-256 over both texts: part of every job's key, so a changed task is judged again.
std::string task_version(std::string_view task_toml, std::string_view reference_py);

}  // namespace kbx::suite
