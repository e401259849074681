#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace kbx {

void check_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "kbx: internal error at %s:%d: %s\n", file, line, what);
  std::abort();
}

}  // namespace kbx
