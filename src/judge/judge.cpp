// From evidence to judgements: structure, leaves, the table of oracles.
#include "judge/judge.h"

#include <fmt/core.h>

#include <array>

#include "base/check.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

struct Row {
  OracleKind kind;
  Judgement (*judge)(const Evidence&, const Oracle&);
  bool whole;  // judges the whole result, not leaf by leaf
};
constexpr std::array<Row, 6> kRows{{
    {OracleKind::close, judge_close, false},
    {OracleKind::exact, judge_exact, false},
    {OracleKind::quantized, judge_quantized, false},
    {OracleKind::factorization, judge_factorization, true},
    {OracleKind::statistical, judge_statistical, false},
    {OracleKind::set, judge_set, false},
}};

const Row& row(OracleKind kind) {
  const Row& r = kRows[size_t(kind)];
  KBX_CHECK(r.kind == kind);
  return r;
}

const Oracle& oracle_of(const Evidence& e) { return e.oracle ? *e.oracle : oracle_for(e.task, e.path); }

// The part of a helper's value that belongs to this leaf, or null.
const Value* item(const Value* value, size_t k) {
  return value && k < value->items.size() ? &value->items[k] : nullptr;
}

void judge_leaves(const Evidence& e, std::vector<Judgements>& out) {
  if (row(oracle_of(e).kind).whole || e.eager->items.empty()) {
    out.push_back(judge_output(e));
    return;
  }
  for (size_t k = 0; k < e.eager->items.size(); k++) {
    Evidence leaf = e;
    leaf.path = e.eager->kind == ValueKind::dict ? e.path + "." + e.eager->keys[k] : fmt::format("{}[{}]", e.path, k);
    for (const Value* Evidence::* part :
         {&Evidence::got, &Evidence::eager, &Evidence::truth, &Evidence::permuted, &Evidence::narrow,
          &Evidence::magnitude, &Evidence::scheme, &Evidence::survivors, &Evidence::dropped, &Evidence::probability, &Evidence::domain,
          &Evidence::got_again})
      leaf.*part = item(e.*part, k);
    judge_leaves(leaf, out);
  }
}

}  // namespace

Judgement begin(const Evidence& e, const Oracle& oracle, Profile profile) {
  Judgement j;
  j.path = e.path;
  j.kind = oracle.kind;
  j.profile = profile;
  return j;
}

Judgement not_judged(Judgement j, std::string reason) {
  j.verdict = Verdict::not_judged;
  j.metric = "evidence";
  j.explanation = fmt::format("{}: {}", j.path, reason);
  return j;
}

Judgements judge_output(const Evidence& e) {
  const Oracle& oracle = oracle_of(e);
  Judgements both{begin(e, oracle, Profile::kbx), judge_paper(e, oracle)};
  const Row& r = row(oracle.kind);
  // None and strings have no values beyond their structure.
  if (r.whole || is_numeric_leaf(*e.eager)) both.kbx = r.judge(e, oracle);
  return both;
}

std::vector<Judgements> judge_result(const Evidence& e) {
  KBX_CHECK(e.got && e.eager);
  std::vector<Judgements> out;
  if (auto wrong = check_structure(e.path, *e.got, *e.eager)) {
    Judgements both{*wrong, *wrong};
    both.kbx.kind = both.paper.kind = oracle_of(e).kind;
    both.paper.profile = Profile::paper;
    return {both};
  }
  judge_leaves(e, out);
  if (out.empty())
    out.push_back(
        {begin(e, oracle_of(e), Profile::kbx), begin(e, oracle_of(e), Profile::paper)});
  return out;
}

}  // namespace kbx::judge
