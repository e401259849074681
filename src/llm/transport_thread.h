// TransportThread: the one thread behind Transport, and all that lives on it.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "llm/http_try.h"
#include "llm/lane.h"
#include "llm/transport.h"

namespace kbx::llm {

class TransportThread {
 public:
  TransportThread(CurlLibrary curl, Registry registry, Keyring keys, TransportOptions options);
  ~TransportThread();

  // From any thread.
  void start(ChatRequest request, std::function<void(Exchange)> done);
  void cancel(const CallId& id);
  void wind_down();

 private:
  struct Call {
    ChatRequest request;
    std::function<void(Exchange)> done;
    const Model* model = nullptr;
    const Provider* provider = nullptr;
    const Dialect* dialect = nullptr;
    Ticket ticket;
    Usage lost;  // of tries that failed
    std::unique_ptr<HttpTry> current;
    double begun = 0;  // of the current try, on now()'s clock
  };
  struct Command {
    ChatRequest request;                  // of a new call
    std::function<void(Exchange)> done;   // empty: cancel request.id, or
    bool wind_down = false;
  };

  void post(Command command);
  double now() const { return seconds_since(begun_); }
  void run();
  void take_commands();
  void admit(Command command);
  void drop(const CallId& id);
  bool prepare(Call& call, ApiError& error);
  Lane& lane_of(const Provider& provider);
  void send_due(double& wake);
  void send(Call& call, Ticket ticket);
  void collect();
  void end_overdue(Steady::time_point& wake);
  void wait(double wake, Steady::time_point deadline);
  void try_ended(Call& call, ChatResult result);
  void count_lost(Call& call, ChatResult& result) const;
  // Takes the call out and tells its owner.
  void end(uint64_t number, ChatResult result);
  void end_waiting(Lane& lane, const ApiError& why);
  void begin_winding_down();
  void release(Call& call);
  void fill(Exchange& exchange, HttpTry& from);
  // `said`: of a failed reply.
  void clean_bytes(const std::string& said, Exchange& exchange) const;
  void clean(ChatResult& result, const std::string& said, Exchange& exchange) const;
  void notice(const std::string& line) const;

  CurlLibrary curl_;
  Registry registry_;
  Keyring keys_;
  TransportOptions options_;
  Scrubber scrubber_;
  CURLM* multi_ = nullptr;
  std::vector<CURL*> idle_;  // handles to use again
  Steady::time_point begun_ = Steady::now();
  std::mt19937_64 chance_;
  std::map<std::string, Lane> lanes_;
  std::map<uint64_t, std::unique_ptr<Call>> calls_;
  std::multimap<CallId, uint64_t> numbers_;
  std::map<CURL*, uint64_t> sent_;
  uint64_t next_number_ = 1;
  bool winding_down_ = false;
  std::set<std::string> noticed_;

  std::mutex mutex_;  // of the two below
  std::vector<Command> commands_;
  bool leave_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace kbx::llm
