// SseParser: the grammar of event streams, whole and in pieces.
#include "llm/sse.h"

#include <gtest/gtest.h>

namespace kbx::llm {
namespace {

using Events = std::vector<std::pair<std::string, std::string>>;

Events parse(const std::string& bytes, size_t piece = std::string::npos, SseParser parser = SseParser()) {
  Events out;
  auto add = [&](std::vector<SseEvent> events) {
    for (SseEvent& e : events) out.emplace_back(e.name, e.data);
  };
  for (size_t at = 0; at < bytes.size();) {
    std::string_view rest = std::string_view(bytes).substr(at, piece);
    add(parser.feed(rest));
    at += rest.size();
  }
  add(parser.finish());
  return out;
}

TEST(Sse, EventsComeWithTheirEmptyLineNotBefore) {
  SseParser p;
  EXPECT_TRUE(p.feed("event: a\ndata: 1\n").empty());
  auto events = p.feed("\ndata: 2");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].name, "a");
  EXPECT_EQ(events[0].data, "1");
  events = p.finish();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].name, "");
  EXPECT_EQ(events[0].data, "2");
  EXPECT_TRUE(p.finish().empty());
}

TEST(Sse, W09_LineEndsSpacesAndSeveralDataLines) {
  const Events want{{"", "one"}, {"x", " two\nthree\n"}, {"", ""}};
  for (std::string end : {"\n", "\r", "\r\n"}) {
    std::string bytes;
    for (std::string line : {"data:one", "", "event:x", "data:  two", "data:three", "data", "", "data:", "", ""}) bytes += line + end;
    for (size_t piece = 1; piece < 20; piece++) EXPECT_EQ(parse(bytes, piece), want) << piece;
    EXPECT_EQ(parse(bytes), want);
  }
}

TEST(Sse, LineEndsMayBeMixed) {
  EXPECT_EQ(parse("data: a\r\n\r\ndata: b\r\rdata: c\n\n"), (Events{{"", "a"}, {"", "b"}, {"", "c"}}));
  EXPECT_EQ(parse("data: a\r\n\n"), (Events{{"", "a"}}));
}

TEST(Sse, W08_CommentsAreSkipped) { EXPECT_EQ(parse(": hi\n\n:\ndata: a\n: inside\ndata: b\n\n"), (Events{{"", "a\nb"}})); }

TEST(Sse, W10_BytesOfACharacterMayComeApart) {
  for (size_t piece = 1; piece < 6; piece++) EXPECT_EQ(parse("data: \xF0\x9F\x98\x80\n\n", piece), (Events{{"", "\xF0\x9F\x98\x80"}}));
}

TEST(Sse, W11_AByteOrderMarkOnlyAtTheStart) {
  EXPECT_EQ(parse("\xEF\xBB\xBF" "data: a\n\n", 1), (Events{{"", "a"}}));
  EXPECT_EQ(parse("data: a\n\n\xEF\xBB\xBF" "data: b\n\n"), (Events{{"", "a"}}));  // a field of an unknown name
}

TEST(Sse, W12_AnEventWithoutDataIsNone) { EXPECT_EQ(parse("event: a\n\ndata: b\n\n"), (Events{{"", "b"}})); }

TEST(Sse, W13_UnknownFieldsAreSkipped) { EXPECT_EQ(parse("id: 7\nretry: 100\ndatax: n\n data: n\nData: n\ndata: y\n\n"), (Events{{"", "y"}})); }

TEST(Sse, MemoryIsBounded) {
  SseParser p(100);
  for (int k = 0; k < 1000; k++) p.feed("data: 0123456789");  // one line without end
  EXPECT_TRUE(p.overflow());
  p.feed("\n\n");
  SseParser lines(100);
  std::vector<SseEvent> events;
  for (int k = 0; k < 1000; k++) events = lines.feed("data: 0123456789\n");
  events = lines.feed("\n");
  EXPECT_TRUE(lines.overflow());
  ASSERT_EQ(events.size(), 1u);
  EXPECT_LE(events[0].data.size(), 100u);
  SseParser fine(100);
  fine.feed("data: 0123456789\n\n");
  EXPECT_FALSE(fine.overflow());
}

}  // namespace
}  // namespace kbx::llm
