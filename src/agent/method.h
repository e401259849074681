// Method: how kernels are asked for, as data. A preset (methods/*.toml) or a user's file of the same form (docs/methods.md).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "base/json.h"
#include "intake/extract.h"
#include "model/chat.h"

namespace kbx::agent {

enum class LoopKind : unsigned char { single_pass, evolve, parallel_refine };
std::string_view to_text(LoopKind kind);

// What the published agents do that a reader would not expect, where it changes results. compat = "upstream" turns on
// all that belong to the loop, "fixed" none. Each has a row in docs/methods.md and a test of both ways.
enum class Quirk : unsigned char {
  best_overwritten,      // evolve a: a new ancestor replaces the best of a full list
  order_mislabelled,     // evolve b: ancestors are called ascending and shown descending
  history_by_self_score, // evolve c: which attempts are shown is decided by the model's own score
  judge_failure_lost,    // evolve d: after one judge call that fails, the later slots have no score
  rounds_to_end,         // evolve e: `rounds` is where to end, not how many
  results_lost,          // evolve f: with one slot and no judge, every evaluation is lost
  history_shared,        // evolve g: a slot's attempts are one object: the latest code stands in all of them
  untimed_forgotten,     // evolve h: what is right but has no time is no ancestor and is asked for again
  mock_seeds,            // parallel_refine: a seed that did not come is replaced by a made-up kernel
  rising_temperature,    // parallel_refine: seed i is drawn at seed_temperature + 0.1 i
  last_untested,         // parallel_refine: the last refinement is paid for and never run
  same_kernel_again,     // parallel_refine: a reply without code runs the same kernel again
  beam_of_copies,        // optimise: the beam starts as copies of one kernel
  repairs_unchecked      // optimise: repairs are not held against the denylist
};
std::string_view to_text(Quirk quirk);
std::optional<Quirk> quirk_from_text(std::string_view text);

// One of a loop's questions. Empty or absent: as the method says.
struct Role {
  std::string prompt;  // name in the prompt store: "geak/gen"
  std::string model;
  std::optional<double> temperature;
  int64_t max_tokens = 0;
};

enum class Select : unsigned char { first, best, correct_then_fastest };
enum class ReplyForm : unsigned char { text, json };

struct SinglePass {
  int samples = 1;
  Select select = Select::first;
};
struct Retrieval {
  bool on = false;
  bool first_by_instruction = true;  // the first prompt: by the task's description
  bool later_by_code = true;         // debugging: by the code so far
  int k = 1;
};
struct Evolve {
  int rounds = 10, slots = 8, ancestors = 5, first_round = 0;
  int debug_cap = 5;      // rounds of debugging before a slot starts afresh
  int debug_quorum = 1;   // so many slots must be right for a round to count as solved
  int history = 5;        // attempts shown
  bool judge = true;
  Retrieval retrieval;

  bool single_slot() const { return slots == 1 && !judge; }  // OptimAgent
};
struct History {
  int n = 8, code = 500, err = 2000, out = 1000;  // attempts; characters of each part
};
struct Optimise {
  int rounds = 0;         // 0: off
  int keep = 2, directions = 2, repairs = 3;
  bool greedy = false;    // one kernel, one direction, ends after `patience` rounds without gain
  int patience = 5;
  double target = 0.10;   // the gain that the prompt asks for
  double revert_pct = 50; // slower than the best by more: the next attempt starts from the best
  double stop_at = 0.95;  // share of the roofline
};
struct ParallelRefine {
  int workers = 4, rounds = 10;
  bool all_workers = false;  // stop = "all": every worker goes to its end, the fastest is taken
  bool dedup = true, denylist = true;
  int wordings = 1;          // the seed prompt's wordings, one a worker in turn
  History history;
  std::optional<double> seed_temperature, refine_temperature;
  Optimise optimise;
};

struct Method {
  std::string name, summary;
  LoopKind loop = LoopKind::single_pass;
  std::string model;
  std::string form = "kbx";  // of the task's text: "kbx", "tritonbench", or a block task.NAME of the user
  std::map<std::string, Role> roles;  // by the loop's role names (docs/methods.md)
  ReplyForm reply = ReplyForm::text;
  intake::ExtractMode extract = intake::ExtractMode::kbx;
  bool strip_think = true;   // extract = upstream does not by itself
  Sampling sampling;
  int64_t max_tokens = 0;
  Thinking thinking = Thinking::unset;
  std::string effort;
  FeedbackMode feedback = FeedbackMode::public_only;
  int asks_again = 1;        // a reply of no use: so often the same question again
  std::set<Quirk> quirks;
  SinglePass single_pass;
  Evolve evolve;
  ParallelRefine parallel_refine;
  std::string source;        // the file, for messages

  bool has(Quirk quirk) const { return quirks.contains(quirk); }
};

// All that belong to the method's loop in its shape: one slot and no judge is another published agent than many slots.
std::set<Quirk> quirks_of(const Method& method);

// The roles that its loop asks, those of an optional phase included.
std::vector<std::string> role_names(const Method& method);
// Everything that steers it, for the run's record and its key: equal texts, equal actions.
Json method_json(const Method& method);

// Calls that one task can take at most, asking again not counted: for --dry-run and budgets.
int64_t most_calls(const Method& method);

}  // namespace kbx::agent
