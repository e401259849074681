// Tensors and evidence for the judge's tests: literals, seeded normals, encoders of the half formats.
#pragma once
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/philox.h"
#include "judge/judge.h"

namespace kbx::judge {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// Round to nearest even, by way of the format's spacing; overflow gives Inf.
inline uint16_t to_f16(double v) {
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  double a = std::abs(v);
  if (std::isnan(v)) return uint16_t(sign | 0x7e00);
  if (a >= 65520) return uint16_t(sign | 0x7c00);
  int exponent = a > 0 ? std::max(-14, std::ilogb(a)) : -14;
  auto units = int64_t(std::nearbyint(std::ldexp(a, 10 - exponent)));
  return uint16_t(sign | (((exponent + 14) << 10) + units));
}
inline uint16_t to_bf16(double v) {
  auto bits = std::bit_cast<uint32_t>(float(v));
  if (std::isnan(v)) return 0x7fc0;
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

template <class T>
std::vector<T> cast(const std::vector<double>& values) {
  std::vector<T> out;
  for (double v : values) out.push_back(T(v));
  return out;
}

inline Tensor tensor(Dtype dtype, std::vector<int64_t> shape, const std::vector<double>& v) {
  std::vector<uint16_t> half;
  switch (dtype) {
    case Dtype::f32:
      return make_tensor(dtype, shape, bytes_of(cast<float>(v)));
    case Dtype::f64:
      return make_tensor(dtype, shape, bytes_of(v));
    case Dtype::i64:
      return make_tensor(dtype, shape, bytes_of(cast<int64_t>(v)));
    case Dtype::i32:
      return make_tensor(dtype, shape, bytes_of(cast<int32_t>(v)));
    case Dtype::i16:
      return make_tensor(dtype, shape, bytes_of(cast<int16_t>(v)));
    case Dtype::i8:
      return make_tensor(dtype, shape, bytes_of(cast<int8_t>(v)));
    case Dtype::u8:
    case Dtype::boolean:
      return make_tensor(dtype, shape, bytes_of(cast<uint8_t>(v)));
    case Dtype::f16:
      for (double x : v) half.push_back(to_f16(x));
      break;
    case Dtype::bf16:
      for (double x : v) half.push_back(to_bf16(x));
      break;
    default:
      std::abort();
  }
  return make_tensor(dtype, shape, bytes_of(half));
}
inline Tensor tensor_c64(std::vector<int64_t> shape, const std::vector<std::complex<double>>& v) {
  std::vector<float> parts;
  for (auto z : v) parts.push_back(float(z.real())), parts.push_back(float(z.imag()));
  return make_tensor(Dtype::c64, std::move(shape), bytes_of(parts));
}
inline Tensor tensor_c128(std::vector<int64_t> shape, const std::vector<std::complex<double>>& v) {
  return make_tensor(Dtype::c128, std::move(shape), bytes_of(v));
}

inline Value value(Dtype dtype, std::vector<int64_t> shape, const std::vector<double>& v) {
  return Value::of_tensor(tensor(dtype, std::move(shape), v));
}
inline Value tuple_of(std::vector<Value> items) {
  Value v;
  v.kind = ValueKind::tuple;
  v.items = std::move(items);
  return v;
}

// Uniform on (0, 1) and standard normals; seed chooses the stream.
inline std::vector<double> uniforms(size_t n, uint32_t seed) {
  std::vector<double> out;
  for (uint32_t block = 0; out.size() < n; block++)
    for (uint32_t word : philox4x32_10({block, seed, 0, 0}, {7, 11})) out.push_back((double(word) + 0.5) * 0x1p-32);
  out.resize(n);
  return out;
}
inline std::vector<double> normals(size_t n, uint32_t seed) {
  std::vector<double> u = uniforms(2 * n, seed), out(n);
  for (size_t k = 0; k < n; k++) out[k] = std::sqrt(-2 * std::log(u[2 * k])) * std::cos(2 * M_PI * u[2 * k + 1]);
  return out;
}
inline std::vector<double> mapped(std::vector<double> v, const std::function<double(double)>& f) {
  for (double& x : v) x = f(x);
  return v;
}
inline std::vector<double> rounded_f32(std::vector<double> v) {
  return mapped(std::move(v), [](double x) { return double(float(x)); });
}

// A question to the judge that owns its values.
struct Asked {
  Task task;
  Call args;
  std::string path = "result";
  Value got, eager;
  std::optional<Oracle> of_case;
  std::optional<Value> truth, permuted, narrow, magnitude, scheme, survivors, dropped, probability, domain, got_again;

  Oracle& oracle() { return task.oracle; }
  Asked& parameter(const std::string& name, Value v, std::optional<std::string> otherwise = std::nullopt) {
    task.entry.parameters.push_back({name, "", otherwise});
    args.args.push_back(std::move(v));
    return *this;
  }
  Evidence evidence() const {
    auto at = [](const std::optional<Value>& v) { return v ? &*v : nullptr; };
    return {task,         args,          path,       &got,          &eager,     at(truth),
            at(permuted), at(narrow),    at(magnitude), at(scheme), at(survivors), at(dropped), at(probability), at(domain), at(got_again),
            of_case ? &*of_case : nullptr};
  }
  Judgement kbx() const { return judge_output(evidence()).kbx; }
  Judgement paper() const { return judge_output(evidence()).paper; }
};

}  // namespace kbx::judge
