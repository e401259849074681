#include "suite/drawn.h"

#include <fmt/core.h>

#include <charconv>

#include "base/hash.h"
#include "suite/dists.h"

namespace kbx::suite {
namespace {

void collect(const ArgSpec& arg, const std::string& path, std::vector<Drawn>& out) {
  if (arg.kind == ArgSpec::Kind::tensor) out.push_back({path, arg.tensor});
  if (arg.kind == ArgSpec::Kind::list || arg.kind == ArgSpec::Kind::tuple)
    for (size_t k = 0; k < arg.items.size(); k++) collect(arg.items[k], fmt::format("{}[{}]", path, k), out);
}

uint32_t word_of(const std::string& hex, size_t k) {
  uint32_t word = 0;
  std::from_chars(hex.data() + 8 * k, hex.data() + 8 * k + 8, word, 16);
  return word;
}

}  // namespace

std::vector<Drawn> drawn_tensors(const Task& task, const Case& which) {
  std::vector<Drawn> positional, keywords;
  for (const Parameter& p : task.entry.parameters) {
    auto it = which.args.find(p.name);
    if (it == which.args.end()) continue;
    bool keyword = p.kind == Parameter::Kind::keyword || p.default_text.has_value();
    // The only value of a variadic parameter has the parameter's name, as in a call.
    bool alone = p.kind == Parameter::Kind::variadic && it->second.items.size() == 1;
    collect(alone ? it->second.items.front() : it->second, p.name, keyword ? keywords : positional);
  }
  positional.insert(positional.end(), keywords.begin(), keywords.end());
  return positional;
}

Json draw_json(const TensorSpec& spec) {
  Json params = Json::object();
  if (const DistInfo* info = find_dist(spec.dist)) {
    for (const DistParam& p : info->params) {
      auto given = given_param(spec, p.name);
      if (given || p.fallback) params[std::string(p.name)] = given ? *given : *p.fallback;
    }
  }
  int64_t count = 1;
  for (int64_t d : spec.shape) count *= d;
  return {{"dist", spec.dist}, {"params", params}, {"values", spec.values}, {"dtype", to_text(spec.dtype)}, {"shape", spec.shape}, {"count", count}};
}

std::vector<Json> draws_json(const std::vector<Drawn>& tensors) {
  std::vector<Json> out;
  for (const Drawn& d : tensors) out.push_back(draw_json(d.spec));
  return out;
}

Json draw_json(const Drawn& drawn, const Task& task, const Case& which, uint64_t seed, int set) {
  Json draw = draw_json(drawn.spec);
  std::string hex = FieldHash().add("kbx drawn 1").add(std::to_string(seed)).add(task.name).add(which.name).add(drawn.path).add(std::to_string(set)).hex();
  draw["key"] = {word_of(hex, 0), word_of(hex, 1)};
  draw["salt"] = word_of(hex, 2);
  return draw;
}

}  // namespace kbx::suite
