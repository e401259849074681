// Ledger: what calls cost, and budgets that are never overshot: a call is made only when the most that it can cost still
// fits, what is in flight included. Pure arithmetic: no clock and no file; not thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/provider.h"
#include "model/chat.h"

namespace kbx::generate {

struct Budget {  // absent or 0 = none
  std::optional<double> usd;
  int64_t tokens = 0;          // input and output, of all calls
  int64_t calls = 0;
  int64_t calls_per_task = 0;
  double wall_seconds = 0;
  bool any() const { return usd || tokens || calls || calls_per_task || wall_seconds > 0; }
};
// "usd=5,tokens=2e6,calls=100,per-task=12,wall=3600", added to what is there. Error (code usage): a name or number that is
// none, or a bound that is there already.
Result<void> read_budget(const std::string& text, Budget& budget);
Json budget_json(const Budget& budget);

struct Spent {
  int64_t calls = 0, failed = 0;  // failed: of calls, those that gave no reply
  Usage usage;
  double usd = 0;
  int64_t unpriced = 0;           // calls whose price is not known: usd leaves them out
  double seconds = 0;             // sum over calls
  double gpu_seconds = 0;         // of evaluations
  void add(const Usage& used, std::optional<double> cost, bool replied, double call_seconds);
};

// nullopt: the price of something that was used is not known. A cached token without its own price costs as any other.
std::optional<double> cost_of(const Usage& usage, const llm::Price& price);
// An upper bound: no tokenizer makes more tokens than there are bytes, and templates add a few.
int64_t most_input_tokens(const ChatRequest& request);
// What a reply can have at most; 0 = nobody says.
int64_t most_output_tokens(const ChatRequest& request, const llm::Model& model);

class Ledger {
 public:
  explicit Ledger(Budget budget) : budget_(budget) {}

  enum class Answer : unsigned char { yes, wait, no, not_this_task };
  // yes: the call may be made, and its most is set aside until settle(). wait: it fits only if calls in flight cost less
  // than their most. no: it cannot fit any more. not_this_task: calls_per_task is used up.
  Answer reserve(const ChatRequest& request, const llm::Model& model);
  // The call ended, whoever made it; `reserved`: it went through reserve() in this process.
  void settle(const CallId& id, const Usage& used, std::optional<double> cost, bool replied, double seconds, bool reserved);
  void release(const CallId& id);  // a call that was reserved, cost nothing and does not count
  void gpu(const std::string& task, double seconds);

  const Spent& total() const { return total_; }
  const Spent& of_task(const std::string& task) { return tasks_[task]; }
  const Budget& budget() const { return budget_; }

 private:
  struct Most {
    int64_t tokens = 0;
    double usd = 0;
  };
  Budget budget_;
  Spent total_;
  std::map<std::string, Spent> tasks_;
  std::map<CallId, Most> reserved_;
  Most in_flight_;
  std::map<std::string, int64_t> in_flight_of_;
};

// Can this budget be kept with this model? Error (code usage): money without prices, or replies without a limit.
Result<void> check_budget(const Budget& budget, const llm::Model& model, int64_t max_tokens);

}  // namespace kbx::generate
