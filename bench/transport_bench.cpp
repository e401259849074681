// What asking costs us: CPU and memory of the supervisor, and whether the concurrency is kept busy, against the fault server
// in a process of its own. Two servers: one that answers at once, one that takes 2 s.
//   transport_bench [-] [CALLS] [SLOW_CALLS]     the first argument is what tools/bench hands over (not used)
#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/clock.h"
#include "llm/capabilities.h"
#include "llm/transport.h"
#include "server_process.h"

namespace {

using namespace kbx;
using namespace kbx::llm;
using bench::cpu_seconds;
using bench::ServerProcess;

constexpr int kConcurrency = 64;

struct Run {
  double wall = 0, cpu = 0;
  int failed = 0;
};

// A prompt of the size that loops send (8 KB), a short reply.
Run run(const ServerProcess& server, const std::string& scenario, int calls) {
  Registry registry;
  Provider p;
  p.name = "p";
  p.base_url = fmt::format("http://127.0.0.1:{}/{}/v1", server.port(), scenario);
  p.limits.concurrency = kConcurrency;
  registry.providers["p"] = p;
  Model m;
  m.name = "m";
  m.provider = "p";
  m.id = "gpt-4o";
  m.can = capabilities_of(DialectName::openai, m.id);
  registry.models["m"] = m;
  Keyring keys;
  keys["p"] = Secret("benchmark-key");
  auto client = Transport::make(std::move(registry), std::move(keys), {});
  if (!client) {
    std::fprintf(stderr, "%s\n", client.error().text().c_str());
    std::exit(2);
  }
  std::mutex mutex;
  std::condition_variable changed;
  int left = calls;
  Run out;
  double cpu = cpu_seconds();
  auto begin = Steady::now();
  for (int k = 0; k < calls; k++) {
    ChatRequest request;
    request.id = {"task", "generator", 0, k, 0};
    request.model = "m";
    request.max_tokens = 1000;
    request.messages = {{Speaker::user, std::string(8192, 'x'), false}};
    (*client)->start(std::move(request), [&](Exchange e) {
      std::lock_guard lock(mutex);
      out.failed += !std::holds_alternative<ChatReply>(e.result);
      if (--left == 0) changed.notify_all();
    });
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return left == 0; });
  out.wall = seconds_since(begin);
  out.cpu = cpu_seconds() - cpu;
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  int calls = count > 2 ? std::atoi(arguments[2]) : 6336, slow_calls = count > 3 ? std::atoi(arguments[3]) : 640;
  ServerProcess server;
  Run fast = run(server, "ok", calls);
  double peak = bench::peak_mib();
  Run slow = run(server, "slow", slow_calls);
  double ideal = double(slow_calls) * 2.0 / kConcurrency;
  std::printf("at once, %d calls: %.2f s wall, %.3f ms CPU a call (bar 2), peak %.0f MiB (bar 300), %d failed\n", calls, fast.wall, fast.cpu / calls * 1e3, peak, fast.failed);
  std::printf("2 s latency, %d calls, %d at a time: %.2f s wall, calls x latency / concurrency %.2f s: ratio %.3f (bar 1.05), %d failed\n", slow_calls, kConcurrency, slow.wall, ideal,
              slow.wall / ideal, slow.failed);
  return fast.failed || slow.failed ? 1 : 0;
}
