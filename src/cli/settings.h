// Settings: flags > environment (KBX_*) > kbx.toml in the current folder > defaults. Read once; `kbx config` shows each
// value and where it came from.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace kbx::cli {

struct Setting {
  const char* name;     // flag --name, environment KBX_NAME, key in kbx.toml
  const char* fallback; // "" = decided at run time
  const char* help;
  bool bare = false;    // its flag takes no value and means "on"
};
const std::vector<Setting>& all_settings();

class Settings {
 public:
  struct Entry {
    std::string value, origin;  // origin: "flag", "KBX_PYTHON", "kbx.toml:3", "default"
  };
  // `flags`: what was given on the command line, by setting name.
  static Result<Settings> load(const std::map<std::string, std::string>& flags);

  const std::string& text(const std::string& name) const;  // KBX_CHECKs the name
  Result<int64_t> integer(const std::string& name) const;
  Result<double> number(const std::string& name) const;
  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace kbx::cli
