// The whole pipeline on the suite's witnesses, side by side in one run: one fork server for all candidates against a
// fresh python for each stage (reference, compile, values). Prints seconds a candidate, the ratio, and what the engine
// itself costs per job beside python (plan, lint, judge, store).
// Usage: pipeline_bench PYTHON [TASKS]   (from the repository's root; TASKS: how many witnesses for the fresh side, 8)
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/clock.h"
#include "eval/job.h"
#include "store/store.h"
#include "suite/suite.h"

namespace {

using namespace kbx;
namespace fs = std::filesystem;

std::unique_ptr<sandbox::ForkServer> start(const sandbox::PythonHome& home) {
  auto server = sandbox::ForkServer::start(home);
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().text());
    std::exit(3);
  }
  return std::move(*server);
}

eval::Job job_for(const Task& task, const eval::EvalConfig& config) {
  Candidate c;
  c.id = "witness of " + task.name;
  c.task = task.name;
  c.source = task.witness;
  return eval::plan(std::move(c), &task, 0, config);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}
double p90(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[std::min(v.size() - 1, v.size() * 9 / 10)];
}

// A fresh python for every stage: one process computes the reference, one compiles, one computes the values.
double fresh_seconds(const sandbox::PythonHome& home, const Task& task, eval::EvalConfig config, bool& correct) {
  auto begin = Steady::now();
  auto reference = start(home), compiler = start(home), values = start(home);
  eval::TruthCache truths(*reference, config);
  if (!truths.get(task)) return 0;
  eval::EvalConfig compile_only = config;
  (void)eval::run_job(job_for(task, compile_only), {*compiler, truths, compile_only, nullptr, eval::Bench::Stages::compile});
  config.compile = false;
  correct = eval::run_job(job_for(task, config), {*values, truths, config}).verdict == Verdict::correct;
  return seconds_since(begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: pipeline_bench PYTHON [TASKS]\n");
    return 2;
  }
  size_t fresh_tasks = argc > 2 ? size_t(std::atoi(argv[2])) : 8;
  auto suite = suite::load_suite("suite");
  if (!suite) {
    fmt::print(stderr, "{}\n", suite.error().text());
    return 2;
  }
  sandbox::PythonHome home{argv[1], fs::absolute("src/worker/python").string(), fs::absolute(fs::path(argv[0]).parent_path().parent_path() / "lib/libkbxworker.so").string(), 180};
  eval::EvalConfig config;
  config.seed = 1;
  auto folder = fs::temp_directory_path() / fmt::format("kbx-pipeline-bench-{}", ::getpid());
  auto store = store::Store::open(folder);
  if (!store) return 3;

  auto server = start(home);
  eval::TruthCache truths(*server, config);
  std::vector<double> forked, engine, judged;
  std::map<std::string, double> by_task;
  int wrong = 0;
  for (const Task& task : suite->tasks) {
    auto begin = Steady::now();
    auto job = job_for(task, config);
    Record r = eval::run_job(job, {*server, truths, config});
    double total = seconds_since(begin);
    auto before_store = Steady::now();
    (void)store->put_blob(job.candidate.source);
    (void)store->append(r);
    double stored = seconds_since(before_store);
    wrong += r.verdict != Verdict::correct;
    forked.push_back(total);
    by_task[task.name] = total;
    double python = r.stage_seconds["reference"] + r.stage_seconds["compile"] + r.stage_seconds["values"] + r.stage_seconds["second look"];
    judged.push_back(r.stage_seconds["judge"]);
    engine.push_back(total - python - judged.back() + stored);
  }
  std::vector<double> fresh, same;
  for (const Task& task : suite->tasks) {
    if (fresh.size() == fresh_tasks) break;
    bool correct = false;
    fresh.push_back(fresh_seconds(home, task, config, correct));
    same.push_back(by_task[task.name]);
    wrong += !correct;
  }
  fs::remove_all(folder);
  double fresh_sum = 0, same_sum = 0;
  for (size_t k = 0; k < fresh.size(); k++) fresh_sum += fresh[k], same_sum += same[k];
  fmt::print("{} witnesses, {} not judged correct\n", suite->tasks.size(), wrong);
  fmt::print("whole pipeline, one fork server:        median {:.3f} s, p90 {:.3f} s a candidate\n", median(forked), p90(forked));
  fmt::print("the first {} of them:                    {:.3f} s a candidate\n", same.size(), same_sum / double(same.size()));
  fmt::print("the same, fresh python for each stage:  {:.3f} s a candidate\n", fresh_sum / double(fresh.size()));
  fmt::print("ratio:                                  {:.1f}x\n", fresh_sum / same_sum);
  fmt::print("engine beside python (plan, lint, store): median {:.2f} ms, p90 {:.2f} ms a job; judging its outputs: median {:.2f} ms, p90 {:.2f} ms\n", 1e3 * median(engine),
             1e3 * p90(engine), 1e3 * median(judged), 1e3 * p90(judged));
  return 0;
}
