// SinglePass: samples, choices, replies of no use.
#include <gmock/gmock.h>

#include "loop_driver.h"

namespace kbx::agent {
namespace {

using ::testing::HasSubstr;

struct Fixture : ::testing::Test {
  Method method;
  PromptStore prompts = plain_prompts({"p"}, {"task"});
  Corpus corpus;
  LoopDriver driver;

  Fixture() {
    method.name = "m";
    method.model = "small";
    method.roles["solver"].prompt = "p";
  }
  void run() {
    auto loop = make_loop({method, prompts, corpus, relu_facts()});
    ASSERT_TRUE(loop) << loop.error().text();
    driver.run(**loop);
  }
};

using SinglePassTest = Fixture;

TEST_F(SinglePassTest, OneQuestionOneAnswer) {
  method.sampling.temperature = 0.6;
  method.max_tokens = 77;
  driver.model = [](const ChatRequest&) { return said(fenced(kernel("a"))); };
  run();
  ASSERT_EQ(driver.asked.size(), 1u);
  EXPECT_EQ(driver.asked[0].model, "small");
  EXPECT_EQ(driver.asked[0].sampling.temperature, 0.6);
  EXPECT_EQ(driver.asked[0].max_tokens, 77);
  EXPECT_THAT(driver.asked[0].prompt, HasSubstr("p@"));
  EXPECT_EQ(driver.end->code, kernel("a"));
  EXPECT_EQ(driver.end->why, "raw");
  EXPECT_TRUE(driver.evaluated.empty()) << "nothing depends on it";
  ASSERT_EQ(driver.end->samples.size(), 1u);
  EXPECT_EQ(driver.end->samples[0].how, "fence");
  EXPECT_EQ(driver.end->samples[0].from.role, "solver");
}

TEST_F(SinglePassTest, TheFirstSampleWithCodeIsTakenWhateverCameFirst) {
  method.single_pass.samples = 3;
  method.asks_again = 0;
  driver.model = [](const ChatRequest& r) { return r.id.slot == 0 ? said("No.") : said(fenced(kernel(std::to_string(r.id.slot)))); };
  driver.pick = [](size_t n) { return n - 1; };
  run();
  EXPECT_EQ(driver.end->code, kernel("1"));
  ASSERT_EQ(driver.end->samples.size(), 3u);
  EXPECT_EQ(driver.end->samples[0].code, "") << "a sample without code counts as one";
}

TEST_F(SinglePassTest, BestTakesWhatGotFurthestAndTheFirstOfEquals) {
  method.single_pass = {4, Select::best};
  driver.model = [](const ChatRequest& r) { return said(fenced(kernel(std::to_string(r.id.slot)))); };
  driver.engine = [](const Evaluate& e) { return e.id.slot == 0 ? crash() : e.id.slot == 1 ? wrong() : right(e.id.slot == 2 ? 1.0 : 9.0); };
  run();
  EXPECT_EQ(driver.end->code, kernel("2"));
  EXPECT_EQ(driver.end->chosen->slot, 2);
  EXPECT_EQ(driver.end->why, "timed");
}

TEST_F(SinglePassTest, CorrectThenFastestTakesTheFastestRightOne) {
  method.single_pass = {4, Select::correct_then_fastest};
  driver.model = [](const ChatRequest& r) { return said(fenced(kernel(std::to_string(r.id.slot)))); };
  driver.engine = [](const Evaluate& e) { return e.id.slot == 0 ? right() : e.id.slot == 1 ? wrong() : right(double(e.id.slot)); };
  run();
  EXPECT_EQ(driver.end->code, kernel("3"));
}

TEST_F(SinglePassTest, AReplyOfNoUseIsAskedForAgainWithTheReason) {
  for (auto [first, why] : {std::pair{said(""), "The reply was empty."}, {said("I cannot."), "held no Python"}, {said("x", Stop::refusal), "refused"},
                            {said("", Stop::length), "still reasoning"}, {said("Let me think", Stop::length), "cut before any code"}}) {
    driver = LoopDriver();
    driver.model = [&, first = first](const ChatRequest& r) { return r.id.attempt == 0 ? first : said(fenced(kernel("b"))); };
    run();
    ASSERT_EQ(driver.asked.size(), 2u);
    EXPECT_THAT(driver.asked[1].messages.back().text, HasSubstr("AGAIN"));
    EXPECT_THAT(driver.asked[1].messages.back().text, HasSubstr(why));
    EXPECT_EQ(driver.asked[0].system, driver.asked[1].system);
    EXPECT_EQ(driver.end->code, kernel("b"));
  }
}

TEST_F(SinglePassTest, TheNoteStandsOnceHoweverOftenItIsAsked) {
  method.asks_again = 3;
  run();
  ASSERT_EQ(driver.asked.size(), 4u);
  EXPECT_EQ(driver.asked[1].messages.back().text, driver.asked[3].messages.back().text);
  EXPECT_EQ(driver.end->why, "none");
  EXPECT_EQ(driver.end->samples.size(), 1u);
}

TEST_F(SinglePassTest, AFailedCallIsNoSampleAndIsNotAskedAgain) {
  method.single_pass.samples = 2;
  driver.model = [](const ChatRequest& r) { return r.id.slot == 0 ? broken(ApiFault::overloaded) : said(fenced(kernel("1"))); };
  run();
  EXPECT_EQ(driver.asked.size(), 2u);
  EXPECT_EQ(driver.end->code, kernel("1"));
  EXPECT_EQ(driver.end->samples.size(), 1u);
}

TEST_F(SinglePassTest, AFaultThatStopsTheProviderStopsAskingAgain) {
  method.single_pass.samples = 2;
  driver.model = [](const ChatRequest& r) { return r.id.slot == 0 ? broken(ApiFault::auth, true) : said("Sorry."); };
  run();
  EXPECT_EQ(driver.asked.size(), 2u);
  EXPECT_EQ(driver.end->code, "");
}

TEST_F(SinglePassTest, ACutReplyIsMarked) {
  driver.model = [](const ChatRequest&) { return said("```python\n" + kernel("c"), Stop::length); };
  run();
  EXPECT_TRUE(driver.end->samples[0].truncated);
  EXPECT_EQ(driver.end->code, kernel("c"));
}

TEST_F(SinglePassTest, WithoutBudgetThereIsNothing) {
  auto loop = make_loop({method, prompts, corpus, relu_facts()});
  EXPECT_TRUE((*loop)->step(OutOfBudget{}).empty());
  auto actions = (*loop)->step(Started{});
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(std::get<Finish>(actions[0]).why, "budget");
  EXPECT_TRUE(std::get<Finish>(actions[0]).cut_short);
}

TEST_F(SinglePassTest, WhatIsInFlightWhenTheBudgetEndsStillCounts) {
  method.single_pass.samples = 3;
  driver.budget = 3;
  driver.model = [](const ChatRequest& r) { return said(fenced(kernel(std::to_string(r.id.slot)))); };
  run();
  EXPECT_EQ(driver.end->code, kernel("0"));
  EXPECT_EQ(driver.end->samples.size(), 3u);
  EXPECT_TRUE(driver.end->cut_short);
}

TEST_F(SinglePassTest, UpstreamExtractionKeepsItsOwnRules) {
  method.extract = intake::ExtractMode::upstream;
  driver.model = [](const ChatRequest&) { return said("<think>\n```python\nx = 1\n```\n</think>\n" + fenced(kernel("d"))); };
  run();
  EXPECT_THAT(driver.end->code, HasSubstr("k_d"));
  method.strip_think = false;
  driver = LoopDriver();
  driver.model = [](const ChatRequest&) { return said("<think>\n```python\nx = 1\n```\n</think>\n" + fenced(kernel("d"))); };
  run();
  EXPECT_EQ(driver.end->code, "x = 1");
}

TEST_F(SinglePassTest, AMissingPromptIsAnErrorThatNamesIt) {
  method.roles["solver"].prompt = "q";
  auto loop = make_loop({method, prompts, corpus, relu_facts()});
  ASSERT_FALSE(loop);
  EXPECT_THAT(loop.error().text(), HasSubstr("there is no prompt 'q'"));
  method.roles.clear();
  loop = make_loop({method, prompts, corpus, relu_facts()});
  EXPECT_THAT(loop.error().text(), HasSubstr("names no prompt for the role 'solver'"));
}

}  // namespace
}  // namespace kbx::agent
