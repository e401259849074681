// CassetteClient: a Client that plays calls from a cassette, or asks another Client and records what it answers. Recorded
// bytes go through the same reader as a server's. And it keeps the order in which results came, so that a scheduler can
// follow the recorded one (order.h).
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generate/cassette.h"
#include "llm/dialect.h"

namespace kbx::generate {

// record: ask and record. replay: never ask; a call that is not there is an error. auto_: replay what is there, ask and
// record the rest. verify: ask, and compare the form of the answer with the recorded one.
enum class CassetteMode : unsigned char { off, record, replay, auto_, verify };
std::string_view to_text(CassetteMode mode);
std::optional<CassetteMode> cassette_mode_from_text(std::string_view text);

class CassetteClient : public llm::Client {
 public:
  // `live` may be null in mode replay. The registry knows each request's model. `method`: whose orders these are; runs of one
  // name follow each other's.
  CassetteClient(Cassette cassette, CassetteMode mode, const llm::Registry& registry, llm::Client* live, std::string method = "")
      : cassette_(std::move(cassette)), order_(cassette_.order()), mode_(mode), registry_(registry), live_(live), method_(std::move(method)) {}
  void start(ChatRequest request, std::function<void(llm::Exchange)> done) override;
  void cancel(const CallId& id) override;
  void wind_down() override {
    if (live_) live_->wind_down();
  }

  // The order, for one thread: the scheduler's. In mode record none is followed.
  // What must come next in this task; null: whatever comes. In mode auto the end of a budget is not followed.
  const Step* next(const std::string& task) const;
  bool ahead(const std::string& task, const Step& step) const { return mode_ != CassetteMode::record && order_.ahead(line_of(task), step); }
  // It comes now: before the journal has it and the loop sees it. What is new is recorded (modes record and auto).
  void happened(const std::string& task, const Step& step);
  // What came in earlier processes of this run, in its order.
  void resume(const std::string& task, const std::vector<Step>& past);
  // The recorded order cannot come about any more.
  void leave(const std::string& task) { order_.leave(line_of(task)); }
  // Nothing is asked, so nothing is paid.
  bool only_plays() const { return mode_ == CassetteMode::replay; }

  // Something that came out otherwise than recorded.
  void note(std::string difference) {
    std::lock_guard lock(mutex_);
    differences_.push_back(std::move(difference));
  }
  // What verify found to differ, and what was noted, a line each; and the first error of the cassette's file.
  std::vector<std::string> differences() const;
  std::optional<Error> failure() const;

 private:
  llm::Exchange play(const ChatRequest& request, const llm::Exchange& recorded) const;
  void keep(const std::string& key, const llm::Exchange& exchange);
  std::string key_of(const ChatRequest& request) const;
  std::string line_of(const std::string& task) const { return method_.empty() ? task : method_ + "/" + task; }
  bool records() const { return mode_ == CassetteMode::record || mode_ == CassetteMode::auto_; }
  bool plays(const ChatRequest& request, const std::string& key, const llm::Exchange& recorded) const;

  mutable std::mutex mutex_;
  Cassette cassette_;
  Order order_;
  CassetteMode mode_;
  const llm::Registry& registry_;
  llm::Client* live_;
  std::string method_;
  std::vector<std::string> differences_;
  std::optional<Error> failure_;
};

// How a stream looks, whatever it says: status, whether it is a reply, its stop, the paths of the JSON in it.
std::string shape_of(const llm::Exchange& exchange);

}  // namespace kbx::generate
