// ClientAt: a real Transport that asks the fault server, and waits for what comes of it.
#pragma once
#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "fault_scenarios.h"
#include "llm/transport.h"
#include "samples.h"

namespace kbx::llm {

class ClientAt {
 public:
  // Short waits, so that tests are short; `change` for what a test needs otherwise.
  explicit ClientAt(const std::string& scenario, DialectName dialect = DialectName::openai, const std::function<void(Provider&, TransportOptions&)>& change = {})
      : server_(*faults::FaultServer::start(faults::play)) {
    Registry registry;
    bool anthropic = dialect == DialectName::anthropic;
    Provider p = provider_at(dialect, server_->url(scenario) + (anthropic ? "" : "/v1"));
    p.retries = 2;
    p.deadlines = {5, 20, 20, 30};
    TransportOptions options;
    options.backoff = {0.01, 0.05, 900};
    options.breaker.first = 0.05;
    options.notice = [this](const std::string& line) {
      std::lock_guard lock(mutex_);
      notices_.push_back(line);
    };
    if (change) change(p, options);
    registry.models["m"] = model_of(dialect, anthropic ? "claude-opus-4-8" : "gpt-4o");
    Keyring keys;
    keys["p"] = Secret("test-key-CANARY-4711");
    registry.providers["p"] = p;
    client_ = *Transport::make(std::move(registry), std::move(keys), std::move(options));
  }

  // Asks and does not wait; `slot` tells calls apart.
  void start(int slot = 0) {
    ChatRequest request = simple_request();
    request.id.slot = slot;
    client_->start(std::move(request), [this, slot](Exchange e) {
      std::lock_guard lock(mutex_);
      ended_[slot] = std::move(e);
      some_ended_.notify_all();
    });
  }
  Exchange wait(int slot = 0) {
    std::unique_lock lock(mutex_);
    if (!some_ended_.wait_for(lock, std::chrono::seconds(60), [&] { return ended_.contains(slot); })) {
      ADD_FAILURE() << "the call has not ended within a minute";
      return {};
    }
    return ended_.at(slot);
  }
  Exchange ask(int slot = 0) {
    start(slot);
    return wait(slot);
  }
  void cancel(int slot = 0) {
    CallId id = simple_request().id;
    id.slot = slot;
    client_->cancel(id);
  }
  // A reply, or a failed test.
  ChatReply reply(int slot = 0) {
    Exchange e = ask(slot);
    if (auto* error = std::get_if<ApiError>(&e.result)) {
      ADD_FAILURE() << to_text(error->fault) << " " << error->http << " " << error->message;
      return {};
    }
    return std::get<ChatReply>(e.result);
  }
  ApiError error(int slot = 0) {
    Exchange e = ask(slot);
    if (auto* error = std::get_if<ApiError>(&e.result)) return *error;
    ADD_FAILURE() << "a reply came: " << std::get<ChatReply>(e.result).text;
    return {};
  }

  faults::FaultServer& server() { return *server_; }
  size_t requests() const { return server_->seen().size(); }
  std::vector<std::string> notices() {
    std::lock_guard lock(mutex_);
    return notices_;
  }
  void wind_down() { client_->wind_down(); }
  void leave() { client_.reset(); }

 private:
  std::unique_ptr<faults::FaultServer> server_;
  std::mutex mutex_;
  std::condition_variable some_ended_;
  std::map<int, Exchange> ended_;
  std::vector<std::string> notices_;
  std::unique_ptr<Transport> client_;  // last: its thread uses the others
};

}  // namespace kbx::llm
