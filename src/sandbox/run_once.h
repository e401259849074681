// run_once(): one conversation with one worker, however it ends. run() (run.h) is what others call.
#pragma once
#include "sandbox/fork_server.h"
#include "sandbox/outcome.h"
#include "sandbox/request.h"

namespace kbx::sandbox {

Result<Outcome> run_once(ForkServer& server, const Request& request);

}  // namespace kbx::sandbox
