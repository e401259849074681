// The register machine's code: what a kernel is compiled to. Immutable once compiled, shared by all threads.
// Every instruction was type checked when it was made: kernels trust offsets, lane counts and kinds.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/asm_code.h"
#include "ir/kind.h"
#include "ir/location.h"

namespace kbx::ir {

struct Context;
struct Inst;
using Kernel = void (*)(Context&, const Inst&);

enum class Control : uint8_t { run, jump, jump_if_not, for_test, back, call, ret, end };

// How definedness flows from operands to the result.
enum class Flow : uint8_t {
  none,    // the result is defined
  lanes,   // lane by lane, from any operand
  select,  // a = condition: only the chosen side counts
  logical_and,
  logical_or,  // a defined false (true) decides alone
  permute,     // lanes move as the values do
  all,         // any undefined lane makes everything undefined
  reduce,
  scan,
  dot,
  own  // the kernel does it
};

// [outer, length, inner]: a shape around one axis.
struct Split {
  uint32_t outer = 1, length = 1, inner = 1;
};

// The combine region of a reduction or scan: straight code over many lanes at once.
struct Combine {
  std::vector<Inst> body;
  std::vector<uint32_t> in, out, temp;  // one per reduced value
  std::vector<uint32_t> left, right;    // the region's arguments
  std::vector<uint32_t> result;         // what it returns
  std::vector<uint8_t> bytes;           // a lane of each value
  bool reverse = false;
  // With control flow the body runs lane by lane: its arguments and results are single lanes.
  bool one_lane = false;
  std::vector<uint32_t> argument, value;
};

struct DotShape {
  uint32_t batch = 1, m = 0, n = 0, k = 0;
  Kind operand = Kind::f32, result = Kind::f32;
  bool tf32 = false;
};

// One operand of tt.dot_scaled.
struct ScaledSide {
  enum class Format : uint8_t { none, e4m3, e5m2, e2m1, bf16, f16 };
  Format format = Format::none;
  bool bytes = false;     // the lanes are bytes
  bool k_packed = true;   // e2m1: the two values of a byte follow each other along k, else along the other dimension
  uint32_t scales = 0;    // storage; 0 = none
  Kind scale = Kind::i8;  // i8 = a power of two (e8m0), or e4m3
  uint32_t factor = 32;   // elements of k a scale
};
struct ScaledDot {
  ScaledSide a, b;
  bool half = false;  // scaled values are rounded to f16
  bool fast = false;  // no NaN for a scale of 255
};

// What a few instructions need beyond the fixed fields.
struct Extra {
  Split split;
  std::vector<uint32_t> lanes;  // source lane of every result lane
  Combine combine;
  DotShape dot;
  ScaledDot scaled;
  AsmCode assembly;
  uint32_t temp = 0;  // storage of a dot's rounded operands
};

struct Inst {
  Kernel run = nullptr;
  uint32_t out = 0, a = 0, b = 0, c = 0;  // arena offsets (while compiling: storages); 0 = none
  uint32_t lanes = 1;
  uint32_t x = 0, y = 0;    // meaning depends on the kernel
  Kind kind = Kind::f32;    // of the result, or of the value stored
  Kind source = Kind::f32;  // of the first operand
  Kind round = Kind::i1;    // a small float: round the result to it
  Control control = Control::run;
  Flow flow = Flow::none;
  uint8_t bytes = 4;   // a result lane in the arena
  uint32_t place = 0;  // index into MachineCode::places
  uint32_t flops = 0;
  uint32_t cost = 1;  // about lanes touched; drives the clock checks
  int64_t immediate = 0;
  Extra* extra = nullptr;
};

struct Constant {
  uint32_t at = 0;
  uint32_t repeat = 1;
  std::vector<uint8_t> bytes;
};

struct Argument {
  uint32_t at = 0;
  Kind kind = Kind::other;
  int64_t divisibility = 1;
};

// The operation an instruction came from.
struct Place {
  std::string_view operation, loc;
};

struct MachineCode {
  std::vector<Inst> setup;  // depends on the arguments alone: once an arena
  std::vector<Inst> main;   // once a program; the entry function comes first
  std::vector<std::unique_ptr<Extra>> extras;
  std::vector<Constant> constants;
  std::vector<Argument> arguments;
  std::vector<Place> places;
  std::vector<SourceLine> lines;  // of each place
  SourceLine kernel;              // where the kernel is defined
  LocationTable locations;
  std::vector<char> text;              // what places and locations point into
  uint32_t arena_bytes = 64;           // a multiple of 64; offset 0 is never used
  bool reinterprets_pointers = false;  // race cells must be bytes
};

}  // namespace kbx::ir
