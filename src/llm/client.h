// Client: questions go out, results come back in any order. What decorates it: the rate gate, retries and the breaker
// inside Transport; cassettes and the ledger outside (generate/).
#pragma once
#include <functional>
#include <string>

#include "model/chat.h"

namespace kbx::llm {

// What is known of one finished call, besides its result: the bytes as they came, for cassettes.
struct RawPiece {
  double at = 0;  // seconds since the request was sent
  std::string bytes;
};
struct Exchange {
  ChatRequest request;
  ChatResult result;
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // of an allow-list
  std::vector<RawPiece> pieces;                              // of the last try
};

class Client {
 public:
  virtual ~Client() = default;
  // Never blocks. `done` is called once, from the client's own thread, and must not block.
  virtual void start(ChatRequest request, std::function<void(Exchange)> done) = 0;
  // The call ends as ApiFault::cancelled, unless it has ended.
  virtual void cancel(const CallId& id) = 0;
  // The end is near: calls that wait, for their turn or for another try, end as cancelled, and none begins. What was sent
  // goes on: it is paid for.
  virtual void wind_down() {}
};

}  // namespace kbx::llm
