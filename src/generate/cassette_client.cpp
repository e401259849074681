#include "generate/cassette_client.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "base/text.h"
#include "generate/call_key.h"
#include "generate/exchange_json.h"
#include "generate/journal.h"

namespace kbx::generate {
namespace {

constexpr std::array<std::string_view, 5> kModes{"off", "record", "replay", "auto", "verify"};

ChatResult missing(const Cassette& cassette, const CallId& id) {
  ApiError error;
  error.fault = ApiFault::cancelled;  // the scheduler waits: where workers race, this one may have been stopped when it was recorded
  error.type = "cassette_miss";
  error.message = fmt::format("{} holds no answer to {}: the prompt, the model or a setting differs from what was recorded; --cassette-mode auto asks for what is missing",
                              cassette.path().string(), to_text(id));
  return error;
}

bool stopped(const llm::Exchange& exchange) {
  const auto* error = std::get_if<ApiError>(&exchange.result);
  return error && error->fault == ApiFault::cancelled;
}

void paths(const Json& json, const std::string& path, std::set<std::string>& out) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) paths(value, path + "." + key, out);
  else if (json.is_array())
    for (const Json& value : json) paths(value, path + "[]", out);
  else
    out.insert(path + ":" + (json.is_null() ? "null" : json.is_string() ? "string" : json.is_number() ? "number" : "boolean"));
}

}  // namespace

std::string_view to_text(CassetteMode mode) { return kModes[size_t(mode)]; }
std::optional<CassetteMode> cassette_mode_from_text(std::string_view text) {
  for (size_t k = 0; k < kModes.size(); k++)
    if (kModes[k] == text) return CassetteMode(k);
  return std::nullopt;
}

std::string shape_of(const llm::Exchange& exchange) {
  std::string body;
  for (const llm::RawPiece& p : exchange.pieces) body += p.bytes;
  std::set<std::string> seen;
  for (std::string line : split_lines(body)) {
    if (starts_with(line, "data:")) line = trim(line.substr(5));
    else if (starts_with(line, "event:")) seen.insert(line);
    if (auto json = parse_json(line)) paths(*json, "", seen);
  }
  const auto* reply = std::get_if<ChatReply>(&exchange.result);
  std::string out = fmt::format("status {}, {}", exchange.status, reply ? fmt::format("a reply that ends as {}", to_text(reply->stop))
                                                                      : fmt::format("an error {}", to_text(std::get<ApiError>(exchange.result).fault)));
  for (const std::string& s : seen) out += "\n" + s;
  return out;
}

std::string CassetteClient::key_of(const ChatRequest& request) const {
  auto model = registry_.models.find(request.model);
  return call_key(request, model == registry_.models.end() ? "" : model->second.id);
}

llm::Exchange CassetteClient::play(const ChatRequest& request, const llm::Exchange& recorded) const {
  llm::Exchange out = recorded;
  out.request = request;
  auto model = registry_.models.find(request.model);
  auto provider = model == registry_.models.end() ? registry_.providers.end() : registry_.providers.find(model->second.provider);
  if (recorded.pieces.empty() || provider == registry_.providers.end()) return out;  // what failed before a byte came fails again
  auto reader = llm::dialect_of(provider->second.dialect).reader(request);
  reader->headers(recorded.status, recorded.headers);
  for (const llm::RawPiece& p : recorded.pieces) reader->feed(p.bytes);
  const auto* error = std::get_if<ApiError>(&recorded.result);
  bool whole = !error || (error->fault != ApiFault::cut && error->fault != ApiFault::timeout && error->fault != ApiFault::cancelled);
  if (!whole) return out;  // how long it took decided, not the bytes
  out.result = reader->finish(true, 0);
  // What the bytes do not hold is as it was.
  if (auto* reply = std::get_if<ChatReply>(&out.result)) {
    if (const auto* old = std::get_if<ChatReply>(&recorded.result)) reply->timing = old->timing;
  } else if (error) {
    auto& again = std::get<ApiError>(out.result);
    again.tries = error->tries;
    again.retry_after = error->retry_after;
  }
  return out;
}

void CassetteClient::keep(const std::string& key, const llm::Exchange& exchange) {
  const auto* error = std::get_if<ApiError>(&exchange.result);
  // A refused key is no answer to this question. What was stopped is kept if it was paid for.
  if (error && (error->fault == ApiFault::budget || error->stops_provider)) return;
  if (error && error->fault == ApiFault::cancelled && (!records() || !was_used(usage_of(exchange.result)))) return;
  std::lock_guard lock(mutex_);
  if (mode_ == CassetteMode::verify) {
    auto old = cassette_.find(key);
    if (!old && !failure_) failure_ = old.error();
    if (!old) return;
    if (!*old) differences_.push_back(to_text(exchange.request.id) + ": was never recorded");
    else if (std::string was = shape_of(**old), is = shape_of(exchange); was != is) {
      std::set<std::string> a, b;
      for (auto& l : split_lines(was)) a.insert(l);
      for (auto& l : split_lines(is)) b.insert(l);
      std::string line = to_text(exchange.request.id) + ":";
      for (const auto& l : a)
        if (!b.contains(l)) line += " -" + l;
      for (const auto& l : b)
        if (!a.contains(l)) line += " +" + l;
      differences_.push_back(std::move(line));
    }
    return;
  }
  if (auto done = cassette_.add(key, exchange); !done && !failure_) failure_ = done.error();
}

// May what is recorded stand for the answer? What was stopped may where it is to be stopped again. In mode auto a failure of
// the world may not: it may be better now.
bool CassetteClient::plays(const ChatRequest& request, const std::string& key, const llm::Exchange& recorded) const {
  const Step* due = next(request.id.task);
  if (due && due->stopped && due->content == key) return true;
  if (mode_ == CassetteMode::replay) return !stopped(recorded);
  return mode_ == CassetteMode::auto_ && is_final(recorded.result);
}

void CassetteClient::start(ChatRequest request, std::function<void(llm::Exchange)> done) {
  std::string key = key_of(request);
  if (mode_ != CassetteMode::record) {
    Result<std::optional<llm::Exchange>> found = std::optional<llm::Exchange>();
    {
      std::lock_guard lock(mutex_);
      found = cassette_.find(key);
      if (!found && !failure_) failure_ = found.error();
    }
    if (found && *found && plays(request, key, **found)) return done(play(request, **found));
    if (mode_ == CassetteMode::replay) {
      llm::Exchange out;
      out.result = missing(cassette_, request.id);
      out.request = std::move(request);
      return done(std::move(out));
    }
  }
  live_->start(std::move(request), [this, key, done = std::move(done)](llm::Exchange exchange) {
    keep(key, exchange);
    done(std::move(exchange));
  });
}

void CassetteClient::cancel(const CallId& id) {
  if (live_) live_->cancel(id);
}

const Step* CassetteClient::next(const std::string& task) const {
  const Step* step = mode_ == CassetteMode::record ? nullptr : order_.next(line_of(task));
  return step && step->kind == Step::Kind::out_of_budget && mode_ == CassetteMode::auto_ ? nullptr : step;
}

void CassetteClient::happened(const std::string& task, const Step& step) {
  Order::Place place = order_.happened(line_of(task), step);
  if (!records() || (place.known && mode_ == CassetteMode::auto_)) return;
  std::lock_guard lock(mutex_);
  if (auto done = cassette_.add(line_of(task), place.at, step); !done && !failure_) failure_ = done.error();
}

void CassetteClient::resume(const std::string& task, const std::vector<Step>& past) {
  size_t changed = Order::npos;
  for (const Step& step : past) changed = std::min(changed, order_.passed(line_of(task), step, records()));
  std::vector<Step> now = order_.past(line_of(task));
  std::lock_guard lock(mutex_);
  for (size_t at = changed; at < now.size(); at++)
    if (auto done = cassette_.add(line_of(task), at, now[at]); !done && !failure_) failure_ = done.error();
}

std::vector<std::string> CassetteClient::differences() const {
  std::lock_guard lock(mutex_);
  return differences_;
}
std::optional<Error> CassetteClient::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace kbx::generate
