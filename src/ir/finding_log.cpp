// Findings: counted by kind, source line and range.
#include "ir/finding_log.h"

#include <algorithm>
#include <tuple>

namespace kbx::ir {

std::string_view to_text(FindingKind kind) {
  constexpr std::string_view kText[kFindingKinds] = {
      "out_of_bounds_load", "out_of_bounds_store", "out_of_bounds_atomic", "misaligned_access", "undefined_store",
      "undefined_mask",     "undefined_address",   "undefined_branch",     "undefined_atomic",  "double_store",
      "race_store_store",   "race_store_load",     "race_atomic_store",    "race_atomic_load",  "device_assert",
      "gather_index",       "false_divisibility",  "time_limit",           "step_limit"};
  auto k = static_cast<int>(kind);
  return k >= 0 && k < kFindingKinds ? kText[k] : std::string_view();
}

std::array<int32_t, 3> FindingLog::coordinates(int64_t program) const {
  if (program < 0) return {-1, -1, -1};
  int64_t x = std::max(spec_.grid[0], 1), y = std::max(spec_.grid[1], 1);
  return {static_cast<int32_t>(program % x), static_cast<int32_t>(program / x % y),
          static_cast<int32_t>(program / x / y)};
}

void FindingLog::add(const Occurrence& o) {
  // A race is one finding whatever the second access was.
  uint64_t key = static_cast<uint64_t>(o.kind) << 56 | (static_cast<uint64_t>(o.range + 1) & 0xffffff) << 32 | o.place;
  std::lock_guard lock(mutex_);
  auto [found, fresh] = index_.try_emplace(key, findings_.size());
  if (!fresh) {
    if (found->second < findings_.size()) findings_[found->second].count += o.count;
    return;
  }
  if (findings_.size() >= kMaxFindings) {
    found->second = kMaxFindings;
    dropped_++;
    return;
  }
  Finding f;
  f.kind = o.kind;
  f.range = o.range;
  f.name = o.range >= 0 ? spec_.ranges[static_cast<size_t>(o.range)].name : -1;
  f.program = coordinates(o.program);
  f.other_program = coordinates(o.other_program);
  f.count = o.count;
  f.distance = o.distance;
  f.offset = o.offset;
  f.element = o.element;
  if (o.place < code_.places.size()) {
    SourceLine line = code_.locations.find(code_.places[o.place].loc);
    f.where = line.text();
    f.line = line.line;
    f.operation = std::string(code_.places[o.place].operation);
  }
  if (o.other_place < code_.places.size()) f.other_where = code_.locations.find(code_.places[o.other_place].loc).text();
  findings_.push_back(std::move(f));
}

void FindingLog::add(Finding finding) {
  std::lock_guard lock(mutex_);
  if (findings_.size() < kMaxFindings)
    findings_.push_back(std::move(finding));
  else
    dropped_++;
}

void FindingLog::move_into(Report& report) {
  std::lock_guard lock(mutex_);
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.kind, a.range, a.line) < std::tie(b.kind, b.range, b.line);
  });
  report.findings = std::move(findings_);
  report.dropped_findings = dropped_;
  findings_.clear();
  index_.clear();
}

}  // namespace kbx::ir
