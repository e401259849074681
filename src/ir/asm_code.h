// Inline assembly as a list of steps over 64-bit registers: the instructions of PTX that asm_table.cpp names, straight
// code, one pack of elements at a time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kind.h"

namespace kbx::ir {

using AsmRun = uint64_t (*)(const uint64_t* in);

// One instruction: "add.f32" without .rn, .approx, .full and .ftz.
struct AsmRow {
  std::string name;
  uint8_t out;  // bits of the result; of each, where there are two
  std::vector<uint8_t> in;
  AsmRun run;
};
const AsmRow* find_asm(std::string_view name);
std::vector<AsmRow> asm_bit_rows();  // a part of the table: asm_bits.cpp
// {a, b, ..} of `bits` each to one register.
AsmRun find_join(uint32_t bits);

struct AsmStep {
  AsmRun run = nullptr;
  std::vector<uint16_t> in, out;  // registers
  uint8_t bits = 32;              // of each result: result k is bits [k * bits, (k + 1) * bits) of what run gives
  bool flush = false;             // .ftz: f32 subnormals are zero, in and out
  int guard = -1;                 // register of a predicate
  bool unless = false;            // @!p
};

// Some elements of an operand or a result that share a register.
struct AsmPort {
  uint32_t value = 0;  // which operand (result)
  Kind kind = Kind::i32;
  uint32_t first = 0, count = 1;  // elements of the pack
  uint16_t reg = 0;
  bool written = true;  // result: some step writes it
};

struct AsmCode {
  std::vector<uint64_t> registers;  // before the first step; immediates among them
  std::vector<AsmStep> steps;
  std::vector<AsmPort> inputs, outputs;
  uint32_t pack = 1;
};

// Ports are filled but for their registers. False: `why` says what is not known or not right.
bool parse_asm(std::string_view text, std::string_view constraints, AsmCode& code, std::string& why);

}  // namespace kbx::ir
