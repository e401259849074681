// What the operating system gives a process of its user: random words, and the folders for the user's files.
#pragma once
#include <cstdint>
#include <string>

namespace kbx {

// From the system's own source. Not std::random_device: libstdc++ asks a newer glibc for it than the release may need.
uint64_t system_random();

// XDG Base Directory Specification: what the variable ("XDG_CACHE_HOME") names, else the folder below HOME (".cache"). An
// empty or relative value counts as not set; "" when neither is.
std::string user_folder(const char* variable, const char* below_home);
// kbx's own folder below the user's cache; "" = nowhere.
std::string cache_folder();

}  // namespace kbx
