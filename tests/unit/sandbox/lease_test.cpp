// run() with a worker for the card: prepared first, then the lease, then the candidate. The zygote is a stand-in.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "sandbox/kernel_cache.h"
#include "sandbox/run.h"
#include "stand_in.h"

namespace kbx::sandbox {
namespace {

using namespace std::chrono_literals;

struct Lease : StandIn {
  void SetUp() override {
    StandIn::SetUp();
    if (!server) return;
    request.role = Role::gpu;
    request.before_load = [this]() -> Result<void> {
      log += "lease ";
      return {};
    };
    request.done_on_card = [this] { log += "done "; };
  }
  std::string log;
};

TEST_F(Lease, WaitingForTheCardCountsIntoNoLimit) {
  request.limits.load_seconds = request.limits.call_seconds = request.limits.job_seconds = 0.5;
  request.before_load = []() -> Result<void> {
    std::this_thread::sleep_for(1s);
    return {};
  };
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::finished) << out->note;
  ASSERT_EQ(out->steps.size(), 1u);
  EXPECT_TRUE(out->steps[0].ok);
  EXPECT_GE(out->waited_seconds, 1.0);
  EXPECT_LT(out->seconds, 1.0);  // the job's clock starts after the wait
}

TEST_F(Lease, TheCardIsAskedForOnceAndLeftOnce) {
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(log, "lease done ");
  EXPECT_EQ(out->fate, Fate::finished);
  EXPECT_GT(out->prepare_seconds, 0);
}

TEST_F(Lease, ACardThatCannotBeMadeReadyIsNotTheCandidatesFault) {
  request.gpu = 1;
  auto out = run(*server, request);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, Code::sandbox);
  EXPECT_NE(out.error().message.find("no CUDA here"), std::string::npos) << out.error().message;
  EXPECT_EQ(log, "");
}

TEST_F(Lease, SilenceWhilePreparingIsNotTheCandidatesFault) {
  request.gpu = 2;
  request.limits.prepare_seconds = 0.3;
  auto out = run(*server, request);
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("did not finish"), std::string::npos) << out.error().message;
  EXPECT_EQ(log, "");
}

TEST_F(Lease, AWorkerThatDiesWhileItWaitsIsNotTheCandidatesFaultAndFreesTheCard) {
  request.gpu = 3;
  request.before_load = [this]() -> Result<void> {
    std::this_thread::sleep_for(200ms);
    log += "lease ";
    return {};
  };
  EXPECT_FALSE(run(*server, request));
  EXPECT_EQ(log, "lease done ");
}

TEST_F(Lease, ARefusedLeaseEndsTheRunAndIsNotGivenBack) {
  request.before_load = [] { return Result<void>(fail(Code::sandbox, "no card is left")); };
  auto out = run(*server, request);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().message, "no card is left");
  EXPECT_EQ(log, "");
}

TEST_F(Lease, ACandidateThatHangsFreesTheCardWhenItIsDead) {
  request.source = "hang";
  request.limits.call_seconds = 0.3;
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->fate, Fate::timeout);
  EXPECT_EQ(out->signal, SIGKILL);
  EXPECT_EQ(log, "lease done ");
}

TEST_F(Lease, OtherRolesKnowNothingOfIt) {
  request.role = Role::value;
  request.gpu = 1;  // would fail to prepare
  auto out = run(*server, request);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(log, "");
  EXPECT_EQ(out->prepare_seconds, 0);
}

TEST(KernelCaches, HaveASizeThatNobodyChanges) {
  auto cache = KernelCache::create();
  ASSERT_TRUE(cache);
  struct stat info;
  ASSERT_EQ(::fstat(cache->fd(), &info), 0);
  EXPECT_EQ(info.st_size, KernelCache::kBytes);
  EXPECT_LT(info.st_blocks, 16);  // no memory yet
  EXPECT_NE(::ftruncate(cache->fd(), 2 * KernelCache::kBytes), 0);
  EXPECT_NE(::ftruncate(cache->fd(), 0), 0);
  EXPECT_LT(::fcntl(cache->fd(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

}  // namespace
}  // namespace kbx::sandbox
