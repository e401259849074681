// Totals of a launch.
#include "ir/tally.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ir/memory.h"

namespace kbx::ir {
namespace {

// The kind that the arithmetic is done in: a reduction's is that of its combine function.
size_t kind_of(const Inst& i) {
  if (i.flow == Flow::dot && i.extra) return i.extra->dot.tf32 ? kTf32 : static_cast<size_t>(i.extra->dot.operand);
  Kind kind = is_small_float(i.round) ? i.round : i.kind;
  if (i.extra && !is_float(kind))
    for (const Inst& step : i.extra->combine.body)
      if (step.flops) return kind_of(step);
  return static_cast<size_t>(kind);
}

class Totals {
 public:
  Totals(const MachineCode& code, Report& report) : code_(code), report_(report) {}

  void add(const Inst& i, const Tally& t, bool is_setup) {
    if (t.runs == 0) return;
    LineCounts& line = line_of(i.place);
    Counts& all = report_.counts;
    uint64_t flops = t.runs * i.flops + t.flops;
    report_.flops_by[i.flow == Flow::dot][kind_of(i)] += flops;
    line.flops += flops;
    all.flops += flops;
    if (is_setup) return;
    line.instructions += t.runs;
    all.instructions += t.runs;
    if (t.bytes == 0) return;
    auto field = i.run == load ? &Traffic::load_bytes : i.run == store ? &Traffic::store_bytes : &Traffic::atomic_bytes;
    line.*field += t.bytes;
    all.*field += t.bytes;
  }
  void finish() {
    for (auto& [key, line] : lines_) report_.lines.push_back(std::move(line));
    auto weight = [](const LineCounts& l) { return l.load_bytes + l.store_bytes + l.atomic_bytes + l.flops; };
    std::stable_sort(report_.lines.begin(), report_.lines.end(),
                     [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    if (report_.lines.size() > kMaxLines) report_.lines.resize(kMaxLines);
  }

 private:
  LineCounts& line_of(uint32_t place) {
    SourceLine source = place < code_.lines.size() ? code_.lines[place] : SourceLine{};
    auto [at, fresh] = lines_.try_emplace({source.line, source.file});
    if (fresh) at->second.line = source.line, at->second.where = source.text();
    return at->second;
  }
  const MachineCode& code_;
  Report& report_;
  std::map<std::pair<uint32_t, std::string_view>, LineCounts> lines_;
};

}  // namespace

void count_up(const MachineCode& code, std::span<const Counter> threads, uint64_t programs, Report& report) {
  Totals totals(code, report);
  for (const Inst& i : code.setup)
    if (i.flops) totals.add(i, {.runs = programs}, true);
  for (size_t k = 0; k < code.main.size(); k++) {
    Tally all;
    for (const Counter& t : threads) {
      all.runs += t.tally[k].runs;
      all.bytes += t.tally[k].bytes;
      all.flops += t.tally[k].flops;
    }
    totals.add(code.main[k], all, false);
  }
  totals.finish();
  for (const Counter& t : threads)
    for (size_t r = 0; r < report.ranges.size(); r++) {
      RangeCounts& to = report.ranges[r];
      to.load_bytes += t.ranges[r].load_bytes;
      to.store_bytes += t.ranges[r].store_bytes;
      to.atomic_bytes += t.ranges[r].atomic_bytes;
    }
}

}  // namespace kbx::ir
