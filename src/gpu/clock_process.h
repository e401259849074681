// ClockProcess: one kbx-clock, the trusted process that plays tapes on a card (docs/clock.md), seen from the supervisor.
// Disposable: one candidate, then it is closed; a fault on the card costs this process and nothing else.
#pragma once
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "model/value.h"

namespace kbx::gpu {

// Where kbx-clock is and what it is told.
struct ClockHome {
  std::string program;   // libexec/kbx-clock
  std::string nvrtc;     // path of the user's libnvrtc; "" = by name
  std::string cache;     // folder for its compiled device code
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

 private:
  ClockProcess(Fd socket, pid_t pid, int card) : socket_(std::move(socket)), pid_(pid), card_(card) {}
  Result<void> send(const Json& command, const Bytes& blob, Steady::time_point deadline);
  Result<Answer> receive(Steady::time_point deadline);
  Result<void> move_bytes(char* data, size_t size, bool writing, Steady::time_point deadline);
  void close();

  Fd socket_;
  pid_t pid_ = -1;
  int card_ = 0;
  bool greeted_ = false;
  Card facts_;
};

}  // namespace kbx::gpu
