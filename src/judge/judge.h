// The judge: decides what one output of one call is worth, from values alone. Pure: no files, no clock, no randomness;
// threads only inside one comparison, whose result does not depend on their number.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/judgement.h"
#include "model/task.h"
#include "model/value.h"

namespace kbx::judge {

// Everything known about one output. Nothing is owned. `got` comes from a hostile process: its structure is checked
// before anything is read. All values but `got` and `got_again` are trusted; those that may be null say so.
struct Evidence {
  const Task& task;
  const Call& args;                 // the case's arguments as they were before the call, bound as the entry was called
  std::string path;                 // "result" or a mutated argument's name; judge_output: also "result[1]"
  const Value* got = nullptr;       // the candidate's
  const Value* eager = nullptr;     // the reference on the case's own dtypes: gives structure, shapes and dtypes
  const Value* truth = nullptr;     // the reference in float64 / complex128; null: eager stands for it
  const Value* permuted = nullptr;  // eager under a permuted reduction; may be null
  const Value* narrow = nullptr;    // eager with float32 in place of float64; may be null, or None
  const Value *magnitude = nullptr, *scheme = nullptr, *survivors = nullptr, *dropped = nullptr, *probability = nullptr,
              *domain = nullptr;    // the reference's helpers (docs/task_format.md); may be null
  const Value* got_again = nullptr;  // a second call on the same inputs (statistical); may be null
  const Oracle* oracle = nullptr;    // the case's own, for every output; null: the task's
};

// Judges one root ("result" or a mutated argument): structure first (one judgement if it is wrong), then every leaf by
// its oracle (the case's own, else oracle_for); a factorization is judged as a whole. At least one
// element; order of the leaves.
std::vector<Judgements> judge_result(const Evidence& evidence);
// Judges one leaf, or one whole factorization. The structure must have been checked.
Judgements judge_output(const Evidence& evidence);

// wrong_structure with its reason, or nothing. Lists and tuples are interchangeable; everything else (count, keys,
// shape, dtype, type, Python scalar or tensor) must be as in eager. An `object` (subclass, foreign type) is never
// right.
std::optional<Judgement> check_structure(const std::string& path, const Value& got, const Value& eager);
// mutated_input if an argument that must stay untouched differs in any bit, shape or dtype.
std::optional<Judgement> check_unchanged(const std::string& path, const Value& before, const Value& after);

}  // namespace kbx::judge
