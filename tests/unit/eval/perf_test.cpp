// The calls that are timed: how their values are compared, and that whoever draws them means the same tensors.
#include "eval/perf.h"

#include <gmock/gmock.h>

#include "sandbox/encode.h"
#include "suite/suite.h"

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

Comparison compared(OracleKind kind, Dtype dtype, bool tf32 = false) {
  Task task;
  task.oracle.kind = kind;
  task.tf32 = tf32;
  return comparison(task, "result", dtype);
}

TEST(PerfComparison, IsAsLooseAsTheOutputsPrecision) {
  struct Row { Dtype dtype; double tolerance; };
  for (const Row& r : {Row{Dtype::f64, 1e-10}, Row{Dtype::c128, 1e-10}, Row{Dtype::f32, 1e-4}, Row{Dtype::c64, 1e-4}, Row{Dtype::f16, 4e-3}, Row{Dtype::bf16, 2e-2},
                       Row{Dtype::f8e4m3, 0.15}, Row{Dtype::f8e5m2, 0.15}}) {
    Comparison c = compared(OracleKind::close, r.dtype);
    EXPECT_EQ(c.rtol, r.tolerance) << to_text(r.dtype);
    EXPECT_EQ(c.rtol_rms, r.tolerance) << to_text(r.dtype);
    EXPECT_FALSE(c.exact);
    EXPECT_EQ(c.not_compared, "");
  }
}

TEST(PerfComparison, LeavesRoomForTf32OnlyWhereTheTaskAllowsItAndOnlyInFloat32) {
  EXPECT_EQ(compared(OracleKind::close, Dtype::f32, true).rtol, 3e-3);
  EXPECT_EQ(compared(OracleKind::close, Dtype::f16, true).rtol, 4e-3);
  EXPECT_EQ(compared(OracleKind::close, Dtype::f64, true).rtol, 1e-10);
}

TEST(PerfComparison, WholeNumbersAndExactOutputsMustBeEqual) {
  for (Dtype dtype : {Dtype::i8, Dtype::u8, Dtype::i32, Dtype::i64, Dtype::boolean}) EXPECT_TRUE(compared(OracleKind::close, dtype).exact) << to_text(dtype);
  Comparison c = compared(OracleKind::exact, Dtype::f32);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.rtol, 0);
}

TEST(PerfComparison, OneStepMoreWhereTheOracleLeavesIt) {
  Task task;
  task.oracle.kind = OracleKind::exact;
  task.oracle.within = 1;
  EXPECT_FALSE(comparison(task, "result", Dtype::i8).exact);
}

TEST(PerfComparison, QuantizedOutputsKeepTwiceTheOraclesError) {
  Task task;
  task.oracle.kind = OracleKind::quantized;
  task.oracle.rmse_max = 0.04;
  EXPECT_DOUBLE_EQ(comparison(task, "result", Dtype::f16).rms_share, 0.08);
}

TEST(PerfComparison, SaysWhyNothingIsCompared) {
  EXPECT_THAT(compared(OracleKind::factorization, Dtype::f32).not_compared, HasSubstr("many right answers"));
  EXPECT_THAT(compared(OracleKind::statistical, Dtype::f32).not_compared, HasSubstr("random"));
  Task task;
  task.oracle.kind = OracleKind::set;
  task.oracle.ordered = false;
  EXPECT_THAT(comparison(task, "result", Dtype::i64).not_compared, HasSubstr("set"));
  task = Task();
  task.oracle.random = true;
  EXPECT_THAT(comparison(task, "result", Dtype::f32).not_compared, HasSubstr("random draws"));
}

TEST(PerfComparison, ASetInOrderIsComparedAsItsElementsAre) {
  Task task;
  task.oracle.kind = OracleKind::set;
  task.oracle.ordered = true;
  Comparison c = comparison(task, "result", Dtype::f32);
  EXPECT_EQ(c.not_compared, "");
  EXPECT_EQ(c.rtol, 1e-4);
  EXPECT_TRUE(comparison(task, "result", Dtype::i64).exact);
}

// Every tensor of an encoded call in the order in which a worker meets it.
void tensors(const Json& value, std::vector<const Json*>& out) {
  if (get_string(value, "t") == "tensor") out.push_back(&value);
  const Json& items = get(value, "v");
  if (items.is_array())
    for (const Json& item : items) tensors(item, out);
}

// The worker names a tape's inputs by the encoded call, the clock is told by drawn_tensors(): one name off and a size
// cannot be timed.
TEST(PerfCalls, EveryDrawMeetsItsTensorInEveryTaskOfTheSuite) {
  auto suite = suite::load_suite(std::string(KBX_SOURCE_DIR) + "/suite");
  ASSERT_TRUE(suite) << suite.error().text();
  int sizes = 0;
  for (const Task& task : suite->tasks) {
    auto calls = perf_calls(task);
    ASSERT_TRUE(calls) << task.name << ": " << calls.error().text();
    for (const PerfCall& size : *calls) {
      std::vector<Json> draws;
      for (const suite::Drawn& d : size.drawn) draws.push_back({{"path", d.path}, {"shape", d.spec.shape}});
      auto e = sandbox::encode_call(size.call, size.names, draws);
      std::vector<const Json*> found;
      for (const Json& arg : e.args) tensors(arg, found);
      for (const auto& [name, v] : size.call.kwargs) tensors(e.kwargs[name], found);
      ASSERT_EQ(found.size(), size.drawn.size()) << task.name << " " << size.which->name;
      for (const Json* t : found) {
        ASSERT_TRUE(t->contains("draw")) << task.name << ": " << t->dump();
        EXPECT_EQ((*t)["name"], (*t)["draw"]["path"]) << task.name;
        EXPECT_EQ((*t)["shape"], (*t)["draw"]["shape"]) << task.name;
      }
      EXPECT_TRUE(size.cost) << task.name << " has no cost at size " << size.which->name;
      sizes++;
    }
  }
  EXPECT_GT(sizes, 100);
}

}  // namespace
}  // namespace kbx::eval
