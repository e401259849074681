#include "base/new_folder.h"

#include <string>
#include <system_error>

namespace kbx {
namespace fs = std::filesystem;

Result<fs::path> make_folder_beside(const fs::path& folder) {
  const fs::path whole = folder.has_filename() ? folder : folder.parent_path();
  std::error_code ec;
  if (whole.has_parent_path()) fs::create_directories(whole.parent_path(), ec);
  for (int n = 1; n <= 1000 && !ec; n++) {
    fs::path part = whole;
    part += n == 1 ? ".part" : ".part-" + std::to_string(n);
    if (fs::create_directory(part, ec)) return part;
    if (ec == std::errc::file_exists) ec.clear();
  }
  return fail(Code::io, "cannot make a folder beside " + whole.string() + (ec ? ": " + ec.message() : ": remove " + whole.string() + ".part-*"));
}

}  // namespace kbx
