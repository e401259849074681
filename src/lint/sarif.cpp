// to_sarif(): the object model of SARIF 2.1.0, sections 3.13 (log), 3.14 (run), 3.27 (result), 3.49 (rule).
#include "lint/sarif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"
#include "lint/lint.h"

namespace kbx::lint {
namespace {

const char* level_of(Severity s) { return s == Severity::reject ? "error" : s == Severity::warn ? "warning" : "note"; }

// Percent-encodes what a URI reference cannot hold (RFC 3986, section 2.3); "/" stays.
std::string uri_of(std::string_view path) {
  std::string out;
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return starts_with(path, "/") ? "file://" + out : out;
}

Json text_of(std::string_view text) { return Json{{"text", std::string(text)}}; }

Json rule_json(const std::string& id, Severity worst) {
  for (const Rule* r : all_rules()) {
    if (r->id != id) continue;
    return Json{{"id", id},
                {"shortDescription", text_of(r->summary)},
                {"fullDescription", text_of(r->why)},
                {"help", text_of("Not reported, or reported as less: " + std::string(r->honest))},
                {"defaultConfiguration", Json{{"level", level_of(r->severity)}}}};
  }
  return Json{{"id", id}, {"defaultConfiguration", Json{{"level", level_of(worst)}}}};
}

Json result_json(const Finding& f, const std::string& uri, int rule_index) {
  Json location = {{"physicalLocation", Json{{"artifactLocation", Json{{"uri", uri}}}}}};
  if (f.line > 0) {
    Json region = {{"startLine", f.line}};
    if (f.column > 0) region["startColumn"] = f.column;
    location["physicalLocation"]["region"] = std::move(region);
  }
  return Json{{"ruleId", f.rule},
              {"ruleIndex", rule_index},
              {"level", level_of(f.severity)},
              {"message", text_of(f.message)},
              {"locations", Json::array({std::move(location)})},
              {"properties", Json{{"layer", std::string(to_text(f.layer))}}}};
}

}  // namespace

Json to_sarif(const std::vector<SarifFile>& files, const std::string& tool_version) {
  Json rules = Json::array(), results = Json::array(), artifacts = Json::array();
  std::map<std::string, int> index;
  std::set<std::string> seen;
  for (const SarifFile& file : files) {
    std::string uri = uri_of(file.path);
    if (seen.insert(uri).second) artifacts.push_back(Json{{"location", Json{{"uri", uri}}}});  // must be unique
    for (const Finding& f : file.findings) {
      auto [entry, fresh] = index.try_emplace(f.rule, int(rules.size()));
      if (fresh) rules.push_back(rule_json(f.rule, f.severity));
      results.push_back(result_json(f, uri, entry->second));
    }
  }
  Json driver = {{"name", "kbx"}, {"semanticVersion", tool_version}, {"rules", std::move(rules)}};
  Json run = {{"tool", Json{{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"artifacts", std::move(artifacts)},
              {"results", std::move(results)}};
  return Json{{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(run)})}};
}

}  // namespace kbx::lint
