#include "cuda/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace kbx::cuda {
namespace {

void* open_library(const std::string& path, std::string& why) {
  std::vector<std::string> names{path};
  if (path.empty()) names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    if (const char* words = dlerror(); words && why.empty()) why = words;
  }
  return nullptr;
}

}  // namespace

Result<Nvrtc> Nvrtc::load(const std::string& path) {
  std::string why;
  void* library = open_library(path, why);
  if (!library) return fail(Code::sandbox, fmt::format("NVRTC, CUDA's run-time compiler, was not found: {}", why));
  Nvrtc out;
  std::string missing;
  auto get = [&](auto& to, const char* name) {
    to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(dlsym(library, name));
    if (!to) missing = name;
  };
#define KBX_NVRTC_LOAD(name) get(out.calls_.name, #name);
  KBX_NVRTC_LOAD(nvrtcVersion)
  KBX_NVRTC_LOAD(nvrtcCreateProgram)
  KBX_NVRTC_LOAD(nvrtcDestroyProgram)
  KBX_NVRTC_LOAD(nvrtcCompileProgram)
  KBX_NVRTC_LOAD(nvrtcGetProgramLogSize)
  KBX_NVRTC_LOAD(nvrtcGetProgramLog)
  KBX_NVRTC_LOAD(nvrtcGetCUBINSize)
  KBX_NVRTC_LOAD(nvrtcGetCUBIN)
#undef KBX_NVRTC_LOAD
  if (!missing.empty()) return fail(Code::sandbox, fmt::format("NVRTC has no {}: CUDA 11.1 or newer is needed", missing));
  int major = 0, minor = 0;
  if (out.calls_.nvrtcVersion(&major, &minor) != 0) return fail(Code::sandbox, "NVRTC does not say its version");
  out.version_ = fmt::format("{}.{}", major, minor);
  return out;
}

std::string Nvrtc::log_of(Program program) const {
  size_t size = 0;
  if (calls_.nvrtcGetProgramLogSize(program, &size) != 0 || size < 2) return "";
  std::string log(size, '\0');
  if (calls_.nvrtcGetProgramLog(program, log.data()) != 0) return "";
  log.resize(size - 1);  // it ends with a NUL
  return log;
}

Result<std::string> Nvrtc::compile(const std::string& name, const std::string& source, const std::vector<Header>& headers,
                                   const std::vector<std::string>& options) const {
  std::vector<const char*> texts, names, words;
  for (const Header& h : headers) {
    texts.push_back(h.text.c_str());
    names.push_back(h.name.c_str());
  }
  for (const std::string& o : options) words.push_back(o.c_str());
  Program program = nullptr;
  if (calls_.nvrtcCreateProgram(&program, source.c_str(), name.c_str(), int(headers.size()), texts.data(), names.data()) != 0)
    return fail(Code::sandbox, "NVRTC cannot make a program");
  Result<std::string> out = fail(Code::sandbox, "");
  size_t size = 0;
  if (int rc = calls_.nvrtcCompileProgram(program, int(words.size()), words.data()); rc != 0)
    out = fail(Code::sandbox, fmt::format("NVRTC {} cannot compile {} (code {}): {}", version_, name, rc, log_of(program)));
  else if (calls_.nvrtcGetCUBINSize(program, &size) != 0 || size == 0)
    out = fail(Code::sandbox, fmt::format("NVRTC {} made no machine code for {}", version_, options.empty() ? "" : options[0]));
  else if (out = std::string(size, '\0'); calls_.nvrtcGetCUBIN(program, out->data()) != 0)
    out = fail(Code::sandbox, "NVRTC does not hand out its machine code");
  calls_.nvrtcDestroyProgram(&program);
  return out;
}

}  // namespace kbx::cuda
