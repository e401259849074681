// Nvrtc: NVIDIA's run-time compiler, loaded at run time from where the user's torch brought it.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kbx::cuda {

class Nvrtc {
 public:
  // `path`, or by name when it is empty: libnvrtc.so.13, .12, libnvrtc.so. Error: code sandbox.
  static Result<Nvrtc> load(const std::string& path);

  const std::string& version() const { return version_; }  // "12.9"

  struct Header {
    std::string name, text;
  };
  // A cubin for sm_<arch>. The Error's message ends with the compiler's log.
  Result<std::string> compile(const std::string& name, const std::string& source, const std::vector<Header>& headers,
                              const std::vector<std::string>& options) const;

 private:
  using Program = void*;  // nvrtcProgram, which nobody looks into
  struct Calls {
    int (*nvrtcVersion)(int*, int*) = nullptr;
    int (*nvrtcCreateProgram)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*nvrtcDestroyProgram)(Program*) = nullptr;
    int (*nvrtcCompileProgram)(Program, int, const char* const*) = nullptr;
    int (*nvrtcGetProgramLogSize)(Program, size_t*) = nullptr;
    int (*nvrtcGetProgramLog)(Program, char*) = nullptr;
    int (*nvrtcGetCUBINSize)(Program, size_t*) = nullptr;
    int (*nvrtcGetCUBIN)(Program, char*) = nullptr;
  };
  std::string log_of(Program program) const;

  Calls calls_;
  std::string version_;
};

}  // namespace kbx::cuda
