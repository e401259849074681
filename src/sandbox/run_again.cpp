// Theory of operation. Two things end a conversation that are no facts about the candidate, and it is held again, whole:
// a fork server that died (whoever killed it, its neighbours' workers went along; the next fork starts a new one) or a
// machine that is short of something: an Error, code sandbox. And a worker that somebody else killed (a person, a job
// scheduler, the system for want of memory): it is process 1 of its PID namespace, and the kernel takes no SIGKILL for that
// from inside. Not believed: without a PID namespace (it can kill itself), with a large worker (it may be why memory was
// short), at the end of its CPU time (the limit's last word is SIGKILL, too).
#include <fmt/format.h>

#include "sandbox/run.h"
#include "sandbox/run_once.h"

namespace kbx::sandbox {
namespace {

constexpr int kTries = 3;
constexpr int64_t kLargeBytes = int64_t(2) << 30;

bool is_innocent(const ForkServer& server, const Request& request, const Outcome& out) {
  auto jail = server.facts().jail;
  auto pid = jail.find("pid");
  bool own_namespace = request.jail && pid != jail.end() && pid->second;
  return out.killed_by_others && own_namespace && out.max_rss_bytes < kLargeBytes && out.cpu_seconds < request.limits.job_seconds / 2;
}

}  // namespace

Result<Outcome> run(ForkServer& server, const Request& request) {
  // A worker for the card is not tried again here: the lease is another's by now, and what was judged on it is in its caller.
  const int tries = request.role == Role::gpu ? 1 : kTries;
  for (int k = 1;; k++) {
    auto out = run_once(server, request);
    if (out ? !is_innocent(server, request, *out) : out.error().code != Code::sandbox) return out;
    if (k < tries) continue;
    if (!out) return out;
    return fail(Code::sandbox, fmt::format("something else than kbx killed the {} worker with SIGKILL, {} time{} in a row; is the machine out of memory, or does "
                                           "somebody clean up?", to_text(request.role), tries, tries == 1 ? "" : "s"));
  }
}

}  // namespace kbx::sandbox
