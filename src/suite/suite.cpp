// Walking a suite's folder; looking tasks up.
#include "suite/suite.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/words.h"
#include "suite/names.h"
#include "suite/task_toml.h"

namespace kbx::suite {
namespace {

namespace fs = std::filesystem;

// Visible subfolders in name order, so that messages and lists do not depend on the disk.
Result<std::vector<fs::path>> subfolders(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> out;
  fs::directory_iterator it(folder, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name[0] != '.' && name[0] != '_' && it->is_directory(error)) out.push_back(it->path());
  }
  if (error) return fail(Code::usage, fmt::format("cannot read the folder {}: {}", folder.string(), error.message()));
  std::sort(out.begin(), out.end());
  return out;
}

bool defines(std::string_view python, const std::string& name) {
  for (const std::string& line : split_lines(python))
    if (starts_with(line, "def " + name + "(") || starts_with(line, "class " + name)) return true;
  return false;
}

Result<std::string> read_optional(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::string();
  return read_file(path);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

struct Wanted {
  std::string category;  // folder name; empty = any
  std::string name;
};

Wanted parse_wanted(std::string_view text) {
  if (ends_with(text, ".py")) text.remove_suffix(3);
  Wanted out;
  size_t slash = text.rfind('/');
  if (slash != text.npos) {
    std::string_view before = text.substr(0, slash);
    if (size_t more = before.rfind('/'); more != before.npos) before = before.substr(more + 1);
    auto folder = folder_name(before);
    out.category = folder ? std::string(*folder) : snake_case(before);
    text = text.substr(slash + 1);
  }
  out.name = std::string(text);
  return out;
}

// 0 = no match; less is better otherwise.
int rank(const Task& task, const std::string& name) {
  auto in = [&](const std::string& n) {
    return std::find(task.aliases.begin(), task.aliases.end(), n) != task.aliases.end();
  };
  if (task.name == name) return 1;
  if (in(name)) return 2;
  if (task.entry.name == name) return 3;
  std::string l = lower(name);
  if (lower(task.name) == l) return 4;
  for (const std::string& alias : task.aliases)
    if (lower(alias) == l) return 5;
  return lower(task.entry.name) == l ? 6 : 0;
}

const Task* best(const std::vector<Task>& tasks, const Wanted& wanted, bool any_category) {
  const Task* found = nullptr;
  int found_rank = 0;
  for (const Task& task : tasks) {
    if (!any_category && !wanted.category.empty() && task.category != wanted.category) continue;
    int r = rank(task, wanted.name);
    if (r == 0 || (found && r >= found_rank)) continue;
    found = &task;
    found_rank = r;
  }
  return found;
}

}  // namespace

std::string task_version(std::string_view task_toml, std::string_view reference_py) {
  return FieldHash().add(task_toml).add(reference_py).hex();
}

Result<Task> load_task(const fs::path& folder) {
  fs::path file = folder / "task.toml";
  KBX_TRY_ASSIGN(std::string toml, read_file(file));
  KBX_TRY_ASSIGN(Task task, parse_task(toml, file.string()));
  KBX_TRY_ASSIGN(task.reference, read_file(folder / "reference.py"));
  KBX_TRY_ASSIGN(task.witness, read_optional(folder / "witness.py"));
  KBX_TRY_ASSIGN(task.mutants, read_optional(folder / "mutants.py"));
  task.folder = folder.string();
  task.version = task_version(toml, task.reference);
  std::vector<std::string> wrong;
  fs::path whole = fs::absolute(folder);
  if (whole.filename() != task.name)
    wrong.push_back(fmt::format("{}: name = \"{}\" but the folder is called {}", file.string(), task.name,
                                whole.filename().string()));
  if (whole.parent_path().filename() != task.category)
    wrong.push_back(fmt::format("{}: category = \"{}\" but the folder lies in {}", file.string(), task.category,
                                whole.parent_path().filename().string()));
  for (auto [name, text] : {std::pair{"reference.py", &task.reference}, {"witness.py", &task.witness}})
    if (!text->empty() && !defines(*text, task.entry.name))
      wrong.push_back(fmt::format("{}: does not define {}()", (folder / name).string(), task.entry.name));
  if (!wrong.empty()) return fail(Code::usage, fmt::format("{}", fmt::join(wrong, "\n")));
  return task;
}

Result<ScannedSuite> scan_suite(const fs::path& folder) {
  KBX_TRY_ASSIGN(auto groups, subfolders(folder));
  ScannedSuite out;
  std::map<std::string, std::string> names;  // name -> folder
  for (const fs::path& group : groups) {
    KBX_TRY_ASSIGN(auto folders, subfolders(group));
    for (const fs::path& task_folder : folders) {
      std::error_code error;
      if (!fs::exists(task_folder / "task.toml", error)) continue;
      auto task = load_task(task_folder);
      if (!task) {
        for (std::string& line : split_lines(task.error().message)) out.problems.push_back(std::move(line));
        continue;
      }
      auto [it, fresh] = names.emplace(task->name, task->folder);
      if (fresh)
        out.suite.tasks.push_back(std::move(*task));
      else
        out.problems.push_back(
            fmt::format("{}/task.toml: the name '{}' is taken by {}", task->folder, task->name, it->second));
    }
  }
  if (out.suite.tasks.empty() && out.problems.empty())
    return fail(Code::usage, fmt::format("{} holds no task: expected <category>/<name>/task.toml", folder.string()));
  return out;
}

Result<Suite> load_suite(const fs::path& folder) {
  KBX_TRY_ASSIGN(ScannedSuite scanned, scan_suite(folder));
  if (!scanned.problems.empty()) return fail(Code::usage, fmt::format("{}", fmt::join(scanned.problems, "\n")));
  return std::move(scanned.suite);
}

const Task* Suite::find(std::string_view name) const {
  Wanted wanted = parse_wanted(name);
  if (const Task* task = best(tasks, wanted, false)) return task;
  return best(tasks, wanted, true);  // a name is unique: a wrong category does not make it unknown
}

std::string Suite::did_you_mean(std::string_view name, Meant meant) const {
  std::vector<std::string> known;
  for (const Task& task : tasks) {
    if (meant == Meant::task_or_category && (known.empty() || task.category != tasks[&task - tasks.data() - 1].category)) known.push_back(task.category);
    known.push_back(task.name);
    known.insert(known.end(), task.aliases.begin(), task.aliases.end());
  }
  return kbx::did_you_mean(parse_wanted(name).name, known);
}

}  // namespace kbx::suite
