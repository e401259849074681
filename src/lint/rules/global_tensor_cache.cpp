// global_tensor_cache: functools caches over tensors.
#include <algorithm>
#include <array>

#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::array<std::string_view, 13> kTensorMembers = {
    "shape", "stride",  "data_ptr", "numel",        "contiguous",    "is_cuda", "size",
    "view",  "reshape", "ndim",     "element_size", "is_contiguous", "flatten"};

bool is_cache(const NameSet& names) {
  for (const std::string& n : names)
    if (n.substr(0, 19) == "functools.lru_cache" || n.substr(0, 15) == "functools.cache" ||
        n.substr(0, 10) == "cachetools")
      return true;
  return false;
}

// A parameter annotated as a tensor, or used like one.
bool takes_tensor(const Context& context, NodeId function) {
  const Source& source = context.source;
  NodeId parameters = source.child(function, "parameters"), body = source.child(function, "body");
  if (parameters == kNoNode || body == kNoNode) return false;
  std::vector<std::string_view> names;
  for (NodeId id = parameters; id < source.at(parameters).end; id++) {
    if (source.kind(id) == "type" && source.text(id).find("Tensor") != std::string_view::npos) return true;
    if (source.kind(id) == "identifier" && source.at(id).field != "value") names.push_back(source.text(id));
  }
  for (NodeId id = body; id < source.at(body).end; id++) {
    if (source.kind(id) != "attribute") continue;
    NodeId object = source.child(id, "object"), member = source.child(id, "attribute");
    if (object == kNoNode || member == kNoNode || source.kind(object) != "identifier") continue;
    if (std::find(kTensorMembers.begin(), kTensorMembers.end(), source.text(member)) == kTensorMembers.end()) continue;
    if (std::find(names.begin(), names.end(), source.text(object)) != names.end()) return true;
  }
  return false;
}

void check(const Context& context, Report& report) {
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (source.kind(id) != "decorated_definition") continue;
    NodeId cache = kNoNode, definition = source.child(id, "definition");
    for (NodeId c = source.first(id); c != kNoNode; c = source.next(c))
      if (source.kind(c) == "decorator" && is_cache(context.names.of(source.first(c)))) cache = c;
    if (cache != kNoNode && definition != kNoNode && source.kind(definition) == "function_definition" &&
        takes_tensor(context, definition))
      report.add(cache, "results are remembered by the identity of tensors");
  }
}

}  // namespace

constinit const Rule global_tensor_cache = {
    "global_tensor_cache",
    Severity::warn,
    "`functools.lru_cache` or `functools.cache` on a function that takes tensors",
    "tensors hash by identity: the cache answers with old results after values have changed",
    "`lru_cache` on functions of numbers, names, devices or dtypes",
    check};

}  // namespace kbx::lint::rules
