// Rendezvous: a Unix socket in a folder that nobody else may enter, for a process that is started by another program and
// so inherits no descriptor for certain.
#pragma once
#include <chrono>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "gpu/private_folder.h"

namespace kbx::gpu {

class Rendezvous {
 public:
  static Result<Rendezvous> make();
  const std::string& path() const { return path_; }
  // The connection of a process of this user, non-blocking; an empty Fd when nobody came in time.
  Result<Fd> accept(std::chrono::milliseconds wait);

 private:
  Rendezvous(PrivateFolder folder, Fd listener, std::string path) : folder_(std::move(folder)), listener_(std::move(listener)), path_(std::move(path)) {}
  PrivateFolder folder_;
  Fd listener_;
  std::string path_;
};

}  // namespace kbx::gpu
