// run(): the whole conversation with one worker. One blocking call, one answer.
// An Error means the harness or the machine failed (no fork, no memory); whatever the worker did is in the Outcome. What is
// the machine's doing (a fork server that died, a worker that somebody else killed: code sandbox) is tried again, three
// times in all; role gpu once: its caller has to begin anew. Callbacks may so be called again, from the first step on.
#pragma once
#include "sandbox/fork_server.h"
#include "sandbox/outcome.h"
#include "sandbox/request.h"

namespace kbx::sandbox {

Result<Outcome> run(ForkServer& server, const Request& request);

}  // namespace kbx::sandbox
