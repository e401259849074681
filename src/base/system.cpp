#include "base/system.h"

#include <sys/random.h>

#include <cstdlib>

namespace kbx {

uint64_t system_random() {
  uint64_t word = 0;
  while (::getrandom(&word, sizeof word, 0) != ssize_t(sizeof word)) continue;
  return word;
}

std::string user_folder(const char* variable, const char* below_home) {
  const char* set = std::getenv(variable);
  if (set && *set == '/') return set;
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/" + below_home : std::string();
}

std::string cache_folder() {
  std::string base = user_folder("XDG_CACHE_HOME", ".cache");
  return base.empty() ? base : base + "/kbx";
}

}  // namespace kbx
