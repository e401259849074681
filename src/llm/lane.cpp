#include "llm/lane.h"

#include <fmt/format.h>

#include <algorithm>

namespace kbx::llm {
namespace {

// The server was not reached, broke off, or says that it is not able.
bool is_outage(const ApiError& e) {
  return e.http >= 500 || e.fault == ApiFault::connect || e.fault == ApiFault::cut || e.fault == ApiFault::timeout;
}
bool is_congestion(const ApiError& e) { return e.http == 429 || e.http == 503 || e.http == 529; }

std::string what_came(const ApiError& e) {
  std::string out = e.http ? fmt::format("HTTP {}", e.http) : std::string(to_text(e.fault));
  if (!e.type.empty()) out += fmt::format(" {}", e.type);
  if (!e.message.empty()) out += fmt::format(": {}", e.message);
  return out;
}

}  // namespace

Lane::Lane(const Provider& provider, BackoffRules backoff, BreakerRules breaker, double now)
    : name_(provider.name),
      key_source_(!provider.key_env.empty() ? fmt::format("the key in {}", provider.key_env) : !provider.key_cmd.empty() ? "what key_cmd prints" : "key_env"),
      retries_(provider.retries),
      backoff_(backoff),
      gate_(provider.limits, now),
      breaker_(breaker) {}

bool Lane::remove(uint64_t call) {
  if (auto at = std::find_if(fresh_.begin(), fresh_.end(), [&](const Ticket& t) { return t.call == call; }); at != fresh_.end()) {
    fresh_.erase(at);
    return true;
  }
  auto at = std::find_if(again_.begin(), again_.end(), [&](const auto& e) { return e.second.call == call; });
  if (at == again_.end()) return false;
  again_.erase(at);
  return true;
}

bool Lane::may_go(const Ticket& ticket, double now, double& wake) {
  double wait = breaker_.wait(now);
  if (breaker_.on_trial() && gate_.in_flight() > 0) return false;
  auto gate = gate_.wait(ticket.in_tokens, ticket.out_tokens, now);
  if (!gate) return false;  // the end of another call asks again
  wait = std::max(wait, *gate);
  if (wait > 0) wake = std::min(wake, now + wait);
  return wait <= 0;
}

std::optional<Ticket> Lane::next(double now, double& wake) {
  if (stopped_) return std::nullopt;
  bool due = !again_.empty() && again_.begin()->first <= now;
  if (!due && !again_.empty()) wake = std::min(wake, again_.begin()->first);
  if (!due && fresh_.empty()) return std::nullopt;
  Ticket ticket = due ? again_.begin()->second : fresh_.front();
  if (!may_go(ticket, now, wake)) return std::nullopt;
  if (due) again_.erase(again_.begin());
  else fresh_.pop_front();
  gate_.sent(ticket.in_tokens, ticket.out_tokens, now);
  return ticket;
}

void Lane::learn(const ApiError& error, double begun, double now) {
  if (error.fault == ApiFault::cancelled) return;
  if (is_congestion(error)) gate_.congested(begun, now);
  if (is_congestion(error) && error.retry_after && *error.retry_after <= backoff_.longest_asked) gate_.pause(*error.retry_after, now);
  if (is_outage(error)) breaker_.failed(begun, now);
  else if (error.http) breaker_.succeeded();
  if (error.stops_provider) return stop(error);
  if (!breaker_.gone()) return;
  ApiError gone = error;
  gone.message = fmt::format("it has not answered for a long time; the last try: {}", what_came(error));
  stop(gone);
}

void Lane::stop(const ApiError& error) {
  if (stopped_) return;
  ApiError out = error;
  out.stops_provider = true;
  out.retryable = false;
  out.usage.reset();
  const char* advice = error.fault == ApiFault::billing ? "add credit or raise the limit there" : nullptr;
  std::string check = error.fault == ApiFault::auth ? fmt::format("check {}", key_source_) : advice ? advice : "";
  out.message = fmt::format("provider {} is asked no more: {}{}{}", name_, error.fault == ApiFault::auth || error.fault == ApiFault::billing ? what_came(error) : error.message,
                            check.empty() ? "" : "; ", check);
  stopped_ = std::move(out);
}

bool Lane::ended(Ticket ticket, double begun, const ChatResult& result, const Headers& headers, double now, double unix_now, double chance, std::string& notice) {
  const ApiError* error = std::get_if<ApiError>(&result);
  const Usage* used = error ? (error->usage ? &*error->usage : nullptr) : &std::get<ChatReply>(result).usage;
  gate_.ended(ticket.in_tokens, ticket.out_tokens, used, now);
  gate_.observe(headers, now, unix_now);
  if (!error) {
    gate_.succeeded();
    breaker_.succeeded();
    return false;
  }
  bool before = stopped_.has_value();
  learn(*error, begun, now);
  if (stopped_) {
    if (!before) notice = stopped_->message;
    return false;
  }
  ticket.tries++;
  auto wait = backoff_seconds(backoff_, *error, ticket.tries, retries_, chance);
  if (!wait) return false;
  notice = fmt::format("{}: {}; asked again in {:.1f} s (try {} of {})", name_, what_came(*error), *wait, ticket.tries + 1, retries_ + 1);
  again_.emplace(now + *wait, ticket);
  return true;
}

std::vector<uint64_t> Lane::take_all() {
  std::vector<uint64_t> out;
  for (const Ticket& t : fresh_) out.push_back(t.call);
  for (const auto& [at, t] : again_) out.push_back(t.call);
  fresh_.clear();
  again_.clear();
  return out;
}

}  // namespace kbx::llm
