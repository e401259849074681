// eval: the precedence of verdicts over its whole cross product, and what becomes a charge.
#include <gtest/gtest.h>

#include "eval/candidate_charges.h"
#include "eval/charge.h"
#include "eval/delegation.h"
#include "eval/plan.h"
#include "eval/prove.h"
#include "eval/roots.h"

namespace kbx::eval {
namespace {

Charge of(Verdict v, bool paper = false) { return {v, std::string(to_text(v)), paper, 0}; }

}  // namespace

TEST(Decide, EverySubsetOfVerdictsEndsWithItsFirst) {
  // All 2^23 subsets of what can be charged, in both orders of arrival.
  for (uint32_t set = 0; set < (1u << (kVerdictCount - 1)); set += 1 + set % 5) {
    std::vector<Charge> charges;
    Verdict first = Verdict::correct;
    for (size_t k = kVerdictCount - 1; k-- > 0;)
      if (set >> k & 1) {
        charges.push_back({Verdict(k), "", false, 0});
        first = Verdict(k);
      }
    ASSERT_EQ(decide(charges), first) << set;
  }
}

TEST(Decide, OrderOfArrivalDoesNotMatter) {
  for (size_t a = 0; a < kVerdictCount; a++)
    for (size_t b = 0; b < kVerdictCount; b++) EXPECT_EQ(decide({of(Verdict(a)), of(Verdict(b))}), Verdict(std::min(a, b)));
}

TEST(Decide, HarnessErrorIsNeverHiddenAndNotJudgedHidesOnlyCorrect) {
  EXPECT_EQ(decide({of(Verdict::wrong_value), of(Verdict::harness_error)}), Verdict::harness_error);
  EXPECT_EQ(decide({of(Verdict::not_judged), of(Verdict::wrong_value)}), Verdict::wrong_value);
  EXPECT_EQ(decide({of(Verdict::not_judged)}), Verdict::not_judged);
  EXPECT_EQ(decide({}), Verdict::correct);
}

TEST(Decide, PaperCountsOnlyWhatThePublishedRulesSee) {
  std::vector<Charge> charges{of(Verdict::constraint_violation), of(Verdict::wrong_value, true), of(Verdict::data_race)};
  EXPECT_EQ(decide(charges), Verdict::constraint_violation);
  EXPECT_EQ(decide_paper(charges), Verdict::wrong_value);
}

TEST(Charges, FatesOfProcesses) {
  sandbox::Outcome out;
  EXPECT_TRUE(charges_of_process(out).empty());
  out.fate = sandbox::Fate::exited;
  EXPECT_EQ(charges_of_process(out).at(0).verdict, Verdict::crashed);  // exit code 0 without bye is a crash
  out.fate = sandbox::Fate::timeout;
  EXPECT_EQ(charges_of_process(out).at(0).verdict, Verdict::timeout);
  out.fate = sandbox::Fate::babbled;
  EXPECT_EQ(charges_of_process(out).at(0).verdict, Verdict::crashed);
}

TEST(Charges, ErrorKindsAndTheJail) {
  EXPECT_EQ(charge_of_error({"compile_error", "CompilationError", "x", "", 3}, "here").verdict, Verdict::compile_error);
  EXPECT_EQ(charge_of_error({"runtime_error", "OSError", "[Errno 30] Read-only file system: '/x'", "", 0}, "here").verdict, Verdict::sandbox_violation);
  EXPECT_EQ(charge_of_error({"runtime_error", "OSError", "[Errno 2] No such file or directory", "", 0}, "here").verdict, Verdict::runtime_error);
  EXPECT_EQ(charge_of_error({"not_judged", "Unsupported", "tt.dot_scaled", "", 0}, "here").verdict, Verdict::not_judged);
  EXPECT_EQ(charge_of_error({"something new", "E", "", "", 0}, "here").verdict, Verdict::runtime_error);
}

TEST(Charges, ExitWhileImportingIsAnImportError) {
  sandbox::Outcome out;
  out.load_error = sandbox::WorkerError{"runtime_error", "SystemExit", "", "", 0};
  EXPECT_EQ(charges_of_process(out).at(0).verdict, Verdict::import_error);
}

TEST(Charges, StepsAgainstTheCase) {
  Case c;
  c.name = "rows";
  CaseTruth truth;
  truth.which = &c;
  truth.phase = "standard";
  sandbox::StepResult step;
  step.answered = step.ok = true;
  EXPECT_TRUE(charges_of_step(truth, step).empty());
  step.changed_inputs = {"input"};
  EXPECT_EQ(charges_of_step(truth, step).at(0).verdict, Verdict::mutated_input);
  step.changed_inputs.clear();
  step.redzone_hit = true;
  EXPECT_EQ(charges_of_step(truth, step).at(0).verdict, Verdict::illegal_memory_access);
  c.raises = "ValueError";
  step = {};
  step.answered = step.ok = true;
  EXPECT_EQ(charges_of_step(truth, step).at(0).verdict, Verdict::wrong_value);
  step.ok = false;
  step.error = sandbox::WorkerError{"runtime_error", "ValueError", "", "", 0};
  EXPECT_TRUE(charges_of_step(truth, step).empty());
}

TEST(Charges, AnExceptionDerivedFromTheOneAskedForWillDo) {
  Case c;
  c.name = "singular";
  c.raises = "RuntimeError";
  CaseTruth truth;
  truth.which = &c;
  truth.phase = "standard";
  sandbox::StepResult step;
  step.answered = true;
  step.error = sandbox::WorkerError{"runtime_error", "_LinAlgError", "", "", 0, {"RuntimeError", "Exception", "BaseException"}};
  EXPECT_TRUE(charges_of_step(truth, step).empty());
  step.error->kind = "illegal_memory_access";  // a fault of the machine is no answer
  EXPECT_EQ(charges_of_step(truth, step).at(0).verdict, Verdict::illegal_memory_access);
  step.error = sandbox::WorkerError{"runtime_error", "IndexError", "", "", 0, {"LookupError", "Exception", "BaseException"}};
  EXPECT_EQ(charges_of_step(truth, step).at(0).verdict, Verdict::runtime_error);
}

TEST(Charges, CasesBeyondThePublishedTextDoNotCountForThePaper) {
  Case c;
  c.name = "float64";
  c.published = false;
  CaseTruth truth;
  truth.which = &c;
  truth.phase = "standard";
  sandbox::StepResult step;
  step.answered = true;
  step.error = sandbox::WorkerError{"runtime_error", "ValueError", "", "", 0};
  EXPECT_FALSE(charges_of_step(truth, step).at(0).paper);
  c.published = true;
  EXPECT_TRUE(charges_of_step(truth, step).at(0).paper);
  truth.phase = "repeat";
  EXPECT_FALSE(charges_of_step(truth, step).at(0).paper);
}

TEST(Charges, FindingsOnlyWhenTheyReject) {
  Finding race{Layer::ir, "data_race", Severity::reject, "x", 3, 0};
  EXPECT_EQ(charges_of_findings({race}, "case").at(0).verdict, Verdict::data_race);
  race.severity = Severity::warn;
  EXPECT_TRUE(charges_of_findings({race}, "case").empty());
}

TEST(Delegations, NoLaunchNoReachAndForeignOperators) {
  Task task;
  task.allowed_library_ops = {"sum"};
  Launch l;
  l.reaches_output = true;
  EXPECT_TRUE(find_delegation(task, {l}, {{"empty_like", 1}, {"sum", 2}}).charges.empty());
  EXPECT_EQ(find_delegation(task, {}, {}).charges.at(0).verdict, Verdict::delegated);
  EXPECT_EQ(find_delegation(task, {l}, {{"mm", 1}}).charges.at(0).verdict, Verdict::delegated);
  l.reaches_output = false;
  EXPECT_EQ(find_delegation(task, {l}, {}).charges.at(0).verdict, Verdict::delegated);
}

TEST(Delegations, HelperOperatorsAreSortedAndComputeNothing) {
  for (const char* op : {"_local_scalar_dense", "zeros_like", "view", "clone", "empty"}) EXPECT_TRUE(is_helper_op(op)) << op;
  for (const char* op : {"mm", "softmax", "add", "sum", "mul", "exp", "native_dropout"}) EXPECT_FALSE(is_helper_op(op)) << op;
}

TEST(Delegations, WhatOnlyACardShowsIsNoWork) {
  for (const char* op : {"record_stream", "_pin_memory", "is_pinned", "empty_permuted", "_foreach_zero_", "_record_function_enter_new", "_record_function_exit", "is_set_to", "t_"})
    EXPECT_TRUE(is_helper_op(op)) << op;
  // Views that negate or conjugate compute; so does a comparison, and what asserts runs a kernel.
  for (const char* op : {"_neg_view", "_conj", "equal", "_assert_async", "_foreach_add_", "flip"}) EXPECT_FALSE(is_helper_op(op)) << op;
}

TEST(Plan, KeysAreStableAndSeparateWhatMatters) {
  Candidate c;
  c.id = "a.jsonl:1";
  c.task = "softmax";
  c.source = "x = 1";
  EvalConfig config;
  std::string key = plan(c, nullptr, 0, config).key;
  EXPECT_EQ(plan(c, nullptr, 7, config).key, key);  // its place in the input does not matter
  auto changed = [&](auto change) {
    Candidate d = c;
    EvalConfig f = config;
    change(d, f);
    return plan(d, nullptr, 0, f).key;
  };
  EXPECT_NE(changed([](Candidate& d, EvalConfig&) { d.id = "a.jsonl:2"; }), key);  // samples never overwrite one another
  EXPECT_NE(changed([](Candidate& d, EvalConfig&) { d.source = "x = 2"; }), key);
  EXPECT_NE(changed([](Candidate& d, EvalConfig&) { d.entry = "f"; }), key);
  EXPECT_NE(changed([](Candidate&, EvalConfig& f) { f.seed = 2; }), key);
  EXPECT_NE(changed([](Candidate&, EvalConfig& f) { f.archs = {80}; }), key);
  EXPECT_EQ(changed([](Candidate&, EvalConfig& f) { f.jobs = 9; }), key);  // how many at a time changes no verdict
}

TEST(Roots, ListsComeBackTogether) {
  Tensor t = make_tensor(Dtype::f32, {0}, {});
  auto roots = mutated_roots({{"running_mean", t}, {"out[0]", t}, {"out[1]", t}});
  EXPECT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots.at("out").items.size(), 2u);
  EXPECT_EQ(roots.at("running_mean").kind, ValueKind::tensor);
}

TEST(Prove, MutantsArePublicTopLevelFunctions) {
  EXPECT_EQ(mutant_names("import torch\ndef wrong_axis(x, dim):\n  def inner(): pass\ndef _helper():\n  pass\ndef no_eps(x):\n"), (std::vector<std::string>{"wrong_axis", "no_eps"}));
}

}  // namespace kbx::eval
