// Fuzzes the reading of answers in every dialect: however the bytes are cut the result is the same, counts are sane, and
// it is the same after a trip through JSON; a piece that is read without building JSON is what the built JSON says. Bytes: dialect, size of a piece, status, then the body.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "llm/dialect.h"
#include "llm/json_scan.h"
#include "llm/readings.h"

namespace {

using namespace kbx;
using namespace kbx::llm;

ChatResult read(const Dialect& dialect, int status, std::string_view body, size_t piece, bool whole) {
  ChatRequest request;
  request.messages = {{Speaker::user, "a question", false}};
  auto reader = dialect.reader(request);
  reader->headers(status, {{"retry-after", std::string(body.substr(0, 30))}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}});
  int64_t payloads = 0;
  while (!body.empty()) {
    reader->feed(body.substr(0, piece));
    body.remove_prefix(std::min(piece, body.size()));
    KBX_CHECK(reader->payloads() >= payloads);
    payloads = reader->payloads();
  }
  return reader->finish(whole, 784111777);
}

void check(const Usage& u) {
  KBX_CHECK(u.in >= 0 && u.out >= 0 && u.in_cached >= 0 && u.in_cached <= u.in && u.in_cache_write >= 0 && u.reasoning >= 0 && u.reasoning <= u.out);
}

std::string text_of(const ChatResult& result) {
  if (auto* reply = std::get_if<ChatReply>(&result)) {
    check(reply->usage);
    std::string text = dump_json(chat_reply_json(*reply));
    KBX_CHECK(dump_json(chat_reply_json(chat_reply_from(*parse_json(text)))) == text);
    return text;
  }
  const ApiError& error = std::get<ApiError>(result);
  if (error.usage) check(*error.usage);
  KBX_CHECK(!error.message.empty() && error.message.size() <= 5000 && !(error.stops_provider && error.retryable));
  KBX_CHECK(!error.retry_after || *error.retry_after >= 0);
  std::string text = dump_json(api_error_json(error));
  KBX_CHECK(dump_json(api_error_json(api_error_from(*parse_json(text)))) == text);
  return text;
}

void check_piece(std::string_view data) {
  bool scanned = JsonScan(data).skip();
  for (int protocol = 0; protocol < 2; protocol++) {
    auto by_piece = protocol ? anthropic_reading() : openai_reading(true), by_json = protocol ? anthropic_reading() : openai_reading(true);
    Gathered a, b;
    bool taken = by_piece->piece("", data, a);
    KBX_CHECK(scanned || !taken);
    by_piece->assemble(a);
    KBX_CHECK(taken || (a.text.empty() && a.reasoning.empty() && a.payloads == 0));
    if (!taken) continue;
    auto json = parse_json(data);
    KBX_CHECK(json.has_value());
    by_json->event("", *json, b);
    by_json->assemble(b);
    KBX_CHECK(!b.error && !b.ended && !b.several && a.text == b.text && a.reasoning == b.reasoning && a.payloads == b.payloads && a.kept == b.kept);
    KBX_CHECK(a.model == b.model && a.id == b.id && a.fingerprint == b.fingerprint && b.other_bytes == 0 && b.raw_stop.empty());
  }
}

void check_scan(std::string_view text) {
  JsonScan scan(text);
  if (scan.skip() && scan.at_end()) KBX_CHECK(parse_json(text).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  constexpr int kStatus[] = {200, 200, 200, 200, 400, 401, 429, 500, 307, 0};
  const Dialect& dialect = dialect_of(DialectName(data[0] % 8));
  int status = kStatus[data[2] % 10];
  std::string_view body(reinterpret_cast<const char*>(data) + 3, size - 3);
  for (const std::string& line : split_lines(body)) {
    std::string_view text = line;
    if (starts_with(text, "data:")) text.remove_prefix(5);
    check_piece(text);
    check_scan(text);
  }
  for (bool whole : {true, false}) {
    std::string once = text_of(read(dialect, status, body, size, whole));
    KBX_CHECK(once == text_of(read(dialect, status, body, 1 + data[1] % 64, whole)));
  }
  return 0;
}
