// Study: what analyses read of one or several runs, gathered in one pass over the stored results. Small: a few dozen bytes
// a candidate; whole records are looked into only where they hold what a table needs.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "model/timing.h"
#include "model/verdict.h"
#include "report/analysis/effort.h"
#include "report/analysis/methods.h"
#include "report/analysis/resources.h"
#include "report/runs.h"

namespace kbx::report {

// Names by small numbers, in the order in which they first came.
class Names {
 public:
  int of(std::string_view name);
  const std::string& operator[](int id) const { return names_[size_t(id)]; }
  int size() const { return int(names_.size()); }
  std::vector<int> sorted() const;  // ids by name

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> ids_;
};

// Where a candidate of a method's run stands: rounds, slots and repairs from 0.
struct Place {
  int round = 0, slot = 0, step = 0;
};
// "softmax/0/2/1" of task softmax; nullopt for any other id.
std::optional<Place> place_of(std::string_view candidate, std::string_view task);

// One stored result of a task in the suite.
struct Trial {
  int run = 0, source = 0, task = 0, category = 0, method = 0;  // ids; source: the GPU or run it was merged from
  Verdict verdict = Verdict::harness_error, paper = Verdict::harness_error;
  bool call = false;
  std::optional<Place> place;
  uint64_t identity = 0;    // hash of candidate and source: the same kernel in several runs
  int64_t ordinal = 0;
  float seconds = 0;
  bool counts = true;       // an answer or a sample of its method; false: a step on the way to one
  int timed = -1;           // index into Study::timed
  int kind = -1;            // id in Study::kinds: what exactly went wrong ("close: max_abs", "ValueError"); -1 = not known

  // Neither a failure of ours nor undecided: what shares are taken of.
  bool judged() const { return verdict != Verdict::harness_error && verdict != Verdict::not_judged; }
  bool correct() const { return verdict == Verdict::correct; }
  bool paper_judged() const { return paper != Verdict::harness_error && paper != Verdict::not_judged; }
  bool paper_call() const { return implies_call(paper) || paper == Verdict::correct; }
  bool paper_correct() const { return paper == Verdict::correct; }
};

// A correct candidate with times.
struct Timed {
  std::string candidate;
  int trial = 0, gpu = 0;
  std::optional<double> speedup, low, high, host_speedup, iou, mfu;
  std::optional<double> floor_share;  // least time by the datasheet / time, geometric mean over the sizes
  std::string limit;                  // what decides the floor at the largest size
  bool launch_bound = false;          // any size
  bool in_process = false;            // any size: timed in the candidate's own process
};

// One output of one case of a quantization task, as judged.
struct Quantized {
  int trial = 0;
  double cosine = 0, l1_rel = 0, rmse = 0, rel_rmse = 0;
};

struct Study {
  Names runs, sources, tasks, categories, methods, gpus, kinds;
  std::vector<Json> facts;               // by run
  std::vector<std::string> method_from;  // by run: how its methods were found, a sentence
  std::vector<Trial> trials;
  std::vector<Timed> timed;
  std::vector<Quantized> quantized;
  std::vector<TaskEffort> efforts;       // of generation runs, by run and task
  Resources resources;
  int64_t not_in_suite = 0, left_out = 0, harness_errors = 0, not_judged = 0;
  std::map<std::string, std::map<std::string, int64_t>> circumstances;  // "engine version" -> value -> candidates
};

// Errors: the store's.
Result<Study> study_of(const Runs& runs, const MethodRules& rules);

}  // namespace kbx::report
