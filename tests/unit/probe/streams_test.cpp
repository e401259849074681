// Order between streams: events, the legacy stream's rule, and the host between two calls.
#include "probe/streams.h"

#include <gtest/gtest.h>

#include "fakes.h"

namespace kbx::probe {
namespace {

class StreamsTest : public testing::Test {
 protected:
  // A fill on a stream: its value tells it apart.
  void work(Handle stream, uint32_t value) {
    uint32_t n = streams.use(stream);
    entries.push_back(DeviceFill{kBase, 1, value, 0, 1, 1, n});
  }
  // "f7@0 r0@1 w0@0": entries as text.
  std::string text() {
    streams.finish();
    std::string out;
    for (const DeviceEntry& e : entries) {
      if (auto f = std::get_if<DeviceFill>(&e))
        out += " f" + std::to_string(f->value) + "@" + std::to_string(f->stream);
      if (auto r = std::get_if<DeviceRecord>(&e))
        out += " r" + std::to_string(r->event) + "@" + std::to_string(r->stream);
      if (auto w = std::get_if<DeviceWait>(&e))
        out += " w" + std::to_string(w->event) + "@" + std::to_string(w->stream);
    }
    return out.empty() ? out : out.substr(1);
  }
  const Handle current = handle(1), side = handle(2), other = handle(3), event = handle(9);
  std::set<Handle> blocking;
  std::vector<DeviceEntry> entries;
  Streams streams{entries, [this](Handle s) { return blocking.count(s) != 0; }};
};

TEST_F(StreamsTest, TheCurrentStreamIsNumberNull) {
  streams.start(current);
  work(side, 1);
  work(current, 2);
  EXPECT_EQ(text(), "f1@1 f2@0");
  EXPECT_EQ(streams.count(), 2u);
}

TEST_F(StreamsTest, ANullHandleIsTheLegacyStream) {
  streams.start(nullptr);
  work(kLegacyStream, 1);
  work(nullptr, 2);
  EXPECT_EQ(text(), "f1@0 f2@0");
  EXPECT_EQ(streams.count(), 1u);
}

TEST_F(StreamsTest, ForkAndJoinByEvents) {
  streams.start(current);
  work(current, 1);
  streams.record(event, current);
  streams.wait(side, event);
  work(side, 2);
  streams.record(event, side);
  streams.wait(current, event);
  work(current, 3);
  EXPECT_EQ(text(), "f1@0 r0@0 w0@1 f2@1 r1@1 w1@0 f3@0");
}

TEST_F(StreamsTest, RecordsWithoutAWaiterAreDropped) {
  streams.start(current);
  streams.record(event, current);
  work(current, 1);
  streams.record(event, current);
  EXPECT_EQ(text(), "f1@0");
  EXPECT_EQ(streams.finish(), 0u);
}

TEST_F(StreamsTest, AWaitMeansTheLastRecordBeforeIt) {
  streams.start(current);
  streams.record(event, current);
  work(current, 1);
  streams.record(event, current);
  streams.wait(side, event);
  streams.record(event, current);
  work(side, 2);
  EXPECT_EQ(text(), "f1@0 r0@0 w0@1 f2@1");
}

TEST_F(StreamsTest, AnEventOfBeforeTheCallIsOver) {
  streams.start(current);
  streams.wait(current, event);
  work(current, 1);
  EXPECT_EQ(text(), "f1@0");
}

TEST_F(StreamsTest, WaitingForOnesOwnStreamIsNothing) {
  streams.start(current);
  work(current, 1);
  streams.record(event, current);
  streams.wait(current, event);
  work(current, 2);
  EXPECT_EQ(text(), "f1@0 f2@0");
}

TEST_F(StreamsTest, AnUnusedStreamsRecordIsNothing) {
  streams.start(current);
  streams.record(event, side);
  streams.wait(current, event);
  work(current, 1);
  EXPECT_EQ(text(), "f1@0");
  EXPECT_EQ(streams.count(), 1u);
}

TEST_F(StreamsTest, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  blocking = {side};
  streams.start(nullptr);
  work(side, 1);
  work(nullptr, 2);
  work(side, 3);
  EXPECT_EQ(text(), "f1@1 r0@1 w0@0 f2@0 r1@0 w1@1 f3@1");
}

TEST_F(StreamsTest, NonBlockingStreamsDoNotJoinTheLegacyStream) {
  streams.start(nullptr);
  work(side, 1);
  work(nullptr, 2);
  EXPECT_EQ(text(), "f1@1 f2@0");
}

TEST_F(StreamsTest, BlockingStreamsDoNotWaitForEachOther) {
  blocking = {side, other};
  streams.start(current);
  work(side, 1);
  work(other, 2);
  EXPECT_EQ(text(), "f1@1 f2@2");
}

TEST_F(StreamsTest, OneJoinIsEnough) {
  blocking = {side};
  streams.start(nullptr);
  work(side, 1);
  work(nullptr, 2);
  work(nullptr, 3);
  EXPECT_EQ(text(), "f1@1 r0@1 w0@0 f2@0 f3@0");
}

TEST_F(StreamsTest, TheThreadsStreamIsABlockingOne) {
  streams.start(nullptr);
  work(kThreadStream, 1);
  work(nullptr, 2);
  EXPECT_EQ(text(), "f1@1 r0@1 w0@0 f2@0");
}

TEST_F(StreamsTest, WhatTheHostHasWaitedForComesFirst) {
  streams.start(current);
  work(side, 1);
  streams.host_waited_for_stream(side);
  work(side, 2);
  work(current, 3);
  EXPECT_EQ(text(), "f1@1 r0@1 f2@1 w0@0 f3@0");
}

TEST_F(StreamsTest, AStreamThatAppearsLaterWaitsToo) {
  streams.start(current);
  work(current, 1);
  streams.host_waited_for_all();
  work(side, 2);
  work(other, 3);
  EXPECT_EQ(text(), "f1@0 r0@0 w0@1 f2@1 w0@2 f3@2");
}

TEST_F(StreamsTest, TheHostWaitingForAnEventCounts) {
  streams.start(current);
  work(side, 1);
  streams.record(event, side);
  work(side, 2);
  streams.host_waited_for_event(event);
  work(current, 3);
  EXPECT_EQ(text(), "f1@1 r0@1 f2@1 w0@0 f3@0");
}

TEST_F(StreamsTest, OneStreamNeedsNoEvents) {
  streams.start(current);
  for (uint32_t k = 0; k < 3; k++) {
    work(current, k);
    streams.host_waited_for_all();
    streams.host_waited_for_stream(side);
  }
  EXPECT_EQ(text(), "f0@0 f1@0 f2@0");
  EXPECT_EQ(streams.count(), 1u);
}

TEST_F(StreamsTest, ANewCallStartsAnew) {
  streams.start(current);
  work(side, 1);
  entries.clear();
  streams.start(side);
  work(side, 2);
  EXPECT_EQ(text(), "f2@0");
  EXPECT_EQ(streams.count(), 1u);
}

}  // namespace
}  // namespace kbx::probe
