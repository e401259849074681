// A fork server whose zygote is a stand-in, and a request of one step for it.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include "sandbox/run.h"

namespace kbx::sandbox {

// Without a python on this machine the test is skipped, and `server` stays null.
struct StandIn : testing::Test {
  void SetUp() override {
    std::string python;
    for (const char* path : {KBX_SOURCE_DIR "/.venv/bin/python", "/usr/bin/python3", "/usr/local/bin/python3"})
      if (python.empty() && ::access(path, X_OK) == 0) python = path;
    if (python.empty()) GTEST_SKIP() << "no python for the stand-in zygote";
    PythonHome home;
    home.python = python;
    home.worker_folder = KBX_SOURCE_DIR "/tests/unit/sandbox/fake_zygote";
    auto started = ForkServer::start(home);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
    step.call = &call;
    step.names = &names;
    request.steps = {step};
  }

  std::unique_ptr<ForkServer> server;
  Call call;
  std::vector<std::string> names;
  CallStep step;
  Request request;
};

}  // namespace kbx::sandbox
