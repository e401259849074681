#include "clock/compare.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "clock/device/device_bytes.h"
#include "clock/device/device_compare.h"

namespace kbx::clock {
namespace {

constexpr uint64_t kMostCompared = uint64_t(64) << 30;

bool is_dense(const DeviceTensor& t) {
  int64_t expected = 1;
  for (size_t d = t.shape.size(); d-- > 0;) {
    if (t.shape[d] != 1 && t.stride[d] != expected) return false;
    expected *= t.shape[d];
  }
  return true;
}

}  // namespace

Outcome<std::vector<Tolerance>> read_tolerances(const Json& outputs) {
  if (!outputs.is_array()) return fault(Fault::Kind::command, "no list of outputs");
  std::vector<Tolerance> out;
  for (const Json& o : outputs) {
    Tolerance t{get_string(o, "name").value_or(""), get_double(o, "atol").value_or(0), get_double(o, "rtol").value_or(0), get_double(o, "rtol_rms").value_or(0),
                get_bool(o, "exact").value_or(false)};
    if (t.name.empty()) return fault(Fault::Kind::command, "an output without a name");
    out.push_back(std::move(t));
  }
  return out;
}

Json Comparison::json() const {
  Json j{{"name", name}, {"count", count}, {"mismatches", mismatches}, {"max_abs", max_abs}, {"rms_difference", rms_difference}, {"rms_reference", rms_reference}, {"nan", nan}};
  if (!problem.empty()) j["problem"] = problem;
  return j;
}

Outcome<uint64_t> dense_bytes(const DeviceTensor& t, uint64_t most_bytes) {
  uint64_t bytes = size_of(t.dtype);
  for (int64_t d : t.shape)
    if (d == 0) return 0;
  for (int64_t d : t.shape)
    if (__builtin_mul_overflow(bytes, uint64_t(d), &bytes) || bytes > most_bytes) return fault(Fault::Kind::tape, fmt::format("the output '{}' is too large", t.name));
  if (t.shape.size() > device::GatherSpec::kMaxDims && !is_dense(t)) return fault(Fault::Kind::tape, fmt::format("the output '{}' has too many dims", t.name));
  return bytes;
}

Outcome<uint64_t> dense_at(Card& card, const Kernels& kernels, const DeviceTensor& t, Buffer& scratch, uint64_t most_bytes) {
  KBX_TRY_ASSIGN(uint64_t bytes, dense_bytes(t, most_bytes));
  uint64_t start = t.storage.at + uint64_t(t.offset) * size_of(t.dtype);
  if (bytes == 0 || is_dense(t)) return start;
  KBX_TRY_ASSIGN(scratch, Buffer::make(card, bytes));
  device::GatherSpec g{scratch.at(), start, bytes / size_of(t.dtype), uint32_t(size_of(t.dtype)), uint32_t(t.shape.size()), {}, {}};
  for (size_t d = 0; d < t.shape.size(); d++) g.shape[d] = t.shape[d], g.stride[d] = t.stride[d];
  KBX_TRY(kernels.launch("gather", kernels.over(g.count), g));
  return scratch.at();
}

Outcome<Comparison> compare(Card& card, const Kernels& kernels, const DeviceTensor* c, const DeviceTensor* r, const Tolerance& tolerance) {
  Comparison out;
  out.name = tolerance.name;
  auto problem = [&](std::string why) {
    out.problem = std::move(why);
    return out;
  };
  if (!c) return problem("the candidate's tape has no such output");
  if (!r) return problem("the reference's tape has no such output");
  if (c->dtype != r->dtype) return problem(fmt::format("{} instead of {}", to_text(c->dtype), to_text(r->dtype)));
  if (c->shape != r->shape) return problem("another shape than the reference's");
  Buffer dense_c, dense_r, totals_buffer;
  KBX_TRY_ASSIGN(uint64_t bytes, dense_bytes(*c, kMostCompared));
  out.count = bytes / size_of(c->dtype);
  if (out.count == 0) return out;
  device::CompareSpec spec{};
  KBX_TRY_ASSIGN(spec.candidate, dense_at(card, kernels, *c, dense_c, kMostCompared));
  KBX_TRY_ASSIGN(spec.reference, dense_at(card, kernels, *r, dense_r, kMostCompared));
  spec.count = out.count;
  spec.number = uint32_t(c->dtype);
  spec.step = is_complex(c->dtype) ? 2 : 1;
  spec.atol = tolerance.atol, spec.rtol = tolerance.rtol, spec.rtol_rms = tolerance.rtol_rms;
  spec.exact = tolerance.exact || c->dtype == Dtype::boolean;
  device::CompareTotals totals{};
  KBX_TRY_ASSIGN(totals_buffer, Buffer::make(card, sizeof totals));
  KBX_TRY(upload(card, totals_buffer.at(), &totals, sizeof totals));
  auto to = reinterpret_cast<device::CompareTotals*>(totals_buffer.at());
  KBX_TRY(kernels.launch("compare_first", kernels.over(out.count), spec, to));
  KBX_TRY(kernels.launch("compare_second", kernels.over(out.count), spec, to));
  KBX_TRY(download(card, &totals, totals_buffer.at(), sizeof totals));
  auto rms = [](double sum, uint64_t n) { return n ? std::sqrt(sum / double(n)) : 0; };
  out.mismatches = totals.mismatches;
  out.nan = totals.nan;
  out.max_abs = std::bit_cast<double>(totals.max_abs);
  out.rms_difference = rms(totals.sum_difference, totals.finite_difference);
  out.rms_reference = rms(totals.sum_reference, totals.finite_reference);
  return out;
}

}  // namespace kbx::clock
