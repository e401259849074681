// Findings: counted by kind, source line and range.
#include "ir/finding_log.h"

#include <algorithm>
#include <tuple>

#include "ir/memory_access.h"

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

// Which argument's tensor, and which of its elements. Of several arguments on one storage: the last one that starts at
// or before the address, as views of one buffer lie; of several that start there, the first.
void FindingLog::locate(Finding& f) const {
  if (f.range < 0 || f.width == 0) return;
  const MemoryRange& r = spec_.ranges[static_cast<size_t>(f.range)];
  int64_t at = static_cast<int64_t>(address_of(r)) + f.offset, start = 0;
  for (size_t k = 0; k < code_.arguments.size(); k++) {
    if (code_.arguments[k].kind != Kind::ptr) continue;
    uint64_t address = spec_.arguments[k] & kAddressMask;
    int32_t range = spec_.argument_ranges.empty() ? -1 : spec_.argument_ranges[k];
    if (range >= 0 ? range != f.range : address - address_of(r) >= r.size) continue;
    auto from = static_cast<int64_t>(address);
    bool better = f.argument < 0 || (start > at ? from < start : from <= at && from > start);
    if (better) f.argument = static_cast<int>(k), start = from;
  }
  if (f.argument < 0) return;
  int64_t bytes = at - start, width = f.width;
  f.index = bytes >= 0 ? bytes / width : -((width - 1 - bytes) / width);
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
  f.width = o.width;
  locate(f);
  if (o.place < code_.places.size()) {
    f.where = code_.lines[o.place].text();
    f.line = code_.lines[o.place].line;
    f.operation = std::string(code_.places[o.place].operation);
  }
  if (o.other_place < code_.places.size()) {
    f.other_where = code_.lines[o.other_place].text();
    f.other_line = code_.lines[o.other_place].line;
  }
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
