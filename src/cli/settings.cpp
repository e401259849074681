#include "cli/settings.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/check.h"
#include "base/files.h"
#include "base/text.h"

namespace kbx::cli {
namespace {

constexpr const char* kFile = "kbx.toml";
constexpr double kLargest = 1e6;  // seconds or GiB: no limit that anybody means, and no overflow in what is computed from it

std::string environment_name(std::string_view name) {
  std::string out = "KBX_";
  for (char c : name) out += c == '-' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// Settings are the `name = value` lines at the head of kbx.toml, values quoted or not. That subset of TOML is read here, so
// that a typing error is reported with its line. From the first [table] on the file belongs to models and methods.
Result<std::map<std::string, Settings::Entry>> read_file_settings() {
  std::map<std::string, Settings::Entry> out;
  std::error_code ec;
  if (!std::filesystem::exists(kFile, ec)) return out;
  KBX_TRY_ASSIGN(std::string text, read_file(kFile));
  std::vector<std::string> names;
  for (const Setting& s : all_settings()) names.push_back(s.name);
  auto lines = split_lines(text);
  for (size_t k = 0; k < lines.size(); k++) {
    std::string line = trim(lines[k]);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') break;
    std::string where = std::string(kFile) + ":" + std::to_string(k + 1);
    size_t eq = line.find('=');
    if (eq == line.npos) return fail(Code::usage, where + ": expected `name = value`");
    std::string name = trim(line.substr(0, eq)), value = trim(line.substr(eq + 1));
    for (char& c : name)
      if (c == '_') c = '-';
    if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'')) {
      size_t close = value.find(value[0], 1);
      if (close == value.npos) return fail(Code::usage, where + ": the quote is not closed");
      value = value.substr(1, close - 1);
    } else {
      value = trim(value.substr(0, value.find('#')));
    }
    bool known = false;
    for (const auto& n : names) known |= n == name;
    if (!known) {
      auto close = nearest(name, names, 1);
      return fail(Code::usage, where + ": unknown setting " + name + (close.empty() ? "" : "; did you mean " + close[0] + "?"));
    }
    out[name] = {value, where};
  }
  return out;
}

}  // namespace

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> table{
      {"python", "", "python interpreter with torch and triton (default: ./.venv, else python3)"},
      {"suite", "", "folder of tasks (default: the shipped suite)"},
      {"device", "auto", "cpu; cuda (all cards), cuda:N or cuda:N,M; auto: all cards of a machine that has some"},
      {"timing", "on", "off: on a card, judge the values only"},
      {"sanitize", "off", "on a card: compute-sanitizer looks at a replay of every candidate (seconds each)", true},
      {"cuda-tools", "", "folder of compute-sanitizer and ncu (default: PATH, $CUDA_HOME/bin, /usr/local/cuda/bin)"},
      {"arch", "sm_90", "targets to compile for, comma separated; the first decides acceptance"},
      {"jobs", "0", "candidates judged at a time; 0 = number of cores"},
      {"seed", "", "seed of the inputs; default: drawn anew for each run"},
      {"extract", "kbx", "how code is taken from replies: kbx, upstream or repair"},
      {"lint", "on", "off: only the dynamic layers"},
      {"delegation", "on", "off: do not ask which operators did the work (to measure the other layers)"},
      {"replay", "on", "off: do not play a correct candidate's launches again on unseen inputs; required: what cannot be played is not judged"},
      {"second-look", "on", "off: no stricter second run of what is correct (it warns, and changes no verdict)"},
      {"jail", "on", "off: workers without namespaces (only for code you trust)"},
      {"load-seconds", "120", "limit for importing a candidate"},
      {"call-seconds", "10", "limit for one call"},
      {"job-seconds", "300", "limit for one candidate"},
      {"kernel-seconds", "20", "limit for one kernel launch on the machine"},
      {"memory-gib", "8", "host memory of one candidate"},
  };
  return table;
}

Result<Settings> Settings::load(const std::map<std::string, std::string>& flags) {
  KBX_TRY_ASSIGN(auto file, read_file_settings());
  Settings out;
  for (const Setting& s : all_settings()) {
    std::string env = environment_name(s.name);
    const char* from_env = std::getenv(env.c_str());
    if (auto f = flags.find(s.name); f != flags.end()) out.entries_[s.name] = {f->second, "flag"};
    else if (from_env && *from_env) out.entries_[s.name] = {from_env, env};
    else if (auto it = file.find(s.name); it != file.end()) out.entries_[s.name] = it->second;
    else out.entries_[s.name] = {s.fallback, "default"};
  }
  return out;
}

const std::string& Settings::text(const std::string& name) const {
  auto it = entries_.find(name);
  KBX_CHECK(it != entries_.end());
  return it->second.value;
}

Result<int64_t> Settings::integer(const std::string& name) const {
  const std::string& t = text(name);
  char* end = nullptr;
  errno = 0;
  long long v = std::strtoll(t.c_str(), &end, 0);
  if (t.empty() || *end || errno || v < 0) return fail(Code::usage, name + " must be a whole number, not \"" + t + "\" (from " + entries_.at(name).origin + ")");
  return v;
}

Result<double> Settings::number(const std::string& name) const {
  const std::string& t = text(name);
  char* end = nullptr;
  double v = std::strtod(t.c_str(), &end);
  if (v > kLargest) return fail(Code::usage, fmt::format("{} must be at most {:g}, not \"{}\" (from {})", name, kLargest, t, entries_.at(name).origin));
  if (t.empty() || *end || !(v > 0)) return fail(Code::usage, name + " must be a positive number, not \"" + t + "\" (from " + entries_.at(name).origin + ")");
  return v;
}

}  // namespace kbx::cli
