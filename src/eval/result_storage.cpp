// Eager's aliases against the candidate's.
#include "eval/result_storage.h"

#include <fmt/format.h>

#include <algorithm>

#include "eval/candidate_charges.h"

namespace kbx::eval {
namespace {

constexpr std::string_view kAliases = " aliases ";

struct Alias {
  std::string path, argument;  // "result[0]", "param"
};

std::vector<Alias> read(const std::vector<std::string>& texts) {
  std::vector<Alias> out;
  for (const std::string& t : texts)
    if (size_t at = t.find(kAliases); at != t.npos) out.push_back({t.substr(0, at), t.substr(at + kAliases.size())});
  return out;
}

const Alias* at_path(const std::vector<Alias>& list, const std::string& path) {
  auto it = std::find_if(list.begin(), list.end(), [&](const Alias& a) { return a.path == path; });
  return it == list.end() ? nullptr : &*it;
}

bool contains(const std::vector<std::string>& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }

std::string root_of(const std::string& argument) { return argument.substr(0, argument.find_first_of("[.")); }

std::string difference(const Task& task, const std::vector<Alias>& eager, const std::vector<Alias>& got) {
  for (const Alias& want : eager) {
    const Alias* mine = at_path(got, want.path);
    if (contains(task.mutates, root_of(want.argument)) && (!mine || mine->argument != want.argument))
      return fmt::format("{} is not the argument `{}` that was updated but a copy of it: the contract returns the tensor that was passed in", want.path, want.argument);
  }
  if (!contains(task.forbidden_library_ops, "copy_")) return "";
  for (const Alias& mine : got)
    if (!at_path(eager, mine.path)) return fmt::format("{} shares memory with the argument `{}`: the task is to copy", mine.path, mine.argument);
  return "";
}

}  // namespace

std::optional<Charge> device_storage_charge(const Task& task, const DeviceTape& tape, const std::string& where) {
  if (!contains(task.forbidden_library_ops, "copy_")) return std::nullopt;
  for (const DeviceTensor& out : tape.outputs)
    for (const DeviceTensor& in : tape.inputs)
      if (!contains(task.mutates, root_of(in.name)) && out.storage.at < in.storage.at + in.storage.bytes && in.storage.at < out.storage.at + out.storage.bytes)
        return Charge{Verdict::contract_violation, fmt::format("{}: {} shares memory with the argument `{}`: the task is to copy", where, out.name, in.name), false, 0};
  return std::nullopt;
}

std::optional<Charge> storage_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out) {
  size_t at = 0;
  for (const CaseTruth& c : truth.cases) {
    size_t call = at;
    at += size_t(c.calls());
    if (!c.which->raises.empty() || call >= out.steps.size() || !out.steps[call].ok) continue;
    std::string why = difference(task, read(c.aliases), read(out.steps[call].aliases));
    if (!why.empty()) return Charge{Verdict::contract_violation, fmt::format("{}: {}", place(c), why), false, 0};
  }
  return std::nullopt;
}

}  // namespace kbx::eval
