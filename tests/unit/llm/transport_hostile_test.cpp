// Servers that mean harm: floods, bombs, lies, and the key sent back in disguise. Each call ends, with a reply or with an error
// that says why; nothing is followed, nothing that the server says steers a terminal, and the key is nowhere.
#include "base/json.h"
#include "base/text.h"
#include "client_at.h"

namespace kbx::llm {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr auto kBoth = {DialectName::anthropic, DialectName::openai};
const std::string kKey = "test-key-CANARY-4711";

void once_and_short(Provider& p, TransportOptions& o) {
  p.retries = 0;
  p.deadlines.first_token = 1;
  p.deadlines.total = 10;
  o.most_bytes = 4 << 20;
}

TEST(HostileServer, FloodsOfHeadersEndTheCallAtOnce) {
  for (const char* scenario : {"header-flood", "header-endless", "hints-endless"}) {
    ClientAt at(scenario);
    ApiError error = at.error();
    EXPECT_EQ(error.fault, ApiFault::protocol) << scenario;
    EXPECT_THAT(error.message, HasSubstr("256 KiB of headers")) << scenario;
    EXPECT_EQ(error.tries, 1) << scenario;
  }
}

TEST(HostileServer, EndlessStreamsEndTheCall) {
  struct Case {
    const char* scenario;
    const char* words;
  };
  for (Case c : {Case{"line-endless", "more than 4 MiB"}, Case{"bomb", "more than 4 MiB"}, Case{"bomb-of-blanks", "more than 4 MiB"}, Case{"events-without-data", "no text within 1 s"}}) {
    ClientAt at(c.scenario, DialectName::openai, once_and_short);
    EXPECT_THAT(at.error().message, HasSubstr(c.words)) << c.scenario;
  }
}

TEST(HostileServer, WhatComesBehindAReplyIsNeitherReadNorTakenForTheNextOne) {
  for (const char* scenario : {"garbage-behind", "trailers"})
    for (DialectName dialect : kBoth) {
      ClientAt at(scenario, dialect);
      for (int slot = 0; slot < 2; slot++) {
        Exchange e = at.ask(slot);
        auto* reply = std::get_if<ChatReply>(&e.result);
        ASSERT_TRUE(reply) << scenario << ": " << std::get<ApiError>(e.result).message;
        EXPECT_EQ(reply->text, "fine");
        EXPECT_EQ(e.status, 200);
      }
      EXPECT_EQ(at.requests(), 2u);
    }
}

TEST(HostileServer, TextThatIsNoTextIsAnErrorAndSaysSo) {
  for (const char* scenario : {"nul", "not-utf8", "half-letter"})
    for (DialectName dialect : kBoth) {
      ApiError error = ClientAt(scenario, dialect).error();
      EXPECT_EQ(error.fault, ApiFault::protocol) << scenario;
      EXPECT_THAT(error.message, HasSubstr("an event that is ")) << scenario;
      EXPECT_EQ(error.message, shown(error.message, 5000)) << scenario;
    }
}

TEST(HostileServer, AnEscapedNulIsALetterLikeAnother) {
  for (DialectName dialect : kBoth) {
    Exchange e = ClientAt("nul-escaped", dialect).ask();
    ASSERT_TRUE(std::holds_alternative<ChatReply>(e.result));
    EXPECT_EQ(std::get<ChatReply>(e.result).text, std::string("a\0b", 3));
  }
}

TEST(HostileServer, JsonThatIsHardToReadIsRead) {
  for (DialectName dialect : kBoth) {
    EXPECT_THAT(ClientAt("deep", dialect).error().message, HasSubstr("deeper than 256"));
    EXPECT_EQ(ClientAt("deep-refusal", dialect).error().fault, ApiFault::invalid);
    EXPECT_EQ(ClientAt("many-keys", dialect).reply().text, "fine");
    ChatReply same = ClientAt("same-keys", dialect).reply();
    EXPECT_EQ(same.text, "fine");
    EXPECT_EQ(same.stop, Stop::end);
  }
}

TEST(HostileServer, ToolsThatNobodyOfferedFillNoReply) {
  for (DialectName dialect : kBoth) {
    ChatReply reply = ClientAt("tool-flood", dialect).reply();
    EXPECT_EQ(reply.stop, Stop::tool);
    EXPECT_EQ(reply.text, "");
    EXPECT_EQ(reply.reasoning, "");
  }
}

TEST(HostileServer, CountsAndNamesStayWithinBounds) {
  for (DialectName dialect : kBoth) {
    ChatReply counts = ClientAt("huge-counts", dialect).reply();
    for (int64_t n : {counts.usage.in, counts.usage.in_cached, counts.usage.out}) EXPECT_TRUE(n >= 0 && n < int64_t(1) << 43) << n;
    ChatReply words = ClientAt("huge-words", dialect).reply();
    for (const std::string& word : {words.model_returned, words.raw_stop, words.fingerprint, words.request_id}) {
      EXPECT_LE(word.size(), 300u);
      EXPECT_EQ(word.find('\x1b'), word.npos);
    }
  }
}

TEST(HostileServer, ARefusalIsCutAndSteersNoTerminal) {
  ClientAt at("huge-refusal");
  ApiError error = at.error();
  EXPECT_LE(error.message.size() + error.type.size(), 2500u);
  EXPECT_THAT(error.message + error.type, Not(AnyOf(HasSubstr("\x1b"), HasSubstr("\x07"))));
}

// Waits that no clock can hold: the call ends (a wait of more than 15 minutes), or it is tried again after our own wait.
TEST(HostileServer, LimitsThatAreNoNumbersHoldUpNothing) {
  for (const char* scenario : {"limits-infinite", "limits-nan", "limits-negative", "limits-words"}) {
    ClientAt at(scenario);
    EXPECT_EQ(at.reply().text, "fine") << scenario;
    EXPECT_EQ(at.requests(), 2u) << scenario;
  }
  ApiError error = ClientAt("limits-huge").error();
  EXPECT_EQ(error.fault, ApiFault::rate);
  EXPECT_EQ(error.tries, 1);
}

TEST(HostileServer, WhatIsNoAnswerIsAnError) {
  for (const char* scenario : {"no-http", "upgrade", "no-content", "status-of-words", "length-too-long", "length-negative", "chunk-too-large"}) {
    ClientAt at(scenario, DialectName::openai, once_and_short);
    ApiError error = at.error();
    EXPECT_TRUE(error.fault == ApiFault::protocol || error.fault == ApiFault::cut) << scenario << " " << to_text(error.fault);
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.stops_provider) << scenario;
  }
}

TEST(HostileServer, ARedirectToAnotherHostIsNotFollowed) {
  auto other = *faults::FaultServer::start(faults::play);
  std::string to = other->url("ok/v1/chat/completions");
  auto server = *faults::FaultServer::start([&](const faults::Seen&) { return faults::whole(308, "", {{"location", to}}); });
  ClientAt at("ok", DialectName::openai, [&](Provider& p, TransportOptions&) { p.base_url = server->url("v1"); });
  EXPECT_THAT(at.error().message, HasSubstr("redirects to " + to));
  EXPECT_TRUE(other->seen().empty());
}

// Nothing that is kept may hold the key, in whatever form the server sent it.
TEST(HostileServer, TheKeySentBackInDisguiseIsNotKept) {
  for (const char* scenario : {"echo", "echo-in-reply", "echo-escaped", "echo-cut"})
    for (DialectName dialect : kBoth) {
      ClientAt at(scenario, dialect);
      Exchange e = at.ask();
      auto* error = std::get_if<ApiError>(&e.result);
      ASSERT_TRUE(error) << scenario;
      EXPECT_THAT(error->message + error->type, Not(HasSubstr(kKey))) << scenario;
      std::string kept, unescaped, spelt;
      for (const RawPiece& p : e.pieces) kept += p.bytes;
      for (const auto& [name, value] : e.headers) kept += name + ": " + value + "\n";
      for (std::string line : split_lines(kept)) {
        size_t brace = line.find('{');
        auto json = brace == line.npos ? Result<Json>(Json()) : parse_json(std::string_view(line).substr(brace));
        if (!json) continue;
        unescaped += json->dump();
        auto delta = get(*json, "choices").is_array() && !get(*json, "choices").empty() ? get(get(*json, "choices")[0], "delta") : get(*json, "delta");
        for (const char* field : {"content", "text"}) spelt += get_string(delta, field).value_or("");
      }
      for (const std::string& form : {kept, unescaped, spelt}) EXPECT_EQ(form.find(kKey), form.npos) << scenario << " " << to_text(error->fault);
    }
}

}  // namespace
}  // namespace kbx::llm
