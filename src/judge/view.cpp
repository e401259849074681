// Reading tensors: one converter per dtype.
#include "judge/view.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <cstring>

#include "base/check.h"
#include "judge/half.h"

namespace kbx::judge {
namespace {

// memcpy: the storage of a strided tensor is bytes, with no promise of alignment.
template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void widen(const std::byte* from, int64_t n, double* out) {
  for (int64_t k = 0; k < n; k++) out[k] = double(read<T>(from + size_t(k) * sizeof(T)));
}

using Float4 [[gnu::vector_size(16)]] = float;
using Double4 [[gnu::vector_size(32)]] = double;

// As widen<float>, four at a time: this and the next are what a large comparison spends its reading on.
void widen_f32(const std::byte* from, int64_t n, double* out) {
  int64_t k = 0;
  for (; k + 4 <= n; k += 4) {
    Float4 four;
    std::memcpy(&four, from + k * 4, sizeof four);
    Double4 wide = __builtin_convertvector(four, Double4);
    std::memcpy(out + k, &wide, sizeof wide);
  }
  widen<float>(from + k * 4, n - k, out + k);
}

void widen_f16(const std::byte* from, int64_t n, double* out) {
  int64_t k = 0;
#if defined(__F16C__)
  for (; k + 4 <= n; k += 4) {
    __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + k * 2));
    _mm256_storeu_pd(out + k, _mm256_cvtps_pd(_mm_cvtph_ps(four)));
  }
#endif
  for (; k < n; k++) out[k] = from_f16(read<uint16_t>(from + k * 2));
}

void widen_bf16(const std::byte* from, int64_t n, double* out) {
  for (int64_t k = 0; k < n; k++) out[k] = from_bf16(read<uint16_t>(from + k * 2));
}

}  // namespace

View::View(const Tensor& tensor) : dense_(tensor), count_(tensor.numel()) {
  if (!tensor.contiguous()) dense_ = tensor.dense();
  KBX_CHECK(count_ == 0 || (dense_.storage && dense_.storage->size() >= size_t(count_) * size_of(dense_.dtype)));
}

void View::load(int64_t first, int64_t n, double* out) const {
  KBX_CHECK(first >= 0 && n >= 0 && first + n <= count_);
  const std::byte* from = data() + size_t(first) * size_of(dtype());
  switch (dtype()) {
    case Dtype::f16:
      return widen_f16(from, n, out);
    case Dtype::bf16:
      return widen_bf16(from, n, out);
    case Dtype::f32:
      return widen_f32(from, n, out);
    case Dtype::f64:
      std::memcpy(out, from, size_t(n) * 8);
      return;
    case Dtype::f8e4m3:
      for (int64_t k = 0; k < n; k++) out[k] = from_f8e4m3(uint8_t(from[k]));
      return;
    case Dtype::f8e5m2:
      for (int64_t k = 0; k < n; k++) out[k] = from_f8e5m2(uint8_t(from[k]));
      return;
    case Dtype::i8:
      return widen<int8_t>(from, n, out);
    case Dtype::i16:
      return widen<int16_t>(from, n, out);
    case Dtype::i32:
      return widen<int32_t>(from, n, out);
    case Dtype::i64:
      return widen<int64_t>(from, n, out);
    case Dtype::u8:
      return widen<uint8_t>(from, n, out);
    case Dtype::boolean:
      for (int64_t k = 0; k < n; k++) out[k] = from[k] != std::byte(0);
      return;
    case Dtype::c64:
    case Dtype::c128:
      break;
  }
  KBX_UNREACHABLE("complex elements have no double");
}

double View::at(int64_t flat) const { return complex_at(flat).real(); }

std::complex<double> View::complex_at(int64_t flat) const {
  KBX_CHECK(flat >= 0 && flat < count_);
  const std::byte* from = data() + size_t(flat) * size_of(dtype());
  if (dtype() == Dtype::c64) return {double(read<float>(from)), double(read<float>(from + 4))};
  if (dtype() == Dtype::c128) return {read<double>(from), read<double>(from + 8)};
  double value = 0;
  load(flat, 1, &value);
  return value;
}

std::vector<double> View::all() const {
  std::vector<double> out(static_cast<size_t>(count_));
  load(0, count_, out.data());
  return out;
}

std::vector<std::complex<double>> View::all_complex() const {
  std::vector<std::complex<double>> out(static_cast<size_t>(count_));
  for (int64_t k = 0; k < count_; k++) out[size_t(k)] = complex_at(k);
  return out;
}

bool is_numeric_leaf(const Value& v) {
  return v.kind == ValueKind::tensor || v.kind == ValueKind::boolean || v.kind == ValueKind::integer ||
         v.kind == ValueKind::floating;
}

Tensor leaf_tensor(const Value& v) {
  auto scalar = [](Dtype dtype, const auto& value) {
    Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return make_tensor(dtype, {}, std::move(bytes));
  };
  switch (v.kind) {
    case ValueKind::tensor:
      return v.tensor;
    case ValueKind::boolean:
      return scalar(Dtype::boolean, uint8_t(v.boolean));
    case ValueKind::integer:
      return scalar(Dtype::i64, v.integer);
    case ValueKind::floating:
      return scalar(Dtype::f64, v.floating);
    default:
      break;
  }
  KBX_UNREACHABLE("not a numeric leaf");
}

std::vector<int64_t> index_of(int64_t flat, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return index;
}

}  // namespace kbx::judge
