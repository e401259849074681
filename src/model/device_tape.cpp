// The bytes of a device tape: one writer and one checked reader over the same list of fields.
#include "model/device_tape.h"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

#include "base/check.h"

namespace kbx {
namespace {

constexpr char kMagic[8] = {'K', 'B', 'X', 'D', 'E', 'V', '0', '1'};
constexpr size_t kAttributeBytes = 72, kMaxItems = 1u << 20, kMaxName = 1u << 16, kMaxDims = 64;

class Writer {
 public:
  static constexpr bool kReads = false;
  Bytes out;

  bool raw(const void* data, size_t size) {
    auto from = static_cast<const std::byte*>(data);
    out.insert(out.end(), from, from + size);
    return true;
  }
  template <class T>
  bool number(const T& v) { return raw(&v, sizeof v); }
  bool text(const std::string& s) { return number(uint64_t(s.size())) && raw(s.data(), s.size()); }
  bool bytes(const Bytes& b) { return number(uint64_t(b.size())) && raw(b.data(), b.size()); }
  bool size(const uint64_t& n) { return number(n); }
};

class Reader {
 public:
  static constexpr bool kReads = true;
  Reader(const std::byte* data, size_t size) : at_(data), left_(size) {}
  size_t left() const { return left_; }

  bool raw(void* to, size_t size) {
    if (size > left_) return false;
    std::memcpy(to, at_, size);
    return skip(size);
  }
  template <class T>
  bool number(T& v) { return raw(&v, sizeof v); }
  bool text(std::string& s) {
    uint64_t n = 0;
    if (!number(n) || n > left_ || n > kMaxName) return false;
    s.assign(reinterpret_cast<const char*>(at_), n);
    return skip(n);
  }
  bool bytes(Bytes& b) {
    uint64_t n = 0;
    if (!number(n) || n > left_) return false;
    b.assign(at_, at_ + n);
    return skip(n);
  }
  // The number of items that follow, each of at least one byte.
  bool size(uint64_t& n) { return number(n) && n <= left_ && n <= kMaxItems; }

 private:
  bool skip(size_t n) {
    at_ += n;
    left_ -= n;
    return true;
  }
  const std::byte* at_;
  size_t left_;
};

template <class S, class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// One function a structure; S is Writer with const structures, or Reader. Each returns false when the bytes end early.
template <class S, class T> requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
bool field(S& s, T& v) { return s.number(v); }
template <class S> bool field(S& s, std::string& v) { return s.text(v); }
template <class S> bool field(S& s, const std::string& v) { return s.text(v); }
template <class S> bool field(S& s, Bytes& v) { return s.bytes(v); }
template <class S> bool field(S& s, const Bytes& v) { return s.bytes(v); }

template <class S, class... T>
bool fields(S& s, T&... v) { return (field(s, v) && ...); }

template <class S, class A> requires requires(A& a) { std::tuple_size<std::remove_const_t<A>>::value; }
bool field(S& s, A& triple) { return fields(s, triple[0], triple[1], triple[2]); }

template <class T> concept Range = std::is_same_v<std::remove_const_t<T>, DeviceRange>;
template <class T> concept Param = std::is_same_v<std::remove_const_t<T>, DeviceParameter>;
template <class T> concept Image = std::is_same_v<std::remove_const_t<T>, DeviceImage>;
template <class T> concept Function = std::is_same_v<std::remove_const_t<T>, DeviceFunction>;
template <class T> concept TensorOf = std::is_same_v<std::remove_const_t<T>, DeviceTensor>;
template <class T> concept Constant = std::is_same_v<std::remove_const_t<T>, DeviceConstant>;

template <class S, Range T> bool field(S& s, T& v) { return fields(s, v.at, v.bytes); }
template <class S, Param T> bool field(S& s, T& v) { return fields(s, v.offset, v.size); }

template <class S, class T>
bool list(S& s, T& items) {
  uint64_t n = items.size();
  if (!s.size(n)) return false;
  if constexpr (S::kReads) items.resize(n);
  for (auto& item : items)
    if (!field(s, item)) return false;
  return true;
}

template <class S, Image T> bool field(S& s, T& v) { return fields(s, v.kind, v.via, v.origin, v.data); }
template <class S, Function T>
bool field(S& s, T& v) {
  return fields(s, v.image, v.name, v.dynamic_shared, v.cache_config, v.nonportable_cluster, v.carveout) && list(s, v.parameters);
}
template <class S, TensorOf T>
bool field(S& s, T& v) { return fields(s, v.name, v.dtype, v.storage, v.offset) && list(s, v.shape) && list(s, v.stride); }
template <class S, Constant T> bool field(S& s, T& v) { return fields(s, v.at, v.data); }

template <class S, class T>
bool entry_fields(S& s, T& v) {
  using E = std::remove_const_t<T>;
  if constexpr (std::is_same_v<E, DeviceLaunch>) return fields(s, v.function, v.grid, v.block, v.shared, v.cooperative, v.stream, v.attributes, v.parameters);
  else if constexpr (std::is_same_v<E, DeviceFill>) return fields(s, v.at, v.width, v.value, v.pitch, v.columns, v.rows, v.stream);
  else if constexpr (std::is_same_v<E, DeviceCopy>) return fields(s, v.kind, v.to, v.from, v.columns, v.rows, v.to_pitch, v.from_pitch, v.stream, v.data);
  else return fields(s, v.event, v.stream);
}

template <size_t K = 0>
bool read_entry(Reader& s, uint32_t kind, DeviceEntry& out) {
  if constexpr (K < std::variant_size_v<DeviceEntry>) {
    if (kind != K) return read_entry<K + 1>(s, kind, out);
    return entry_fields(s, out.emplace<K>());
  } else {
    return false;
  }
}
bool field(Reader& s, DeviceEntry& e) {
  uint32_t kind = 0;
  return s.number(kind) && read_entry(s, kind, e);
}
bool field(Writer& s, const DeviceEntry& e) {
  return s.number(uint32_t(e.index())) && std::visit([&](const auto& v) { return entry_fields(s, v); }, e);
}

template <class S, class T>
bool counts(S& s, T& calls) {
  uint64_t n = calls.size();
  if (!s.size(n)) return false;
  if constexpr (S::kReads) {
    for (uint64_t k = 0; k < n; k++) {
      std::string name;
      int64_t times = 0;
      if (!fields(s, name, times)) return false;
      calls[name] = times;
    }
  } else {
    for (auto& [name, times] : calls)
      if (!fields(s, name, times)) return false;
  }
  return true;
}

template <class S, class T>
bool whole(S& s, T& t) {
  return fields(s, t.base, t.bytes, t.streams, t.events, t.threads) && list(s, t.images) && list(s, t.functions) && list(s, t.entries) && list(s, t.live) &&
         list(s, t.inputs) && list(s, t.outputs) && list(s, t.constants) && counts(s, t.calls) && list(s, t.trouble);
}

// ---- what must hold; each returns "" or a sentence

struct Checker {
  const DeviceTape& t;

  bool inside(uint64_t at, uint64_t bytes) const { return at >= t.base && bytes <= t.bytes && at - t.base <= t.bytes - bytes; }
  // rows of `row` bytes, `pitch` apart
  bool inside(uint64_t at, uint64_t row, uint64_t pitch, uint64_t rows) const {
    uint64_t span = 0;
    if (rows == 0 || row == 0) return true;
    return !__builtin_mul_overflow(pitch, rows - 1, &span) && !__builtin_add_overflow(span, row, &span) && inside(at, span);
  }

  std::string arena() const {
    if (t.bytes > kDeviceArenaBytes) return "the arena is too large";
    if (t.base % kDeviceBaseAlign || t.base < kDeviceBaseFirst || t.base > kDeviceBaseLast) return "the arena lies at an impossible address";
    if (t.streams == 0 || t.streams > 1024 || t.events > 65536) return "too many streams or events";
    return "";
  }
  std::string function(const DeviceFunction& f) const {
    if (f.image >= t.images.size()) return "a function of an image that is not there";
    for (const DeviceParameter& p : f.parameters)
      if (p.offset > 65536 || p.size > 65536) return "a parameter beyond 64 KiB";
    return "";
  }
  std::string tensor(const DeviceTensor& v, bool output) const {
    if (v.dtype > Dtype::c128) return "a tensor of no dtype";
    if (v.shape.size() != v.stride.size() || v.shape.size() > kMaxDims) return "a tensor whose strides do not fit its shape";
    if (!inside(v.storage.at, v.storage.bytes)) return fmt::format("{} lies outside the arena", output ? "an output" : "an input");
    uint64_t last = uint64_t(v.offset);
    if (v.offset < 0) return "a tensor with a negative offset";
    bool empty = false;
    for (size_t d = 0; d < v.shape.size(); d++) {
      uint64_t step = 0;
      if (v.shape[d] < 0 || v.stride[d] < 0) return "a tensor with a negative size or stride";
      if (v.shape[d] == 0) empty = true;
      else if (__builtin_mul_overflow(uint64_t(v.shape[d] - 1), uint64_t(v.stride[d]), &step) || __builtin_add_overflow(last, step, &last)) return "a tensor that overflows";
    }
    if (!empty && last >= v.storage.bytes / size_of(v.dtype)) return "a tensor beyond its storage";
    return "";
  }
  std::string entry(const DeviceLaunch& l) const {
    if (l.function >= t.functions.size() || l.stream >= t.streams) return "a launch of a function or on a stream that is not there";
    if (l.attributes.size() % kAttributeBytes || l.attributes.size() > 16 * kAttributeBytes) return "malformed launch attributes";
    for (const DeviceParameter& p : t.functions[l.function].parameters)
      if (uint64_t(p.offset) + p.size > l.parameters.size()) return "a launch with too few parameter bytes";
    return "";
  }
  std::string entry(const DeviceFill& f) const {
    uint64_t row = 0;
    if (f.width != 1 && f.width != 2 && f.width != 4) return "a fill of impossible width";
    if (f.stream >= t.streams || __builtin_mul_overflow(f.columns, uint64_t(f.width), &row) || !inside(f.at, row, f.pitch, f.rows)) return "a fill outside the arena";
    return "";
  }
  std::string entry(const DeviceCopy& c) const {
    uint64_t bytes = 0;
    bool reads = c.kind != DeviceCopy::Kind::to_device, writes = c.kind != DeviceCopy::Kind::to_host;
    if (c.kind > DeviceCopy::Kind::to_host || c.stream >= t.streams) return "a copy of no kind or on a stream that is not there";
    if (writes && !inside(c.to, c.columns, c.to_pitch, c.rows)) return "a copy to outside the arena";
    if (reads && !inside(c.from, c.columns, c.from_pitch, c.rows)) return "a copy from outside the arena";
    if (!reads && (__builtin_mul_overflow(c.columns, c.rows, &bytes) || c.data.size() != bytes)) return "a copy from the host without its bytes";
    return "";
  }
  std::string entry(const DeviceRecord& r) const { return r.event < t.events && r.stream < t.streams ? "" : "an event that is not there"; }
  std::string entry(const DeviceWait& w) const { return w.event < t.events && w.stream < t.streams ? "" : "an event that is not there"; }

  template <class List, class F>
  std::string first(const List& items, F check) const {
    for (const auto& item : items)
      if (std::string why = check(item); !why.empty()) return why;
    return "";
  }
  std::string all() const {
    auto outside = [&](const DeviceRange& r) { return std::string(inside(r.at, r.bytes) ? "" : "an allocation outside the arena"); };
    auto constant = [&](const DeviceConstant& c) { return std::string(inside(c.at, c.data.size()) ? "" : "a constant outside the arena"); };
    for (std::string why : {arena(), first(t.functions, [&](const auto& f) { return function(f); }),
                            first(t.inputs, [&](const auto& v) { return tensor(v, false); }), first(t.outputs, [&](const auto& v) { return tensor(v, true); }),
                            first(t.live, outside), first(t.constants, constant),
                            first(t.entries, [&](const DeviceEntry& e) { return std::visit([&](const auto& v) { return entry(v); }, e); })})
      if (!why.empty()) return why;
    return "";
  }
};

}  // namespace

size_t DeviceTape::launches() const {
  size_t n = 0;
  for (const DeviceEntry& e : entries) n += std::holds_alternative<DeviceLaunch>(e);
  return n;
}

Bytes dump_device_tape(const DeviceTape& tape) {
  Writer w;
  w.raw(kMagic, sizeof kMagic);
  KBX_CHECK(whole(w, tape));
  return std::move(w.out);
}

Result<DeviceTape> parse_device_tape(const std::byte* data, size_t size) {
  Reader r(data, size);
  char magic[sizeof kMagic];
  if (!r.raw(magic, sizeof magic) || std::memcmp(magic, kMagic, sizeof magic) != 0) return fail(Code::usage, "the tape does not start as one");
  DeviceTape tape;
  if (!whole(r, tape)) return fail(Code::usage, "the tape ends too early or says a length that cannot be");
  if (r.left()) return fail(Code::usage, fmt::format("{} bytes follow the tape's end", r.left()));
  if (std::string why = Checker{tape}.all(); !why.empty()) return fail(Code::usage, "the tape holds " + why);
  return tape;
}

}  // namespace kbx
