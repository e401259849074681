// KBX_CHECK: our own code is wrong if this does not hold. On in every build; prints the place and aborts.
#pragma once

namespace kbx {
[[noreturn]] void check_failed(const char* file, int line, const char* what);
}

#define KBX_CHECK(cond) \
  do {                  \
    if (!(cond)) ::kbx::check_failed(__FILE__, __LINE__, #cond); \
  } while (false)
#define KBX_UNREACHABLE(what) ::kbx::check_failed(__FILE__, __LINE__, what)
