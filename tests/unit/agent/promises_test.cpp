// What every loop promises (agent/loop.h), over random replies in random order.
#include <gmock/gmock.h>

#include "loop_driver.h"

namespace kbx::agent {
namespace {

Method single() {
  Method m;
  m.single_pass = {4, Select::correct_then_fastest};
  m.roles["solver"].prompt = "p";
  return m;
}
Method evolve() {
  Method m;
  m.loop = LoopKind::evolve;
  m.evolve = {.rounds = 4, .slots = 3, .ancestors = 2, .debug_cap = 2, .debug_quorum = 2, .history = 2, .retrieval = {.on = true}};
  for (const std::string& role : role_names(m)) m.roles[role].prompt = "p";
  return m;
}
Method parallel() {
  Method m;
  m.loop = LoopKind::parallel_refine;
  m.parallel_refine = {.workers = 3, .rounds = 3, .wordings = 2};
  m.parallel_refine.optimise = {.rounds = 3, .keep = 2, .directions = 2, .repairs = 2};
  for (const std::string& role : role_names(m)) m.roles[role].prompt = "p";
  return m;
}

std::vector<Method> methods() {
  std::vector<Method> out{single(), evolve(), parallel()};
  Method all = parallel(), greedy = parallel(), alone = evolve();
  all.parallel_refine.all_workers = true;
  greedy.parallel_refine.optimise.greedy = true;
  alone.evolve.slots = 1;
  alone.evolve.judge = false;
  out.insert(out.end(), {all, greedy, alone});
  for (size_t k = 0, n = out.size(); k < n; k++) {
    Method upstream = out[k];
    upstream.quirks = quirks_of(upstream);
    upstream.asks_again = 0;
    out.push_back(upstream);
  }
  return out;
}

PromptStore store() {
  PromptStore s = plain_prompts({"p"}, {"code", "outcome", "attempts", "ancestors", "history", "problem", "example", "diagnosis", "lessons"});
  s.add_blocks({{"attempt_item", "{{code}}"}, {"analysis_item", "{{reflection}}"}, {"ancestor_item", "{{code}}"}, {"example_item", "{{code}}"}, {"history_item", "{{code}}"}});
  return s;
}

// A reply that depends on the seed and the question alone, never on the order.
ChatResult reply(unsigned seed, const CallId& id) {
  std::seed_seq words{seed, unsigned(std::hash<std::string>{}(id.role)), unsigned(id.round), unsigned(id.slot), unsigned(id.attempt)};
  std::mt19937 random(words);
  switch (random() % 12) {
    case 0:
      return said("");
    case 1:
      return said("I will not.", Stop::refusal);
    case 2:
      return said("```python\nimport triton\n\ndef relu(x):\n    return (", Stop::length);
    case 3:
      return broken(ApiFault::timeout);
    case 4:
      return said("", Stop::length);
    case 5:
      return said("{\"bottlenecks\": [{\"name\": \"a\"}], \"x\": 0.5, \"lessons\": \"l\"}");
    case 6:
      return said(fenced("import torch\n\ndef relu(x):\n    return torch.matmul(x, x)\n"));
    default:
      return said(fenced(kernel(std::to_string(random() % 9))));
  }
}
Feedback judged(unsigned seed, const Evaluate& e) {
  std::seed_seq words{seed, unsigned(std::hash<std::string>{}(e.code))};
  std::mt19937 random(words);
  switch (random() % 4) {
    case 0:
      return crash();
    case 1:
      return wrong();
    case 2:
      return right();
    default:
      return right(0.5 + random() % 30 / 10.0);
  }
}

void drive(LoopDriver& driver, const Method& method, const PromptStore& prompts, unsigned seed, unsigned order, int budget) {
  Corpus corpus({{"a", "relu", "def relu"}});
  auto loop = make_loop({method, prompts, corpus, relu_facts()});
  ASSERT_TRUE(loop) << loop.error().text();
  std::mt19937 random(order);
  driver.model = [seed](const ChatRequest& r) { return reply(seed, r.id); };
  driver.engine = [seed](const Evaluate& e) { return judged(seed, e); };
  driver.pick = [&random](size_t n) { return size_t(random()) % n; };
  driver.budget = budget;
  driver.run(**loop);
  // Replayed from the first event, the same actions come.
  auto again = make_loop({method, prompts, corpus, relu_facts()});
  LoopDriver replay;
  replay.model = driver.model;
  replay.engine = driver.engine;
  std::vector<Action> first, second;
  auto fresh = make_loop({method, prompts, corpus, relu_facts()});
  for (const Event& event : driver.events) {
    auto a = (*again)->step(event), b = (*fresh)->step(event);
    ASSERT_EQ(a.size(), b.size());
    second.insert(second.end(), a.begin(), a.end());
  }
  EXPECT_TRUE((*again)->done());
  ASSERT_FALSE(second.empty());
  ASSERT_TRUE(std::holds_alternative<Finish>(second.back()));
  EXPECT_EQ(std::get<Finish>(second.back()).code, driver.end->code);
  EXPECT_EQ(std::get<Finish>(second.back()).why, driver.end->why);
  size_t asks = size_t(std::count_if(second.begin(), second.end(), [](const Action& a) { return std::holds_alternative<Ask>(a); }));
  EXPECT_EQ(asks, driver.asked.size());
}

TEST(LoopPromises, AnyOrderOfAnyRepliesGivesAValidEnd) {
  PromptStore prompts = store();
  for (const Method& method : methods())
    for (unsigned seed = 0; seed < 30; seed++) {
      LoopDriver driver;
      drive(driver, method, prompts, seed, seed * 7 + 1, 1 << 20);
      ASSERT_TRUE(driver.end) << to_text(method.loop) << " seed " << seed;
      EXPECT_FALSE(driver.end->cut_short);
      int64_t first_asks = std::count_if(driver.asked.begin(), driver.asked.end(), [](const ChatRequest& r) { return r.id.attempt == 0; });
      EXPECT_LE(first_asks, most_calls(method)) << to_text(method.loop) << " seed " << seed;
      if (driver.end->code.empty()) {
        EXPECT_EQ(driver.end->why, "none");
      }
    }
}

TEST(LoopPromises, ABudgetThatEndsAnywhereGivesAValidEnd) {
  PromptStore prompts = store();
  for (const Method& method : methods())
    for (unsigned seed = 0; seed < 8; seed++)
      for (int budget : {1, 2, 3, 5, 8, 13, 21}) {
        LoopDriver driver;
        drive(driver, method, prompts, seed, seed + 100, budget);
        ASSERT_TRUE(driver.end);
      }
}

TEST(LoopPromises, TheOrderDecidesNothingInSinglePassAndEvolve) {
  PromptStore prompts = store();
  for (const Method& method : {single(), evolve()})
    for (unsigned seed = 0; seed < 20; seed++) {
      std::set<std::string> ends;
      for (unsigned order = 0; order < 4; order++) {
        LoopDriver driver;
        drive(driver, method, prompts, seed, order, 1 << 20);
        std::sort(driver.actions.begin(), driver.actions.end());
        std::string all;
        for (const std::string& action : driver.actions) all += action + "\n";
        ends.insert(all);
      }
      EXPECT_EQ(ends.size(), 1u) << to_text(method.loop) << " seed " << seed;
    }
}

TEST(LoopPromises, AnEventThatNobodyWaitsForChangesNothing) {
  PromptStore prompts = store();
  Corpus corpus;
  for (const Method& method : methods()) {
    auto loop = make_loop({method, prompts, corpus, relu_facts()});
    EXPECT_TRUE((*loop)->step(Replied{{"relu", "solver", 0, 0, 0}, said("x")}).empty()) << "before the start";
    EXPECT_FALSE((*loop)->step(Started{}).empty());
    EXPECT_TRUE((*loop)->step(Started{}).empty());
    EXPECT_TRUE((*loop)->step(Replied{{"relu", "nobody", 0, 0, 0}, said("x")}).empty());
    EXPECT_TRUE((*loop)->step(Evaluated{{"relu", 9, 9, 9}, right()}).empty());
    EXPECT_FALSE((*loop)->done());
    EXPECT_TRUE((*loop)->state().contains("state"));
  }
}

}  // namespace
}  // namespace kbx::agent
