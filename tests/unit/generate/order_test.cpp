// The order of results: a replay sees them in the recorded one, in whatever order they come, and ends equal.
#include "generate/order.h"

#include <fstream>

#include "base/text.h"
#include "race.h"
#include "shuffled_world.h"

namespace kbx::generate {
namespace {

Step call(const std::string& place) { return {Step::Kind::call, place, "key of " + place, false}; }

TEST(Order, IsFollowedStepByStep) {
  Order o;
  ASSERT_TRUE(o.put("t", 0, call("a")));
  ASSERT_TRUE(o.put("t", 1, call("b")));
  EXPECT_FALSE(o.put("t", 3, call("d"))) << "step 2 is missing";
  ASSERT_TRUE(o.next("t"));
  EXPECT_TRUE(o.next("t")->same(call("a")));
  EXPECT_TRUE(o.ahead("t", call("b")));
  EXPECT_FALSE(o.ahead("u", call("b")));
  EXPECT_TRUE(o.happened("t", call("a")).known);
  EXPECT_FALSE(o.ahead("t", call("a"))) << "it has come";
  Order::Place other = o.happened("t", call("c"));
  EXPECT_FALSE(other.known);
  EXPECT_EQ(other.at, 1u);
  EXPECT_FALSE(o.next("t")) << "after another step the rest is void";
  EXPECT_EQ(o.past("t").size(), 2u);
}

TEST(Order, WhatAnEarlierProcessSawIsPassedOver) {
  Order o;
  Step end{Step::Kind::out_of_budget, "", "", false};
  ASSERT_TRUE(o.put("t", 0, call("a")));
  ASSERT_TRUE(o.put("t", 1, end));
  ASSERT_TRUE(o.put("t", 2, call("b")));
  Order kept = o;
  EXPECT_EQ(o.passed("t", call("a"), true), Order::npos);
  EXPECT_EQ(o.passed("t", call("z"), true), Order::npos) << "not of the order";
  EXPECT_EQ(o.passed("t", call("b"), true), 1u) << "the run went on: the end of the budget is void";
  EXPECT_EQ(o.past("t").size(), 2u);
  kept.passed("t", call("a"), false);
  EXPECT_EQ(kept.passed("t", call("b"), false), Order::npos);
  EXPECT_EQ(kept.next("t")->kind, Step::Kind::out_of_budget);
}

TEST(Order, AStepIsALineOfTheCassette) {
  Folder f("steps");
  Step stopped{Step::Kind::evaluation, "t/0/1/0", "hash", true};
  {
    auto c = Cassette::open(f.path);
    ASSERT_TRUE(c && c->add("m/t", 0, call("a")) && c->add("m/t", 1, call("old")) && c->add("m/t", 1, stopped));
  }
  auto c = Cassette::open(f.path);
  ASSERT_TRUE(c);
  Order o = c->order();
  o.happened("m/t", call("a"));
  ASSERT_TRUE(o.next("m/t"));
  EXPECT_TRUE(o.next("m/t")->same(stopped));
  EXPECT_TRUE(o.next("m/t")->stopped);
  std::ofstream(f.path / "cassette.jsonl", std::ios::app) << "{\"order\": \"m/t\", \"at\": 9, \"call\": \"x\", \"key\": \"y\"}\n";
  EXPECT_FALSE(Cassette::open(f.path)) << "steps in between are missing";
}

// All that a run left of its tasks, in its order; without times of day.
std::string story(const std::filesystem::path& folder) {
  auto store = store::Store::open_for_reading(folder);
  auto rows = store::Generation::open_for_reading(*store);
  std::map<std::string, std::map<int64_t, std::string>> lines;
  EXPECT_TRUE(rows->each_call([&](const store::CallRow& r) {
    lines[r.id.task][r.seq] = "call " + to_text(r.id) + " " + r.key + " " + r.request + " " + dump_json(r.result);
    return true;
  }));
  EXPECT_TRUE(rows->each_evaluation([&](const store::EvaluationRow& r) {
    auto record = store->find_key(r.job);
    EXPECT_TRUE(record && *record);
    lines[r.task][r.seq] = "judged " + r.candidate + " " + r.code + " " + dump_json(r.feedback) + " " + std::string(to_text((*record)->verdict));
    for (const std::string& flag : (*record)->flags) lines[r.task][r.seq] += " " + flag;
    return true;
  }));
  std::string out;
  for (const auto& [task, by_seq] : lines)
    for (const auto& [seq, line] : by_seq) out += line + "\n";
  auto memories = rows->memories();
  auto answers = rows->answers();
  for (const auto& m : *memories) out += "memory " + m.task + " " + m.candidate + " " + m.strategy + "\n";
  for (const auto& a : *answers) out += "answer " + a.task + " " + a.candidate + " " + a.why + (a.cut_short ? " cut short\n" : "\n");
  return out;
}

// The first line that differs, of both.
std::string difference(const std::string& a, const std::string& b) {
  auto x = split_lines(a), y = split_lines(b);
  for (size_t k = 0; k < std::max(x.size(), y.size()); k++) {
    std::string one = k < x.size() ? x[k] : "nothing", other = k < y.size() ? y[k] : "nothing";
    if (one != other) return "line " + std::to_string(k) + " of " + std::to_string(x.size()) + "\n" + one + "\n" + other;
  }
  return "";
}

struct Race {
  std::filesystem::path tape;
  unsigned seed = 1;
  CassetteMode mode = CassetteMode::record;
  Budget budget;
  int ends_after = 0;  // stopped from outside after so many ticks; 0 = never
  std::vector<std::string> asked;
  Spent spent;

  Ending run(const std::filesystem::path& folder) {
    auto store = store::Store::open(folder);
    auto journal = Journal::open(*store);
    EXPECT_TRUE(journal);
    llm::Registry registry;
    registry.models["m"].name = "m";
    registry.models["m"].price = {1e6 / 100, std::nullopt, std::nullopt, 1e6 / 50, ""};
    std::vector<Task> tasks(2);
    Work work;
    for (size_t k = 0; k < tasks.size(); k++) {
      tasks[k].name = std::string(1, char('a' + k));
      work.tasks.push_back(&tasks[k]);
    }
    work.make_loop = [](const Task& task) -> Result<std::unique_ptr<agent::Loop>> { return std::make_unique<RaceLoop>(task.name, 4, 4); };
    std::atomic<bool> stop{false};
    struct Clock : Silent {
      std::atomic<bool>& stop;
      int left;
      Clock(std::atomic<bool>& s, int n) : stop(s), left(n) {}
      void tick() override { stop = stop || --left == 0; }
    } watcher(stop, ends_after);
    Ledger ledger(budget);
    auto cassette = Cassette::open(tape);
    EXPECT_TRUE(cassette) << (cassette ? "" : cassette.error().text());
    ShuffledWorld world(seed);
    CassetteClient client(std::move(*cassette), mode, registry, mode == CassetteMode::replay ? nullptr : &world, "race");
    auto ending = Scheduler({client, world, *journal, ledger, registry, watcher, stop, 8, 2, &client}, std::move(work)).run();
    EXPECT_TRUE(ending) << (ending ? "" : ending.error().text());
    EXPECT_FALSE(client.failure());
    asked = world.asked;
    spent = ledger.total();
    return ending ? *ending : Ending{};
  }
};

void expect_equal(const Race& a, const Race& b) {
  EXPECT_EQ(a.spent.calls, b.spent.calls);
  EXPECT_EQ(a.spent.usage.out, b.spent.usage.out);
  EXPECT_DOUBLE_EQ(a.spent.usd, b.spent.usd);
}

TEST(RecordedOrder, AReplayOfARaceEndsEqualInWhateverOrderItsResultsCome) {
  std::set<std::string> stories;
  for (unsigned seed = 1; seed <= 6; seed++) {
    Folder f("race"), again("again"), tape("tape");
    Race first{tape.path, seed}, second{tape.path, seed + 1000, CassetteMode::replay};
    EXPECT_EQ(first.run(f.path).unfinished, 0);
    Ending end = second.run(again.path);
    EXPECT_EQ(end.unfinished, 0) << "seed " << seed << ": " << end.stopped;
    std::string told = story(f.path);
    EXPECT_EQ(difference(told, story(again.path)), "") << "seed " << seed;
    expect_equal(first, second);
    stories.insert(told);
  }
  EXPECT_GT(stories.size(), 3u) << "races whose ends do not differ would show nothing";
}

TEST(RecordedOrder, AReplayThatIsStoppedAndResumedAgainAndAgainEndsEqual) {
  for (unsigned seed = 1; seed <= 3; seed++) {
    Folder f("race"), again("again"), tape("tape");
    Race first{tape.path, seed};
    first.run(f.path);
    Race last;
    int processes = 0;
    for (Ending end{{}, 1}; end.unfinished > 0 && processes < 60; processes++) {
      last = {tape.path, seed + unsigned(processes) * 100, CassetteMode::replay};
      last.ends_after = 2 + 6 * (processes % 4);
      end = last.run(again.path);
    }
    EXPECT_GT(processes, 1);
    EXPECT_EQ(difference(story(f.path), story(again.path)), "") << "seed " << seed;
    expect_equal(first, last);
  }
}

TEST(RecordedOrder, ARecordingThatWasStoppedAndResumedIsReplayed) {
  for (CassetteMode mode : {CassetteMode::record, CassetteMode::auto_})
    for (unsigned seed = 1; seed <= 3; seed++) {
      Folder f("race"), again("again"), tape("tape");
      Race last;
      int processes = 0;
      for (Ending end{{}, 1}; end.unfinished > 0 && processes < 60; processes++) {
        last = {tape.path, seed + unsigned(processes) * 100, mode};
        last.ends_after = processes == 40 ? 0 : 2 + 6 * (processes % 4);
        end = last.run(f.path);
      }
      Race second{tape.path, seed + 1000, CassetteMode::replay};
      EXPECT_EQ(second.run(again.path).unfinished, 0);
      EXPECT_EQ(difference(story(f.path), story(again.path)), "") << "seed " << seed << ", mode " << to_text(mode);
      expect_equal(last, second);
    }
}

TEST(RecordedOrder, TheEndOfABudgetIsReplayedWhereItCame) {
  for (const char* text : {"per-task=5", "calls=11"}) {
    Folder f("race"), again("again"), tape("tape");
    Race first{tape.path, 3}, second{tape.path, 1003, CassetteMode::replay};
    ASSERT_TRUE(read_budget(text, first.budget));
    Ending end = first.run(f.path);
    EXPECT_TRUE(std::any_of(end.tasks.begin(), end.tasks.end(), [](const TaskEnd& t) { return t.cut_short; })) << text;
    second.run(again.path);
    EXPECT_EQ(difference(story(f.path), story(again.path)), "") << text;
    // Mode auto goes on where the budget ended, with what is there and for money.
    Folder on("on");
    Race more{tape.path, 2003, CassetteMode::auto_};
    EXPECT_EQ(more.run(on.path).unfinished, 0);
    EXPECT_FALSE(more.asked.empty());
    std::string before = story(f.path);
    for (const std::string& place : more.asked) EXPECT_EQ(before.find("call " + place + " "), std::string::npos) << place << " is there and was asked again";
  }
}

TEST(RecordedOrder, AnotherWayThanTheRecordedOneIsRecordedInItsPlace) {
  Folder f("race"), other("other"), again("again"), tape("tape");
  Race first{tape.path, 5};
  first.run(f.path);
  // The same folder, recorded once more: the last one counts.
  Race second{tape.path, 77};
  second.run(other.path);
  Race third{tape.path, 1005, CassetteMode::replay};
  EXPECT_EQ(third.run(again.path).unfinished, 0);
  EXPECT_NE(story(f.path), story(again.path));
  EXPECT_EQ(difference(story(other.path), story(again.path)), "");
}

TEST(RecordedOrder, VerifyAsksEverythingButWhatWasStopped) {
  Folder f("race"), again("again"), tape("tape");
  Race first{tape.path, 8}, second{tape.path, 1008, CassetteMode::verify};
  first.run(f.path);
  EXPECT_EQ(second.run(again.path).unfinished, 0);
  EXPECT_EQ(first.spent.calls, second.spent.calls);
  EXPECT_FALSE(second.asked.empty());
}

}  // namespace
}  // namespace kbx::generate
