// Tables of analyses on standard output or in a file.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "report/analysis/write.h"

namespace kbx::cli {

inline const std::vector<std::string> kSectionFormats = {"text", "md", "csv", "json", "latex"};

// `output`: "" or "-" is standard output. A file is written whole or not at all. Returns the exit code.
Result<int> write_sections(const report::Sections& sections, const std::string& format, const std::string& output);

}  // namespace kbx::cli
