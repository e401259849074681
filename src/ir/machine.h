// The IR machine: TTIR text -> Program -> values, findings and counts, without a GPU, Python or Triton.
// compile() accepts hostile text; launch() trusts its memory ranges only. Field by field contracts: ir/c_api.h.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/counts.h"
#include "ir/kind.h"

namespace kbx::ir {

struct MachineCode;

// One compiled kernel; immutable; any number of launches may run it at once.
class Program {
 public:
  explicit Program(std::unique_ptr<const MachineCode> code);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  const MachineCode& code() const { return *code_; }
  size_t argument_count() const;
  Kind argument_kind(size_t index) const;  // index < argument_count()
  int64_t argument_divisibility(size_t index) const;

 private:
  std::unique_ptr<const MachineCode> code_;
};

// Error: Code::usage, "not_judged: OPERATION: why" or "malformed: line N: why".
Result<Program> compile(std::string_view ttir);

// Numbered as KbxIrFindingKind.
enum class FindingKind : int32_t {
  out_of_bounds_load,
  out_of_bounds_store,
  out_of_bounds_atomic,
  misaligned_access,
  undefined_store,
  undefined_mask,
  undefined_address,
  undefined_branch,
  undefined_atomic,
  double_store,
  race_store_store,
  race_store_load,
  race_atomic_store,
  race_atomic_load,
  device_assert,
  gather_index,
  false_divisibility,
  time_limit,
  step_limit
};
inline constexpr int kFindingKinds = 19;
std::string_view to_text(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::time_limit;
  int range = -1;  // index into LaunchSpec::ranges; for false_divisibility -1
  int name = -1;   // that range's name; for false_divisibility the argument's index
  std::array<int32_t, 3> program{-1, -1, -1};
  std::array<int32_t, 3> other_program{-1, -1, -1};  // of a race, when it is one known program
  uint64_t count = 1;
  int64_t distance = 0;  // bytes outside, see KbxIrFinding
  int64_t offset = -1;   // bytes from the range's base
  int64_t element = -1;  // lane within the block
  std::string where, other_where, operation;
  uint32_t line = 0, other_line = 0;
  int argument = -1;   // the kernel's argument whose tensor it is, as far as known
  int64_t index = -1;  // element counted from that argument's address; means nothing where argument is -1
  uint32_t width = 0;  // bytes of an element
};

// One storage; undefined may be null: no map.
struct MemoryRange {
  uint8_t* base = nullptr;
  uint64_t size = 0;
  uint8_t* undefined = nullptr;
  uint32_t granule = 4;  // 1, 2, 4 or 8
  int name = -1;
};

enum class Order : int32_t { forward, reverse, shuffled };

// The order in which terms are combined (docs/ir-operations.md): other = another one that a GPU might as well take.
enum class Accumulation : int32_t { forward, other };

struct Checks {
  bool undefined = false, races = false, unique_counts = false, asserts = false, alignment = false;
};

struct LaunchSpec {
  std::array<int32_t, 3> grid{1, 1, 1};
  std::vector<uint64_t> arguments;       // floats as the bits of a double, pointers as addresses
  std::vector<int32_t> argument_ranges;  // empty, or one entry an argument; -1 = by address
  std::vector<MemoryRange> ranges;
  Checks checks;
  int threads = 1;
  Order order = Order::forward;
  uint64_t order_seed = 0;
  Accumulation accumulation = Accumulation::forward;
  double time_limit_s = 60;
  uint64_t step_limit = 0;  // instructions a program, 0 = no limit
};

inline constexpr size_t kMaxFindings = 64;

struct Report {
  Counts counts;
  FlopTable flops_by{};             // the sum is counts.flops
  std::vector<LineCounts> lines;    // at most kMaxLines, most bytes + flops first
  std::vector<RangeCounts> ranges;  // one entry a range
  std::vector<Finding> findings;    // at most kMaxFindings
  uint64_t dropped_findings = 0;
  bool completed = true;  // false: stopped at a limit, the values mean nothing
  double seconds = 0;
};

// Error: the spec does not fit the program (argument count, grid, ranges), or memory ran out.
Result<Report> launch(const Program& program, const LaunchSpec& spec);

}  // namespace kbx::ir
