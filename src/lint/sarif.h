// Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), which editors and code hosts show.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "model/finding.h"

namespace kbx::lint {

struct SarifFile {
  std::string path;               // becomes a URI reference: relative paths stay relative
  std::vector<Finding> findings;  // of any layer; without a line: about the whole file
};

// One run of the tool "kbx". Every rule that occurs is described: lint's from their table, others by their id.
Json to_sarif(const std::vector<SarifFile>& files, const std::string& tool_version);

}  // namespace kbx::lint
