#include "cli/sections.h"

#include <filesystem>
#include <map>

#include "base/files.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"

namespace kbx::cli {
namespace fs = std::filesystem;
namespace {

using Writer = void (*)(const report::Sections&, const report::Sink&);
const std::map<std::string, Writer> kWriters = {{"text", report::write_sections_text},
                                                {"md", report::write_sections_markdown},
                                                {"csv", report::write_sections_csv},
                                                {"json", report::write_sections_json},
                                                {"latex", report::write_sections_latex}};

}  // namespace

Result<int> write_sections(const report::Sections& sections, const std::string& format, const std::string& output) {
  Writer write = kWriters.at(format);
  if (output.empty() || output == "-") {
    write(sections, [](std::string_view bytes) { print(bytes); });
    return kEvaluated;
  }
  std::string text;
  write(sections, [&](std::string_view bytes) { text += bytes; });
  fs::path path = output;
  std::error_code ec;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ec);
  KBX_TRY(write_file(path, text));
  say("wrote " + path.string());
  return kEvaluated;
}

}  // namespace kbx::cli
