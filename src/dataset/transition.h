// Transitions: two attempts at one task, one after the other, and what the second changed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dataset/attempt.h"

namespace kbx::dataset {

enum class Kind : unsigned char {
  error_to_fix,   // wrong before, right after
  error_to_call,  // neither is right, but the second compiles, runs and returns where the first did not
  slow_to_fast,   // both right, timed on one card, the second's whole interval above the first's
  regression,     // right before, wrong after
  call_to_error,  // neither is right, and the second no longer returns
  fast_to_slow    // both right, the second's whole interval below the first's
};
inline constexpr size_t kKindCount = 6;
std::string_view to_text(Kind kind);
std::string_view meaning(Kind kind);

// nullopt: nothing that the judge decided has changed.
std::optional<Kind> kind_of(const Attempt& before, const Attempt& after, Judge judge);

// Why two attempts stand in a row: "rounds" (one slot of a method's run, the second was asked for with the first in view),
// "samples" (of one run, independent, in input order).
enum class Relation : unsigned char { rounds, samples };
std::string_view to_text(Relation relation);

struct Transition {
  size_t before = 0, after = 0;  // places in the attempts
  Kind kind = Kind::error_to_fix;
  Relation relation = Relation::samples;
};

struct Transitions {
  std::vector<Transition> all;
  int64_t looked_at = 0;       // pairs in a row with code on both sides, decided
  int64_t same_program = 0;    // of them: one normal form, so the verdict's change is not the code's
  int64_t repeated = 0;        // of them: a transition with both normal forms is there already
};

Transitions find_transitions(const std::vector<Attempt>& attempts, Judge judge);

}  // namespace kbx::dataset
