// Inline assembly, pack after pack.
#include "ir/ops_asm.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "ir/small_float.h"

namespace kbx::ir {
namespace {

uint64_t low_bits(uint64_t v, uint32_t bits) { return bits >= 64 ? v : v & ((uint64_t{1} << bits) - 1); }

uint64_t read_lane(const Context& c, uint32_t values, Kind kind, uint64_t lane) {
  const uint8_t* p = c.arena + values + lane * lane_bytes(kind);
  if (is_small_float(kind)) {
    float f;
    std::memcpy(&f, p, sizeof f);
    return float_to_bits(kind, f);
  }
  uint64_t v = 0;
  std::memcpy(&v, p, lane_bytes(kind));
  return v;
}
void write_lane(Context& c, uint32_t values, Kind kind, uint64_t lane, uint64_t bits) {
  uint8_t* p = c.arena + values + lane * lane_bytes(kind);
  if (is_small_float(kind)) {
    float f = bits_to_float(kind, static_cast<uint32_t>(bits));
    std::memcpy(p, &f, sizeof f);
    return;
  }
  std::memcpy(p, &bits, lane_bytes(kind));
}

// f32 subnormals become zeros of their sign.
uint64_t flushed(uint64_t v) { return (v & 0x7f800000) == 0 ? v & 0x80000000 : v; }

void run_step(const AsmStep& s, std::vector<uint64_t>& registers) {
  if (s.guard >= 0 && ((registers[static_cast<size_t>(s.guard)] & 1) != 0) == s.unless) return;
  uint64_t in[4] = {};
  for (size_t k = 0; k < s.in.size(); k++) in[k] = s.flush ? flushed(registers[s.in[k]]) : registers[s.in[k]];
  uint64_t result = s.run(in);
  if (s.flush) result = flushed(result);
  for (size_t k = 0; k < s.out.size(); k++) registers[s.out[k]] = low_bits(result >> (k * s.bits), s.bits);
}

// A result's element depends on its own place in the operands: inline assembly is elementwise by contract.
void follow(Context& c, const Inst& i) {
  const Combine& x = i.extra->combine;
  for (size_t q = 0; q < x.out.size(); q++) {
    uint8_t* d = c.undefined + x.out[q];
    std::memset(d, 0, i.lanes);
    for (uint32_t in : x.in)
      for (uint32_t k = 0; c.is_tainted(in) && k < i.lanes; k++) d[k] |= c.undefined[in + k];
    for (const AsmPort& p : i.extra->assembly.outputs)
      if (p.value == q && !p.written) std::memset(d, 1, i.lanes);
    c.flags[x.out[q] >> 6] = std::memchr(d, 1, i.lanes) != nullptr;
  }
}

}  // namespace

void run_assembly(Context& c, const Inst& i) {
  const AsmCode& code = i.extra->assembly;
  const Combine& x = i.extra->combine;
  std::vector<uint64_t> registers;
  for (uint64_t first = 0; first < i.lanes; first += code.pack) {
    registers = code.registers;
    auto each = [&](const AsmPort& p, auto f) {
      for (uint32_t j = 0; j < p.count; j++)
        if (uint64_t lane = first + p.first + j; lane < i.lanes) f(lane, j * 8 * memory_bytes(p.kind));
    };
    for (const AsmPort& p : code.inputs)
      each(p, [&](uint64_t lane, uint32_t shift) {
        registers[p.reg] |= low_bits(read_lane(c, x.in[p.value], p.kind, lane), 8 * memory_bytes(p.kind)) << shift;
      });
    for (const AsmStep& step : code.steps) run_step(step, registers);
    for (const AsmPort& p : code.outputs)
      each(p, [&](uint64_t lane, uint32_t shift) {
        write_lane(c, x.out[p.value], p.kind, lane, low_bits(registers[p.reg] >> shift, 8 * memory_bytes(p.kind)));
      });
  }
  if (c.undefined) follow(c, i);
}

}  // namespace kbx::ir
