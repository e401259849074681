#include "generate/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/check.h"
#include "base/text.h"
#include "llm/token_count.h"

namespace kbx::generate {

Result<void> read_budget(const std::string& text, Budget& budget) {
  for (std::string part : split(text, ',')) {
    part = trim(part);
    if (part.empty()) continue;
    size_t eq = part.find('=');
    std::string name = trim(part.substr(0, eq)), value = eq == part.npos ? "" : trim(part.substr(eq + 1));
    char* end = nullptr;
    double number = std::strtod(value.c_str(), &end);
    bool whole = name != "usd" && name != "wall";
    if (value.empty() || *end || !(number > 0) || number > 1e15 || (whole && number < 1)) return fail(Code::usage, fmt::format("budget \"{}\": expected NAME=NUMBER above zero, e.g. usd=5,tokens=2e6,calls=100,per-task=12,wall=3600", part));
    bool twice = false;
    auto set = [&](auto& field, auto none) {
      twice = field != none;
      field = std::decay_t<decltype(none)>(number);
    };
    if (name == "usd") twice = std::exchange(budget.usd, number).has_value();
    else if (name == "tokens") set(budget.tokens, int64_t(0));
    else if (name == "calls") set(budget.calls, int64_t(0));
    else if (name == "per-task") set(budget.calls_per_task, int64_t(0));
    else if (name == "wall") set(budget.wall_seconds, 0.0);
    else return fail(Code::usage, "there is no budget of " + name + "; known: usd, tokens, calls, per-task (calls of one task), wall (seconds)");
    if (twice) return fail(Code::usage, "the budget of " + name + " is given twice; say which one holds");
  }
  return {};
}

Json budget_json(const Budget& b) {
  Json out = Json::object();
  if (b.usd) out["usd"] = *b.usd;
  if (b.tokens) out["tokens"] = b.tokens;
  if (b.calls) out["calls"] = b.calls;
  if (b.calls_per_task) out["per_task_calls"] = b.calls_per_task;
  if (b.wall_seconds > 0) out["wall_seconds"] = b.wall_seconds;
  return out;
}

void Spent::add(const Usage& used, std::optional<double> cost, bool replied, double call_seconds) {
  calls++;
  failed += !replied;
  llm::add_usage(usage, used);
  if (cost) usd += *cost;
  else unpriced++;
  seconds += call_seconds;
}

std::optional<double> cost_of(const Usage& u, const llm::Price& p) {
  if (u.in == 0 && u.out == 0) return 0.0;
  if ((u.in > 0 && !p.in) || (u.out > 0 && !p.out)) return std::nullopt;
  double in = p.in.value_or(0);
  double tokens = double(std::max<int64_t>(0, u.in - u.in_cached - u.in_cache_write)) * in + double(u.in_cached) * p.cached.value_or(in) +
                  double(u.in_cache_write) * p.cache_write.value_or(in) + double(u.out) * p.out.value_or(0);
  return tokens / 1e6;
}

int64_t most_input_tokens(const ChatRequest& request) {
  int64_t bytes = int64_t(request.system.size());
  for (const ChatMessage& m : request.messages) bytes += int64_t(m.text.size());
  if (!request.schema.is_null()) bytes += int64_t(dump_json(request.schema).size());
  return bytes + 64 + 16 * int64_t(request.messages.size());
}

int64_t most_output_tokens(const ChatRequest& request, const llm::Model& model) {
  int64_t most = model.can.max_output > 0 ? model.can.max_output : model.can.context;
  return request.max_tokens > 0 && most > 0 ? std::min(most, request.max_tokens) : std::max(most, request.max_tokens);
}

Ledger::Answer Ledger::reserve(const ChatRequest& request, const llm::Model& model) {
  const std::string& task = request.id.task;
  if (budget_.calls_per_task && tasks_[task].calls + in_flight_of_[task] >= budget_.calls_per_task) return Answer::not_this_task;
  Usage most;
  most.in = most_input_tokens(request);
  most.out = most_output_tokens(request, model);
  llm::Price price = model.price;
  if (price.cache_write && price.in) price.in = std::max(*price.in, *price.cache_write);
  Most need{most.in + most.out, cost_of(most, price).value_or(0)};
  int64_t used = total_.usage.in + total_.usage.out, flying = int64_t(reserved_.size());
  auto fits = [&](int64_t tokens, double usd, int64_t calls) {
    return (!budget_.tokens || used + tokens <= budget_.tokens) && (!budget_.usd || total_.usd + usd <= *budget_.usd) && (!budget_.calls || total_.calls + calls <= budget_.calls);
  };
  if (!fits(need.tokens, need.usd, 1)) return Answer::no;
  if (budget_.calls && total_.calls + flying + 1 > budget_.calls) return Answer::no;
  if (!fits(in_flight_.tokens + need.tokens, in_flight_.usd + need.usd, 1)) return Answer::wait;
  reserved_[request.id] = need;
  in_flight_.tokens += need.tokens;
  in_flight_.usd += need.usd;
  in_flight_of_[task]++;
  return Answer::yes;
}

void Ledger::settle(const CallId& id, const Usage& used, std::optional<double> cost, bool replied, double seconds, bool reserved) {
  if (reserved) release(id);
  total_.add(used, cost, replied, seconds);
  tasks_[id.task].add(used, cost, replied, seconds);
}

void Ledger::release(const CallId& id) {
  auto it = reserved_.find(id);
  if (it == reserved_.end()) return;
  in_flight_.tokens -= it->second.tokens;
  in_flight_.usd -= it->second.usd;
  in_flight_of_[id.task]--;
  reserved_.erase(it);
  if (reserved_.empty()) in_flight_ = {};  // no rounding error is carried along
}

void Ledger::gpu(const std::string& task, double seconds) {
  total_.gpu_seconds += seconds;
  tasks_[task].gpu_seconds += seconds;
}

Result<void> check_budget(const Budget& budget, const llm::Model& model, int64_t max_tokens) {
  if (budget.usd && (!model.price.in || !model.price.out))
    return fail(Code::usage, fmt::format("a budget in money needs prices: add price = {{ in = ..., out = ... }} (US dollars per million tokens) to [models.{}]", model.name));
  ChatRequest probe;
  probe.max_tokens = max_tokens;
  if ((budget.usd || budget.tokens) && most_output_tokens(probe, model) == 0)
    return fail(Code::usage, fmt::format("a budget needs to know how long a reply can be: set max_tokens in the method, or max_output in [models.{}]", model.name));
  return {};
}

}  // namespace kbx::generate
