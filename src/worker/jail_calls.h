// System calls that a child is refused, whatever its privileges: a small surface for holes in the kernel.
#pragma once
#include "worker/jail.h"

namespace kbx::worker {

// Installs a seccomp filter for this process and all it starts; it cannot be taken back. Needs no_new_privs.
JailFailure refuse_calls();

}  // namespace kbx::worker
