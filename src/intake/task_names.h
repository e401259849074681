// TaskNames: the suite's names as people write them: "softmax", "math/softmax", "Math/softmax.py", "Softmax", an alias.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::intake {

struct KnownTask {
  std::string name;                  // "softmax"
  std::vector<std::string> aliases;  // further names of the task
  std::vector<std::string> entries;  // the functions that a candidate may define; first the task's own
};

class TaskNames {
 public:
  TaskNames() = default;
  explicit TaskNames(std::vector<KnownTask> tasks);

  struct Match {
    std::string task;  // the suite's name; as requested (without folder and ".py") when unknown
    bool known = false;
    std::string message;  // unknown: "no task "x" in the suite; did you mean a, b?"
  };
  Match resolve(std::string_view requested) const;
  // Like resolve, for the stem of a file: "softmax", and with what people append to tell samples apart:
  // "softmax.claude", "softmax__2", "softmax-v2", "softmax_3", "softmax_sample3". Null when it names no task.
  const KnownTask* from_stem(std::string_view stem) const;
  const KnownTask* find(std::string_view name) const;  // a name, an alias, or either in another case; null when absent
  bool empty() const { return tasks_.empty(); }

 private:
  std::vector<KnownTask> tasks_;
  std::map<std::string, size_t, std::less<>> exact_, folded_;
};

}  // namespace kbx::intake
