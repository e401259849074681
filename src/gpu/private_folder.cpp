#include "gpu/private_folder.h"

#include <cstdlib>

namespace kbx::gpu {

Result<PrivateFolder> PrivateFolder::make(const std::string& name) {
  std::error_code ec;
  auto base = std::filesystem::temp_directory_path(ec);
  std::string pattern = ((ec ? std::filesystem::path("/tmp") : base) / (name + "-XXXXXX")).string();
  if (!::mkdtemp(pattern.data())) return fail_errno(Code::io, "cannot make the folder " + pattern);
  return PrivateFolder(pattern);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ec;
  if (!path_.empty()) std::filesystem::remove_all(path_, ec);
}

}  // namespace kbx::gpu
