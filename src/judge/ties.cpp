// Ties: index results of a reduction (argmax, min with indices) are right if they select an equal value.
#include <cmath>
#include <cstdlib>

#include "judge/arguments.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

// ties_dim is an argument's name, or a number. nullopt: None, that is, over the flattened source.
std::optional<int64_t> reduced_dim(const Evidence& e, const std::string& text) {
  char* end = nullptr;
  long long literal = std::strtoll(text.c_str(), &end, 10);
  if (end != text.c_str() && *end == 0) return literal;
  auto number = number_argument(e.task, e.args, text);
  return number ? std::optional(int64_t(*number)) : std::nullopt;
}

}  // namespace

Ties::Ties(const Evidence& e, const Oracle& oracle, int64_t outputs) {
  const Value* source = argument(e.task, e.args, oracle.ties_source);
  if (!source || source->kind != ValueKind::tensor || is_complex(source->tensor.dtype)) return;
  source_ = View(source->tensor);
  auto rank = int64_t(source_.shape().size());
  auto dim = reduced_dim(e, oracle.ties_dim);
  int64_t size = source_.count(), inner = 1;
  if (dim && rank > 0) {
    int64_t d = *dim < 0 ? *dim + rank : *dim;
    if (d < 0 || d >= rank) return;
    size = source_.shape()[size_t(d)];
    for (int64_t k = d + 1; k < rank; k++) inner *= source_.shape()[size_t(k)];
  }
  if (size == 0 || outputs != source_.count() / size) return;
  size_ = size;
  inner_ = inner;
}

bool Ties::same_value(int64_t flat, int64_t got, int64_t want) const {
  if (got < 0 || want < 0 || got >= size_ || want >= size_) return false;
  int64_t base = flat / inner_ * inner_ * size_ + flat % inner_;
  double a = source_.at(base + got * inner_), b = source_.at(base + want * inner_);
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace kbx::judge
