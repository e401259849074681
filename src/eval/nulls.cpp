#include "eval/nulls.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "eval/evidence.h"
#include "judge/judge.h"
#include "worker/wire.h"

namespace kbx::eval {
namespace {

using Roots = std::map<std::string, Value>;

// A number as an element of the dtype; halves by rounding through their bits (0, 1, NaN and means need no more care).
void put(Dtype d, double v, std::byte* to) {
  auto as = [&](auto x) { std::memcpy(to, &x, sizeof x); };
  float f = float(v);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  switch (d) {
    case Dtype::f32: return as(f);
    case Dtype::f64: return as(v);
    case Dtype::bf16: return as(uint16_t(bits >> 16));
    case Dtype::f16: {
      if (std::isnan(v)) return as(uint16_t(0x7e00));
      int e = 0;
      double m = std::frexp(std::fabs(v), &e);  // [0.5, 1)
      if (v == 0 || e < -13) return as(uint16_t(v < 0 ? 0x8000 : 0));
      uint16_t h = e > 16 ? 0x7bff : uint16_t(((e + 14) << 10) + int((m * 2 - 1) * 1024));
      return as(uint16_t(h | (v < 0 ? 0x8000 : 0)));
    }
    case Dtype::c64: {
      float pair[2] = {f, 0};
      return as(pair);
    }
    case Dtype::c128: {
      double pair[2] = {v, 0};
      return as(pair);
    }
    case Dtype::i64: return as(int64_t(std::isnan(v) ? 0 : v));
    case Dtype::i32: return as(int32_t(std::isnan(v) ? 0 : v));
    case Dtype::i16: return as(int16_t(std::isnan(v) ? 0 : v));
    default: return as(int8_t(std::isnan(v) ? 0 : v));
  }
}

Value like(const Value& v, double number) {
  if (v.kind != ValueKind::tensor) {
    Value out = v;
    if (v.kind == ValueKind::floating) out.floating = number;
    if (v.kind == ValueKind::integer) out.integer = std::isnan(number) ? 0 : int64_t(number);
    if (v.kind == ValueKind::boolean) out.boolean = number != 0;
    for (Value& item : out.items) item = like(item, number);
    return out;
  }
  size_t width = size_of(v.tensor.dtype);
  Bytes bytes(size_t(v.tensor.numel()) * width);
  for (size_t k = 0; k < bytes.size(); k += width) put(v.tensor.dtype, number, bytes.data() + k);
  return Value::of_tensor(make_tensor(v.tensor.dtype, v.tensor.shape, std::move(bytes)));
}

std::optional<Roots> constant(const TaskTruth& t, size_t k, double number) {
  Roots out;
  for (const auto& [root, r] : t.cases[k].roots) out[root] = like(r.eager, number);
  return out;
}

std::optional<Roots> poison(const TaskTruth& t, size_t k) {
  Roots out;
  for (const auto& [root, r] : t.cases[k].roots) {
    Value v = like(r.eager, 0);
    auto visit = [](auto&& self, Value& x) -> void {
      if (x.kind == ValueKind::tensor) {
        Bytes bytes(size_t(x.tensor.numel()) * size_of(x.tensor.dtype));
        for (size_t b = 0; b + 1 < bytes.size(); b += 2) std::memcpy(bytes.data() + b, &worker::kPoison, 2);
        x.tensor = make_tensor(x.tensor.dtype, x.tensor.shape, std::move(bytes));
      }
      for (Value& item : x.items) self(self, item);
    };
    visit(visit, v);
    out[root] = std::move(v);
  }
  return out;
}

double mean_of(const Tensor& t) {
  Tensor d = t.dense();
  if (d.dtype != Dtype::f64 || d.numel() == 0) return 0;
  double sum = 0;
  int64_t n = 0;
  for (int64_t k = 0; k < d.numel(); k++) {
    double v;
    std::memcpy(&v, d.data() + 8 * k, 8);
    if (std::isfinite(v)) sum += v, n++;
  }
  return n ? sum / double(n) : 0;
}

std::optional<Roots> mean(const TaskTruth& t, size_t k) {
  Roots out;
  for (const auto& [root, r] : t.cases[k].roots) {
    // Leaf by leaf: like() with each leaf's own mean.
    auto walk = [](auto&& self, const Value& eager, const Value& truth) -> Value {
      if (eager.kind == ValueKind::tensor) {
        if (eager.tensor.numel() <= 1) return like(eager, 0);  // the mean of one element is the element
        return like(eager, truth.kind == ValueKind::tensor ? mean_of(truth.tensor) : 0);
      }
      Value v = eager;
      for (size_t q = 0; q < v.items.size(); q++) v.items[q] = self(self, eager.items[q], q < truth.items.size() ? truth.items[q] : Value());
      return v;
    };
    out[root] = walk(walk, r.eager, r.truth);
  }
  return out;
}

// Every tensor leaf replaced by the first input of its shape and dtype.
std::optional<Roots> input_copy(const TaskTruth& t, size_t k) {
  const CaseTruth& c = t.cases[k];
  std::vector<TensorRef> inputs;
  for (const Value& v : c.call.args)
    for (auto& ref : tensors_of(v, "")) inputs.push_back(ref);
  for (const auto& [key, v] : c.call.kwargs)
    for (auto& ref : tensors_of(v, key)) inputs.push_back(ref);
  bool found = false;
  auto walk = [&](auto&& self, const Value& eager) -> Value {
    Value v = eager;
    if (eager.kind == ValueKind::tensor) {
      v = like(eager, 0);
      for (const TensorRef& ref : inputs)
        if (ref.tensor->shape == eager.tensor.shape && ref.tensor->dtype == eager.tensor.dtype && eager.tensor.numel() > 0) {
          v = Value::of_tensor(ref.tensor->dense());
          found = true;
          break;
        }
    }
    for (size_t q = 0; q < v.items.size(); q++) v.items[q] = self(self, eager.items[q]);
    return v;
  };
  Roots out;
  for (const auto& [root, r] : c.roots) out[root] = walk(walk, r.eager);
  if (!found) return std::nullopt;
  return out;
}

// The case's repeat has the same shapes and other inputs: its right answer is wrong here.
std::optional<Roots> previous(const TaskTruth& t, size_t k) {
  for (size_t q = 0; q < t.cases.size(); q++) {
    if (q == k || t.cases[q].which != t.cases[k].which) continue;
    Roots out;
    for (const auto& [root, r] : t.cases[q].roots) {
      if (describe(r.eager) != describe(t.cases[k].roots.at(root).eager)) return std::nullopt;
      out[root] = r.eager;
    }
    return out;
  }
  return std::nullopt;
}

// v in as many significant bits as a coarser format keeps, to nearest; its range is not narrowed.
double rounded(double v, int bits) {
  int e = 0;
  double m = std::frexp(v, &e);
  return std::ldexp(std::nearbyint(std::ldexp(m, bits)), e - bits);
}

// `eager` with the float64 truth's finite numbers, each rounded to `bits` significant bits. False: nothing was rounded.
bool coarsen(Tensor& eager, const Tensor& truth, Dtype part, int bits) {
  Tensor exact = truth.dense(), old = eager.dense();
  size_t width = size_of(part), n = size_t(old.numel()) * size_of(old.dtype) / width;
  if (truth.shape != eager.shape || size_t(exact.numel()) * size_of(exact.dtype) != 8 * n) return false;
  bool changed = false;
  Bytes bytes(old.data(), old.data() + n * width);
  for (size_t k = 0; k < n; k++) {
    double was;
    std::memcpy(&was, exact.data() + 8 * k, 8);
    double now = rounded(was, bits);
    if (!std::isfinite(was) || !std::isfinite(now)) continue;
    changed |= now != was;
    put(part, now, bytes.data() + width * k);
  }
  eager = make_tensor(old.dtype, old.shape, std::move(bytes));
  return changed;
}

// Is a float input of the call coarser than the format? Then so may be its results: what is made of float32 in float32 and
// returned as float64 need not be more exact.
bool comes_from_coarser(const Call& call, Dtype part) {
  auto coarse = [&](const Value& v) {
    for (const TensorRef& ref : tensors_of(v, "")) {
      Dtype d = ref.tensor->dtype;
      if ((is_floating(d) || is_complex(d)) && size_of(d) / (is_complex(d) ? 2 : 1) < size_of(part)) return true;
    }
    return false;
  };
  return std::any_of(call.args.begin(), call.args.end(), coarse) || std::any_of(call.kwargs.begin(), call.kwargs.end(), [&](const auto& p) { return coarse(p.second); });
}

// Every leaf of real or complex numbers of format `part` coarsened; nullopt: that changes nothing.
std::optional<Roots> coarser(const TaskTruth& t, size_t k, Dtype part, int bits) {
  if (comes_from_coarser(t.cases[k].call, part)) return std::nullopt;
  bool changed = false;
  auto of_part = [&](Dtype d) { return d == part || (d == Dtype::c64 && part == Dtype::f32) || (d == Dtype::c128 && part == Dtype::f64); };
  auto walk = [&](auto&& self, Value& v, const Value& truth) -> void {
    if (v.kind == ValueKind::tensor && truth.kind == ValueKind::tensor && v.tensor.numel() > 0 && of_part(v.tensor.dtype)) changed |= coarsen(v.tensor, truth.tensor, part, bits);
    for (size_t q = 0; q < v.items.size() && q < truth.items.size(); q++) self(self, v.items[q], truth.items[q]);
  };
  Roots out;
  for (const auto& [root, r] : t.cases[k].roots) walk(walk, out[root] = r.eager, r.truth);
  if (!changed) return std::nullopt;
  return out;
}

bool accepts(const Task& task, const CaseTruth& c, const Roots& outputs) {
  for (const auto& [root, expected] : c.roots) {
    const Value& got = outputs.at(root);
    judge::Evidence e = evidence_for(task, c, root, expected);
    e.got = &got;
    if (root == "result" && c.which->calls > 1) e.got_again = &got;
    for (const Judgements& j : judge::judge_result(e))
      if (j.kbx.verdict != Verdict::correct) return false;
  }
  return true;
}

}  // namespace

const std::vector<Null>& null_battery() {
  static const std::vector<Null> table{
      {"zeros", [](const TaskTruth& t, size_t k) { return constant(t, k, 0); }},
      {"ones", [](const TaskTruth& t, size_t k) { return constant(t, k, 1); }},
      {"NaN", [](const TaskTruth& t, size_t k) { return constant(t, k, NAN); }},
      {"uninitialised", poison},
      {"mean of the output", mean},
      {"copy of an input", input_copy},
      {"previous output", previous},
      {"float64 kept as float32", [](const TaskTruth& t, size_t k) { return coarser(t, k, Dtype::f64, 24); }, true},
      {"float32 kept as float16", [](const TaskTruth& t, size_t k) { return coarser(t, k, Dtype::f32, 11); }, true},
      {"float16 kept as bfloat16", [](const TaskTruth& t, size_t k) { return coarser(t, k, Dtype::f16, 8); }, true},
  };
  return table;
}

std::vector<std::string> passing_nulls(const Task& task, const TaskTruth& truth) {
  std::vector<std::string> out;
  for (const Null& null : null_battery()) {
    bool exists = false, passes = true;
    for (size_t k = 0; k < truth.cases.size() && passes; k++) {
      if (!truth.cases[k].which->raises.empty()) continue;
      auto outputs = null.make(truth, k);
      exists |= outputs.has_value();
      passes = outputs ? accepts(task, truth.cases[k], *outputs) : null.else_right;
    }
    if (exists && passes) out.push_back(null.name);
  }
  return out;
}

}  // namespace kbx::eval
