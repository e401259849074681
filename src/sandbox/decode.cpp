#include "sandbox/decode.h"

#include <fmt/format.h>

#include <limits>

#include "base/hash.h"
#include "base/text.h"
#include "model/tape_json.h"
#include "sandbox/claimed.h"
#include "worker/wire.h"

namespace kbx::sandbox {
namespace {

constexpr size_t kMostBases = 16;  // of an exception's class
using worker::kMaxDims, worker::kMaxValueDepth, worker::kMaxValueItems;

class ResultReader {
 public:
  ResultReader(const Arena& arena, bool on_device, std::vector<std::string>& aliases) : arena_(arena), on_device_(on_device), aliases_(aliases) {}

  Result<Value> read(const Json& j, const std::string& path, int depth) {
    if (depth > kMaxValueDepth || ++count_ > kMaxValueItems) return fail(Code::usage, "the result is nested too deeply or has too many parts");
    std::string t = get_string(j, "t").value_or("");
    Value v;
    if (t == "none") return v;
    if (t == "tensor") return tensor(j, path);
    if (t == "list" || t == "tuple" || t == "dict") return sequence(j, t, path, depth);
    if (t == "bool") return Value::of_bool(get_bool(j, "v").value_or(false));
    if (t == "int") return Value::of_int(get_int(j, "v").value_or(0));
    if (t == "float") return Value::of_float(number(get(j, "v")));
    if (t == "str") return Value::of_string(clean_utf8(get_string(j, "v").value_or(""), 1000));
    v.kind = t == "dtype" ? ValueKind::dtype : t == "device" ? ValueKind::device : ValueKind::object;
    v.text = clean_utf8(get_string(j, "v").value_or(t), 200);
    return v;
  }

 private:
  static double number(const Json& j) {
    if (j.is_number()) return j.get<double>();
    std::string s = j.is_string() ? j.get<std::string>() : "nan";
    if (s == "inf") return std::numeric_limits<double>::infinity();
    if (s == "-inf") return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
  }

  Result<Value> sequence(const Json& j, const std::string& t, const std::string& path, int depth) {
    Value v;
    v.kind = t == "list" ? ValueKind::list : t == "tuple" ? ValueKind::tuple : ValueKind::dict;
    const Json& items = get(j, "v");
    const Json& keys = get(j, "k");
    if (!items.is_array() || (t == "dict" && (!keys.is_array() || keys.size() != items.size())))
      return fail(Code::usage, "malformed " + t + " in the result");
    for (size_t k = 0; k < items.size(); k++) {
      std::string name = path + "[" + std::to_string(k) + "]";
      if (t == "dict") v.keys.push_back(keys[k].is_string() ? clean_utf8(keys[k].get<std::string>(), 100) : "?");
      KBX_TRY_ASSIGN(Value item, read(items[k], name, depth + 1));
      v.items.push_back(std::move(item));
    }
    return v;
  }

  Result<Value> tensor(const Json& j, const std::string& path) {
    auto dtype = dtype_from_text(get_string(j, "dtype").value_or(""));
    const Json& shape = get(j, "shape");
    auto at = get_int(j, "at"), bytes = get_int(j, "bytes");
    if (!dtype || !shape.is_array() || shape.size() > size_t(kMaxDims) || !at || !bytes) return fail(Code::usage, "malformed tensor at " + path);
    std::vector<int64_t> dims;
    int64_t need = int64_t(size_of(*dtype));
    for (const Json& d : shape) {
      if (!d.is_number_integer() || d.get<int64_t>() < 0) return fail(Code::usage, "malformed shape at " + path);
      dims.push_back(d.get<int64_t>());
      if (__builtin_mul_overflow(need, dims.back(), &need)) return fail(Code::usage, "impossible shape at " + path);
    }
    int64_t low = arena_.output_at(), size = arena_.output_bytes();
    if (*bytes != need || *at < low || *bytes > size || *at - low > size - *bytes)
      return fail(Code::usage, fmt::format("the tensor at {} claims {} bytes at {}, outside the result area", path, *bytes, *at));
    // Every tensor has its own place there: a reply that names one place many times would fill our memory.
    taken_ += need;
    if (taken_ > size) return fail(Code::usage, "the result's tensors are larger together than the result area");
    KBX_TRY_ASSIGN(Bytes data, arena_.read(*at, size_t(need)));
    if (auto alias = get_string(j, "alias")) aliases_.push_back(path + " aliases " + clean_utf8(*alias, 60));
    // A result on the CPU where the task's tensors live on the device is a structural fault: keep it visible as an object.
    if (on_device_ && get_string(j, "device").value_or("cuda") == "cpu") {
      Value v;
      v.kind = ValueKind::object;
      v.text = "CPU tensor";
      return v;
    }
    return Value::of_tensor(make_tensor(*dtype, std::move(dims), std::move(data)));
  }

  const Arena& arena_;
  bool on_device_;
  std::vector<std::string>& aliases_;
  int count_ = 0;
  int64_t taken_ = 0;  // bytes of the tensors read so far
};

}  // namespace

Result<Value> decode_result(const Json& result, const Arena& arena, bool on_device, std::vector<std::string>& aliases) {
  return ResultReader(arena, on_device, aliases).read(result, "result", 0);
}

WorkerError decode_error(const Json& j) {
  WorkerError e{claimed_text(j, "kind", 40), claimed_text(j, "type", 100), claimed_text(j, "message", 4000), claimed_text(j, "traceback", 8000), claimed_int(j, "line")};
  if (auto bases = j.find("bases"); j.is_object() && bases != j.end() && bases->is_array())
    for (size_t k = 0; k < bases->size() && k < kMostBases; k++)
      if ((*bases)[k].is_string()) e.bases.push_back(clean_utf8((*bases)[k].get<std::string>(), 100));
  if (e.kind.empty()) e.kind = "runtime_error";
  return e;
}

std::map<std::string, int64_t> decode_ops(const Json& object) {
  std::map<std::string, int64_t> out;
  if (!object.is_object()) return out;
  for (const auto& [key, v] : object.items())
    if (out.size() < 512 && v.is_number_integer()) out[clean_utf8(key, 100)] = v.get<int64_t>();
  return out;
}

Tape decode_tape(const Json& object) {
  auto tape = tape_from_json(object);
  if (tape) {
    tape->trouble = clean_utf8(tape->trouble, 200);
    return std::move(*tape);
  }
  Tape none;
  none.trouble = tape.error().message;
  return none;
}

void decode_texts(const Json& object, std::map<std::string, std::string>& texts) {
  constexpr size_t kMostBytes = 64 << 20;
  if (!object.is_object()) return;
  size_t bytes = 0;
  for (const auto& [hash, text] : texts) bytes += text.size();
  for (const auto& [hash, text] : object.items()) {
    if (!text.is_string()) continue;
    auto words = text.get<std::string>();
    bytes += words.size();
    if (bytes <= kMostBytes && sha256_hex(words) == hash) texts[hash] = std::move(words);
  }
}

std::vector<Compiled> decode_compiled(const Json& list) {
  std::vector<Compiled> out;
  if (!list.is_array()) return out;
  for (const Json& j : list) {
    if (out.size() == 1024) break;
    Compiled c;
    c.kernel = claimed_text(j, "kernel", 200);
    c.arch = claimed_int(j, "arch");
    c.ok = get_bool(j, "ok").value_or(false);
    c.registers = claimed_int(j, "registers");
    c.stack = claimed_int(j, "stack");
    c.spill_stores = claimed_int(j, "spill_stores");
    c.spill_loads = claimed_int(j, "spill_loads");
    c.shared = claimed_int(j, "shared");
    c.num_warps = claimed_int(j, "num_warps");
    c.num_stages = claimed_int(j, "num_stages");
    c.seconds = get_double(j, "seconds").value_or(0);
    c.error = claimed_text(j, "error", 2000);
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace kbx::sandbox
