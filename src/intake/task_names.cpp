// Name look-up: exact, then without case, then by edit distance for the message.
#include "intake/task_names.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/words.h"

namespace kbx::intake {
namespace {

std::string folded(std::string_view name) {
  std::string out;
  for (unsigned char c : name) out += c == '-' ? '_' : char(std::tolower(c));
  return out;
}

std::string_view base_name(std::string_view requested) {
  if (size_t at = requested.find_last_of("/\\"); at != requested.npos) requested.remove_prefix(at + 1);
  if (ends_with(requested, ".py")) requested.remove_suffix(3);
  return requested;
}

// "3", "v2", "sample3", "s1", "try2": what tells samples of one task apart behind an underscore.
bool is_counter(std::string_view text) {
  for (std::string_view word : {"sample", "try", "attempt", "v", "s", "k", "n"})
    if (starts_with(text, word)) {
      text.remove_prefix(word.size());
      break;
    }
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

}  // namespace

TaskNames::TaskNames(std::vector<KnownTask> tasks) : tasks_(std::move(tasks)) {
  for (size_t i = 0; i < tasks_.size(); i++) {
    exact_.emplace(tasks_[i].name, i);
    folded_.emplace(folded(tasks_[i].name), i);
  }
  for (size_t i = 0; i < tasks_.size(); i++)  // a task's own name wins over another's alias
    for (const auto& alias : tasks_[i].aliases) {
      exact_.emplace(alias, i);
      folded_.emplace(folded(alias), i);
    }
}

const KnownTask* TaskNames::find(std::string_view name) const {
  if (auto it = exact_.find(name); it != exact_.end()) return &tasks_[it->second];
  if (auto it = folded_.find(folded(name)); it != folded_.end()) return &tasks_[it->second];
  return nullptr;
}

const KnownTask* TaskNames::from_stem(std::string_view stem) const {
  if (const auto* task = find(stem)) return task;
  for (size_t at = stem.size(); at-- > 1;) {
    char c = stem[at];
    bool mark = c == '.' || c == '-' || c == '@' ||
                (c == '_' && (stem.substr(at, 2) == "__" || is_counter(stem.substr(at + 1))));
    if (!mark) continue;
    if (const auto* task = find(stem.substr(0, at))) return task;
  }
  return nullptr;
}

TaskNames::Match TaskNames::resolve(std::string_view requested) const {
  auto name = base_name(requested);
  if (const auto* task = find(name)) return {task->name, true, {}};
  std::vector<std::string> names;
  for (const auto& task : tasks_) names.push_back(task.name);
  std::string message = "no task \"" + clean_utf8(name, 100) + "\" in the suite";
  message += did_you_mean(name.substr(0, 100), names);
  return {std::string(name), false, message};
}

}  // namespace kbx::intake
