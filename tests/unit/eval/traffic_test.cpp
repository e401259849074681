// The rule that holds cost formulas against counted traffic: equal, copied, unread, data or wrong.
#include "eval/traffic.h"

#include <gtest/gtest.h>

namespace kbx::eval {
namespace {

// f(x, out=None) -> Tensor of x's shape, 10 floats.
struct Calls : testing::Test {
  Calls() {
    task.entry.name = "f";
    task.entry.parameters = {{"x", "Tensor", std::nullopt, Parameter::Kind::positional}};
    task.cost = {"2 * nbytes(x)", "numel(x)", "f32", ""};
    which.name = "rows";
    truth.which = &which;
    truth.phase = "standard";
    truth.call.args = {Value::of_tensor(make_tensor(Dtype::f32, {10}, Bytes(40)))};
    truth.names = {"x"};
    truth.roots["result"].eager = Value::of_tensor(make_tensor(Dtype::f32, {10}, Bytes(40)));
    step.ok = true;
    launch(40, 40);
  }
  void launch(int64_t read, int64_t written, const char* name = "x") {
    Launch l;
    l.load_bytes = l.unique_load_bytes = read;
    l.store_bytes = l.unique_store_bytes = written;
    l.flops = 10;
    l.tensors.push_back({"x_ptr", name, 0, 40, read, 0, 0, read, 0});
    l.tensors.push_back({"y_ptr", "result", 1, 40, 0, written, 0, 0, written});
    step.launches = {l};
  }
  TrafficRow row() const { return compare_traffic(task, truth, step); }
  Task task;
  Case which;
  CaseTruth truth;
  sandbox::StepResult step;
};

TEST_F(Calls, EachByteOnceIsEqual) {
  TrafficRow r = row();
  EXPECT_EQ(r.agreement, Agreement::equal) << r.problem;
  EXPECT_EQ(r.formula.bytes, 80);
  EXPECT_EQ(r.sizes.sum(), 80);
  EXPECT_EQ(r.counted.least, 80);
  EXPECT_EQ(r.counted.most, 80);
  EXPECT_EQ(r.counted.flops, 10);
}

TEST_F(Calls, AFormulaAboveOrBelowTheTensorsIsWrong) {
  for (const char* formula : {"3 * nbytes(x)", "nbytes(x)"}) {
    task.cost.bytes = formula;
    EXPECT_EQ(row().agreement, Agreement::wrong) << formula;
    EXPECT_NE(row().problem.find("inputs and outputs have 80"), std::string::npos);
  }
}

TEST_F(Calls, AFormulaThatDoesNotFitTheCaseIsWrong) {
  task.cost.bytes = "nbytes(z)";
  EXPECT_EQ(row().agreement, Agreement::wrong);
  EXPECT_NE(row().problem.find("does not fit this case"), std::string::npos);
}

TEST_F(Calls, AWitnessThatMovesLessProvesTheFormulaWrong) {
  launch(20, 40);
  EXPECT_EQ(row().agreement, Agreement::wrong);
  task.cost.differs = "unread";
  EXPECT_EQ(row().agreement, Agreement::unread) << row().problem;
}

TEST_F(Calls, ReadingAnInputTwiceDoesNotCountTwice) {
  step.launches.push_back(step.launches[0]);
  TrafficRow r = row();
  EXPECT_EQ(r.agreement, Agreement::equal) << r.problem;
  EXPECT_EQ(r.counted.distinct, 160);
}

TEST_F(Calls, HalvesOfDifferentLaunchesMayMakeAWhole) {
  launch(20, 20);
  step.launches.push_back(step.launches[0]);
  TrafficRow r = row();
  EXPECT_EQ(r.counted.least, 40);
  EXPECT_EQ(r.counted.most, 80);
  EXPECT_EQ(r.agreement, Agreement::equal);
}

TEST_F(Calls, AnInputThatOnlyACopyOfWasReadCountsAsCopied) {
  launch(40, 40, "");
  TrafficRow r = row();
  EXPECT_EQ(r.agreement, Agreement::copied) << r.problem;
  EXPECT_EQ(r.counted.copied, 40);
}

TEST_F(Calls, AResultThatIsAPartOfABufferCountsForItself) {
  step.launches[0].tensors[1].bytes = 400;
  step.launches[0].tensors[1].unique_store_bytes = 400;
  EXPECT_EQ(row().agreement, Agreement::equal) << row().problem;
}

TEST_F(Calls, WhatIsOverwrittenNeedNotBeRead) {
  task.mutates = {"x"};
  task.cost = {"nbytes(x)", "0", "f32", "data"};
  truth.roots.clear();
  truth.roots["x"].eager = truth.call.args[0];
  step.launches[0].tensors = {{"x_ptr", "x", 0, 40, 0, 40, 0, 0, 40}};
  EXPECT_EQ(row().counted.copied, 0);
  EXPECT_EQ(row().agreement, Agreement::equal) << row().problem;
}

TEST_F(Calls, DataMayBeOffByHalfButNotByMore) {
  task.cost.differs = "data";
  task.cost.bytes = "1.5 * nbytes(x)";
  EXPECT_EQ(row().agreement, Agreement::data) << row().problem;
  task.cost.bytes = "5 * nbytes(x)";
  EXPECT_EQ(row().agreement, Agreement::wrong);
  task.cost.bytes = "0.4 * nbytes(x)";
  EXPECT_EQ(row().agreement, Agreement::wrong);
}

TEST_F(Calls, WhatAnExpandedDimRepeatsLiesInMemoryOnce) {
  Tensor t = make_tensor(Dtype::f32, {1}, Bytes(4));
  t.shape = {10};
  t.stride = {0};
  truth.call.args = {Value::of_tensor(t)};
  launch(4, 40);
  task.cost.bytes = "nbytes(x) + 4 * numel(x)";
  TrafficRow r = row();
  EXPECT_EQ(r.sizes.inputs, 4);
  EXPECT_EQ(r.agreement, Agreement::equal) << r.problem;
}

TEST_F(Calls, AMutatedArgumentIsAnOutputOnlyWhenTheCallWritesIt) {
  task.mutates = {"x"};
  truth.roots["x"].eager = Value::of_tensor(make_tensor(Dtype::f32, {10}, Bytes(40)));
  EXPECT_EQ(row().sizes.outputs, 40) << "unchanged and not stored to";
  Bytes changed(40);
  changed[0] = std::byte{1};
  truth.roots["x"].eager = Value::of_tensor(make_tensor(Dtype::f32, {10}, changed));
  EXPECT_EQ(row().sizes.outputs, 80);
}

TEST_F(Calls, AResultThatIsAnArgumentCountsOnce) {
  task.mutates = {"x"};
  Bytes changed(40);
  changed[0] = std::byte{1};
  truth.roots["x"].eager = truth.roots["result"].eager = Value::of_tensor(make_tensor(Dtype::f32, {10}, changed));
  step.aliases = {"result aliases x"};
  EXPECT_EQ(row().sizes.sum(), 80);
}

}  // namespace
}  // namespace kbx::eval
