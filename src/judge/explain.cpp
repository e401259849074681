// Turning a failed comparison into words.
#include "judge/explain.h"

#include <fmt/core.h>

#include <cmath>

#include "judge/hint.h"
#include "judge/poison.h"

namespace kbx::judge {
namespace {

// Patterns are looked for in outputs up to this size; beyond it the numbers have to do.
constexpr int64_t kHintLimit = int64_t(1) << 24;

std::string error_text(Judgement& j, const Pair& pair, int64_t flat) {
  std::complex<double> got = pair.got.complex_at(flat), want = pair.want.complex_at(flat);
  auto nan = [](std::complex<double> z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  auto inf = [](std::complex<double> z) { return std::isinf(z.real()) || std::isinf(z.imag()); };
  if (nan(got) || nan(want)) {
    j.metric = "nan";
    bool eager_too = pair.overflow && nan(pair.overflow->complex_at(flat));
    if (nan(got))
      return eager_too ? "NaN where the exact result is a number (eager is NaN there too)"
                       : "NaN where a number is expected";
    return "a number where NaN is expected";
  }
  if (inf(got) || inf(want)) {
    j.metric = "inf";
    return inf(got) && inf(want) ? "Inf of the wrong sign"
           : inf(got)            ? "Inf where a finite number is expected"
                                 : "Inf is expected";
  }
  auto element = tolerance_element(pair, flat);
  j.metric = "abs";
  j.bound = pair.tolerance.at(element);
  double error = std::abs(got - want);
  if (j.bound == 0) return fmt::format("off by {:.2g} where it must be exact", error);
  return fmt::format("|error| {:.2g} exceeds {:.2g} ({})", error, j.bound, pair.tolerance.reason_at(element));
}

std::string pattern_text(const Judgement& j, const Pair& pair, const std::vector<uint8_t>& wrong) {
  int64_t n = j.metrics.count, bad = j.metrics.mismatches;
  std::string text = n == 1 ? "" : fmt::format("; {} of {} elements differ", bad, n);
  if (wrong.empty()) return text;
  std::string place = place_hint(pair.got.shape(), wrong), value = value_hint(pair.got, pair.want, wrong);
  if (place == "every element") text = n == 1 ? "" : fmt::format("; all {} elements differ", n), place.clear();
  if (!place.empty()) text += ", " + place;
  if (!value.empty()) text += "; " + value;
  return text;
}

}  // namespace

std::string number_text(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  return std::abs(v) < 1e15 && v == std::floor(v) && std::abs(v) >= 1e4 ? fmt::format("{:.0f}", v)
                                                                        : fmt::format("{:.4g}", v);
}

std::string element_text(const View& view, int64_t flat) {
  if (view.dtype() == Dtype::boolean) return view.at(flat) != 0 ? "true" : "false";
  std::complex<double> z = view.complex_at(flat);
  if (!is_complex(view.dtype())) return number_text(z.real());
  return number_text(z.real()) + (std::signbit(z.imag()) ? "" : "+") + number_text(z.imag()) + "i";
}

std::string place_text(const std::string& path, const std::vector<int64_t>& index) {
  if (index.empty()) return path;
  std::string text = path + "[";
  for (size_t k = 0; k < index.size(); k++) text += (k ? ", " : "") + std::to_string(index[k]);
  return text + "]";
}

void conclude(Judgement& j, const Pair& pair) {
  std::vector<uint8_t> wrong;
  if (j.metrics.mismatches > 0 && pair.got.count() <= kHintLimit) wrong = mismatch_mask(pair);
  conclude_with(j, pair, wrong);
}

void conclude_with(Judgement& j, const Pair& pair, const std::vector<uint8_t>& wrong) {
  if (j.metrics.mismatches == 0) {
    j.verdict = Verdict::correct;
    return;
  }
  j.verdict = Verdict::wrong_value;
  int64_t at = j.metrics.worst;
  PoisonCount poison = wrong.empty() ? PoisonCount{} : count_poison(pair.got, wrong.data());
  if (poison.count > 0) at = poison.first;
  j.index = index_of(at, pair.got.shape());
  j.expected = pair.want.at(at);
  j.got = pair.got.at(at);
  std::string error = error_text(j, pair, at);
  std::string place = place_text(j.path, j.index);
  if (poison.count > 0) {
    j.verdict = Verdict::unwritten_output;
    j.metric = "poison";
    j.explanation = fmt::format("{}: never written; {} of {} elements still hold what the memory held before the call",
                                place, poison.count, j.metrics.count);
    std::string hint = place_hint(pair.got.shape(), wrong);
    if (poison.count == j.metrics.mismatches && !hint.empty() && hint != "every element") j.explanation += ", " + hint;
    return;
  }
  j.explanation = fmt::format("{}: expected {}, got {}; {}{}", place, element_text(pair.want, at),
                              element_text(pair.got, at), error, pattern_text(j, pair, wrong));
}

}  // namespace kbx::judge
