// Judgement: what one oracle says about one output of one case, under one profile. Plain data: stored and reported
// later.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"
#include "model/verdict.h"

namespace kbx {

// kbx: truth in float64 and a measured noise floor (docs/oracles.md). paper: the published comparison with eager.
enum class Profile : unsigned char { kbx, paper };
std::string_view to_text(Profile profile);
std::optional<Profile> profile_from_text(std::string_view text);

// All distances between what came (`got`) and what was expected (`want`), over one tensor. Elements that are not finite
// on either side are counted and left out of every distance; a complex element is one element, its error the modulus.
struct Metrics {
  int64_t count = 0;            // elements compared
  int64_t mismatches = 0;       // elements outside their tolerance
  int64_t first_mismatch = -1;  // flat row-major index of the first; -1 = none
  int64_t worst = -1;           // flat index of the largest error in units of its tolerance; -1 = no mismatch
  double max_abs = 0;           // max |got - want|
  double max_rel = 0;           // max |got - want| / |want|, over want != 0
  double max_ulp = 0;           // max |got - want| / ulp(want), ulps of the output's dtype; 0 for integers
  double max_allowed = 0;       // max |got - want| / what was allowed there, where something was; above 1: a mismatch
  double cosine = 1;            // <got, want> / (|got| |want|); 1 if both are zero, 0 if one is
  double l1_rel = 0;            // sum |got - want| / sum |want|; the plain sum where want is all zero
  double rmse = 0;              // root of the mean squared error
  double rel_rmse = 0;          // rmse / RMS of want; the rmse where want is all zero
  int64_t nan_got = 0, nan_want = 0;
  int64_t inf_got = 0, inf_want = 0;
  int64_t nan_position_mismatches = 0;  // NaN on exactly one side
  int64_t inf_position_mismatches = 0;  // no NaN, but Inf on one side only, or of the other sign
};

struct Judgement {
  std::string path;  // "result", "result[1]", a mutated argument's name
  OracleKind kind = OracleKind::close;
  Profile profile = Profile::kbx;
  // correct, wrong_structure, mutated_input, unwritten_output, wrong_value, contract_violation or not_judged.
  Verdict verdict = Verdict::correct;
  Metrics metrics;
  std::string explanation;     // for a human; empty only if correct
  std::string metric;          // what decided: "abs", "ulp", "nan", "rel_rmse", "reconstruction", "kept_fraction", ...
  std::vector<int64_t> index;  // of the element that the explanation shows; empty = none (or a scalar)
  double expected = 0, got = 0;  // of that element, or of the metric (complex: real parts)
  double bound = 0;              // what |got - expected|, or the metric, had to respect
  // Of a correct output: how much of the allowed error it took, 0 (exact) to 1 (on the bound), at its worst element or metric.
  // Absent where the oracle knows right and wrong only (statistical, factorization), and in records of an older kbx.
  std::optional<double> error_share;
};

// Both profiles' word on the same output.
struct Judgements {
  Judgement kbx, paper;
};

}  // namespace kbx
