// ParallelRefine: workers, the first success, what is not run again, the phase that makes it faster, quirks both ways.
#include <gmock/gmock.h>

#include "agent/denylist.h"
#include "loop_driver.h"

namespace kbx::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct ParallelRefineTest : ::testing::Test {
  Method method;
  PromptStore prompts = plain_prompts({"seed", "refine", "judge", "opt", "reflexion"},
                                      {"code", "outcome", "history", "problem", "wording", "diagnosis", "lessons", "directions", "target", "before"});
  Corpus corpus;
  LoopDriver driver;
  std::function<std::string(const CallId&)> code = [](const CallId& id) { return kernel(id.role + std::to_string(id.round) + "_" + std::to_string(id.slot)); };
  std::string diagnosis = R"({"bottlenecks": [{"name": "memory", "causes": ["two passes"], "fix": "fuse"}, {"name": "launches", "fix": "one kernel"}]})";

  ParallelRefineTest() {
    method.loop = LoopKind::parallel_refine;
    method.parallel_refine.workers = 3;
    method.parallel_refine.rounds = 2;
    method.roles = {{"seed", {"seed"}}, {"refine", {"refine"}}, {"bottleneck", {"judge"}}, {"optimise", {"opt"}}, {"reflexion", {"reflexion"}}};
    prompts.add_blocks({{"history_item", "#{{number}} {{code}}: {{error}}"}, {"wording_1", "first way"}, {"wording_2", "second way"}});
    renew();
  }
  void renew() {
    auto engine = driver.engine;
    driver = LoopDriver();
    driver.engine = engine;
    driver.model = [this](const ChatRequest& r) { return answer(r); };
  }
  ChatResult answer(const ChatRequest& r) const {
    if (r.id.role == "bottleneck") return said(diagnosis);
    if (r.id.role == "reflexion") return said(R"({"was_diagnosis_correct": true, "lessons": "fuse more", "avoid": ["atomics"], "try": ["tiles"]})");
    std::string text = code(r.id);
    return said(text.empty() ? "" : fenced(text));
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

TEST_F(ParallelRefineTest, TheFirstRightKernelWinsAndTheOthersAreCancelled) {
  driver.engine = [](const Evaluate& e) { return e.id.slot == 1 && e.id.round == 1 ? right() : wrong(); };
  run();
  EXPECT_EQ(driver.end->code, kernel("refine1_1"));
  EXPECT_EQ(driver.end->why, "executes");
  EXPECT_EQ(driver.end->chosen->slot, 1);
  EXPECT_FALSE(driver.cancelled.empty() && driver.evaluations_cancelled.empty());
}

TEST_F(ParallelRefineTest, AWorkerSeesItsKernelItsFailureAndItsHistory) {
  method.parallel_refine.workers = 1;
  driver.engine = [](const Evaluate& e) { return e.id.round == 0 ? crash("first error") : wrong("second error"); };
  run();
  EXPECT_THAT(question("refine", 1, 0), HasSubstr("first error"));
  EXPECT_THAT(question("refine", 1, 0), HasSubstr(kernel("seed0_0")));
  EXPECT_THAT(question("refine", 1, 0), Not(HasSubstr("history=<"))) << "the newest stands in full";
  EXPECT_THAT(question("refine", 2, 0), HasSubstr("#1 " + kernel("seed0_0")));
  EXPECT_THAT(question("refine", 2, 0), HasSubstr("second error"));
  EXPECT_EQ(driver.evaluated.size(), 3u) << "the seed and two refinements";
  EXPECT_EQ(driver.end->why, "called");
  EXPECT_EQ(int64_t(driver.asked.size()), most_calls(method));
}

TEST_F(ParallelRefineTest, TheHistoryIsAWindowOfShortenedAttempts) {
  method.parallel_refine.workers = 1;
  method.parallel_refine.rounds = 5;
  method.parallel_refine.history = {.n = 2, .code = 20, .err = 4, .out = 0};
  driver.engine = [](const Evaluate&) { return wrong("0123456789"); };
  run();
  std::string text = question("refine", 5, 0);
  text = text.substr(text.find("history=<"));
  EXPECT_THAT(text, Not(HasSubstr("#2 ")));
  EXPECT_THAT(text, HasSubstr("#3 "));
  EXPECT_THAT(text, HasSubstr("#4 "));
  EXPECT_THAT(text.substr(0, text.find("problem")), Not(HasSubstr("0123456789")));
}

TEST_F(ParallelRefineTest, WhatItPrintedIsPartOfTheHistory) {
  method.parallel_refine.workers = 1;
  method.parallel_refine.history.out = 3;
  driver.engine = [](const Evaluate&) {
    Feedback f = wrong();
    f.output = "12345";
    return f;
  };
  run();
  EXPECT_THAT(question("refine", 2, 0), HasSubstr("printed: 123"));
  EXPECT_THAT(question("refine", 1, 0), HasSubstr("printed: 12345")) << "the newest in full";
}

TEST_F(ParallelRefineTest, TheSameKernelIsNotRunAgain) {
  code = [](const CallId& id) { return "# attempt " + std::to_string(id.round) + "\n" + kernel("same"); };
  run();
  EXPECT_EQ(driver.evaluated.size(), 1u) << "three workers, one kernel";
  EXPECT_THAT(question("refine", 2, 0), HasSubstr("earlier attempt again"));
  method.parallel_refine.dedup = false;
  renew();
  run();
  EXPECT_EQ(driver.evaluated.size(), 9u);
}

TEST_F(ParallelRefineTest, TwoWorkersWithOneKernelWaitForOneEvaluation) {
  code = [](const CallId&) { return kernel("same"); };
  driver.engine = [](const Evaluate&) { return right(); };
  method.parallel_refine.all_workers = true;
  run();
  EXPECT_EQ(driver.evaluated.size(), 1u);
  EXPECT_EQ(driver.memories.size(), 3u);
  EXPECT_EQ(driver.end->why, "executes");
}

TEST_F(ParallelRefineTest, WhatIsDeniedIsNeverRun) {
  code = [](const CallId& id) { return id.round == 0 ? "import torch\n\ndef relu(x):\n    return torch.matmul(x, x)\n" : kernel("b" + std::to_string(id.slot)); };
  run();
  for (const Evaluate& e : driver.evaluated) EXPECT_GT(e.id.round, 0);
  EXPECT_THAT(question("refine", 1, 0), HasSubstr("tl.dot"));
}

TEST_F(ParallelRefineTest, StopAllTakesTheFastestOfAllWorkers) {
  method.parallel_refine.all_workers = true;
  driver.engine = [](const Evaluate& e) { return e.id.slot == 2 ? wrong() : right(1.0 + e.id.slot); };
  run();
  EXPECT_EQ(driver.end->code, kernel("seed0_1"));
  EXPECT_EQ(driver.end->why, "timed");
  EXPECT_TRUE(driver.cancelled.empty());
}

TEST_F(ParallelRefineTest, WordingsAndTemperaturesGoRound) {
  method.parallel_refine.wordings = 2;
  method.parallel_refine.seed_temperature = 0.8;
  method.parallel_refine.refine_temperature = 0.7;
  run();
  EXPECT_THAT(question("seed", 0, 0), HasSubstr("first way"));
  EXPECT_THAT(question("seed", 0, 1), HasSubstr("second way"));
  EXPECT_THAT(question("seed", 0, 2), HasSubstr("first way"));
  EXPECT_EQ(driver.call("seed", 0, 2)->sampling.temperature, 0.8);
  EXPECT_EQ(driver.call("refine", 1, 2)->sampling.temperature, 0.7);
}

TEST_F(ParallelRefineTest, AReplyWithoutCodeCostsARoundAndIsSaid) {
  method.parallel_refine.workers = 1;
  code = [](const CallId& id) { return id.role == "refine" && id.round == 1 ? "" : kernel(id.role + std::to_string(id.round)); };
  run();
  EXPECT_NE(driver.call("refine", 1, 0, 1), nullptr);
  EXPECT_THAT(question("refine", 2, 0), HasSubstr("problem=<The reply was empty.>"));
  EXPECT_THAT(question("refine", 2, 0), HasSubstr(kernel("seed0")));
  EXPECT_EQ(driver.evaluated.size(), 2u);
}

TEST_F(ParallelRefineTest, TheBudgetEndsItAtTheBestSoFar) {
  driver.budget = 4;
  driver.engine = [](const Evaluate& e) { return e.id.slot == 0 ? crash() : wrong(); };
  run();
  EXPECT_EQ(driver.asked.size(), 4u);
  EXPECT_EQ(driver.end->why, "called");
  EXPECT_TRUE(driver.end->cut_short);
}

TEST_F(ParallelRefineTest, NothingButRefusalsEndsWithNothing) {
  driver.model = [](const ChatRequest&) { return said("I can't help with that.", Stop::refusal); };
  run();
  EXPECT_EQ(driver.end->why, "none");
  EXPECT_EQ(driver.asked.size(), 6u) << "each asked again once";
}

// --- the phase that makes it faster

TEST_F(ParallelRefineTest, ARightKernelIsMadeFasterAlongItsDiagnoses) {
  method.parallel_refine.optimise.rounds = 2;
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(1) : right(1.0 + e.id.round + e.id.slot); };
  run();
  EXPECT_THAT(question("optimise", 0, 0), HasSubstr("memory. Causes: two passes. Change: fuse"));
  EXPECT_THAT(question("optimise", 0, 1), HasSubstr("launches"));
  EXPECT_THAT(question("optimise", 1, 0), HasSubstr("fuse more"));
  EXPECT_THAT(question("optimise", 1, 0), HasSubstr("10 %"));
  EXPECT_EQ(driver.calls_of("bottleneck"), 3) << "one kernel, then the two fastest";
  EXPECT_EQ(driver.end->code, kernel("optimise1_3"));
  EXPECT_EQ(driver.end->chosen->round, 4);
}

TEST_F(ParallelRefineTest, WhatGotSlowerIsNotKept) {
  method.parallel_refine.optimise.rounds = 1;
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(2) : right(1); };
  run();
  EXPECT_EQ(driver.end->code, kernel("seed0_0"));
}

TEST_F(ParallelRefineTest, ABrokenRewriteIsRepairedAndTheRepairCounts) {
  method.parallel_refine.optimise.rounds = 1;
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(1) : e.id.step < 2 ? crash("broken") : right(7); };
  run();
  EXPECT_THAT(question("repair_1", 0, 0), HasSubstr("broken"));
  EXPECT_NE(driver.call("repair_2", 0, 0), nullptr);
  EXPECT_EQ(driver.call("repair_3", 0, 0), nullptr);
  EXPECT_EQ(driver.end->code, kernel("repair_20_0"));
}

TEST_F(ParallelRefineTest, WithoutTimesThereIsNothingToOptimise) {
  method.parallel_refine.optimise.rounds = 3;
  driver.engine = [](const Evaluate&) { return right(); };
  run();
  EXPECT_EQ(driver.calls_of("bottleneck"), 0);
  EXPECT_EQ(driver.end->why, "executes");
}

TEST_F(ParallelRefineTest, NearTheRooflineItEnds) {
  method.parallel_refine.optimise.rounds = 5;
  driver.engine = [](const Evaluate& e) {
    Feedback f = right(e.id.round < 3 ? 1 : 2);
    f.roofline = e.id.round < 3 ? 0.4 : 0.96;
    return f;
  };
  run();
  EXPECT_EQ(driver.evaluated.back().id.round, 3);
}

TEST_F(ParallelRefineTest, GreedyStopsWithoutGainAndGoesBackWhenItGotMuchSlower) {
  method.parallel_refine.optimise.rounds = 9;
  method.parallel_refine.optimise.greedy = true;
  method.parallel_refine.optimise.patience = 2;
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(2) : e.id.round == 3 ? right(1.9) : right(0.5); };
  run();
  EXPECT_THAT(question("bottleneck", 1, 0), HasSubstr(kernel("optimise0_0"))) << "a little slower: it goes on from there";
  EXPECT_EQ(driver.evaluated.back().id.round, 4) << "two rounds without gain";
  EXPECT_EQ(driver.end->code, kernel("seed0_0"));
  method.parallel_refine.optimise.patience = 3;
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(2) : right(0.5); };
  renew();
  run();
  EXPECT_THAT(question("bottleneck", 1, 0), HasSubstr(kernel("seed0_0"))) << "much slower: back to the best";
}

TEST_F(ParallelRefineTest, ADiagnosisThatDoesNotComeIsOneTryWithoutOne) {
  method.parallel_refine.optimise.rounds = 1;
  diagnosis = "It looks fine to me.";
  driver.engine = [](const Evaluate& e) { return right(1.0 + e.id.round); };
  run();
  EXPECT_EQ(driver.calls_of("optimise"), 1);
  EXPECT_THAT(question("optimise", 0, 0), Not(HasSubstr("diagnosis=<")));
  EXPECT_EQ(driver.end->code, kernel("optimise0_0"));
}

TEST_F(ParallelRefineTest, TheBudgetMayEndInTheMiddleOfOptimising) {
  method.parallel_refine.optimise.rounds = 5;
  driver.budget = 6;  // three seeds, a diagnosis, two rewrites
  driver.engine = [](const Evaluate& e) { return right(1.0 + e.id.round); };
  run();
  EXPECT_EQ(driver.asked.size(), 6u);
  EXPECT_EQ(driver.end->chosen->round, 3);
  EXPECT_TRUE(driver.end->cut_short);
}

// --- the published quirks, both ways

TEST_F(ParallelRefineTest, QuirkASeedThatDidNotComeIsMadeUp) {
  code = [](const CallId& id) { return id.role == "seed" && id.slot == 0 ? "" : kernel(id.role + std::to_string(id.round) + "_" + std::to_string(id.slot)); };
  run();
  EXPECT_EQ(driver.call("refine", 1, 0), nullptr) << "the worker is out";
  method.quirks = {Quirk::mock_seeds};
  renew();
  run();
  EXPECT_THAT(question("refine", 1, 0), HasSubstr("mock_kernel"));
}

TEST_F(ParallelRefineTest, QuirkTemperaturesRise) {
  method.parallel_refine.seed_temperature = 0.8;
  method.quirks = {Quirk::rising_temperature};
  run();
  EXPECT_DOUBLE_EQ(*driver.call("seed", 0, 0)->sampling.temperature, 0.8);
  EXPECT_DOUBLE_EQ(*driver.call("seed", 0, 2)->sampling.temperature, 1.0);
}

TEST_F(ParallelRefineTest, QuirkTheLastRefinementIsPaidForAndNotRun) {
  driver.engine = [](const Evaluate& e) { return e.id.round == 2 ? right() : wrong(); };
  run();
  EXPECT_EQ(driver.end->why, "executes");
  method.quirks = {Quirk::last_untested};
  renew();
  run();
  EXPECT_EQ(driver.end->why, "called");
  EXPECT_NE(driver.call("refine", 2, 0), nullptr);
  EXPECT_EQ(driver.evaluated.back().id.round, 1);
}

TEST_F(ParallelRefineTest, QuirkAReplyWithoutCodeRunsTheSameKernelAgain) {
  method.parallel_refine.workers = 1;
  method.parallel_refine.dedup = false;
  method.asks_again = 0;
  code = [](const CallId& id) { return id.role == "refine" && id.round == 1 ? "" : kernel(id.role + std::to_string(id.round)); };
  run();
  EXPECT_EQ(driver.evaluated.size(), 2u);
  method.quirks = {Quirk::same_kernel_again};
  renew();
  run();
  ASSERT_EQ(driver.evaluated.size(), 3u);
  EXPECT_EQ(driver.evaluated[1].code, driver.evaluated[0].code);
}

TEST_F(ParallelRefineTest, QuirkTheBeamBeginsAsCopies) {
  method.parallel_refine.optimise.rounds = 1;
  driver.engine = [](const Evaluate& e) { return right(1.0 + e.id.round); };
  run();
  EXPECT_EQ(driver.calls_of("bottleneck"), 1);
  method.quirks = {Quirk::beam_of_copies};
  renew();
  run();
  EXPECT_EQ(driver.calls_of("bottleneck"), 2);
}

TEST_F(ParallelRefineTest, QuirkRepairsAreNotLookedAt) {
  method.parallel_refine.optimise.rounds = 1;
  code = [](const CallId& id) { return id.role == "repair_1" ? "import torch\n\ndef relu(x):\n    return torch.relu(x)\n" : kernel(id.role + std::to_string(id.slot)); };
  driver.engine = [](const Evaluate& e) { return e.id.round < 3 ? right(1) : e.code.find("torch.relu") != std::string::npos ? right(9) : wrong(); };
  run();
  EXPECT_THAT(driver.end->code, Not(HasSubstr("torch.relu")));
  method.quirks = {Quirk::repairs_unchecked};
  renew();
  run();
  EXPECT_THAT(driver.end->code, HasSubstr("torch.relu"));
}

TEST(Denylist, KnowsComputingFromMentioning) {
  for (const char* code : {"import torch.nn as nn", "import torch.nn.functional as F", "from torch import nn", "y = torch.nn.functional.relu(x)", "y = F.gelu(x)", "y = torch.conv2d(x, w)",
                           "y = torch.softmax(x, 0)", "class M(nn.Module):\n    pass", "m.forward(x)", "torch.ops.aten.mm(a, b)", "torch.mm(a, b)", "a.matmul(b)", "torch.einsum('ij', a)",
                           "import inspect", "sys._getframe(1)", "f.f_locals", "globals()", "y = torch . bmm (a, b)"})
    EXPECT_NE(denied(code), "") << code;
  for (const char* code : {"# torch.matmul(a, b)\nx = 1", "\"\"\"uses torch.nn.functional\"\"\"", "y = tl.dot(a, b)", "y = torch.empty_like(x)", "matmul(a, b)", "torch.sum(x)",
                           "def matmul_kernel(x):\n    pass", "forward = 1"})
    EXPECT_EQ(denied(code), "") << code;
}

}  // namespace
}  // namespace kbx::agent
