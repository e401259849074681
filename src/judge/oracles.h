// Inside the room: one function an oracle, profile kbx, and what they share. The table is in judge.cpp.
#pragma once
#include <string>

#include "judge/compare.h"
#include "judge/judge.h"

namespace kbx::judge {

// A judgement with path, kind and profile filled in.
Judgement begin(const Evidence& evidence, const Oracle& oracle, Profile profile);
Judgement not_judged(Judgement judgement, std::string reason);

// Each expects a structure that matches eager's; the leaf oracles a numeric leaf. NaN and Inf rules: compare.h, unless
// the oracle's own file says otherwise.
Judgement judge_close(const Evidence& evidence, const Oracle& oracle);
Judgement judge_exact(const Evidence& evidence, const Oracle& oracle);
Judgement judge_quantized(const Evidence& evidence, const Oracle& oracle);
Judgement judge_factorization(const Evidence& evidence, const Oracle& oracle);  // whole value
Judgement judge_statistical(const Evidence& evidence, const Oracle& oracle);
Judgement judge_set(const Evidence& evidence, const Oracle& oracle);

// Profile paper: the published comparison with eager, whatever the oracle is (quantized: the published absolute
// bounds).
Judgement judge_paper(const Evidence& evidence, const Oracle& oracle);

// Is `got` the right answer of an index-valued reduction although it is not eager's (ties)? See ties.cpp.
class Ties {
 public:
  // Unusable (nothing is a tie) if the oracle names no source or the arguments do not fit it.
  Ties(const Evidence& evidence, const Oracle& oracle, int64_t outputs);
  // The index `got` selects a value equal to (NaN: as NaN as) that which `want` selects, for output number `flat`.
  bool same_value(int64_t flat, int64_t got, int64_t want) const;

 private:
  View source_;
  int64_t size_ = 0, inner_ = 1;  // extent and stride of the reduced dimension; size 0 = unusable
};

}  // namespace kbx::judge
