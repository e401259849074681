// Order: in which order a task's results came when they were recorded, and how far a run has followed it. Where workers race
// the order decides who wins, so a run that follows it ends as the recorded one did. Pure; not thread-safe.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kbx::generate {

// One result that came, or the end of the budget.
struct Step {
  enum class Kind : unsigned char { call, evaluation, out_of_budget };
  Kind kind = Kind::call;
  std::string place;     // "softmax/refine/1/2/0" or "softmax/1/2/0"
  std::string content;   // the call's key, or the code's hash
  bool stopped = false;  // the loop had stopped it before: it was paid for and kept, and the loop did not see it
  Json feedback;         // of an evaluation: what the loop was told. How fast a kernel is, or what the compiler had time for, comes
                         // out otherwise each time
  // The same result, whether the loop waited for it or not.
  bool same(const Step& other) const { return kind == other.kind && place == other.place && content == other.content; }
};
// {"call": place, "key": content}, {"evaluation": place, "code": content, "feedback": {...}} or {"out_of_budget": true}; "stopped": true.
Json step_json(const Step& step);
Result<Step> step_from(const Json& json);

class Order {
 public:
  // Step number `at` of a task was this; what was known from there on is void. Error (code usage): a step before it is missing.
  Result<void> put(const std::string& task, size_t at, Step step);
  // What comes next; null: nothing is known.
  const Step* next(const std::string& task) const;
  // It is known, and has not come yet.
  bool ahead(const std::string& task, const Step& step) const;

  struct Place {
    size_t at = 0;
    bool known = false;  // it was the next one of what is known
  };
  // It has come: the next one, or a new one in its place that makes all of the rest void.
  Place happened(const std::string& task, const Step& step);
  // It came in an earlier process: passes over it if it is the next one. With `without_budget` ends of budgets before it are
  // taken out: the run went on. Gives the first number that has changed, or none (as npos).
  static constexpr size_t npos = size_t(-1);
  size_t passed(const std::string& task, const Step& step, bool without_budget);
  // All that came up to now.
  std::vector<Step> past(const std::string& task) const;
  // What was to come is void.
  void leave(const std::string& task);

 private:
  struct Line {
    std::vector<Step> steps;
    size_t at = 0;  // of the next one
  };
  std::map<std::string, Line> tasks_;
};

}  // namespace kbx::generate
