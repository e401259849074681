// Where a result lies: the argument that was updated, or memory of its own where the task is to copy.
#include "eval/result_storage.h"

#include <gtest/gtest.h>

namespace kbx::eval {
namespace {

struct Storage : testing::Test {
  Storage() {
    which.name = "rows";
    truth.cases.resize(1);
    truth.cases[0].which = &which;
    truth.cases[0].phase = "standard";
    out.steps.resize(1);
    out.steps[0].answered = out.steps[0].ok = true;
  }
  std::string said(std::vector<std::string> eager, std::vector<std::string> got) {
    truth.cases[0].aliases = std::move(eager);
    out.steps[0].aliases = std::move(got);
    auto c = storage_charge(task, truth, out);
    if (!c) return "";
    EXPECT_EQ(c->verdict, Verdict::contract_violation);
    return c->explanation;
  }

  Task task;
  Case which;
  TaskTruth truth;
  sandbox::Outcome out;
};

TEST_F(Storage, TheArgumentThatWasUpdatedIsReturnedNotACopyOfIt) {
  task.mutates = {"param", "params"};
  EXPECT_EQ(said({"result[0] aliases param"}, {"result[0] aliases param"}), "");
  EXPECT_EQ(said({"result[0] aliases param"}, {}),
            "case rows: result[0] is not the argument `param` that was updated but a copy of it: the contract returns the tensor that was passed in");
  EXPECT_NE(said({"result[0] aliases param"}, {"result[1] aliases param"}), "");
  EXPECT_NE(said({"result[0] aliases params[1]"}, {"result[0] aliases params[0]"}), "");  // an element of a list
}

TEST_F(Storage, AViewThatEagerReturnsMayBeACopyWhereNothingIsUpdated) {
  EXPECT_EQ(said({"result aliases input"}, {}), "");
}

TEST_F(Storage, WhereTheTaskIsToCopyNoResultLiesInAnInput) {
  EXPECT_EQ(said({}, {"result aliases input"}), "");
  task.forbidden_library_ops = {"clone", "copy_"};
  EXPECT_EQ(said({}, {"result aliases input"}), "case rows: result shares memory with the argument `input`: the task is to copy");
  EXPECT_EQ(said({"result aliases input"}, {"result aliases input"}), "");
  EXPECT_EQ(said({}, {}), "");
}

TEST_F(Storage, ATapeShowsWhereItsResultsLie) {
  DeviceTape tape;
  tape.inputs.push_back({"input", Dtype::f32, {1024, 16}, 0, {4}, {1}});
  tape.outputs.push_back({"result", Dtype::f32, {1036, 4}, 0, {1}, {1}});
  EXPECT_FALSE(device_storage_charge(task, tape, "size large"));
  task.forbidden_library_ops = {"copy_"};
  auto c = device_storage_charge(task, tape, "size large");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->verdict, Verdict::contract_violation);
  EXPECT_EQ(c->explanation, "size large: result shares memory with the argument `input`: the task is to copy");
  task.mutates = {"input"};
  EXPECT_FALSE(device_storage_charge(task, tape, "size large"));
  task.mutates = {};
  tape.outputs[0].storage = {1040, 16};
  EXPECT_FALSE(device_storage_charge(task, tape, "size large"));
}

TEST_F(Storage, CallsThatFailedOrMustRaiseSayNothing) {
  task.mutates = {"param"};
  out.steps[0].ok = false;
  EXPECT_EQ(said({"result aliases param"}, {}), "");
  out.steps[0].ok = true;
  which.raises = "ValueError";
  EXPECT_EQ(said({"result aliases param"}, {}), "");
  which.raises = "";
  out.steps.clear();
  truth.cases[0].aliases = {"result aliases param"};
  EXPECT_FALSE(storage_charge(task, truth, out));
}

}  // namespace
}  // namespace kbx::eval
