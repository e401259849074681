// One question to one address, through the real Transport, as a program: what came of it as JSON on standard output, its
// notices on standard error. The key comes from the environment variable KBX_ASK_KEY.
//   ask BASE_URL DIALECT [CA_BUNDLE|-] [PROXY|-]      exit code 0: a reply, 1: an error of the call, 3: it could not be asked
#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>

#include "llm/capabilities.h"
#include "llm/registry.h"
#include "llm/transport.h"

namespace {

using namespace kbx;
using namespace kbx::llm;

int fault(const Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 3;
}

std::string config(int count, char** arguments) {
  auto optional = [&](int at, const char* key) { return count > at && arguments[at] != std::string_view("-") ? fmt::format("{} = '{}'\n", key, arguments[at]) : std::string(); };
  return fmt::format("[providers.p]\nkey_env = 'KBX_ASK_KEY'\nretries = 1\nfirst_token_seconds = 2\nidle_seconds = 2\nbase_url = '{}'\ndialect = '{}'\n{}{}[models.m]\nprovider = 'p'\nid = 'm-1'\n",
                     arguments[1], arguments[2], optional(3, "ca_bundle"), optional(4, "proxy"));
}

Json all_of(const Exchange& e) {
  Json out{{"request", chat_request_json(e.request)}, {"status", e.status}, {"headers", Json::array()}, {"pieces", Json::array()}};
  if (auto* reply = std::get_if<ChatReply>(&e.result)) out["reply"] = chat_reply_json(*reply);
  else out["error"] = api_error_json(std::get<ApiError>(e.result));
  for (const auto& [name, value] : e.headers) out["headers"].push_back(fmt::format("{}: {}", name, value));
  for (const RawPiece& piece : e.pieces) out["pieces"].push_back(piece.bytes);
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  auto registry = read_registry({{"arguments", config(count, arguments)}});
  if (!registry) return fault(registry.error());
  auto keys = read_keys(*registry, {"m"});
  if (!keys) return fault(keys.error());
  TransportOptions options;
  options.notice = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  auto client = Transport::make(*registry, std::move(*keys), std::move(options));
  if (!client) return fault(client.error());
  ChatRequest request{.id = {"task", "generator", 0, 0, 0}, .model = "m", .messages = {{Speaker::user, "Write a softmax.", false}}, .max_tokens = 100};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Exchange> ended;
  (*client)->start(std::move(request), [&](Exchange e) {
    std::lock_guard lock(mutex);
    ended = std::move(e);
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ended.has_value(); });
  std::printf("%s\n", dump_json(all_of(*ended)).c_str());
  return std::holds_alternative<ChatReply>(ended->result) ? 0 : 1;
}
