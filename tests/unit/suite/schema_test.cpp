// The JSON Schema accepts what the parser accepts; checked by a small validator of the keywords that it uses.
#include "suite/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "signature_rows.h"
#include "suite/dists.h"
#include "toml/tree.h"

namespace kbx::suite {
namespace {

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  // "" or the place and cause of the first fault.
  std::string fault(const Json& value, const Json& schema, const std::string& at = "$") {
    for (const auto& [keyword, rule] : schema.items()) {
      std::string f = check(keyword, rule, schema, value, at);
      if (!f.empty()) return f;
    }
    return "";
  }

 private:
  static bool is_type(const Json& v, const std::string& type) {
    if (type == "object") return v.is_object();
    if (type == "array") return v.is_array();
    if (type == "string") return v.is_string();
    if (type == "boolean") return v.is_boolean();
    if (type == "integer") return v.is_number_integer();
    if (type == "number") return v.is_number();
    ADD_FAILURE() << "type " << type;
    return false;
  }

  std::string check(const std::string& keyword, const Json& rule, const Json& schema, const Json& v,
                    const std::string& at) {
    if (keyword == "$ref") {
      std::string name = rule.get<std::string>();
      return fault(v, root_["$defs"][name.substr(std::string("#/$defs/").size())], at);
    }
    if (keyword == "type") {
      for (const Json& type : rule.is_array() ? rule : Json::array({rule}))
        if (is_type(v, type)) return "";
      return at + ": not " + rule.dump();
    }
    if (keyword == "enum") {
      for (const Json& text : rule)
        if (text == v) return "";
      return v.is_string() ? at + ": " + v.dump() + " is not in " + rule.dump() : "";
    }
    if (keyword == "const") return rule == v ? "" : at + ": not " + rule.dump();
    if (keyword == "required") {
      for (const Json& name : rule)
        if (v.is_object() && !v.contains(name.get<std::string>())) return at + ": misses " + name.dump();
      return "";
    }
    if (keyword == "properties") return properties(rule, v, at);
    if (keyword == "additionalProperties") return additional(rule, schema, v, at);
    if (keyword == "items" || keyword == "prefixItems") return items(rule, v, at, keyword == "prefixItems");
    if (keyword == "minItems") return v.is_array() && v.size() < rule ? at + ": too short" : "";
    if (keyword == "maxItems") return v.is_array() && v.size() > rule ? at + ": too long" : "";
    if (keyword == "minimum") return v.is_number() && v < rule ? at + ": too small" : "";
    if (keyword == "maximum") return v.is_number() && v > rule ? at + ": too large" : "";
    if (keyword == "anyOf" || keyword == "oneOf") return branches(rule, v, at, keyword == "oneOf");
    static const std::set<std::string> kNotes{"$schema", "title", "description", "default", "$defs"};
    EXPECT_TRUE(kNotes.count(keyword)) << "keyword " << keyword;
    return "";
  }
  std::string properties(const Json& rule, const Json& v, const std::string& at) {
    if (!v.is_object()) return "";
    for (const auto& [name, inner] : rule.items())
      if (v.contains(name))
        if (std::string f = fault(v[name], inner, at + "." + name); !f.empty()) return f;
    return "";
  }
  std::string additional(const Json& rule, const Json& schema, const Json& v, const std::string& at) {
    if (!v.is_object()) return "";
    for (const auto& [name, inner] : v.items()) {
      if (schema.contains("properties") && schema["properties"].contains(name)) continue;
      if (rule.is_boolean()) {
        if (!rule.get<bool>()) return at + ": unknown " + name;
      } else if (std::string f = fault(inner, rule, at + "." + name); !f.empty()) {
        return f;
      }
    }
    return "";
  }
  std::string items(const Json& rule, const Json& v, const std::string& at, bool prefix) {
    if (!v.is_array()) return "";
    for (size_t k = 0; k < v.size() && (!prefix || k < rule.size()); k++)
      if (std::string f = fault(v[k], prefix ? rule[k] : rule, at + "[" + std::to_string(k) + "]"); !f.empty())
        return f;
    return "";
  }
  std::string branches(const Json& rule, const Json& v, const std::string& at, bool exactly_one) {
    size_t fitting = 0;
    std::string last;
    for (const Json& branch : rule) {
      std::string f = fault(v, branch, at);
      if (f.empty())
        fitting++;
      else
        last = f;
    }
    if (fitting == 0) return last;
    return exactly_one && fitting > 1 ? at + ": fits several branches" : "";
  }

  const Json& root_;
};

std::string fault_of(const std::string& toml) {
  auto tree = toml::parse(toml, "t");
  if (!tree) return tree.error().message;
  static const Json schema = task_schema();
  return Validator(schema).fault(to_json(*tree), schema);
}

TEST(Schema, AcceptsEveryShippedTask) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(KBX_SOURCE_DIR) + "/suite")) {
    if (entry.path().filename() != "task.toml") continue;
    EXPECT_EQ(fault_of(*read_file(entry.path())), "") << entry.path();
    count++;
  }
  EXPECT_GT(count, 0u);
}

TEST(Schema, AcceptsEveryRepresentativeSignature) {
  for (std::string_view s : kRepresentative)
    for (const char* kind : {"close", "statistical", "factorization", "quantized"})
      EXPECT_EQ(fault_of(task_text("t", s, kind)), "") << s;
}

TEST(Schema, RefusesWhatTheParserRefuses) {
  std::string good = task_text("t", "t(input, p=0.5)", "close");
  ASSERT_EQ(fault_of(good), "");
  auto swapped = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return fault_of(text.replace(at, from.size(), to));
  };
  EXPECT_NE(swapped("difficulty = 1", "difficulty = 6"), "");
  EXPECT_NE(swapped("difficulty = 1", "difficulty = \"1\""), "");
  EXPECT_NE(swapped("summary", "sumary"), "");
  EXPECT_NE(swapped("kind = \"close\"", "kind = \"near\""), "");
  EXPECT_NE(swapped("dtype = \"f32\"", "dtype = \"f33\""), "");
  EXPECT_NE(swapped("dist = \"normal\"", "dist = \"normal\", low = 1"), "");
  EXPECT_NE(swapped("dist = \"normal\"", "dist = \"randint\", low = 1"), "");
  EXPECT_NE(swapped("shape = [2, 3]", "shape = [2.5, 3]"), "");
  EXPECT_NE(swapped("[[case]]\nname = \"least\"", "[[case]]"), "");
}

TEST(Schema, NamesEveryDistribution) {
  std::string text = task_schema().dump();
  for (const DistInfo& d : dists())
    EXPECT_NE(text.find("\"const\":\"" + std::string(d.name) + "\""), text.npos) << d.name;
}

}  // namespace
}  // namespace kbx::suite
