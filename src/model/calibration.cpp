#include "model/calibration.h"

#include <algorithm>
#include <cmath>

namespace kbx {
namespace {

constexpr const char* kKind = "kbx calibration";
constexpr int kVersion = 1;

std::optional<double> rate(const Json& object, const char* key) {
  auto v = get_double(object, key);
  return v && std::isfinite(*v) && *v > 0 ? v : std::nullopt;
}

}  // namespace

Peaks peaks_of(const Calibration& c) {
  return {c.gpu, Peaks::Origin::calibrated, std::max(c.copy_bandwidth, c.read_bandwidth), c.matmul, "kbx calibrate, " + c.date};
}

Json calibration_json(const Calibration& c) {
  Json matmul = Json::object();
  for (size_t k = 0; k < kUnits; k++)
    if (c.matmul[k]) matmul[std::string(to_text(Unit(k)))] = *c.matmul[k];
  return {{"kind", kKind}, {"version", kVersion}, {"gpu", c.gpu}, {"board", c.board}, {"driver", c.driver}, {"date", c.date},
          {"copy_bandwidth", c.copy_bandwidth}, {"read_bandwidth", c.read_bandwidth}, {"matmul", matmul}, {"methods", c.methods}};
}

Result<Calibration> calibration_from(const Json& j) {
  Calibration c;
  auto text = [&](const char* key) { return get_string(j, key).value_or(""); };
  c.gpu = text("gpu");
  if (text("kind") != kKind || c.gpu.empty()) return fail(Code::io, "not a calibration of kbx");
  c.board = text("board");
  c.driver = text("driver");
  c.date = text("date");
  c.copy_bandwidth = rate(j, "copy_bandwidth").value_or(0);
  c.read_bandwidth = rate(j, "read_bandwidth").value_or(0);
  for (size_t k = 0; k < kUnits; k++) c.matmul[k] = rate(get(j, "matmul"), std::string(to_text(Unit(k))).c_str());
  if (const Json& methods = get(j, "methods"); methods.is_object())
    for (const auto& [key, v] : methods.items())
      if (v.is_string()) c.methods[key] = v.get<std::string>();
  return c;
}

}  // namespace kbx
