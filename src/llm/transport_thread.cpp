#include "llm/transport_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "base/system.h"
#include "llm/api_error.h"
#include "llm/token_count.h"

namespace kbx::llm {
namespace {

constexpr double kLongestSleep = 30;

// No other try will be made, whatever this one's own fault was.
void say_why_stopped(const ApiError& stopped, ChatResult& result) {
  auto* error = std::get_if<ApiError>(&result);
  if (!error || !(error->retryable || error->stops_provider)) return;
  error->message = stopped.message;
  error->retryable = false;
  error->stops_provider = true;
}

ApiError cancelled() { return error_of_ours(ApiFault::cancelled, 0, "cancelled", false); }

double unix_seconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

TransportThread::TransportThread(CurlLibrary curl, Registry registry, Keyring keys, TransportOptions options)
    : curl_(curl), registry_(std::move(registry)), keys_(std::move(keys)), options_(std::move(options)), chance_(system_random()) {
  for (const auto& [provider, key] : keys_) scrubber_.add(key);
  multi_ = curl_.curl_multi_init();
  KBX_CHECK(multi_ != nullptr);
  thread_ = std::thread([this] { run(); });
}

TransportThread::~TransportThread() {
  {
    std::lock_guard lock(mutex_);
    leave_ = true;
  }
  curl_.curl_multi_wakeup(multi_);
  thread_.join();
  for (CURL* handle : idle_) curl_.curl_easy_cleanup(handle);
  curl_.curl_multi_cleanup(multi_);
}

void TransportThread::post(Command command) {
  {
    std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  curl_.curl_multi_wakeup(multi_);
}

void TransportThread::start(ChatRequest request, std::function<void(Exchange)> done) {
  KBX_CHECK(done);
  post({std::move(request), std::move(done)});
}

void TransportThread::cancel(const CallId& id) {
  Command command;
  command.request.id = id;
  post(std::move(command));
}

void TransportThread::wind_down() {
  Command command;
  command.wind_down = true;
  post(std::move(command));
}

void TransportThread::run() {
  for (;;) {
    take_commands();
    {
      std::lock_guard lock(mutex_);
      if (leave_ && commands_.empty()) break;
    }
    double wake = now() + kLongestSleep;
    send_due(wake);
    int running = 0;
    curl_.curl_multi_perform(multi_, &running);
    collect();
    auto deadline = Steady::time_point::max();
    end_overdue(deadline);
    double again = now() + kLongestSleep;  // what ended may have made room
    send_due(again);
    wait(std::min(wake, again), deadline);
  }
  for (bool more = true; more;) {  // a call that ends may ask another
    while (!calls_.empty()) drop(CallId(calls_.begin()->second->request.id));
    take_commands();
    more = !calls_.empty();
  }
}

void TransportThread::wait(double wake, Steady::time_point deadline) {
  {
    std::lock_guard lock(mutex_);
    if (!commands_.empty() || leave_) return;
  }
  double seconds = wake - now();
  if (deadline != Steady::time_point::max()) seconds = std::min(seconds, Seconds(deadline - Steady::now()).count());
  int milliseconds = int(std::clamp(seconds, 0.0, kLongestSleep) * 1000) + 1;
  curl_.curl_multi_poll(multi_, nullptr, 0, milliseconds, nullptr);
}

void TransportThread::take_commands() {
  std::vector<Command> commands;
  {
    std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (Command& command : commands) {
    if (command.done) admit(std::move(command));
    else if (command.wind_down) begin_winding_down();
    else drop(command.request.id);
  }
}

Lane& TransportThread::lane_of(const Provider& provider) {
  return lanes_.try_emplace(provider.name, provider, options_.backoff, options_.breaker, now()).first->second;
}

// Model, provider, key and body; false: the call cannot be made, and `error` says why.
bool TransportThread::prepare(Call& call, ApiError& error) {
  auto refuse = [&](ApiFault fault, std::string why) {
    error = error_of_ours(fault, 0, std::move(why), false);
    return false;
  };
  auto model = registry_.models.find(call.request.model);
  if (model == registry_.models.end()) return refuse(ApiFault::refused_by_us, fmt::format("there is no model \"{}\"", call.request.model));
  call.model = &model->second;
  auto provider = registry_.providers.find(call.model->provider);
  if (provider == registry_.providers.end()) return refuse(ApiFault::refused_by_us, fmt::format("there is no provider \"{}\"", call.model->provider));
  call.provider = &provider->second;
  if (!keys_.contains(provider->first)) return refuse(ApiFault::refused_by_us, fmt::format("the key of provider {} was not read", provider->first));
  call.dialect = &options_.dialect(call.provider->dialect);
  auto http = call.dialect->encode(call.request, *call.provider, *call.model);
  if (!http) return refuse(ApiFault::invalid, http.error().text());
  for (const std::string& what : http->left_out)  // the body is made again when it is sent: thousands may wait
    if (std::string line = fmt::format("{}: {}: not sent as asked", call.model->name, what); noticed_.insert(line).second) notice(line);
  return true;
}

void TransportThread::admit(Command command) {
  uint64_t number = next_number_++;
  auto owned = std::make_unique<Call>();
  Call& call = *owned;
  call.request = std::move(command.request);
  call.done = std::move(command.done);
  numbers_.emplace(call.request.id, number);
  calls_.emplace(number, std::move(owned));
  ApiError error;
  if (!prepare(call, error)) return end(number, error);
  Lane& lane = lane_of(*call.provider);
  if (lane.stopped()) return end(number, *lane.stopped());
  if (winding_down_) return end(number, cancelled());
  int64_t out = call.request.max_tokens > 0 ? call.request.max_tokens : call.model->can.max_output;
  call.ticket = {number, double(estimate_input(call.request)), double(out), 0};
  lane.add(call.ticket);
}

void TransportThread::drop(const CallId& id) {
  auto [first, last] = numbers_.equal_range(id);
  std::vector<uint64_t> numbers;
  for (auto it = first; it != last; ++it) numbers.push_back(it->second);
  for (uint64_t number : numbers) {
    Call& call = *calls_.at(number);
    if (call.current) {
      ChatResult result = call.current->finish_cancelled(unix_seconds());
      try_ended(call, std::move(result));
    } else {
      if (call.provider) lane_of(*call.provider).remove(number);
      end(number, cancelled());
    }
  }
}

void TransportThread::send_due(double& wake) {
  for (auto& [name, lane] : lanes_)
    while (auto ticket = lane.next(now(), wake)) send(*calls_.at(ticket->call), *ticket);
}

void TransportThread::send(Call& call, Ticket ticket) {
  CURL* handle = idle_.empty() ? curl_.curl_easy_init() : idle_.back();
  if (!idle_.empty()) idle_.pop_back();
  KBX_CHECK(handle != nullptr);
  auto http = call.dialect->encode(call.request, *call.provider, *call.model);
  KBX_CHECK(http.has_value());  // it could be made when the call came
  call.ticket = ticket;
  call.current = std::make_unique<HttpTry>(curl_, handle, *call.provider, std::move(*http), keys_.at(call.provider->name), call.dialect->reader(call.request), options_.most_bytes);
  call.begun = now();
  sent_[handle] = ticket.call;
  CURLMcode code = curl_.curl_multi_add_handle(multi_, handle);
  KBX_CHECK(code == CURLM_OK);
}

void TransportThread::collect() {
  int left = 0;
  while (CURLMsg* message = curl_.curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;  // the message is gone with the handle
    Call& call = *calls_.at(sent_.at(message->easy_handle));
    try_ended(call, call.current->finish(code, unix_seconds()));
  }
}

void TransportThread::end_overdue(Steady::time_point& wake) {
  auto at = Steady::now();
  std::vector<uint64_t> late;
  for (const auto& [handle, number] : sent_) {
    auto deadline = calls_.at(number)->current->next_deadline();
    if (deadline <= at) late.push_back(number);
    else wake = std::min(wake, deadline);
  }
  for (uint64_t number : late) {
    Call& call = *calls_.at(number);
    try_ended(call, call.current->finish_late(unix_seconds()));
  }
}

void TransportThread::release(Call& call) {
  if (!call.current) return;
  CURL* handle = call.current->handle();
  curl_.curl_multi_remove_handle(multi_, handle);
  sent_.erase(handle);
  call.current.reset();
  idle_.push_back(handle);
}

// What a failed try used is paid all the same.
void TransportThread::count_lost(Call& call, ChatResult& result) const {
  auto* error = std::get_if<ApiError>(&result);
  bool silent = error && !error->usage && (error->fault == ApiFault::timeout || error->fault == ApiFault::cancelled);
  if (silent && call.current && call.current->was_sent()) error->usage = Usage{.in = estimate_input(call.request), .estimated = true};
  Usage lost = call.lost;
  if (error && error->usage) add_usage(call.lost, *error->usage);
  bool any = lost.in || lost.out;
  if (!any) return;
  if (!error) add_usage(std::get<ChatReply>(result).usage, lost);
  else error->usage = call.lost;
}

void TransportThread::try_ended(Call& call, ChatResult result) {
  uint64_t number = call.ticket.call;
  Lane& lane = lane_of(*call.provider);
  std::string line;
  double chance = std::uniform_real_distribution<double>(0, 1)(chance_);
  bool again = lane.ended(call.ticket, call.begun, result, call.current->headers(), now(), unix_seconds(), chance, line);
  count_lost(call, result);
  call.ticket.tries++;
  if (!line.empty()) notice(line);
  if (lane.stopped()) say_why_stopped(*lane.stopped(), result);
  if (again) release(call);
  else end(number, std::move(result));
  if (lane.stopped()) end_waiting(lane, *lane.stopped());
  else if (winding_down_) end_waiting(lane, cancelled());
}

void TransportThread::end_waiting(Lane& lane, const ApiError& why) {
  for (uint64_t number : lane.take_all()) end(number, why);
}

void TransportThread::begin_winding_down() {
  winding_down_ = true;
  for (auto& [name, lane] : lanes_) end_waiting(lane, cancelled());
}

void TransportThread::end(uint64_t number, ChatResult result) {
  auto at = calls_.find(number);
  std::unique_ptr<Call> call = std::move(at->second);
  Exchange exchange;
  std::string said;
  if (call->current) {
    fill(exchange, *call->current);
    if (std::holds_alternative<ApiError>(result)) said = call->current->said();
  }
  release(*call);
  calls_.erase(at);
  auto [first, last] = numbers_.equal_range(call->request.id);
  numbers_.erase(std::find_if(first, last, [&](const auto& e) { return e.second == number; }));
  if (auto* reply = std::get_if<ChatReply>(&result)) reply->timing.tries = call->ticket.tries;
  else std::get<ApiError>(result).tries = std::max(1, call->ticket.tries);
  clean(result, said, exchange);
  exchange.request = std::move(call->request);
  exchange.result = std::move(result);
  call->done(std::move(exchange));
}

void TransportThread::fill(Exchange& exchange, HttpTry& from) {
  exchange.status = from.status();
  exchange.headers = scrubber_.clean(from.headers());
  if (options_.keep_pieces) exchange.pieces = std::move(from.pieces());
}

// Masks the key in the bytes that are kept; bytes that spell it otherwise, in escapes or letter by letter, are not kept.
void TransportThread::clean_bytes(const std::string& said, Exchange& exchange) const {
  std::string all;
  for (const RawPiece& piece : exchange.pieces) all += piece.bytes;
  if (scrubber_.finds_key(all)) {
    scrubber_.mask(all);
    size_t at = 0;
    for (RawPiece& piece : exchange.pieces) {
      piece.bytes = all.substr(at, piece.bytes.size());
      at += piece.bytes.size();
    }
  }
  if (scrubber_.finds_key_in_json(all) || scrubber_.finds_key(said)) exchange.pieces.clear();
}

// A server that sends the key back gets it nowhere: masked in errors; a reply that holds it is none.
void TransportThread::clean(ChatResult& result, const std::string& said, Exchange& exchange) const {
  clean_bytes(said, exchange);
  if (auto* error = std::get_if<ApiError>(&result)) {
    error->message = scrubber_.clean(error->message);
    error->type = scrubber_.clean(error->type);
    return;
  }
  ChatReply& reply = std::get<ChatReply>(result);
  for (const std::string* text : {&reply.text, &reply.reasoning, &reply.raw_stop, &reply.model_returned, &reply.fingerprint, &reply.request_id})
    if (scrubber_.finds_key(*text)) {
      ApiError error = error_of_ours(ApiFault::refused_by_us, exchange.status, "the reply holds the key that was sent: nothing of it is kept", false);
      error.usage = reply.usage;
      error.tries = reply.timing.tries;
      exchange.pieces.clear();
      result = std::move(error);
      return;
    }
}

void TransportThread::notice(const std::string& line) const {
  if (options_.notice) options_.notice(scrubber_.clean(line));
}

}  // namespace kbx::llm
