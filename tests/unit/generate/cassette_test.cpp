// Cassettes: what was recorded comes back, a line cut by a crash is written over, what is not there is said.
#include "generate/cassette_client.h"

#include <fstream>

#include "fixture.h"
#include "generate/exchange_json.h"

namespace kbx::generate {
namespace {

ChatRequest question(int slot) {
  ChatRequest r;
  r.id = {"t", "solver", 0, slot, 0};
  r.model = "m";
  r.messages = {{Speaker::user, "write it", true}};
  return r;
}

TEST(CallKey, IsOfTheQuestionTheModelAndThePlaceAlone) {
  ChatRequest a = question(0), b = question(0);
  b.prompt = "gen@1234";
  b.messages[0].stable = false;
  EXPECT_EQ(call_key(a, "id"), call_key(b, "id"));
  EXPECT_NE(call_key(a, "id"), call_key(a, "id-2"));
  EXPECT_NE(call_key(a, "id"), call_key(question(1), "id"));
  b.sampling.temperature = 0.5;
  EXPECT_NE(call_key(a, "id"), call_key(b, "id"));
}

TEST(Cassette, BytesComeBackAndACutLineIsNoLine) {
  Folder f("cassette");
  llm::Exchange e;
  e.request = question(0);
  e.status = 200;
  e.headers = {{"content-type", "text/event-stream"}};
  e.pieces = {{0.5, std::string("data: \xff\x00 half", 13)}, {0.7, "data: [DONE]\n"}};
  ChatReply reply;
  reply.text = "x";
  reply.usage.out = 3;
  e.result = reply;
  {
    auto c = Cassette::open(f.path);
    ASSERT_TRUE(c);
    ASSERT_TRUE(c->add("k", e));
  }
  std::ofstream(f.path / "cassette.jsonl", std::ios::app) << "{\"key\": \"half";
  auto c = Cassette::open(f.path);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->size(), 1u);
  ASSERT_TRUE(c->add("k2", e));
  auto again = Cassette::open(f.path);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->size(), 2u);
  auto back = again->find("k");
  ASSERT_TRUE(back && *back);
  ASSERT_EQ((*back)->pieces.size(), 2u);
  EXPECT_EQ((*back)->pieces[0].bytes, e.pieces[0].bytes);
  EXPECT_EQ((*back)->headers, e.headers);
  EXPECT_EQ(std::get<ChatReply>((*back)->result).usage.out, 3);
  EXPECT_FALSE(*again->find("other"));
}

TEST(Cassette, AFileThatIsNoneIsRefused) {
  Folder f("nocassette");
  std::filesystem::create_directories(f.path);
  std::ofstream(f.path / "cassette.jsonl") << "hello\n";
  EXPECT_FALSE(Cassette::open(f.path));
}

TEST(CassetteClient, RecordsWhatIsAskedAndReplaysWithoutAsking) {
  Folder f("client");
  llm::Registry registry;
  registry.models["m"].id = "vendor-m";
  ScriptedClient live;
  llm::Exchange got;
  auto keep = [&](llm::Exchange e) { got = std::move(e); };
  {
    CassetteClient record(*Cassette::open(f.path), CassetteMode::record, registry, &live);
    record.start(question(0), keep);
  }
  CassetteClient replay(*Cassette::open(f.path), CassetteMode::replay, registry, nullptr);
  replay.start(question(0), keep);
  EXPECT_EQ(std::get<ChatReply>(got.result).text, "code of t/solver/0/0/0");
  replay.start(question(1), keep);
  const auto& miss = std::get<ApiError>(got.result);
  EXPECT_EQ(miss.type, "cassette_miss");
  EXPECT_NE(miss.message.find("t/solver/0/1/0"), std::string::npos);
  CassetteClient both(*Cassette::open(f.path), CassetteMode::auto_, registry, &live);
  both.start(question(0), keep);
  both.start(question(1), keep);
  EXPECT_EQ(live.asked, (std::vector<std::string>{"t/solver/0/0/0", "t/solver/0/1/0"}));
}

TEST(CassetteClient, ARefusedKeyIsNotRecordedAndAFailureOfTheWorldIsAskedAgain) {
  Folder f("refused");
  llm::Registry registry;
  ScriptedClient live;
  auto none = [](llm::Exchange) {};
  auto well = live.answer;
  CassetteClient both(*Cassette::open(f.path), CassetteMode::auto_, registry, &live);
  for (bool stops : {true, false}) {
    live.answer = [stops](const ChatRequest&) -> ChatResult {
      ApiError e;
      e.fault = stops ? ApiFault::auth : ApiFault::connect;
      e.stops_provider = stops;
      return e;
    };
    both.start(question(0), none);
  }
  live.answer = well;
  both.start(question(0), none);
  both.start(question(0), none);
  EXPECT_EQ(live.asked.size(), 3u);
  llm::Exchange got;
  CassetteClient replay(*Cassette::open(f.path), CassetteMode::replay, registry, nullptr);
  replay.start(question(0), [&](llm::Exchange e) { got = std::move(e); });
  EXPECT_TRUE(std::holds_alternative<ChatReply>(got.result)) << "the last word counts";
}

TEST(CassetteClient, VerifySaysWhatLooksDifferent) {
  Folder f("verify");
  llm::Registry registry;
  ScriptedClient live;
  auto none = [](llm::Exchange) {};
  {
    CassetteClient record(*Cassette::open(f.path), CassetteMode::record, registry, &live);
    record.start(question(0), none);
  }
  CassetteClient verify(*Cassette::open(f.path), CassetteMode::verify, registry, &live);
  verify.start(question(0), none);
  EXPECT_TRUE(verify.differences().empty());
  live.answer = [](const ChatRequest&) -> ChatResult {
    ChatReply reply;
    reply.stop = Stop::length;
    return reply;
  };
  verify.start(question(0), none);
  ASSERT_EQ(verify.differences().size(), 1u);
  EXPECT_NE(verify.differences()[0].find("length"), std::string::npos);
}

TEST(Raw, TheTextIsThatOfTheJson) {
  std::string all;
  for (int k = 0; k < 256; k++) all += char(k);
  llm::Exchange e;
  EXPECT_EQ(raw_text(e), dump_json(raw_json(e)));
  e.status = 200;
  e.headers = {{"content-type", "text/event-stream; \"x\""}};
  e.pieces = {{0, ""}, {0.0000014, all.substr(0, 128)}, {1.5, "\xC3\xA4\"\\ \n"}, {12.345678, all}, {3600.000001, "data: {\"a\": 1}\n\n"}, {2, std::string(17, '\xff')}};
  Json json = raw_json(e);
  auto back = parse_json(raw_text(e));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, json) << "the numbers may be written otherwise";
  llm::Exchange again;
  raw_from(*back, again);
  ASSERT_EQ(again.pieces.size(), e.pieces.size());
  for (size_t k = 0; k < e.pieces.size(); k++) {
    EXPECT_EQ(again.pieces[k].bytes, e.pieces[k].bytes) << k;
    EXPECT_NEAR(again.pieces[k].at, e.pieces[k].at, 5e-7) << k;
  }
}

}  // namespace
}  // namespace kbx::generate
