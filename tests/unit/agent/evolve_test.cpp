// Evolve: rounds, debugging, ancestors, the published quirks both ways.
#include <gmock/gmock.h>

#include "agent/canonical.h"
#include "loop_driver.h"

namespace kbx::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kPrompts{"gen", "opt", "judge", "fail", "pass"};

PromptStore prompts_for_evolve() {
  PromptStore store = plain_prompts(kPrompts, {"code", "outcome", "attempts", "ancestors", "example", "problem"});
  store.add_blocks({{"attempt_item", "#{{number}} {{code}} {{outcome}}"},
                    {"analysis_item", "because {{reflection}}"},
                    {"ancestor_item", "ancestor {{number}} at {{speedup}}: {{code}}"},
                    {"example_item", "like {{name}}: {{code}}"}});
  return store;
}

struct EvolveTest : ::testing::Test {
  Method method;
  PromptStore prompts = prompts_for_evolve();
  Corpus corpus;
  LoopDriver driver;
  std::function<std::string(const CallId&)> code = [](const CallId& id) { return kernel(std::to_string(id.round) + "_" + std::to_string(id.slot)); };
  std::function<std::string(const CallId&)> marks = [](const CallId&) { return std::string("{\"a\": 0.5, \"b\": 1, \"reasoning\": \"so\"}"); };

  EvolveTest() {
    method.loop = LoopKind::evolve;
    method.reply = ReplyForm::json;
    method.evolve.rounds = 3;
    method.evolve.slots = 2;
    method.roles = {{"generator", {"gen"}}, {"optimise", {"opt"}}, {"judge", {"judge"}}, {"reflect_fail", {"fail"}}, {"reflect_pass", {"pass"}}};
    driver.model = [this](const ChatRequest& r) { return answer(r); };
  }
  ChatResult answer(const ChatRequest& r) const {
    if (r.id.role == "judge") return said(marks(r.id));
    if (r.id.role.starts_with("reflect")) return said("reflection " + std::to_string(r.id.round) + "_" + std::to_string(r.id.slot));
    std::string text = code(r.id);
    return text.empty() ? said("") : said(dump_json({{"strategy", "s" + std::to_string(r.id.round)}, {"code", text}}));
  }
  void run() {
    auto loop = make_loop({method, prompts, corpus, relu_facts()});
    ASSERT_TRUE(loop) << loop.error().text();
    driver.run(**loop);
  }
  std::string question(const std::string& role, int round, int slot) const {
    const ChatRequest* r = driver.call(role, round, slot);
    return r ? r->messages.back().text : "";
  }
};

TEST_F(EvolveTest, FailsReflectsMendsAndOptimises) {
  method.evolve.slots = 1;
  driver.engine = [](const Evaluate& e) { return e.id.round == 0 ? crash("boom") : right(1.0 + e.id.round); };
  run();
  EXPECT_NE(driver.call("generator", 0, 0), nullptr);
  EXPECT_NE(driver.call("judge", 0, 0), nullptr);
  EXPECT_THAT(question("reflect_fail", 0, 0), HasSubstr("boom"));
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("#1 " + kernel("0_0")));
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("because reflection 0_0"));
  EXPECT_THAT(question("reflect_pass", 1, 0), HasSubstr("2x"));
  EXPECT_THAT(question("optimise", 2, 0), HasSubstr("ancestor 1 at 2x: " + kernel("1_0")));
  EXPECT_EQ(driver.end->code, kernel("2_0"));
  EXPECT_EQ(driver.end->why, "timed");
  EXPECT_EQ(driver.end->chosen->round, 2);
}

TEST_F(EvolveTest, EveryRoundIsRemembered) {
  run();
  ASSERT_EQ(driver.memories.size(), 6u);
  const Memory& m = driver.memories[0];
  EXPECT_EQ(m.code, kernel("0_0"));
  EXPECT_EQ(m.strategy, "s0");
  EXPECT_EQ(m.reflection, "reflection 0_0");
  EXPECT_EQ(m.judge_score, 1.5);
  EXPECT_EQ(m.calls.size(), 3u);
}

TEST_F(EvolveTest, NeverMoreCallsThanItSays) {
  run();
  EXPECT_EQ(most_calls(method), 18);
  EXPECT_EQ(driver.asked.size(), 18u);
}

TEST_F(EvolveTest, WithoutAJudgeNobodyIsAskedForAnOpinion) {
  method.evolve.judge = false;
  run();
  EXPECT_EQ(driver.calls_of("judge"), 0);
  EXPECT_EQ(int64_t(driver.asked.size()), most_calls(method));
}

TEST_F(EvolveTest, TheDebugTrapLetsGoAfterItsCap) {
  method.evolve = {.rounds = 4, .slots = 1, .debug_cap = 2, .judge = false, .retrieval = {}};
  method.evolve.slots = 2;  // one slot alone goes on with what it has
  run();
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("attempts=<"));
  EXPECT_THAT(question("generator", 2, 0), HasSubstr("attempts=<"));
  EXPECT_THAT(question("generator", 3, 0), Not(HasSubstr("attempts=<"))) << "afresh";
}

TEST_F(EvolveTest, ASlotAloneWithoutAJudgeGoesOnUntilThereIsAnAncestor) {
  method.evolve = {.rounds = 4, .slots = 1, .debug_cap = 2, .judge = false, .retrieval = {}};
  run();
  EXPECT_THAT(question("generator", 3, 0), HasSubstr("attempts=<"));
}

TEST_F(EvolveTest, RightKernelsAreLeftAloneWhileOthersAreMended) {
  method.evolve.debug_quorum = 2;
  driver.engine = [](const Evaluate& e) { return e.id.slot == 0 ? right() : wrong(); };
  run();
  EXPECT_EQ(driver.call("generator", 1, 0), nullptr);
  EXPECT_NE(driver.call("generator", 1, 1), nullptr);
  EXPECT_EQ(driver.end->code, kernel("0_0"));
  EXPECT_EQ(driver.end->why, "executes");
}

TEST_F(EvolveTest, AReplyWithoutCodeLeavesTheSlotAsItWas) {
  code = [](const CallId& id) { return id.round == 1 ? "" : kernel(std::to_string(id.round) + "_" + std::to_string(id.slot)); };
  run();
  EXPECT_EQ(driver.call("generator", 1, 0, 1) != nullptr, true) << "asked again once";
  EXPECT_EQ(driver.evaluated.size(), 4u);
  EXPECT_THAT(question("generator", 2, 0), HasSubstr("#1 " + kernel("0_0")));
  EXPECT_THAT(question("generator", 2, 0), HasSubstr("problem=<The reply was empty.>"));
}

TEST_F(EvolveTest, NothingButFailedCallsEndsWithNothing) {
  driver.model = [](const ChatRequest&) { return broken(ApiFault::timeout); };
  run();
  EXPECT_EQ(driver.end->why, "none");
  EXPECT_TRUE(driver.evaluated.empty());
}

TEST_F(EvolveTest, AFaultThatStopsTheProviderEndsItAtTheBestSoFar) {
  driver.model = [this](const ChatRequest& r) { return r.id.round == 1 ? broken(ApiFault::billing, true) : answer(r); };
  run();
  EXPECT_EQ(driver.call("generator", 2, 0), nullptr);
  EXPECT_EQ(driver.end->why, "called");
  EXPECT_TRUE(driver.end->cut_short);
}

TEST_F(EvolveTest, TheBudgetEndsItAtTheBestSoFar) {
  driver.budget = 8;
  driver.engine = [](const Evaluate& e) { return e.id.round == 0 ? right(3.0 - e.id.slot) : right(9); };
  run();
  EXPECT_LE(driver.asked.size(), 8u);
  EXPECT_EQ(driver.end->why, "timed");
  EXPECT_TRUE(driver.end->cut_short);
}

TEST_F(EvolveTest, ACutReplySaysSoInTheNextQuestion) {
  driver.model = [this](const ChatRequest& r) {
    ChatResult result = answer(r);
    if (r.id.role == "generator" && r.id.round == 0) std::get<ChatReply>(result).stop = Stop::length;
    return result;
  };
  run();
  EXPECT_TRUE(driver.evaluated[0].truncated);
  EXPECT_THAT(question("reflect_fail", 0, 0), HasSubstr("was cut at the limit"));
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("was cut at the limit"));
}

TEST_F(EvolveTest, TheFirstExampleIsFoundByWordsTheLaterOnesByCode) {
  corpus = Corpus({{"norm", "normalise rows", "def relu(x): k_0_0"}, {"linear", "rectified linear unit", "def other(x)"}});
  method.evolve.retrieval.on = true;
  run();
  EXPECT_THAT(question("generator", 0, 0), HasSubstr("like linear"));
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("like norm"));
}

TEST_F(EvolveTest, UntimedKernelsAreAncestorsByTheJudgesWord) {
  marks = [](const CallId& id) { return id.slot == 0 ? "{\"a\": 1}" : "{\"a\": 2}"; };
  driver.engine = [](const Evaluate&) { return right(); };
  run();
  std::string text = question("optimise", 1, 0);
  EXPECT_LT(text.find(kernel("0_0")), text.find(kernel("0_1"))) << "the better one last";
  EXPECT_THAT(text, HasSubstr("not timed"));
}

TEST_F(EvolveTest, TheSameKernelIsOneAncestor) {
  code = [](const CallId& id) { return "# " + std::to_string(id.slot) + "\n" + kernel("same"); };
  driver.engine = [](const Evaluate&) { return right(2); };
  run();
  EXPECT_THAT(question("optimise", 1, 0), Not(HasSubstr("ancestor 2")));
}

// --- the published quirks, both ways

TEST_F(EvolveTest, QuirkAFullListLosesItsBest) {
  method.evolve = {.rounds = 3, .slots = 1, .ancestors = 2, .retrieval = {}};
  method.evolve.slots = 2;
  auto speeds = [](const Evaluate& e) { return right(e.id.round == 0 ? (e.id.slot == 0 ? 3.0 : 2.0) : 4.0 + e.id.slot); };
  driver.engine = speeds;
  run();
  EXPECT_THAT(question("optimise", 2, 0), HasSubstr("at 5x")) << "the two fastest of all";
  EXPECT_THAT(question("optimise", 2, 0), HasSubstr("at 4x"));
  method.quirks = {Quirk::best_overwritten};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  driver.engine = speeds;
  run();
  // 3 and 2; 4 replaces 3, 5 replaces 4: the slow one stays.
  EXPECT_THAT(question("optimise", 2, 0), HasSubstr("at 5x"));
  EXPECT_THAT(question("optimise", 2, 0), HasSubstr("at 2x"));
}

TEST_F(EvolveTest, QuirkTheOrderIsCalledAscendingAndShownDescending) {
  driver.engine = [](const Evaluate& e) { return right(1.0 + e.id.slot); };
  run();
  EXPECT_LT(question("optimise", 1, 0).find("at 1x"), question("optimise", 1, 0).find("at 2x"));
  method.quirks = {Quirk::order_mislabelled};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  driver.engine = [](const Evaluate& e) { return right(1.0 + e.id.slot); };
  run();
  EXPECT_GT(question("optimise", 1, 0).find("at 1x"), question("optimise", 1, 0).find("at 2x"));
}

TEST_F(EvolveTest, QuirkHistoryKeepsWhatTheModelLikes) {
  method.evolve.history = 1;
  marks = [](const CallId& id) { return id.round == 0 ? "{\"a\": 9}" : "{\"a\": 1}"; };
  driver.engine = [](const Evaluate& e) { return e.id.round == 0 ? crash() : wrong(); };
  run();
  EXPECT_THAT(question("generator", 2, 0), HasSubstr(kernel("1_0"))) << "it got further";
  method.quirks = {Quirk::history_by_self_score};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  driver.engine = [](const Evaluate& e) { return e.id.round == 0 ? crash() : wrong(); };
  run();
  EXPECT_THAT(question("generator", 2, 0), HasSubstr(kernel("0_0"))) << "it scored higher";
}

TEST_F(EvolveTest, QuirkAFailedJudgeSilencesTheLaterSlots) {
  method.evolve.rounds = 1;
  method.evolve.slots = 3;
  marks = [](const CallId& id) { return id.slot == 1 ? "I like it." : "{\"a\": 1}"; };
  auto scores = [this] {
    std::vector<double> out;
    for (const Memory& m : driver.memories) out.push_back(m.judge_score.value_or(-1));
    return out;
  };
  run();
  EXPECT_THAT(scores(), ElementsAre(1, -1, 1));
  method.quirks = {Quirk::judge_failure_lost};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  run();
  EXPECT_THAT(scores(), ElementsAre(1, -1, -1));
  EXPECT_EQ(driver.calls_of("judge"), 2);
}

TEST_F(EvolveTest, QuirkRoundsSayWhereToEnd) {
  method.evolve.first_round = 1;
  run();
  EXPECT_EQ(driver.evaluated.back().id.round, 3);
  method.quirks = {Quirk::rounds_to_end};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  run();
  EXPECT_EQ(driver.evaluated.back().id.round, 2);
}

TEST_F(EvolveTest, QuirkOneSlotLosesItsResults) {
  method.evolve = {.rounds = 2, .slots = 1, .judge = false, .retrieval = {}};
  driver.engine = [](const Evaluate&) { return right(2); };
  run();
  EXPECT_EQ(driver.end->why, "timed");
  method.quirks = quirks_of(method);
  EXPECT_TRUE(method.has(Quirk::results_lost));
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  driver.engine = [](const Evaluate&) { return right(2); };
  run();
  EXPECT_EQ(driver.end->why, "raw");
  EXPECT_THAT(question("generator", 1, 0), HasSubstr("could not be tested"));
}

TEST_F(EvolveTest, QuirkAttemptsOfASlotAreOneObject) {
  run();
  EXPECT_THAT(question("generator", 2, 0), HasSubstr(kernel("0_0")));
  EXPECT_THAT(question("generator", 2, 0), HasSubstr(kernel("1_0")));
  method.quirks = {Quirk::history_shared};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  run();
  EXPECT_THAT(question("generator", 2, 0), Not(HasSubstr(kernel("0_0"))));
  EXPECT_THAT(question("generator", 2, 0), HasSubstr("#2 " + kernel("1_0")));
}

TEST_F(EvolveTest, QuirkWhatHasNoTimeIsForgotten) {
  driver.engine = [](const Evaluate&) { return right(); };
  run();
  EXPECT_NE(driver.call("optimise", 1, 0), nullptr);
  method.quirks = {Quirk::untimed_forgotten};
  driver = LoopDriver();
  driver.model = [this](const ChatRequest& r) { return answer(r); };
  driver.engine = [](const Evaluate&) { return right(); };
  run();
  EXPECT_EQ(driver.call("optimise", 1, 0), nullptr);
  EXPECT_EQ(driver.end->why, "executes");
}

TEST(Canonical, SeesThroughCommentsSpacesAndDocstrings) {
  std::string a = "def f(x):\n    return x+1\n", b = "# hello\ndef f( x ):\n  \"\"\"Doc.\"\"\"\n\n  return x + 1  # one\n";
  EXPECT_EQ(canonical_hash(a), canonical_hash(b));
  EXPECT_NE(canonical_hash(a), canonical_hash("def f(x):\n    return x+2\n"));
  EXPECT_NE(canonical_hash("if a:\n    b()\nc()\n"), canonical_hash("if a:\n    b()\n    c()\n")) << "indentation is meaning";
  EXPECT_NE(canonical_hash("f('a b')"), canonical_hash("f('ab')"));
}

}  // namespace
}  // namespace kbx::agent
