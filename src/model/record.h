// Record: everything that is stored about one job. Reports read only records; a live run and a later one print the same.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/judgement.h"
#include "model/measurement.h"
#include "model/timing.h"
#include "model/verdict.h"

namespace kbx {

// What the judge said about one output of one case.
struct CaseJudgement {
  std::string case_name;
  std::string phase;       // "standard", "outlier", "repeat"
  Judgements judgements;
};

struct CaseRun {
  std::string case_name, phase;
  bool answered = false, ok = false;
  std::string error;       // one line; "" when the call returned
  double seconds = 0;
  int launches = 0;
};

struct Record {
  // what
  std::string job_key;     // hash(task, source, config, engine version, device): equal keys mean equal verdicts
  int64_t ordinal = 0;     // position in the input, from 0
  std::string candidate;   // "claude.jsonl:17"
  std::string task, category;  // category "" = task not in the suite
  int sample = 0;
  std::string source_hash, reply_hash;  // blobs
  std::string how;         // how the code was taken from the reply
  // how it ended
  Verdict verdict = Verdict::harness_error, paper = Verdict::harness_error;
  bool in_suite = true;
  bool call_ok = false, exe_ok = false;              // stages 1 and 2, profile kbx
  bool paper_call_ok = false, paper_exe_ok = false;  // the same by the published rules
  bool retryable = false;  // harness_error only
  std::string explanation; // why this verdict, for a human
  std::string error_type, traceback, output;
  std::vector<std::string> flags;  // "launched no kernel", "in_process", ...
  std::vector<Finding> findings;
  std::vector<CaseRun> cases;
  std::vector<CaseJudgement> judgements;
  std::vector<Compiled> compiled;
  std::vector<Launch> launches;    // of one call that returned: that with the most compulsory bytes
  std::optional<CallCost> cost;    // of the same call
  std::map<std::string, int64_t> ops;
  std::optional<Timing> timing;    // on a GPU, for what is correct
  // circumstances
  std::string device = "cpu";
  uint64_t seed = 0;
  std::string engine_version, task_version, started;
  double seconds = 0;
  std::map<std::string, double> stage_seconds;  // lint, compile, values, judge, ...
};

}  // namespace kbx
