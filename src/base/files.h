// Whole files in and out, with errors that name the path.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kbx {

Result<std::string> read_file(const std::filesystem::path& path);
// A device, a pipe, a socket: /dev/null must not be replaced by a file. Links are followed.
bool is_special_file(const std::filesystem::path& path);
// Writes to a temporary neighbour and renames: a reader sees the old file or the new one, never half. A special file is
// written to as it is.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace kbx
