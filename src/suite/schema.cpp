// The tables of task_keys.h and dists.h, written as JSON Schema.
#include "suite/schema.h"

#include <array>

#include "base/check.h"
#include "suite/dists.h"
#include "suite/task_keys.h"

namespace kbx::suite {
namespace {

using T = toml::KeyType;

Json ref(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }
Json array_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json type(const char* name) { return {{"type", name}}; }

Json shape_of(toml::KeyType t) {
  switch (t) {
    case T::boolean:
      return type("boolean");
    case T::integer:
      return type("integer");
    case T::number:
      return type("number");
    case T::string:
      return type("string");
    case T::strings:
      return array_of(type("string"));
    case T::integers:
      return array_of(type("integer"));
    case T::numbers:
      return array_of({{"type", {"number", "boolean", "string"}}});
    case T::range:
      return {{"type", "array"}, {"items", type("number")}, {"minItems", 2}, {"maxItems", 2}};
    case T::switch_number:
      return {{"type", {"number", "boolean"}}};
    case T::permute:
      return array_of(
          {{"type", "array"}, {"prefixItems", {type("string"), type("integer")}}, {"minItems", 2}, {"maxItems", 2}});
    case T::roles:
      return {{"type", "object"}, {"additionalProperties", type("string")}};
    case T::name_or_integer:
      return {{"type", {"string", "integer"}}};
    case T::argument:
      return ref("value");
    case T::arguments:
      return {{"type", "object"}, {"additionalProperties", ref("value")}};
    case T::list:
      return array_of(ref("value"));
    case T::section:
      break;
  }
  KBX_UNREACHABLE("a section's schema is written by hand");
}

Json property(const Key& key) {
  Json out = shape_of(key.type);
  if (!key.allowed.empty()) {
    out["enum"] = Json::array();
    for (std::string_view text : key.allowed) out["enum"].push_back(std::string(text));
  }
  out["description"] = std::string(key.doc);
  return out;
}

// `sections`: schemas of the keys that are tables of their own.
Json table(Keys keys, const Json& sections = Json::object()) {
  Json out{
      {"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}, {"additionalProperties", false}};
  for (const Key& key : keys) {
    std::string name(key.name);
    if (key.type != T::section) {
      out["properties"][name] = property(key);
    } else {
      Json inner = sections.at(name);
      inner["description"] = std::string(key.doc);
      out["properties"][name] = std::move(inner);
    }
    if (key.required) out["required"].push_back(name);
  }
  return out;
}

// A tensor: one branch a distribution, each with its own parameters.
Json tensor() {
  Json branches = Json::array();
  for (const DistInfo& d : dists()) {
    Json branch = table(tensor_keys());
    branch["properties"]["dist"] = {{"const", std::string(d.name)}};
    if (d.dist == Dist::values)
      branch["required"].push_back("values");
    else
      branch["properties"].erase("values");
    for (const DistParam& p : d.params) {
      std::string name(p.name);
      branch["properties"][name] = shape_of(p.is_switch ? T::switch_number : T::number);
      if (p.fallback)
        branch["properties"][name]["default"] = *p.fallback;
      else if (!p.optional)
        branch["required"].push_back(name);
    }
    branches.push_back(std::move(branch));
  }
  return {{"oneOf", std::move(branches)}};
}

Json value() {
  Json branches = Json::array({type("boolean"), type("number"), type("string"), array_of(ref("value")), ref("tensor")});
  for (const Key& key : special_value_keys()) {
    std::string name(key.name);
    Json branch{{"type", "object"},
                {"properties", {{name, property(key)}}},
                {"required", {name}},
                {"additionalProperties", false}};
    branches.push_back(std::move(branch));
  }
  return {{"anyOf", std::move(branches)}};
}

Json oracle(bool top) {
  std::vector<Key> keys;
  for (const Key& key : oracle_keys())
    if (top || key.name != "at") keys.push_back(key);
  Json sections{{"paper", table(paper_bound_keys())}};
  if (top) sections["at"] = {{"type", "object"}, {"additionalProperties", ref("oracle_at")}};
  return table(keys, sections);
}

}  // namespace

Json task_schema() {
  auto cases = [](const char* name) {
    Json out = array_of(ref(name));
    out["minItems"] = 1;
    return out;
  };
  Json sections{{"oracle", ref("oracle")},
                {"outlier", ref("outlier")},
                {"case", cases("case")},
                {"perf", cases("perf")},
                {"cost", ref("cost")}};
  Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "kbx task"}};
  out.update(table(task_keys(), sections));
  out["properties"]["difficulty"]["minimum"] = 1;
  out["properties"]["difficulty"]["maximum"] = 5;
  out["$defs"] = {{"oracle", oracle(true)},
                  {"oracle_at", oracle(false)},
                  {"outlier", table(outlier_keys())},
                  {"case", table(case_keys(), {{"oracle", ref("oracle_at")}})},
                  {"perf", table(perf_keys())},
                  {"cost", table(cost_keys())},
                  {"tensor", tensor()},
                  {"value", value()}};
  return out;
}

}  // namespace kbx::suite
