// Files in the order of their names, so that hashes and ties are the same everywhere.
#include "agent/load.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/prompt_toml.h"
#include "base/files.h"
#include "base/json.h"
#include "base/text.h"

namespace kbx::agent {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_of(const fs::path& folder, std::string_view extension, bool deep) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (starts_with(name, ".") || starts_with(name, "_")) continue;
    std::error_code ignored;
    if (deep && at->is_directory(ignored)) {
      KBX_TRY_ASSIGN(auto inner, files_of(at->path(), extension, false));
      out.insert(out.end(), inner.begin(), inner.end());
    } else if (at->path().extension() == extension) {
      out.push_back(at->path());
    }
  }
  if (error) return fail(Code::io, fmt::format("cannot read the folder {}: {}", folder.string(), error.message()));
  std::sort(out.begin(), out.end());
  return out;
}

Result<void> load_prompt_folder(const fs::path& folder, PromptStore& into) {
  KBX_TRY_ASSIGN(auto files, files_of(folder, ".toml", true));
  for (const fs::path& file : files) {
    KBX_TRY_ASSIGN(std::string text, read_file(file));
    std::string name = file.lexically_relative(folder).replace_extension().generic_string();
    KBX_TRY(parse_prompt(text, file.string(), name == "blocks" ? "" : name, into));
  }
  return {};
}

// The text of the first triple-quoted string, if the file begins with one.
std::string docstring(std::string_view code) {
  constexpr std::string_view quotes = "\"\"\"";
  if (!starts_with(code, quotes)) return "";
  size_t end = code.find(quotes, quotes.size());
  return end == code.npos ? "" : trim(code.substr(quotes.size(), end - quotes.size()));
}

std::string first_of(const Json& row, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (auto text = get_string(row, key)) return *text;
  return "";
}

Result<Corpus> load_rows(const fs::path& path) {
  KBX_TRY_ASSIGN(std::string text, read_file(path));
  std::vector<Example> out;
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    number++;
    if (trim(line).empty()) continue;
    std::string where = fmt::format("{}:{}", path.string(), number);
    auto row = parse_json(line);
    if (!row) return fail(Code::usage, where + ": " + row.error().message);
    Example e{first_of(*row, {"name", "file"}), first_of(*row, {"description", "instruction", "description_1"}), first_of(*row, {"code", "output"})};
    if (e.code.empty()) return fail(Code::usage, where + ": a row of a corpus needs a text under \"code\" (or \"output\")");
    if (e.name.empty()) e.name = fmt::format("{}:{}", path.filename().string(), number);
    out.push_back(std::move(e));
  }
  return Corpus(std::move(out));
}

}  // namespace

Result<Methods> load_methods(const fs::path& folder) {
  KBX_TRY_ASSIGN(auto files, files_of(folder, ".toml", false));
  Methods out;
  for (const fs::path& file : files) {
    KBX_TRY_ASSIGN(std::string text, read_file(file));
    KBX_TRY(parse_methods(text, file.string(), out));
  }
  return out;
}

Result<PromptStore> load_prompts(const std::vector<fs::path>& folders) {
  PromptStore out;
  for (const fs::path& folder : folders) KBX_TRY(load_prompt_folder(folder, out));
  return out;
}

Result<Corpus> load_corpus(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return load_rows(path);
  KBX_TRY_ASSIGN(auto files, files_of(path, ".py", false));
  std::vector<Example> out;
  for (const fs::path& file : files) {
    KBX_TRY_ASSIGN(std::string code, read_file(file));
    out.push_back({file.stem().string(), docstring(code), code});
  }
  return Corpus(std::move(out));
}

}  // namespace kbx::agent
