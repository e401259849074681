// Calibration and A/A experiments over a clock that follows a script: what is counted, what is left out, what goes on.
#include "eval/calibrate.h"

#include <gmock/gmock.h>

#include "../gpu/scripted_clock.h"
#include "eval/self_test.h"

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

// Answers every `time` by the next of `times` (python dicts), everything else by ok; a `None` is a death.
std::string script(const std::string& times) {
  return "times = " + times + R"(
hello()
while True:
    command, blob = receive()
    if command["do"] != "time":
        send({"ok": True})
        continue
    answer = times.pop(0) if times else {"ok": False, "fault": "command", "message": "no more"}
    if answer is None: os._exit(1)
    send(answer)
)";
}
std::string interval(double low, double high) {
  return "{'ok': True, 'speedup': " + std::to_string((low + high) / 2) + ", 'low': " + std::to_string(low) + ", 'high': " + std::to_string(high) +
         ", 'candidate_us': 4.1, 'reference_us': 4.0, 'half_width': 0.01, 'groups': 12, 'problem': '', 'after': []}";
}


AaResult run(const std::string& times, int experiments, double more_work = 0) {
  gpu::testing::ScriptedClock clock(script(times));
  auto cards = gpu::Cards::open(clock.home(), {0});
  EXPECT_TRUE(cards.has_value()) << cards.error().text();
  auto slot = (*cards)->enter();
  slot.lease();
  SteadyClock steady(slot);
  EvalConfig config;
  config.card.emplace();
  AaKernel kernel = aa_kernels().front();
  kernel.more_work = more_work;
  return run_aa(steady, config, kernel, {Bytes(8), ""}, {Bytes(8), ""}, experiments);
}

TEST(AaExperiments, CountsIntervalsThatHoldTheTruth) {
  AaResult r = run("[" + interval(0.99, 1.01) + "," + interval(1.01, 1.03) + "," + interval(0.98, 1.00) + "," + interval(0.95, 0.99) + "]", 4);
  EXPECT_EQ(r.experiments, 4);
  EXPECT_EQ(r.covered, 2);
  EXPECT_EQ(r.found, 0);
  EXPECT_EQ(r.failed, 0);
  EXPECT_DOUBLE_EQ(r.groups, 12);
  EXPECT_DOUBLE_EQ(r.size_us, 4);
  EXPECT_NEAR(r.half_width, 0.01, 1e-12);
  EXPECT_NEAR(r.ratio_sd, 0.0208167, 1e-6);  // of 1.00, 1.02, 0.99, 0.97
}

TEST(AaExperiments, MoreWorkIsFoundOnlyOnTheRightSideOfOne) {
  AaResult r = run("[" + interval(0.97, 0.99) + "," + interval(1.01, 1.03) + "," + interval(0.98, 1.01) + "]", 3, 0.02);
  EXPECT_EQ(r.experiments, 3);
  EXPECT_EQ(r.found, 1);
}

TEST(AaExperiments, FailuresAreCountedAndTheOthersGoOn) {
  std::string differ = "{'ok': True, 'speedup': 1, 'low': 0.9, 'high': 1.1, 'after': [{'name': 'result', 'mismatches': 3}]}";
  AaResult r = run("[{'ok': False, 'fault': 'address', 'message': 'taken'}," + interval(0.99, 1.01) + "," + differ + "," + interval(0.99, 1.01) + "]", 4);
  EXPECT_EQ(r.experiments, 2);
  EXPECT_EQ(r.failed, 2);
  EXPECT_THAT(r.problem, HasSubstr("differ"));
}

TEST(AaExperiments, AnotherClockFollowsOneThatDied) {
  AaResult r = run("[None]", 2);  // each process dies at its first `time`
  EXPECT_EQ(r.experiments, 0);
  EXPECT_EQ(r.failed, 2);
  EXPECT_THAT(r.problem, HasSubstr("ended"));
}

TEST(AaExperiments, ThreeFailuresInARowEndAKernel) {
  AaResult r = run("[]", 50);
  EXPECT_EQ(r.failed, 3);
  EXPECT_THAT(r.problem, HasSubstr("no more"));
}

TEST(AaExperiments, AKernelWithoutATapeSaysWhy) {
  gpu::testing::ScriptedClock clock(script("[]"));
  auto cards = gpu::Cards::open(clock.home(), {0});
  ASSERT_TRUE(cards.has_value()) << cards.error().text();
  auto slot = (*cards)->enter();
  slot.lease();
  SteadyClock steady(slot);
  EvalConfig config;
  config.card.emplace();
  AaResult r = run_aa(steady, config, aa_kernels().front(), {Bytes(8), ""}, {{}, "the host reads values"}, 5);
  EXPECT_EQ(r.experiments, 0);
  EXPECT_EQ(r.problem, "the host reads values");
}

TEST(AaKernels, KnownDifferencesHaveTheSameTensorsAndMoreToDo) {
  int known = 0;
  for (const AaKernel& k : aa_kernels()) {
    ASSERT_EQ(k.first.tensors.size(), k.second.tensors.size());
    EXPECT_EQ(inputs_of(k.first, 0), inputs_of(k.second, 0)) << k.name;
    EXPECT_NE(inputs_of(k.first, 0), inputs_of(k.first, 1)) << k.name;
    if (k.more_work == 0) {
      EXPECT_EQ(k.first.numbers, k.second.numbers) << k.name;
      continue;
    }
    known++;
    EXPECT_NEAR(double(k.first.numbers.at(0)) / double(k.second.numbers.at(0)), 1 + k.more_work, 1e-3);
    EXPECT_EQ(k.first.numbers.at(0) % 16, 0);  // else Triton makes other code of it
    EXPECT_EQ(k.second.numbers.at(0) % 16, 0);
  }
  EXPECT_EQ(known, 2);
}

TEST(AaKernels, CallsOfOneEntryStandTogether) {
  std::vector<std::string> seen;
  for (const AaKernel& k : aa_kernels()) {
    if (!seen.empty() && seen.back() == k.first.entry) continue;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), k.first.entry), 0) << k.first.entry;
    seen.push_back(k.first.entry);
  }
}

TEST(AaKernels, ExperimentsAreSpreadOverTheKernelsThatAreAlike) {
  auto kernels = aa_kernels();
  auto counts = experiments_of(kernels, 200);
  int alike = 0;
  for (size_t k = 0; k < kernels.size(); k++)
    if (kernels[k].more_work == 0) alike += counts[k];
    else EXPECT_GE(counts[k], 2);
  EXPECT_GE(alike, 200);
  EXPECT_LT(alike, 200 + int(kernels.size()));
  for (int n : experiments_of(kernels, 2)) EXPECT_GE(n, 2);
}

TEST(UnitProducts, CoverEveryUnitWithUnitsTogether) {
  std::vector<Unit> seen;
  for (const UnitProduct& p : unit_products()) {
    int64_t n = p.call.tensors.front().spec.shape.front();
    EXPECT_DOUBLE_EQ(p.operations, 2.0 * double(n) * double(n) * double(n));
    if (seen.empty() || seen.back() != p.unit) seen.push_back(p.unit);
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), kUnits);
  for (size_t k = 0; k < kUnits; k++) EXPECT_EQ(size_t(seen[k]), k);
}

TEST(UnitProducts, ARateIsOperationsOverTheClocksMean) {
  EXPECT_DOUBLE_EQ(rate_of({{"mean_us", 2.0}}, 4e6).value(), 2e12);
  EXPECT_FALSE(rate_of(Json::object(), 4e6).has_value());
  EXPECT_FALSE(rate_of({{"mean_us", 0.0}}, 4e6).has_value());
}

}  // namespace
}  // namespace kbx::eval
