// LoopDriver: plays the world for a loop: answers calls and evaluations in any order, keeps the protocol, and checks what
// every loop promises (agent/loop.h).
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

#include "loop_parts.h"

namespace kbx::agent {

class LoopDriver {
 public:
  std::function<ChatResult(const ChatRequest&)> model = [](const ChatRequest&) { return said(""); };
  std::function<Feedback(const Evaluate&)> engine = [](const Evaluate&) { return wrong(); };
  std::function<size_t(size_t)> pick = [](size_t) { return size_t(0); };  // which of n waiting things comes next
  int budget = 1 << 20;  // calls; then OutOfBudget

  std::vector<ChatRequest> asked;
  std::vector<Evaluate> evaluated;
  std::vector<CallId> cancelled;
  std::vector<EvalId> evaluations_cancelled;
  std::vector<Memory> memories;
  std::vector<Event> events;
  std::vector<std::string> actions;  // as text, for comparing runs
  std::optional<Finish> end;

  void run(Loop& loop) {
    feed(loop, Started{});
    for (int guard = 0; !loop.done() && guard < 100000; guard++) {
      ASSERT_FALSE(waiting_.empty()) << "nothing is in flight and the loop is not done";
      size_t at = pick(waiting_.size());
      Event event = waiting_[at]();
      feed(loop, event, at);
    }
    ASSERT_TRUE(loop.done());
    ASSERT_TRUE(end);
    EXPECT_TRUE(loop.step(Started{}).empty()) << "an action after Finish";
  }
  void feed(Loop& loop, const Event& event, std::optional<size_t> taken = std::nullopt) {
    if (taken) waiting_.erase(waiting_.begin() + long(*taken)), keys_.erase(keys_.begin() + long(*taken));
    events.push_back(event);
    for (const Action& action : loop.step(event)) take(action);
    if (int(asked.size()) >= budget && !told_ && !loop.done()) told_ = true, feed(loop, OutOfBudget{});
  }
  const ChatRequest* call(const std::string& role, int round, int slot, int attempt = 0) const {
    for (const ChatRequest& r : asked)
      if (r.id.role == role && r.id.round == round && r.id.slot == slot && r.id.attempt == attempt) return &r;
    return nullptr;
  }
  int calls_of(const std::string& role) const {
    return int(std::count_if(asked.begin(), asked.end(), [&](const ChatRequest& r) { return r.id.role == role; }));
  }

 private:
  static std::string key(const CallId& id) {
    return "call " + id.task + "/" + id.role + "/" + std::to_string(id.round) + "/" + std::to_string(id.slot) + "/" + std::to_string(id.attempt);
  }
  void wait(std::string name, std::function<Event()> make) {
    EXPECT_TRUE(seen_.insert(name).second) << name << " twice";
    actions.push_back(name);
    keys_.push_back(std::move(name));
    waiting_.push_back(std::move(make));
  }
  void drop(std::string name) {  // a copy: it may be one of keys_
    auto found = std::find(keys_.begin(), keys_.end(), name);
    ASSERT_NE(found, keys_.end()) << "cancelled what is not in flight: " << name;
    waiting_.erase(waiting_.begin() + (found - keys_.begin()));
    keys_.erase(found);
    actions.push_back("cancel " + name);
  }
  void take(const Action& action) {
    EXPECT_FALSE(end) << "an action after Finish";
    if (const auto* ask = std::get_if<Ask>(&action)) {
      EXPECT_FALSE(told_) << "asked after OutOfBudget";
      asked.push_back(ask->request);
      ChatRequest r = ask->request;
      wait(key(r.id) + "\n" + r.system + r.messages.back().text, [this, r] { return Event(Replied{r.id, model(r)}); });
    } else if (const auto* evaluate = std::get_if<Evaluate>(&action)) {
      evaluated.push_back(*evaluate);
      Evaluate e = *evaluate;
      wait("evaluate " + to_text(e.id), [this, e] { return Event(Evaluated{e.id, engine(e)}); });
    } else if (const auto* call = std::get_if<CancelCall>(&action)) {
      cancelled.push_back(call->id);
      auto found = std::find_if(keys_.begin(), keys_.end(), [&](const std::string& k) { return k.starts_with(key(call->id) + "\n"); });
      ASSERT_NE(found, keys_.end());
      drop(*found);
    } else if (const auto* evaluation = std::get_if<CancelEvaluation>(&action)) {
      evaluations_cancelled.push_back(evaluation->id);
      drop("evaluate " + to_text(evaluation->id));
    } else if (const auto* remember = std::get_if<Remember>(&action)) {
      memories.push_back(remember->memory);
      actions.push_back("remember " + remember->memory.code);
    } else {
      end = std::get<Finish>(action);
      actions.push_back("finish " + end->why + " " + end->code);
      EXPECT_TRUE(keys_.empty()) << "finished with " << (keys_.empty() ? "" : keys_.front()) << " in flight";
    }
  }

  std::vector<std::function<Event()>> waiting_;
  std::vector<std::string> keys_;
  std::set<std::string> seen_;
  bool told_ = false;
};

}  // namespace kbx::agent
