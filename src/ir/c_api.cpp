// The C door: plain structs in, plain structs out; nothing is thrown across it.
#include "ir/c_api.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "ir/machine.h"

struct KbxIrProgram {
  kbx::ir::Program program;
};

namespace {

using kbx::ir::FindingKind;

static_assert(sizeof(KbxIrRange) == 40 && sizeof(KbxIrLaunch) == 96 && sizeof(KbxIrFinding) == 368 &&
              sizeof(KbxIrReport) == 31800 && sizeof(KbxIrLineCounts) == 160 && sizeof(KbxIrRangeCounts) == 40);
static_assert(static_cast<int>(FindingKind::step_limit) == KBX_IR_STEP_LIMIT &&
              static_cast<int>(FindingKind::double_store) == KBX_IR_DOUBLE_STORE &&
              static_cast<int>(FindingKind::device_assert) == KBX_IR_ASSERT);
static_assert(static_cast<int>(kbx::ir::Kind::other) == KBX_IR_OTHER &&
              static_cast<int>(kbx::ir::Kind::f16) == KBX_IR_F16);
static_assert(kbx::ir::kMaxFindings == KBX_IR_MAX_FINDINGS && kbx::ir::kMaxLines == KBX_IR_MAX_LINES);
static_assert(sizeof(kbx::ir::FlopTable) == sizeof(KbxIrReport::flops_by));

void put_text(char* to, size_t size, std::string_view text) {
  if (!to || size == 0) return;
  size_t n = std::min(text.size(), size - 1);
  std::memcpy(to, text.data(), n);
  to[n] = 0;
}

kbx::ir::LaunchSpec to_spec(const KbxIrLaunch& l) {
  kbx::ir::LaunchSpec s;
  std::copy_n(l.grid, 3, s.grid.begin());
  if (l.argument_count) s.arguments.assign(l.arguments, l.arguments + l.argument_count);
  if (l.argument_count && l.argument_ranges)
    s.argument_ranges.assign(l.argument_ranges, l.argument_ranges + l.argument_count);
  for (uint32_t k = 0; k < l.range_count; k++) {
    const KbxIrRange& r = l.ranges[k];
    s.ranges.push_back(
        {reinterpret_cast<uint8_t*>(r.base), r.size, reinterpret_cast<uint8_t*>(r.undefined), r.granule, r.name});
  }
  s.checks.undefined = l.flags & KBX_IR_CHECK_UNDEFINED;
  s.checks.races = l.flags & KBX_IR_CHECK_RACES;
  s.checks.unique_counts = l.flags & KBX_IR_COUNT_UNIQUE;
  s.checks.asserts = l.flags & KBX_IR_CHECK_ASSERTS;
  s.checks.alignment = l.flags & KBX_IR_CHECK_ALIGNMENT;
  if (l.flags & KBX_IR_OTHER_ACCUMULATION) s.accumulation = kbx::ir::Accumulation::other;
  s.threads = l.threads;
  s.order = static_cast<kbx::ir::Order>(l.order);
  s.order_seed = l.order_seed;
  s.time_limit_s = l.time_limit_s;
  s.step_limit = l.step_limit;
  return s;
}

void put_finding(const kbx::ir::Finding& f, KbxIrFinding& to) {
  to.kind = static_cast<int32_t>(f.kind);
  to.range = f.range;
  to.name = f.name;
  std::copy_n(f.program.begin(), 3, to.program);
  std::copy_n(f.other_program.begin(), 3, to.other);
  to.line = f.line;
  to.count = f.count;
  to.distance = f.distance;
  to.offset = f.offset;
  to.element = f.element;
  put_text(to.where, sizeof to.where, f.where);
  put_text(to.other_where, sizeof to.other_where, f.other_where);
  put_text(to.operation, sizeof to.operation, f.operation);
  to.argument = f.argument;
  to.width = f.width;
  to.index = f.index;
  to.other_line = f.other_line;
}

void put_counts(const kbx::ir::Report& r, KbxIrReport& to) {
  std::memcpy(to.flops_by, &r.flops_by, sizeof to.flops_by);
  to.line_count = static_cast<int32_t>(r.lines.size());
  for (size_t k = 0; k < r.lines.size(); k++) {
    const auto& l = r.lines[k];
    KbxIrLineCounts& line = to.lines[k];
    put_text(line.where, sizeof line.where, l.where);
    line.line = l.line;
    line.load_bytes = l.load_bytes;
    line.store_bytes = l.store_bytes;
    line.atomic_bytes = l.atomic_bytes;
    line.flops = l.flops;
    line.instructions = l.instructions;
  }
  to.counted_ranges = static_cast<int32_t>(std::min<size_t>(r.ranges.size(), KBX_IR_COUNTED_RANGES));
  for (size_t k = 0; k < static_cast<size_t>(to.counted_ranges); k++) {
    const auto& c = r.ranges[k];
    to.ranges[k] = {c.load_bytes, c.store_bytes, c.atomic_bytes, c.unique_load_bytes, c.unique_store_bytes};
  }
}

void put_report(const kbx::ir::Report& r, KbxIrReport& to) {
  to.load_bytes = r.counts.load_bytes;
  to.store_bytes = r.counts.store_bytes;
  to.atomic_bytes = r.counts.atomic_bytes;
  to.unique_load_bytes = r.counts.unique_load_bytes;
  to.unique_store_bytes = r.counts.unique_store_bytes;
  to.flops = r.counts.flops;
  to.instructions = r.counts.instructions;
  to.seconds = r.seconds;
  to.completed = r.completed;
  to.finding_count = static_cast<int32_t>(r.findings.size());
  to.dropped_findings = r.dropped_findings;
  for (size_t k = 0; k < r.findings.size(); k++) put_finding(r.findings[k], to.findings[k]);
  put_counts(r, to);
}

// What is wrong with the structs themselves; "" = nothing.
std::string_view check_structs(const KbxIrProgram* program, const KbxIrLaunch* l) {
  if (!program || !l) return "null program or launch";
  if (l->struct_size != sizeof(KbxIrLaunch)) return "struct_size is not this version's";
  if ((l->argument_count && !l->arguments) || (l->range_count && !l->ranges)) return "a count without its array";
  if (l->argument_count > 65536 || l->range_count > 65536) return "too many arguments or ranges";
  if (l->order < KBX_IR_FORWARD || l->order > KBX_IR_SHUFFLED) return "an unknown order";
  return {};
}

}  // namespace

extern "C" {

uint32_t kbx_ir_version(void) { return KBX_IR_VERSION; }

KbxIrProgram* kbx_ir_compile(const char* text, uint64_t length, char* error, uint64_t error_size) {
  put_text(error, error_size, "");
  if (!text) {
    put_text(error, error_size, "malformed: line 1: no text");
    return nullptr;
  }
  try {
    auto program = kbx::ir::compile({text, length});
    if (program) return new KbxIrProgram{std::move(*program)};
    put_text(error, error_size, program.error().message);
  } catch (const std::exception&) {  // memory
    put_text(error, error_size, "malformed: line 1: the text needs more memory than there is");
  }
  return nullptr;
}

void kbx_ir_free(KbxIrProgram* program) { delete program; }

int32_t kbx_ir_argument_count(const KbxIrProgram* program) {
  return program ? static_cast<int32_t>(program->program.argument_count()) : -1;
}
int32_t kbx_ir_argument_kind(const KbxIrProgram* program, int32_t index) {
  if (index < 0 || index >= kbx_ir_argument_count(program)) return -1;
  return static_cast<int32_t>(program->program.argument_kind(static_cast<size_t>(index)));
}
int64_t kbx_ir_argument_divisibility(const KbxIrProgram* program, int32_t index) {
  if (index < 0 || index >= kbx_ir_argument_count(program)) return -1;
  return program->program.argument_divisibility(static_cast<size_t>(index));
}

int32_t kbx_ir_launch(const KbxIrProgram* program, const KbxIrLaunch* launch, KbxIrReport* report) {
  if (!report) return -1;
  std::memset(report, 0, sizeof *report);
  std::string_view wrong = check_structs(program, launch);
  if (!wrong.empty()) {
    put_text(report->error, sizeof report->error, wrong);
    return -1;
  }
  try {
    auto result = kbx::ir::launch(program->program, to_spec(*launch));
    if (result) {
      put_report(*result, *report);
      return 0;
    }
    put_text(report->error, sizeof report->error, result.error().message);
  } catch (const std::exception& e) {  // memory, or no thread could be started
    put_text(report->error, sizeof report->error, e.what());
  }
  return -1;
}

const char* kbx_ir_finding_text(int32_t kind) {
  std::string_view text = kbx::ir::to_text(static_cast<FindingKind>(kind));  // a literal: ends with a zero
  return text.empty() ? "" : text.data();
}

uint64_t kbx_ir_sizeof(int32_t which) {
  constexpr uint64_t kSizes[] = {sizeof(KbxIrRange),  sizeof(KbxIrLaunch),     sizeof(KbxIrFinding),
                                 sizeof(KbxIrReport), sizeof(KbxIrLineCounts), sizeof(KbxIrRangeCounts)};
  return which >= 0 && which < 6 ? kSizes[which] : 0;
}

}  // extern "C"
