// Cells and their texts: see the header.
#include "report/analysis/table.h"

#include <fmt/format.h>

#include <cmath>

#include "stats/geometric_mean.h"
#include "stats/proportion.h"
#include "stats/quantile.h"

namespace kbx::report {
namespace {

std::string number(Form form, double v) {
  switch (form) {
    case Form::count: return fmt::format("{:.0f}", v);
    case Form::share: return fmt::format("{:.1f} %", 100 * v);
    case Form::ratio: return fmt::format("{:.{}f}x", v, std::fabs(v) < 10 ? 2 : 1);
    case Form::chance: return v < 0.0001 ? std::string("< 0.0001") : fmt::format("{:.4f}", v);
    case Form::seconds: return fmt::format("{:.1f} s", v);
    default: return fmt::format("{:.4g}", v);
  }
}
std::string bare(Form form, double v) {  // inside brackets: without the unit
  if (form == Form::share) return fmt::format("{:.1f}", 100 * v);
  std::string text = number(form, v);
  if (form == Form::ratio) text.pop_back();
  return text;
}

}  // namespace

Cell word(std::string text) { return {Form::text, std::move(text), {}, {}, {}}; }
Cell count(int64_t n) { return {Form::count, "", double(n), {}, {}}; }
Cell figure(Form form, std::optional<double> value, std::string why) { return {form, value ? "" : std::move(why), value, {}, {}}; }
Cell between(Form form, double value, double low, double high) { return {form, "", value, low, high}; }
Cell missing(std::string why) { return {Form::number, std::move(why), {}, {}, {}}; }

Cell share_of(int64_t k, int64_t n) {
  if (n <= 0) return missing("–");
  auto interval = stats::wilson_interval(k, n);
  return between(Form::share, double(k) / double(n), interval->low, interval->high);
}

Cell geometric(const std::vector<double>& values) {
  if (values.empty()) return missing("–");
  auto mean = stats::geometric_mean_estimate(values);
  if (!mean) return missing(fmt::format("too few: {}", values.size()));
  return between(Form::ratio, mean->value, mean->interval.low, mean->interval.high);
}

Cell median(Form form, const std::vector<double>& values) {
  auto middle = stats::quantile(values, 0.5);
  if (!middle) return missing("–");
  Cell cell{form, "", middle, {}, {}};
  if (auto interval = stats::quantile_interval(values, 0.5)) {
    cell.low = interval->low;
    cell.high = interval->high;
  }
  return cell;
}

std::string plain(const Cell& c) {
  if (c.form == Form::text || !c.value) return c.text;
  std::string text = number(c.form, *c.value);
  if (c.low && c.high) text += " [" + bare(c.form, *c.low) + ", " + bare(c.form, *c.high) + "]";
  return text;
}

}  // namespace kbx::report
