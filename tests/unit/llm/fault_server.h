// FaultServer: an HTTP/1.1 server on loopback that answers by scripts, for tests of what may go wrong on a wire. One thread
// a connection; it reads a whole request, then plays the script.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "fault_script.h"

namespace kbx::llm::faults {

struct Seen {
  std::string method, target, body;
  Headers headers;  // names in lower case
  // Of the target's first part ("/NAME.7/v1/messages" -> "NAME.7"), and which request to that part this is, from 1.
  std::string place;
  int number = 0;

  std::string scenario() const { return place.substr(0, place.find('.')); }
  bool anthropic() const { return target.ends_with("/messages"); }
  const std::string& header(const std::string& name) const;  // "" when absent
};

class FaultServer {
 public:
  using Answer = std::function<Script(const Seen&)>;
  // `port` 0: a free one.
  static Result<std::unique_ptr<FaultServer>> start(Answer answer, int port = 0);
  ~FaultServer();

  int port() const;
  std::string url(const std::string& path) const;  // "http://127.0.0.1:PORT/PATH"
  std::vector<Seen> seen() const;
  void forget();     // what was seen: for servers that run long
  int most_at_once() const;  // requests in progress at a time

 private:
  struct State;
  explicit FaultServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kbx::llm::faults
