// torch brings the library that fits its CUDA and has it loaded; another one beside it would see nothing.
#include "probe/cupti.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

namespace kbx::probe {
namespace {

std::string loaded_path() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        if (!info->dlpi_name || !std::strstr(info->dlpi_name, "/libcupti.so")) return 0;
        *static_cast<std::string*>(out) = info->dlpi_name;
        return 1;
      },
      &found);
  return found;
}

}  // namespace

Result<Cupti> Cupti::load(const std::vector<std::string>& paths) {
  std::vector<std::string> names = paths;
  if (std::string loaded = loaded_path(); !loaded.empty()) names.push_back(loaded);
  for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) names.push_back(name);
  Cupti out;
  for (const std::string& name : names) {
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    auto get = [&](auto& pointer, const char* symbol) {
      return (pointer = reinterpret_cast<std::decay_t<decltype(pointer)>>(dlsym(library, symbol))) != nullptr;
    };
    if (!get(out.subscribe_, "cuptiSubscribe") || !get(out.enable_callback_, "cuptiEnableCallback") ||
        !get(out.enable_domain_, "cuptiEnableDomain") || !get(out.result_string_, "cuptiGetResultString"))
      continue;
    out.path_ = name;
    return out;
  }
  return fail(Code::sandbox, "there is no CUPTI library: torch for CUDA and Triton both bring one (libcupti.so)");
}

std::string Cupti::why(const char* call, CUptiResult code) const {
  const char* words = nullptr;
  if (result_string_(code, &words) != CUPTI_SUCCESS || !words) words = "unknown error";
  return fmt::format("{}: {} (CUPTI error {}, {})", call, words, int(code), path_);
}

std::string Cupti::subscribe(CUpti_CallbackFunc callback, void* data, const std::vector<CUpti_CallbackId>& always) {
  if (CUptiResult r = subscribe_(&subscriber_, callback, data); r != CUPTI_SUCCESS) return why("cuptiSubscribe", r);
  always_ = always;
  return want_always();
}

// A function that this CUPTI does not know cannot be called through it either.
std::string Cupti::want_always() {
  size_t wanted = 0;
  CUptiResult last = CUPTI_SUCCESS;
  for (CUpti_CallbackId id : always_) {
    CUptiResult r = enable_callback_(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
    if (r == CUPTI_SUCCESS)
      wanted++;
    else
      last = r;
  }
  return wanted * 2 > always_.size() ? "" : why("cuptiEnableCallback", last);
}

std::string Cupti::record(bool on) {
  CUptiResult r = enable_domain_(on, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API);
  if (r != CUPTI_SUCCESS) return why("cuptiEnableDomain", r);
  return on ? "" : want_always();
}

}  // namespace kbx::probe
