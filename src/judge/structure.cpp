// The shape of a result, before its values: count, kinds, keys, shapes and dtypes; and inputs that must not change.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "judge/explain.h"
#include "judge/judge.h"

namespace kbx::judge {
namespace {

bool is_sequence(const Value& v) { return v.kind == ValueKind::list || v.kind == ValueKind::tuple; }

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t k = 0; k < shape.size(); k++) text += (k ? ", " : "") + std::to_string(shape[k]);
  return text + "]";
}

// The first difference as a sentence, or "".
std::string difference(const std::string& path, const Value& got, const Value& want) {
  if (got.kind == ValueKind::object) return fmt::format("{} is a {}, expected {}", path, got.text, describe(want));
  bool sequences = is_sequence(got) && is_sequence(want);
  if (got.kind != want.kind && !sequences)
    return fmt::format("{} is {}, expected {}", path, describe(got), describe(want));
  if (got.kind == ValueKind::tensor) {
    const Tensor& g = got.tensor;
    const Tensor& w = want.tensor;
    if (g.shape != w.shape)
      return fmt::format("{} has shape {}, expected {}", path, shape_text(g.shape), shape_text(w.shape));
    if (g.dtype != w.dtype)
      return fmt::format("{} has dtype {}, expected {}", path, torch_name(g.dtype), torch_name(w.dtype));
    return "";
  }
  if (got.kind == ValueKind::string || got.kind == ValueKind::dtype)
    return got.text == want.text ? "" : fmt::format("{} is '{}', expected '{}'", path, got.text, want.text);
  if (got.items.size() != want.items.size())
    return fmt::format("{} has {} elements, expected {}", path, got.items.size(), want.items.size());
  if (got.kind == ValueKind::dict && got.keys != want.keys) return fmt::format("{} has other keys than expected", path);
  for (size_t k = 0; k < got.items.size(); k++) {
    std::string inner = want.kind == ValueKind::dict ? path + "." + want.keys[k] : fmt::format("{}[{}]", path, k);
    if (std::string text = difference(inner, got.items[k], want.items[k]); !text.empty()) return text;
  }
  return "";
}

}  // namespace

std::optional<Judgement> check_structure(const std::string& path, const Value& got, const Value& eager) {
  std::string text = difference(path, got, eager);
  if (text.empty()) return std::nullopt;
  Judgement j;
  j.path = path;
  j.verdict = Verdict::wrong_structure;
  j.metric = "structure";
  j.explanation = std::move(text);
  return j;
}

std::optional<Judgement> check_unchanged(const std::string& path, const Value& before, const Value& after) {
  std::string text = difference(path, after, before);
  auto old_tensors = tensors_of(before, path), new_tensors = tensors_of(after, path);
  Judgement j;
  j.path = path;
  for (size_t k = 0; text.empty() && k < old_tensors.size(); k++) {
    View was(*old_tensors[k].tensor), is(*new_tensors[k].tensor);
    size_t width = size_of(was.dtype()), bytes = size_t(was.count()) * width;
    if (bytes == 0 || std::memcmp(was.data(), is.data(), bytes) == 0) continue;
    auto at = int64_t(size_t(std::mismatch(was.data(), was.data() + bytes, is.data()).first - was.data()) / width);
    j.path = old_tensors[k].path;
    j.index = index_of(at, was.shape());
    j.expected = was.at(at);
    j.got = is.at(at);
    text = fmt::format("the input {} was changed from {} to {}", place_text(j.path, j.index), element_text(was, at),
                       element_text(is, at));
  }
  if (text.empty()) return std::nullopt;
  j.verdict = Verdict::mutated_input;
  j.metric = "bits";
  j.explanation = std::move(text);
  return j;
}

}  // namespace kbx::judge
