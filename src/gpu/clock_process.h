// ClockProcess: one kbx-clock, the trusted process that plays tapes on a card (docs/clock.md), seen from the supervisor.
// Disposable: one candidate, then it is closed; a fault on the card costs this process and nothing else.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "gpu/rendezvous.h"
#include "model/value.h"

namespace kbx::gpu {

// Where kbx-clock is and what it is told.
struct ClockHome {
  std::string program;   // libexec/kbx-clock
  std::string nvrtc;     // path of the user's libnvrtc; "" = by name
  std::string cache;     // folder for its compiled device code
  // A tool in front of it (compute-sanitizer, ncu): its words, the first an absolute path. It then speaks over a socket in
  // a private folder instead of an inherited descriptor, measures no floors and leaves by itself (see finish()).
  std::vector<std::string> wrap = {};
  std::string wrap_output = {};  // file for what the tool prints beside its log
};

// What a card said of itself.
struct Card {
  int index = 0;
  std::string name, uuid, pci, driver;
  int cc = 0;            // 90
  int sms = 0;
  int64_t l2_bytes = 0, memory_bytes = 0;
  bool nvml = false;
  int cards = 1;         // on this machine
};

class ClockProcess {
 public:
  struct Answer {
    Json head;
    Bytes blob;
    bool ok() const;
    std::string fault() const;    // "" when ok
    std::string message() const;
  };

  // Starts it and returns at once; it gets ready while others work.
  static Result<std::unique_ptr<ClockProcess>> start(const ClockHome& home, int card);
  ~ClockProcess();                // killed and waited for
  ClockProcess(const ClockProcess&) = delete;

  // Its first words; waits for them once. An Error when it cannot work: code sandbox, its own sentence and hint.
  Result<Card> ready(double seconds = 60);
  // One command. An Error: it died, was late or broke the protocol (it is dead then). A fault that it reports is an answer.
  Result<Answer> ask(const Json& command, const Bytes& blob = {}, double seconds = 60);
  bool alive() const { return bool(socket_); }
  // Ends the conversation and waits until it, or the tool in front of it, has left. False: it had to be killed.
  bool finish(double seconds);

 private:
  ClockProcess(Fd socket, int card) : socket_(std::move(socket)), card_(card) {}
  ClockProcess(Rendezvous meeting, int card) : meeting_(std::move(meeting)), card_(card) {}
  Result<void> connect(Steady::time_point deadline);
  Result<void> send(const Json& command, const Bytes& blob, Steady::time_point deadline);
  Result<Answer> receive(Steady::time_point deadline);
  Result<void> move_bytes(char* data, size_t size, bool writing, Steady::time_point deadline);
  void close();

  Fd socket_;
  std::optional<Rendezvous> meeting_;  // with a tool in front
  pid_t pid_ = -1;
  int card_ = 0;
  bool greeted_ = false;
  Card facts_;
};

}  // namespace kbx::gpu
