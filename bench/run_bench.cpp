// What `kbx run` costs beside the model and the judging: GEAK over the whole suite, 3 rounds x 4 slots x 3 roles = 36 calls a
// task, through loops, scheduler, journal, ledger and transport, to the fault server in a process of its own. A verdict comes
// at once (of a record as large as a real one): judging is not the scheduler.
//   run_bench [-] [TASKS] [SLOW_TASKS]     the first argument is what tools/bench hands over (not used)
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "agent/load.h"
#include "agent/make_loop.h"
#include "base/clock.h"
#include "generate/scheduler.h"
#include "llm/capabilities.h"
#include "llm/transport.h"
#include "server_process.h"
#include "suite/suite.h"

namespace {

using namespace kbx;
using bench::ServerProcess;

constexpr int kConcurrency = 64;

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().text().c_str());
  std::exit(2);
}

// Every candidate is wrong, so that all rounds and roles are asked.
class WrongAtOnce : public generate::Evaluator {
 public:
  void start(generate::Judging what, std::function<void(generate::Judged)> done) override {
    generate::Judged out;
    Record& r = out.record;
    r.job_key = key_of(what);
    r.ordinal = what.ordinal;
    r.candidate = what.candidate.id;
    r.task = what.task->name;
    r.category = what.task->category;
    r.verdict = r.paper = Verdict::wrong_value;
    r.call_ok = true;
    for (int k = 0; k < 8; k++) {
      std::string name = fmt::format("case_{}", k);
      r.cases.push_back({name, "standard", true, true, "", 0.01, 1});
      r.judgements.push_back({name, "standard", {judgement(Profile::kbx), judgement(Profile::paper)}});
    }
    out.feedback.verdict = r.verdict;
    out.feedback.called = true;
    out.feedback.error = r.judgements[0].judgements.kbx.explanation;
    out.feedback.key = r.job_key;
    done(std::move(out));
  }
  bool cancel(const agent::EvalId&) override { return false; }
  std::string key_of(const generate::Judging& what) const override { return "key of " + what.candidate.id; }

 private:
  static Judgement judgement(Profile profile) {
    Judgement j;
    j.path = "result";
    j.profile = profile;
    j.verdict = Verdict::wrong_value;
    j.metric = "abs";
    j.explanation = "element [3, 17] is 0.25, expected 1.75; 4,096 of 65,536 elements are outside their tolerance";
    j.index = {3, 17};
    return j;
  }
};

// Memory at every tenth of the calls, the time that calls were in flight, calls that failed.
class Meter : public llm::Client {
 public:
  Meter(llm::Client& inner, int64_t calls) : inner_(inner), calls_(calls) {}
  void start(ChatRequest request, std::function<void(llm::Exchange)> done) override {
    inner_.start(std::move(request), [this, done = std::move(done)](llm::Exchange e) {  // on the client's one thread
      const auto* reply = std::get_if<ChatReply>(&e.result);
      failed += reply == nullptr;
      if (reply) flown += reply->timing.total;
      if (++ended_ * 10 % calls_ < 10) resident.push_back(bench::resident_mib());
      done(std::move(e));
    });
  }
  void cancel(const CallId& id) override { inner_.cancel(id); }
  void wind_down() override { inner_.wind_down(); }

  int64_t failed = 0;
  double flown = 0;
  std::vector<double> resident;

 private:
  llm::Client& inner_;
  int64_t calls_, ended_ = 0;
};

class Quiet : public generate::Watcher {
 public:
  void changed(const generate::TaskView&) override {}
  void finished(const generate::TaskEnd&) override {}
  void note(const std::string& text) override { std::fprintf(stderr, "%s\n", text.c_str()); }
  void tick() override {}
};

struct Project {  // what a run reads once
  suite::Suite suite;
  agent::Method method;
  agent::PromptStore prompts;
  agent::Corpus corpus;
};

Project read_project(const std::filesystem::path& root) {
  Project p;
  p.suite = must(suite::load_suite(root / "suite"));
  p.method = must(agent::load_methods(root / "methods")).at("geak");
  p.method.model = "m";
  for (auto& [name, role] : p.method.roles) role.model.clear();
  p.prompts = must(agent::load_prompts({root / "prompts"}));
  p.corpus = must(agent::load_corpus(root / "prompts" / "corpus"));
  return p;
}

llm::Registry registry_at(const ServerProcess& server, const std::string& scenario) {
  llm::Registry out;
  llm::Provider& p = out.providers["p"];
  p.name = "p";
  p.base_url = fmt::format("http://127.0.0.1:{}/{}/v1", server.port(), scenario);
  p.limits.concurrency = kConcurrency;
  llm::Model& m = out.models["m"];
  m.name = "m";
  m.provider = "p";
  m.id = "gpt-4o";
  m.can = llm::capabilities_of(llm::DialectName::openai, m.id);
  m.price = {1, {}, {}, 2, ""};
  return out;
}

// Folders of runs, removed at the end of all: a file system that has just lost thousands of files is slow at making new ones.
struct Folders {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("kbx_run_bench_{}", getpid());
  ~Folders() { std::filesystem::remove_all(path); }
};

void measure(const Project& project, const Folders& folders, const std::string& what, const std::string& scenario, size_t tasks, double latency) {
  ServerProcess server;
  double wall = 0, cpu = 0;
  generate::Spent spent;
  std::vector<double> resident;
  double flown = 0;
  int64_t failed = 0, unfinished = 0;
  {
    auto store = must(store::Store::open(folders.path / scenario));
    auto journal = must(generate::Journal::open(store));
    llm::Registry registry = registry_at(server, scenario);
    llm::Keyring keys;
    keys["p"] = llm::Secret("benchmark-key");
    auto transport = must(llm::Transport::make(registry, std::move(keys), {}));
    generate::Work work;
    for (const Task& t : project.suite.tasks)
      if (work.tasks.size() < tasks) work.tasks.push_back(&t);
    work.make_loop = [&](const Task& task) { return agent::make_loop({project.method, project.prompts, project.corpus, agent::facts_of(task, "")}); };
    Meter meter(*transport, int64_t(work.tasks.size()) * 36);
    WrongAtOnce evaluator;
    Quiet quiet;
    std::atomic<bool> stop{false};
    generate::Ledger ledger({.usd = 1e9});
    cpu = bench::cpu_seconds();
    auto ending = must(generate::Scheduler({meter, evaluator, journal, ledger, registry, quiet, stop, 2 * kConcurrency, 2}, std::move(work)).run());
    cpu = bench::cpu_seconds() - cpu;
    wall = ending.seconds;
    unfinished = ending.unfinished;
    spent = ledger.total();
    transport.reset();
    resident = meter.resident;
    flown = meter.flown;
    failed = meter.failed;
  }
  double calls = double(spent.calls);
  std::string line = fmt::format("{}: {} calls in {:.2f} s; {:.2f} ms CPU a call (bar 2); peak {:.0f} MiB (bar 300)", what, spent.calls, wall, cpu / calls * 1e3, bench::peak_mib());
  line += "; resident by tenths of the calls:";
  for (double mib : resident) line += fmt::format(" {:.0f}", mib);
  line += fmt::format("; {:.1f} of {} places for calls taken on average", flown / wall, kConcurrency);
  if (latency > 0) line += fmt::format("; wall / (calls x latency / concurrency) = {:.3f} (bar 1.05)", wall / (calls * latency / kConcurrency));
  if (failed || unfinished) line += fmt::format("; {} calls failed, {} tasks did not end", failed, unfinished);
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  Folders folders;
  size_t tasks = count > 2 ? size_t(std::atoi(arguments[2])) : 176, slow = count > 3 ? size_t(std::atoi(arguments[3])) : 176;
  Project project = read_project(std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path());
  if (tasks) measure(project, folders, "at once, replies of a few pieces", "kernel", tasks, 0);
  if (tasks) measure(project, folders, "at once, a piece a token (620)", "kernel-tokens", tasks, 0);
  if (slow) measure(project, folders, "2 s latency", "kernel-slow", slow, 2.0);
  return 0;
}
