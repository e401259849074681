#include "llm/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace kbx::llm {
namespace {

constexpr const char* kAdvice = "asking models needs libcurl 7.68 or newer: apt-get install libcurl4 (Fedora: libcurl), or set KBX_LIBCURL to the library";

// The last name's complaint, when none can be loaded.
void* open_library(std::string& complaint) {
  const char* named = std::getenv("KBX_LIBCURL");
  std::vector<const char*> names{"libcurl.so.4", "libcurl-gnutls.so.4"};
  if (named && *named) names = {named};
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    if (complaint.empty()) complaint = dlerror();
  }
  return nullptr;
}

}  // namespace

Result<CurlLibrary> load_curl() {
  std::string complaint;
  void* library = open_library(complaint);
  if (!library) return fail(Code::python, fmt::format("libcurl cannot be loaded ({}); {}", complaint, kAdvice));
  CurlLibrary curl;
  const char* missing = nullptr;
#define KBX_CURL_LOAD(name)                                                      \
  curl.name = reinterpret_cast<decltype(curl.name)>(dlsym(library, #name));      \
  if (!curl.name) missing = #name;
  KBX_CURL_FUNCTIONS(KBX_CURL_LOAD)
#undef KBX_CURL_LOAD
  if (missing) return fail(Code::python, fmt::format("this libcurl has no {}; {}", missing, kAdvice));
  if (CURLcode code = curl.curl_global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK)
    return fail(Code::python, fmt::format("libcurl does not start: {}", curl.curl_easy_strerror(code)));
  return curl;
}

}  // namespace kbx::llm
