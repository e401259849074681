// run() with workers and fork servers that somebody else kills. The zygote is a stand-in; `killed N` in a source kills the
// first N workers, `no server N` the fork servers of the first N.
#include <gtest/gtest.h>
#include <unistd.h>

#include "sandbox/run.h"
#include "stand_in.h"

namespace kbx::sandbox {
namespace {

struct KilledByOthers : StandIn {};

TEST_F(KilledByOthers, AWorkerIsTriedAgain) {
  request.source = "killed 2";
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::finished);
  ASSERT_EQ(out->steps.size(), 1u);  // nothing is left of the conversations before
  EXPECT_TRUE(out->steps[0].ok);
}

TEST_F(KilledByOthers, ThreeTimesIsAFailureOfTheMachine) {
  request.source = "killed 3";
  auto out = run(*server, request);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, Code::sandbox);
  EXPECT_NE(out.error().message.find("SIGKILL"), std::string::npos) << out.error().message;
}

TEST_F(KilledByOthers, AForkServerIsStartedAgain) {
  request.source = "no server 2";
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::finished);
  EXPECT_EQ(out->steps.size(), 1u);
  EXPECT_EQ(server->restarts(), 2);
}

TEST_F(KilledByOthers, AThirdForkServerIsTheLast) {
  request.source = "no server 3";
  auto out = run(*server, request);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, Code::sandbox);
  EXPECT_NE(out.error().message.find("fork server died"), std::string::npos) << out.error().message;
}

TEST_F(KilledByOthers, OnACardTheCallerBeginsAnew) {
  request.role = Role::gpu;
  request.source = "no server 1";
  EXPECT_FALSE(run(*server, request));
  EXPECT_EQ(server->restarts(), 0);
}

TEST_F(KilledByOthers, WithoutAJailItMayHaveBeenTheCandidate) {
  request.source = "killed 1";
  request.jail = false;
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::signaled);
  EXPECT_TRUE(out->killed_by_others);
}

TEST_F(KilledByOthers, OurOwnKillIsATimeout) {
  request.source = "hang";
  request.limits.call_seconds = 0.2;
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::timeout);
  EXPECT_FALSE(out->killed_by_others);
}

}  // namespace
}  // namespace kbx::sandbox
