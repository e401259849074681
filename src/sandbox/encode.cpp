#include "sandbox/encode.h"

#include <cmath>
#include <map>

#include "base/check.h"
#include "sandbox/arena.h"

namespace kbx::sandbox {
namespace {

Json float_json(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}

class Encoder {
 public:
  Encoder(EncodedCall& out, const std::vector<Json>& draws) : out_(out), draws_(draws) {}

  Json value(const Value& v, const std::string& name) {
    switch (v.kind) {
      case ValueKind::none: return {{"t", "none"}};
      case ValueKind::boolean: return {{"t", "bool"}, {"v", v.boolean}};
      case ValueKind::integer: return {{"t", "int"}, {"v", v.integer}};
      case ValueKind::floating: return {{"t", "float"}, {"v", float_json(v.floating)}};
      case ValueKind::string: return {{"t", "str"}, {"v", v.text}};
      case ValueKind::dtype: return {{"t", "dtype"}, {"v", v.text}};
      case ValueKind::device: return {{"t", "device"}};
      case ValueKind::generator: return {{"t", "generator"}, {"v", v.integer}};
      case ValueKind::tensor: return tensor(v, name);
      case ValueKind::list: return {{"t", "list"}, {"v", items(v, name)}};
      case ValueKind::tuple: return {{"t", "tuple"}, {"v", items(v, name)}};
      case ValueKind::dict: return {{"t", "dict"}, {"k", v.keys}, {"v", items(v, name)}};
      case ValueKind::object: break;
    }
    KBX_UNREACHABLE("an object cannot be an argument");
  }

 private:
  Json items(const Value& v, const std::string& name) {
    Json list = Json::array();
    for (size_t k = 0; k < v.items.size(); k++) list.push_back(value(v.items[k], name + "[" + std::to_string(k) + "]"));
    return list;
  }

  Json tensor(const Value& v, const std::string& name) {
    const Tensor& t = v.tensor;
    for (const auto& [seen, seen_name] : tensors_)  // the same tensor twice is one object (out=input)
      if (t.storage && seen->storage == t.storage && seen->shape == t.shape && seen->strides() == t.strides() &&
          seen->offset == t.offset && seen->dtype == t.dtype)
        return {{"t", "copy_of"}, {"v", seen_name}, {"name", name}};
    tensors_.emplace_back(&t, name);
    if (next_draw_ < draws_.size())
      return {{"t", "tensor"}, {"dtype", to_text(t.dtype)}, {"shape", t.shape}, {"stride", t.strides()}, {"offset", 0}, {"at", 0}, {"bytes", 0},
              {"draw", draws_[next_draw_++]}, {"name", name}, {"requires_grad", v.requires_grad}};
    size_t bytes = t.storage ? t.storage->size() : 0;
    return {{"t", "tensor"},      {"dtype", to_text(t.dtype)}, {"shape", t.shape}, {"stride", t.strides()}, {"offset", t.offset},
            {"at", place(t, name)}, {"bytes", bytes},            {"name", name},     {"requires_grad", v.requires_grad}};
  }

  int64_t place(const Tensor& t, const std::string& name) {
    if (t.storage)
      for (const Placement& p : out_.placements)
        if (p.storage == t.storage) return p.at;
    auto up = [](int64_t n) { return (n + Arena::kAlign - 1) / Arena::kAlign * Arena::kAlign; };
    int64_t at = up(out_.bytes) + Arena::kRedzone;
    out_.placements.push_back({name, at, t.storage});
    out_.bytes = at + int64_t(t.storage ? t.storage->size() : 0) + Arena::kRedzone;
    return at;
  }

  EncodedCall& out_;
  const std::vector<Json>& draws_;
  size_t next_draw_ = 0;
  std::vector<std::pair<const Tensor*, std::string>> tensors_;
};

// Values of a variadic parameter share its name: they are told apart as items of a list are.
std::string argument_name(const std::vector<std::string>& names, size_t k) {
  if (k >= names.size() || names[k].empty()) return "argument " + std::to_string(k);
  size_t first = k, last = k;
  while (first > 0 && names[first - 1] == names[k]) first--;
  while (last + 1 < names.size() && names[last + 1] == names[k]) last++;
  return first == last ? names[k] : names[k] + "[" + std::to_string(k - first) + "]";
}

}  // namespace

EncodedCall encode_call(const Call& call, const std::vector<std::string>& names, const std::vector<Json>& draws) {
  EncodedCall out;
  Encoder encoder(out, draws);
  for (size_t k = 0; k < call.args.size(); k++) out.args.push_back(encoder.value(call.args[k], argument_name(names, k)));
  for (const auto& [key, v] : call.kwargs) out.kwargs[key] = encoder.value(v, key);
  return out;
}

}  // namespace kbx::sandbox
