// Launch rows and findings as a worker claims them: every length, type and range is checked, texts are cut and cleaned.
#include <algorithm>

#include "base/text.h"
#include "sandbox/claimed.h"
#include "sandbox/decode.h"
#include "worker/wire.h"

namespace kbx::sandbox {
namespace {

constexpr int64_t kMostCount = int64_t(1) << 53;  // exact as a double; sums of 4096 rows stay far below 2^63 / 2^10
constexpr size_t kMostLines = 32, kMostTensors = 32, kMostKinds = 27;
constexpr size_t kDetailedLaunches = 256;  // lines and tensors of further launches are dropped: a record must stay small
constexpr size_t kMostFindings = 256, kMostIndexes = 64;

// A number of bytes or operations; what is none, or too large to be true, counts as nothing.
int64_t count(const Json& j, const char* key) {
  int64_t v = get_int(j, key).value_or(0);
  return v < 0 || v > kMostCount ? 0 : v;
}

std::vector<int64_t> integers(const Json& list, size_t most) {
  std::vector<int64_t> out;
  if (!list.is_array() || list.size() > most) return out;
  for (const Json& v : list) {
    if (!v.is_number_integer()) return {};
    out.push_back(v.get<int64_t>());
  }
  return out;
}

std::map<std::string, int64_t> kinds(const Json& object) {
  std::map<std::string, int64_t> out;
  if (!object.is_object()) return out;
  for (const auto& [key, v] : object.items())
    if (int64_t n = v.is_number_integer() ? count(object, key.c_str()) : 0; n > 0 && out.size() < kMostKinds) out[clean_utf8(key, 20)] = n;
  return out;
}

std::vector<LaunchLine> lines(const Json& list) {
  std::vector<LaunchLine> out;
  if (!list.is_array()) return out;
  for (const Json& j : list) {
    if (out.size() == kMostLines) break;
    out.push_back({claimed_int(j, "line"), count(j, "load_bytes"), count(j, "store_bytes"), count(j, "atomic_bytes"), count(j, "flops"), count(j, "instructions")});
  }
  return out;
}

std::vector<LaunchTensor> tensors(const Json& list) {
  std::vector<LaunchTensor> out;
  if (!list.is_array()) return out;
  for (const Json& j : list) {
    if (out.size() == kMostTensors) break;
    LaunchTensor t;
    t.argument = claimed_text(j, "argument", 200);
    t.tensor = claimed_text(j, "tensor", 100);
    t.storage = std::max<int64_t>(get_int(j, "storage").value_or(-1), -1);
    t.bytes = count(j, "bytes");
    t.load_bytes = count(j, "load_bytes");
    t.store_bytes = count(j, "store_bytes");
    t.atomic_bytes = count(j, "atomic_bytes");
    t.unique_load_bytes = std::min(count(j, "unique_load_bytes"), t.bytes);
    t.unique_store_bytes = std::min(count(j, "unique_store_bytes"), t.bytes);
    out.push_back(std::move(t));
  }
  return out;
}

Launch launch(const Json& j, bool detailed) {
  Launch l;
  l.kernel = claimed_text(j, "kernel", 200);
  const Json& grid = get(j, "grid");
  for (size_t k = 0; k < 3; k++)
    if (grid.is_array() && k < grid.size() && grid[k].is_number_integer()) l.grid[k] = grid[k].get<int64_t>();
  l.seconds = get_double(j, "seconds").value_or(0);
  l.load_bytes = count(j, "load_bytes");
  l.store_bytes = count(j, "store_bytes");
  l.atomic_bytes = count(j, "atomic_bytes");
  l.unique_load_bytes = count(j, "unique_load_bytes");
  l.unique_store_bytes = count(j, "unique_store_bytes");
  l.flops = count(j, "flops");
  l.instructions = count(j, "instructions");
  l.flops_by = kinds(get(j, "flops_by"));
  l.reaches_output = get_bool(j, "outputs").value_or(false);
  if (detailed) l.lines = lines(get(j, "lines")), l.tensors = tensors(get(j, "tensors"));
  return l;
}

FindingPlace place(const Json& j) {
  FindingPlace p;
  p.argument = claimed_text(j, "argument", 200);
  if (auto index = get_int(j, "index")) p.index = *index;
  p.shape_index = integers(get(j, "shape_index"), kMostIndexes);
  p.program = integers(get(j, "program"), 3);
  p.other_program = integers(get(j, "other_program"), 3);
  p.other_line = claimed_int(j, "other_line");
  p.value = claimed_text(j, "value", 80);
  p.count = count(j, "count");
  return p;
}

}  // namespace

std::vector<Launch> decode_launches(const Json& list) {
  std::vector<Launch> out;
  if (!list.is_array()) return out;
  for (const Json& j : list) {
    if (out.size() == size_t(worker::kMaxLaunches)) break;
    out.push_back(launch(j, out.size() < kDetailedLaunches));
  }
  return out;
}

std::vector<Finding> decode_findings(const Json& list) {
  std::vector<Finding> out;
  if (!list.is_array()) return out;
  for (const Json& j : list) {
    if (out.size() == kMostFindings) break;
    Finding f;
    f.rule = claimed_text(j, "rule", 60);
    f.layer = layer_from_text(get_string(j, "layer").value_or("ir")).value_or(Layer::ir);
    f.severity = severity_from_text(get_string(j, "severity").value_or("warn")).value_or(Severity::warn);
    f.message = claimed_text(j, "message", 1000);
    f.line = claimed_int(j, "line");
    f.column = claimed_int(j, "column");
    f.place = place(j);
    if (!f.rule.empty()) out.push_back(std::move(f));
  }
  return out;
}

}  // namespace kbx::sandbox
