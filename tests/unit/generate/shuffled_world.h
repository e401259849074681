// A world in which results come in an order of chance.
#pragma once
#include <condition_variable>
#include <random>
#include <thread>

#include "base/hash.h"
#include "fixture.h"

namespace kbx::generate {

inline unsigned digit(const std::string& text) { return unsigned(std::stoul(sha256_hex(text).substr(0, 6), nullptr, 16)); }

// Client and evaluator on one thread that ends what is open in an order of chance. Replies are few texts, so that codes
// meet; a stopped call may have come already, be cut off paid, or unpaid; a stopped evaluation may have begun.
class ShuffledWorld : public llm::Client, public Evaluator {
 public:
  explicit ShuffledWorld(unsigned seed) : chance_(seed) {}
  ~ShuffledWorld() override {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    filled_.notify_all();
  }
  void start(ChatRequest request, std::function<void(llm::Exchange)> done) override {
    std::lock_guard lock(mutex_);
    asked.push_back(to_text(request.id));
    calls_.emplace_back(std::move(request), std::move(done));
    filled_.notify_all();
  }
  void cancel(const CallId& id) override {
    std::lock_guard lock(mutex_);
    unsigned how = chance_() % 3;
    for (auto& [request, done] : calls_)
      if (request.id == id && how != 0) stopped_[id] = how == 1;
  }
  void start(Judging what, std::function<void(Judged)> done) override {
    std::lock_guard lock(mutex_);
    evaluations_.emplace_back(std::move(what), std::move(done));
    filled_.notify_all();
  }
  bool cancel(const agent::EvalId& id) override {
    std::lock_guard lock(mutex_);
    if (chance_() % 2) return false;
    return std::erase_if(evaluations_, [&](const auto& e) { return e.first.id == id; }) > 0;
  }
  std::string key_of(const Judging& what) const override { return "key of " + what.candidate.id; }

  std::vector<std::string> asked;
  unsigned right_of = 9;  // one text of so many is right

 private:
  ChatResult reply_to(const ChatRequest& request) {
    if (auto at = stopped_.find(request.id); at != stopped_.end()) {
      ApiError error;
      error.fault = ApiFault::cancelled;
      if (at->second) error.usage = Usage{.in = 30, .out = int64_t(chance_() % 20), .estimated = true};
      return error;
    }
    ChatReply reply;
    reply.text = "kernel " + std::to_string(digit(to_text(request.id) + request.messages[0].text) % 40);
    reply.stop = Stop::end;
    reply.usage = {30, 0, 0, 20, 0, false};
    reply.timing.total = double(chance_() % 100);
    return reply;
  }
  // Right or wrong is the code's; how fast it is would be another thing each time.
  Judged judge(const Judging& what) {
    noise_ = chance_();
    Judged out;
    bool right = digit(what.candidate.source) % right_of == 0;
    out.record.candidate = what.candidate.id;
    out.record.task = what.candidate.task;
    out.record.job_key = key_of(what);
    out.record.ordinal = what.ordinal;
    out.record.verdict = out.record.paper = out.feedback.verdict = right ? Verdict::correct : Verdict::wrong_value;
    out.feedback.executes = right;
    out.feedback.resources = "this time " + std::to_string(noise_);
    return out;
  }
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      filled_.wait(lock, [&] { return over_ || !calls_.empty() || !evaluations_.empty(); });
      if (over_) return;
      size_t k = chance_() % (calls_.size() + evaluations_.size());
      if (k < calls_.size()) {
        auto [request, done] = std::move(calls_[k]);
        calls_.erase(calls_.begin() + std::ptrdiff_t(k));
        llm::Exchange e;
        e.result = reply_to(request);
        e.request = std::move(request);
        done(std::move(e));
      } else {
        auto [what, done] = std::move(evaluations_[k - calls_.size()]);
        evaluations_.erase(evaluations_.begin() + std::ptrdiff_t(k - calls_.size()));
        done(judge(what));
      }
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(300));  // more comes together to be shuffled
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable filled_;
  std::mt19937 chance_;
  std::deque<std::pair<ChatRequest, std::function<void(llm::Exchange)>>> calls_;
  std::deque<std::pair<Judging, std::function<void(Judged)>>> evaluations_;
  std::map<CallId, bool> stopped_;  // paid?
  unsigned noise_ = 0;
  bool over_ = false;
  std::jthread thread_{[this] { work(); }};
};

}  // namespace kbx::generate
