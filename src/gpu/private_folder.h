// PrivateFolder: a temporary folder of this user alone, removed with everything in it.
#pragma once
#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace kbx::gpu {

class PrivateFolder {
 public:
  // Named `name`-XXXXXX, in the machine's temporary folder, mode 0700.
  static Result<PrivateFolder> make(const std::string& name);
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit PrivateFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace kbx::gpu
