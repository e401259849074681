// Transport: many calls at once, cancelling, leaving, what is sent and what is kept.
#include "llm/transport.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "client_at.h"

namespace kbx::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kCanary = "test-key-CANARY-4711";

ApiError error_of(const Exchange& e) {
  auto* error = std::get_if<ApiError>(&e.result);
  EXPECT_TRUE(error);
  return error ? *error : ApiError{};
}

TEST(Transport, TheKeyGoesWhereTheProtocolWantsIt) {
  ClientAt anthropic("ok", DialectName::anthropic), openai("ok", DialectName::openai);
  anthropic.reply();
  openai.reply();
  faults::Seen a = anthropic.server().seen().at(0), o = openai.server().seen().at(0);
  EXPECT_EQ(a.header("x-api-key"), kCanary);
  EXPECT_EQ(a.header("anthropic-version"), "2023-06-01");
  EXPECT_EQ(o.header("authorization"), std::string("Bearer ") + kCanary);
  EXPECT_EQ(o.header("expect"), "");
  EXPECT_THAT(o.header("accept-encoding"), HasSubstr("gzip"));
  EXPECT_THAT(o.body, HasSubstr("\"stream\":true"));
  EXPECT_EQ(o.method, "POST");
}

TEST(Transport, AnExchangeHoldsWhatCassettesNeed) {
  ClientAt at("bytewise");
  Exchange e = at.ask();
  EXPECT_EQ(e.status, 200);
  EXPECT_EQ(e.request.id, simple_request().id);
  std::string all;
  double last = 0;
  for (const RawPiece& piece : e.pieces) {
    EXPECT_GE(piece.at, last);
    last = piece.at;
    all += piece.bytes;
  }
  auto reader = dialect_of(DialectName::openai).reader(e.request);  // the bytes alone give the same reply
  reader->headers(e.status, e.headers);
  reader->feed(all);
  ChatResult again = reader->finish(true, 0);
  ASSERT_TRUE(std::holds_alternative<ChatReply>(again));
  EXPECT_EQ(std::get<ChatReply>(again).text, std::get<ChatReply>(e.result).text);
  EXPECT_THAT(e.headers, testing::Contains(testing::Pair("content-type", "text/event-stream")));
}

TEST(Transport, ManyCallsKeepToTheConcurrencyAndReuseConnections) {
  ClientAt at("ok", DialectName::openai, [](Provider& p, TransportOptions&) { p.limits.concurrency = 4; });
  for (int slot = 0; slot < 60; slot++) at.start(slot);
  for (int slot = 0; slot < 60; slot++) EXPECT_TRUE(std::holds_alternative<ChatReply>(at.wait(slot).result));
  EXPECT_EQ(at.requests(), 60u);
  EXPECT_LE(at.server().most_at_once(), 4);
}

TEST(Transport, ARateLimitSpreadsCalls) {
  ClientAt at("ok", DialectName::openai, [](Provider& p, TransportOptions&) { p.limits.requests_per_minute = 600; });  // a bucket of 100
  auto begin = Steady::now();
  for (int slot = 0; slot < 103; slot++) at.start(slot);
  for (int slot = 0; slot < 103; slot++) at.wait(slot);
  EXPECT_GE(seconds_since(begin), 0.19);  // three calls beyond the bucket at 10 a second, the first of them after 0.1 s at most
}

TEST(Transport, ACallInFlightCanBeCancelledAndItsUseIsEstimated) {
  ClientAt at("stands-still", DialectName::anthropic);
  at.start();
  while (at.requests() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  at.cancel();
  ApiError error = error_of(at.wait());
  EXPECT_EQ(error.fault, ApiFault::cancelled);
  ASSERT_TRUE(error.usage);
  EXPECT_TRUE(error.usage->estimated);
  EXPECT_GE(error.usage->in, 11);
}

TEST(Transport, ACallThatWaitsCanBeCancelledWithoutBeingAsked) {
  ClientAt at("silent", DialectName::openai, [](Provider& p, TransportOptions&) { p.limits.concurrency = 1; });
  at.start(0);
  at.start(1);
  while (at.requests() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  at.cancel(1);
  ApiError error = error_of(at.wait(1));
  EXPECT_EQ(error.fault, ApiFault::cancelled);
  EXPECT_FALSE(error.usage);
  EXPECT_EQ(at.requests(), 1u);
}

TEST(Transport, WindingDownEndsWhatWaitsAndLetsWhatWasSentGoOn) {
  ClientAt at("always-overloaded", DialectName::openai, [](Provider&, TransportOptions& o) { o.backoff = {300, 600, 900}; });
  at.start(0);
  while (at.notices().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // its first try has failed
  at.wind_down();
  EXPECT_EQ(error_of(at.wait(0)).fault, ApiFault::cancelled);
  EXPECT_EQ(error_of(at.ask(1)).fault, ApiFault::cancelled);
  EXPECT_EQ(at.requests(), 1u);

  ClientAt sent("slow", DialectName::openai);
  sent.start();
  while (sent.requests() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  sent.wind_down();
  EXPECT_TRUE(std::holds_alternative<ChatReply>(sent.wait().result));
}

TEST(Transport, NoConnectionPassesIntoOtherPrograms) {
  ClientAt at("silent");
  at.start();
  while (at.requests() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  int connections = 0;
  for (int fd = 3; fd < 1024; fd++) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.sin_family != AF_INET || ntohs(peer.sin_port) != at.server().port()) continue;
    connections++;
    EXPECT_TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  }
  EXPECT_EQ(connections, 1);
}

TEST(Transport, CancellingWhatHasEndedDoesNothing) {
  ClientAt at("ok");
  at.reply();
  at.cancel();
  EXPECT_TRUE(std::holds_alternative<ChatReply>(at.ask().result));
}

TEST(Transport, LeavingEndsEveryCallOnce) {
  ClientAt at("silent", DialectName::openai, [](Provider& p, TransportOptions&) { p.limits.concurrency = 2; });
  for (int slot = 0; slot < 5; slot++) at.start(slot);
  at.leave();
  for (int slot = 0; slot < 5; slot++) EXPECT_EQ(error_of(at.wait(slot)).fault, ApiFault::cancelled);
}

TEST(Transport, AnEndedCallMayStartTheNext) {
  auto server = *faults::FaultServer::start(faults::play);
  Registry registry;
  registry.providers["p"] = provider_at(DialectName::openai, server->url("ok/v1"));
  registry.models["m"] = model_of(DialectName::openai, "gpt-4o");
  Keyring keys;
  keys["p"] = Secret();
  std::atomic<int> ended{0};
  std::mutex mutex;
  std::condition_variable changed;
  auto client = *Transport::make(registry, std::move(keys), {});
  std::function<void(Exchange)> next = [&](Exchange e) {
    EXPECT_TRUE(std::holds_alternative<ChatReply>(e.result));
    if (++ended < 10) return client->start(simple_request(), next);
    std::lock_guard lock(mutex);
    changed.notify_all();
  };
  client->start(simple_request(), next);
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return ended == 10; }));
  for (const faults::Seen& seen : server->seen()) EXPECT_EQ(seen.header("authorization"), "");  // a provider without a key
}

TEST(Transport, AModelThatIsNotThereIsOurRefusal) {
  auto client = *Transport::make({}, {}, {});
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Exchange> ended;
  client->start(simple_request(), [&](Exchange e) {
    std::lock_guard lock(mutex);
    ended = std::move(e);
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return ended.has_value(); }));
  EXPECT_EQ(error_of(*ended).fault, ApiFault::refused_by_us);
  EXPECT_THAT(error_of(*ended).message, HasSubstr("there is no model \"m\""));
}

std::string everything(const Exchange& e, const std::vector<std::string>& notices) {
  std::string out = dump_json(chat_request_json(e.request));
  out += std::holds_alternative<ChatReply>(e.result) ? dump_json(chat_reply_json(std::get<ChatReply>(e.result))) : dump_json(api_error_json(std::get<ApiError>(e.result)));
  for (const auto& [name, value] : e.headers) out += name + ": " + value + "\n";
  for (const RawPiece& piece : e.pieces) out += piece.bytes;
  for (const std::string& line : notices) out += line + "\n";
  return out;
}

TEST(Transport, AServerThatSendsTheKeyBackGetsItNowhere) {
  for (const char* scenario : {"echo", "echo-in-reply", "ok", "bad-key", "always-cut"})
    for (DialectName dialect : {DialectName::anthropic, DialectName::openai}) {
      ClientAt at(scenario, dialect);
      Exchange e = at.ask();
      faults::Seen sent = at.server().seen().at(0);
      EXPECT_THAT(sent.header("authorization") + sent.header("x-api-key"), HasSubstr(kCanary)) << "the canary is there to be found";
      EXPECT_THAT(everything(e, at.notices()), Not(HasSubstr("CANARY"))) << scenario;
    }
}

TEST(Transport, AReplyThatHoldsTheKeyIsNone) {
  ApiError error = ClientAt("echo-in-reply").error();
  EXPECT_EQ(error.fault, ApiFault::refused_by_us);
  EXPECT_THAT(error.message, HasSubstr("holds the key"));
}

}  // namespace
}  // namespace kbx::llm
