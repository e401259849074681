// Runs: the stored runs that one report is made of, opened for reading. A report reads nothing else.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "report/summary.h"
#include "store/store.h"

namespace kbx::report {

class Runs {
 public:
  struct Run {
    std::string label;  // the folder's name; two runs never share one
    Json facts;         // config, versions, started; as stored
    store::Store store;
  };

  // Errors: code usage for an empty list or, unless that is wanted, a folder named twice; the store's own for a folder
  // that is no run.
  static Result<Runs> open(const std::vector<std::string>& folders, bool twice = false);

  const std::vector<Run>& all() const { return runs_; }

  // Every record, run after run, each in input order. `visit` returns false to stop.
  Result<void> each(const std::function<bool(const Run&, const Record&)>& visit) const;
  Result<Summary> summary() const;

 private:
  std::vector<Run> runs_;
};

}  // namespace kbx::report
