// Runs: see the header.
#include "report/runs.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kbx::report {
namespace fs = std::filesystem;
namespace {

std::string folder_name(const std::string& folder) {
  std::error_code ec;
  fs::path whole = fs::weakly_canonical(folder, ec);
  std::string name = (ec ? fs::path(folder) : whole).filename().string();
  return name.empty() ? folder : name;
}

}  // namespace

Result<Runs> Runs::open(const std::vector<std::string>& folders, bool twice) {
  if (folders.empty()) return fail(Code::usage, "no run was named");
  Runs out;
  std::set<fs::path> seen;
  for (const std::string& folder : folders) {
    std::error_code ec;
    if (fs::path whole = fs::canonical(folder, ec); !ec && !seen.insert(whole).second && !twice) return fail(Code::usage, "the run " + folder + " was named twice");
    KBX_TRY_ASSIGN(store::Store store, store::Store::open_for_reading(folder));
    KBX_TRY_ASSIGN(Json facts, store.facts());
    std::string base = folder_name(folder), label = base;
    auto taken = [&] {
      return std::any_of(out.runs_.begin(), out.runs_.end(), [&](const Run& r) { return r.label == label; });
    };
    for (int n = 2; taken(); n++) label = base + " (" + std::to_string(n) + ")";
    out.runs_.push_back({std::move(label), std::move(facts), std::move(store)});
  }
  return out;
}

Result<void> Runs::each(const std::function<bool(const Run&, const Record&)>& visit) const {
  bool more = true;
  for (const Run& run : runs_) {
    if (!more) break;
    KBX_TRY(run.store.each([&](const Record& record) { return more = visit(run, record); }));
  }
  return {};
}

Result<Summary> Runs::summary() const {
  Summary summary;
  KBX_TRY(each([&](const Run&, const Record& record) {
    summary.add(record);
    return true;
  }));
  return summary;
}

}  // namespace kbx::report
