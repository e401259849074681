// CurlLibrary: libcurl, loaded at run time. Nothing of kbx links it: only what asks models needs it, and a machine without
// it gets one Error (code python: something of the machine is missing) that says what to install.
#pragma once
#include <curl/curl.h>

#include "base/result.h"

namespace kbx::llm {

// Every function of libcurl that kbx calls. All of them are in libcurl 7.68 (2020) and newer.
#define KBX_CURL_FUNCTIONS(F) \
  F(curl_global_init)         \
  F(curl_version_info)        \
  F(curl_easy_init)           \
  F(curl_easy_cleanup)        \
  F(curl_easy_reset)          \
  F(curl_easy_setopt)         \
  F(curl_easy_getinfo)        \
  F(curl_easy_strerror)       \
  F(curl_slist_append)        \
  F(curl_slist_free_all)      \
  F(curl_multi_init)          \
  F(curl_multi_cleanup)       \
  F(curl_multi_setopt)        \
  F(curl_multi_add_handle)    \
  F(curl_multi_remove_handle) \
  F(curl_multi_perform)       \
  F(curl_multi_poll)          \
  F(curl_multi_wakeup)        \
  F(curl_multi_info_read)     \
  F(curl_multi_strerror)

struct CurlLibrary {
#define KBX_CURL_POINTER(name) decltype(&::name) name = nullptr;
  KBX_CURL_FUNCTIONS(KBX_CURL_POINTER)
#undef KBX_CURL_POINTER
};

// libcurl.so.4 (or Debian's build of it with GnuTLS), or the library that KBX_LIBCURL names; curl_global_init is called.
// Never unloaded: its threads and TLS library stay with the process.
Result<CurlLibrary> load_curl();

}  // namespace kbx::llm
