// Launches and findings as JSON: see the header.
#include "store/launch_json.h"

#include <cmath>

namespace kbx::store {
namespace {

std::string text(const Json& j, const char* key) { return get_string(j, key).value_or(""); }
int64_t integer(const Json& j, const char* key, int64_t otherwise = 0) { return get_int(j, key).value_or(otherwise); }

void put(Json& j, const char* key, int64_t v) {
  if (v) j[key] = v;
}
void put(Json& j, const char* key, const std::string& v) {
  if (!v.empty()) j[key] = v;
}
void put(Json& j, const char* key, const std::vector<int64_t>& v) {
  if (!v.empty()) j[key] = v;
}
std::vector<int64_t> integers(const Json& list) {
  std::vector<int64_t> out;
  if (list.is_array())
    for (const Json& v : list)
      if (v.is_number_integer()) out.push_back(v.get<int64_t>());
  return out;
}

Json line_json(const LaunchLine& l) {
  Json j = {{"line", l.line}};
  put(j, "load_bytes", l.load_bytes);
  put(j, "store_bytes", l.store_bytes);
  put(j, "atomic_bytes", l.atomic_bytes);
  put(j, "flops", l.flops);
  put(j, "instructions", l.instructions);
  return j;
}
LaunchLine line_from(const Json& j) {
  return {int(integer(j, "line")), integer(j, "load_bytes"), integer(j, "store_bytes"), integer(j, "atomic_bytes"), integer(j, "flops"), integer(j, "instructions")};
}

Json tensor_json(const LaunchTensor& t) {
  Json j = {{"argument", t.argument}, {"bytes", t.bytes}};
  put(j, "tensor", t.tensor);
  if (t.storage >= 0) j["storage"] = t.storage;
  put(j, "load_bytes", t.load_bytes);
  put(j, "store_bytes", t.store_bytes);
  put(j, "atomic_bytes", t.atomic_bytes);
  put(j, "unique_load_bytes", t.unique_load_bytes);
  put(j, "unique_store_bytes", t.unique_store_bytes);
  return j;
}
LaunchTensor tensor_from(const Json& j) {
  return {text(j, "argument"), text(j, "tensor"), integer(j, "storage", -1), integer(j, "bytes"), integer(j, "load_bytes"), integer(j, "store_bytes"), integer(j, "atomic_bytes"),
          integer(j, "unique_load_bytes"), integer(j, "unique_store_bytes")};
}

}  // namespace

Json launch_json(const Launch& l) {
  Json j = {{"kernel", l.kernel}, {"grid", {l.grid[0], l.grid[1], l.grid[2]}}, {"seconds", std::isfinite(l.seconds) ? l.seconds : 0}, {"load_bytes", l.load_bytes},
            {"store_bytes", l.store_bytes}, {"flops", l.flops}, {"reaches_output", l.reaches_output}};
  put(j, "atomic_bytes", l.atomic_bytes);
  put(j, "instructions", l.instructions);
  put(j, "unique_load_bytes", l.unique_load_bytes);
  put(j, "unique_store_bytes", l.unique_store_bytes);
  if (!l.flops_by.empty()) j["flops_by"] = l.flops_by;
  for (const LaunchLine& line : l.lines) j["lines"].push_back(line_json(line));
  for (const LaunchTensor& t : l.tensors) j["tensors"].push_back(tensor_json(t));
  return j;
}

Launch launch_from(const Json& j) {
  Launch l;
  l.kernel = text(j, "kernel");
  auto grid = integers(get(j, "grid"));
  for (size_t k = 0; k < 3 && k < grid.size(); k++) l.grid[k] = grid[k];
  l.seconds = get_double(j, "seconds").value_or(0);
  l.load_bytes = integer(j, "load_bytes");
  l.store_bytes = integer(j, "store_bytes");
  l.flops = integer(j, "flops");
  l.reaches_output = get_bool(j, "reaches_output").value_or(false);
  l.atomic_bytes = integer(j, "atomic_bytes");
  l.instructions = integer(j, "instructions");
  l.unique_load_bytes = integer(j, "unique_load_bytes");
  l.unique_store_bytes = integer(j, "unique_store_bytes");
  if (const Json& by = get(j, "flops_by"); by.is_object())
    for (const auto& [key, v] : by.items())
      if (v.is_number_integer()) l.flops_by[key] = v.get<int64_t>();
  if (const Json& list = get(j, "lines"); list.is_array())
    for (const Json& item : list) l.lines.push_back(line_from(item));
  if (const Json& list = get(j, "tensors"); list.is_array())
    for (const Json& item : list) l.tensors.push_back(tensor_from(item));
  return l;
}

Json finding_json(const Finding& f) {
  Json j = {{"layer", to_text(f.layer)}, {"rule", f.rule}, {"severity", to_text(f.severity)}, {"message", f.message}, {"line", f.line}, {"column", f.column}};
  const FindingPlace& p = f.place;
  put(j, "argument", p.argument);
  if (p.index) j["index"] = *p.index;
  put(j, "shape_index", p.shape_index);
  put(j, "program", p.program);
  put(j, "other_program", p.other_program);
  put(j, "other_line", p.other_line);
  put(j, "value", p.value);
  put(j, "count", p.count);
  return j;
}

Finding finding_from(const Json& j) {
  Finding f{layer_from_text(text(j, "layer")).value_or(Layer::run), text(j, "rule"), severity_from_text(text(j, "severity")).value_or(Severity::note),
            text(j, "message"), int(integer(j, "line")), int(integer(j, "column"))};
  f.place.argument = text(j, "argument");
  if (auto index = get_int(j, "index")) f.place.index = *index;
  f.place.shape_index = integers(get(j, "shape_index"));
  f.place.program = integers(get(j, "program"));
  f.place.other_program = integers(get(j, "other_program"));
  f.place.other_line = int(integer(j, "other_line"));
  f.place.value = text(j, "value");
  f.place.count = integer(j, "count");
  return f;
}

}  // namespace kbx::store
