// The scheduler: every task ends, nothing that was paid for is asked again, no budget is overshot.
#include "generate/scheduler.h"

#include "process.h"

namespace kbx::generate {
namespace {

TEST(Scheduler, EveryTaskEndsAndEveryCandidateIsARecord) {
  Folder f("scheduler");
  Process p;
  Ending end = p.run(f.path);
  ASSERT_EQ(end.tasks.size(), 2u);
  EXPECT_EQ(end.unfinished, 0);
  EXPECT_EQ(end.tasks[0].task, "a");
  EXPECT_EQ(end.tasks[0].verdict, Verdict::correct);
  EXPECT_EQ(p.client.asked.size(), 12u);
  EXPECT_EQ(p.spent.calls, 12);
  auto store = store::Store::open_for_reading(f.path);
  EXPECT_EQ(*store->count(), 12);
  auto rows = store::Generation::open_for_reading(*store);
  EXPECT_EQ(rows->memories()->size(), 12u);
  EXPECT_EQ(rows->memories()->front().candidate, "a/0/0/0");
  EXPECT_EQ(rows->answers()->size(), 2u);
}

TEST(Scheduler, AFinishedRunAsksAndJudgesNothingAgain) {
  Folder f("finished");
  Process first, second;
  first.run(f.path);
  Ending end = second.run(f.path);
  EXPECT_TRUE(second.client.asked.empty());
  EXPECT_TRUE(second.evaluator.judged.empty());
  ASSERT_EQ(end.tasks.size(), 2u);
  EXPECT_TRUE(end.tasks[0].from_before);
  EXPECT_EQ(second.spent.usage.out, first.spent.usage.out);
  EXPECT_DOUBLE_EQ(second.spent.usd, first.spent.usd);
}

TEST(Scheduler, ARunThatWasStoppedGoesOnWhereItWas) {
  Folder whole("whole"), cut("cut");
  Process all;
  all.run(whole.path);
  // Stop after every number of calls there is.
  std::vector<std::string> asked;
  for (int most = 1; most < 12; most++) {
    std::filesystem::remove_all(cut.path);
    asked.clear();
    for (int process = 0; process < 14; process++) {
      Process p;
      p.calls_at_a_time = 2;
      auto answer = p.client.answer;
      p.client.answer = [&, answer, made = 0](const ChatRequest& r) mutable {
        if (++made >= most) p.stop = true;
        return answer(r);
      };
      Ending end = p.run(cut.path);
      asked.insert(asked.end(), p.client.asked.begin(), p.client.asked.end());
      if (end.unfinished == 0) break;
    }
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(std::adjacent_find(asked.begin(), asked.end()), asked.end()) << "asked twice, stopping after " << most;
    EXPECT_EQ(asked.size(), 12u);
    auto a = store::Store::open_for_reading(whole.path), b = store::Store::open_for_reading(cut.path);
    auto x = store::Generation::open_for_reading(*a)->answers(), y = store::Generation::open_for_reading(*b)->answers();
    ASSERT_EQ(x->size(), y->size());
    for (size_t k = 0; k < x->size(); k++) EXPECT_EQ((*x)[k].code, (*y)[k].code);
    EXPECT_EQ(store::Generation::open_for_reading(*b)->memories()->size(), 12u);
  }
}

TEST(Scheduler, WhatTheWorldRefusedIsAskedAgainAndWhatTheServerSaidIsNot) {
  Folder f("world");
  Process first;
  first.names = {"a"};
  first.rounds = 1;
  first.client.answer = [](const ChatRequest& r) -> ChatResult {
    ApiError e;
    e.fault = r.id.slot == 0 ? ApiFault::connect : ApiFault::invalid;
    return e;
  };
  EXPECT_EQ(first.run(f.path).tasks.at(0).why, "none");
  Process second;
  second.names = {"a"};
  second.rounds = 1;
  second.run(f.path);
  EXPECT_EQ(second.client.asked, std::vector<std::string>{"a/solver/0/0/0"});
}

TEST(Scheduler, AProviderThatRefusesTheKeyStopsTheRunAndLosesNothing) {
  Folder f("key");
  Process first;
  first.client.answer = [](const ChatRequest&) -> ChatResult {
    ApiError e;
    e.fault = ApiFault::auth;
    e.stops_provider = true;
    e.message = "the key is not accepted";
    return e;
  };
  Ending end = first.run(f.path);
  EXPECT_EQ(end.stopped, "the key is not accepted");
  EXPECT_TRUE(end.tasks.empty());
  EXPECT_EQ(end.unfinished, 2);
  Process second;
  EXPECT_EQ(second.run(f.path).unfinished, 0);
  EXPECT_EQ(second.client.asked.size(), 12u);
}

TEST(Scheduler, TheSameCodeIsJudgedOnce) {
  Folder f("same");
  Process p;
  p.client.answer = [](const ChatRequest&) -> ChatResult {
    ChatReply reply;
    reply.text = "the only idea";
    return reply;
  };
  p.run(f.path);
  EXPECT_EQ(p.evaluator.judged.size(), 2u) << "once a task";
  auto store = store::Store::open_for_reading(f.path);
  EXPECT_EQ(*store->count(), 12) << "and every candidate has its record";
  auto copy = store->find("a/1/2/0");
  ASSERT_TRUE(copy && *copy);
  EXPECT_EQ((*copy)->flags.size(), 1u);
}

TEST(Scheduler, NoBudgetIsOvershot) {
  for (const char* text : {"usd=9", "tokens=500", "calls=5", "per-task=2"}) {
    Folder f("budget");
    Process p;
    ASSERT_TRUE(read_budget(text, p.budget));
    Ending end = p.run(f.path);
    if (p.budget.usd) EXPECT_LE(p.spent.usd, 9.0);
    if (p.budget.tokens) EXPECT_LE(p.spent.usage.in + p.spent.usage.out, 500);
    if (p.budget.calls) EXPECT_EQ(p.spent.calls, 5) << text;
    if (p.budget.calls_per_task) EXPECT_EQ(p.spent.calls, 4) << text;
    EXPECT_GT(p.spent.calls, 0) << text;
    EXPECT_LT(p.spent.calls, 12) << text;
    ASSERT_FALSE(end.tasks.empty());
    EXPECT_TRUE(end.tasks[0].cut_short) << text;
    // With more money it goes on, and pays for nothing twice.
    Process more;
    more.run(f.path);
    EXPECT_EQ(more.client.asked.size() + p.client.asked.size(), 12u) << text;
  }
}

}  // namespace
}  // namespace kbx::generate
