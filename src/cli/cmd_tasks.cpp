// kbx tasks: the suite. list, show, prompt, schema and check are small verbs below it.
#include <fmt/format.h>

#include <set>

#include "base/words.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/method_session.h"
#include "cli/session.h"
#include "cli/tasks_check.h"
#include "cli/terminal.h"
#include "report/text_table.h"
#include "suite/names.h"
#include "suite/prompt.h"
#include "suite/schema.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::vector<std::string> names;
  bool json = false;
  int seeds = 3;
  bool costs = false;
  size_t faulty = 0;  // tasks that could not be read
  std::string method;
  MethodFiles files;
};

Result<std::vector<const Task*>> choose(const suite::Suite& suite, const std::vector<std::string>& names) {
  std::vector<const Task*> out;
  if (names.empty())
    for (const Task& t : suite.tasks) out.push_back(&t);
  for (const std::string& name : names) {
    size_t before = out.size();
    for (const Task& t : suite.tasks)
      if (t.category == name) out.push_back(&t);
    if (const Task* t = suite.find(name)) out.push_back(t);
    if (out.size() > before) continue;
    return fail(Code::usage, "the suite has no task or category " + name + suite.did_you_mean(name, suite::Suite::Meant::task_or_category));
  }
  return out;
}

std::string proofs(const Task& t) { return std::string(t.witness.empty() ? "open problem: no witness" : "witness") + (t.mutants.empty() ? ", no mutants" : ", mutants"); }

void list(const std::vector<const Task*>& tasks, bool json) {
  if (json) {
    Json out = Json::array();
    for (const Task* t : tasks)
      out.push_back({{"name", t->name}, {"category", t->category}, {"entry", t->entry.text}, {"oracle", to_text(t->oracle.kind)}, {"cases", t->cases.size()},
                     {"perf", t->perf.size()}, {"difficulty", t->difficulty}, {"witness", !t->witness.empty()}, {"version", t->version}});
    print(dump_json(out, 2) + "\n");
    return;
  }
  using Align = report::TextTable::Align;
  report::TextTable table({{"category"}, {"task"}, {"oracle"}, {"cases", Align::right}, {"perf", Align::right}, {"difficulty", Align::right}, {"proofs"}, {"summary"}});
  std::set<std::string> categories;
  for (const Task* t : tasks) {
    categories.insert(t->category);
    table.add({t->category, t->name, std::string(to_text(t->oracle.kind)), std::to_string(t->cases.size()), std::to_string(t->perf.size()), std::to_string(t->difficulty), proofs(*t),
               t->summary.size() > 60 ? t->summary.substr(0, 57) + "..." : t->summary});
  }
  print(table.text() + fmt::format("{} in {}\n", counted(int64_t(tasks.size()), "task"), categories.size() == 1 ? "1 category" : fmt::format("{} categories", categories.size())));
}

void show(const Task& t) {
  print(fmt::format("{}/{}  (difficulty {}, oracle {}, version {})\n{}\n\n{}\n", t.category, t.name, t.difficulty, to_text(t.oracle.kind), t.version.substr(0, 12), t.entry.text, t.summary));
  for (const auto& line : t.contract) print("  - " + line + "\n");
  std::string ops;
  for (const auto& op : t.allowed_library_ops) ops += (ops.empty() ? "" : ", ") + op;
  print(fmt::format("TF32: {}\nlibrary operators allowed: {}\n{} cases, {} perf sizes; bytes = {}; flops = {}\n\nreference.py\n{}\n", t.tf32 ? "allowed" : "not allowed",
                    ops.empty() ? "none" : ops, t.cases.size(), t.perf.size(), t.cost.bytes, t.cost.flops, t.reference));
}

// What the method's loop asks first, message by message.
Result<int> show_prompts(const Options& o, const std::vector<const Task*>& tasks) {
  KBX_TRY_ASSIGN(MethodSession session, open_methods(o.files));
  KBX_TRY_ASSIGN(agent::Method method, find_method(session, o.method));
  for (const Task* t : tasks) {
    KBX_TRY_ASSIGN(auto requests, first_requests(session, method, *t, ""));
    for (const ChatRequest& r : requests) {
      print(fmt::format("=== {} · model {} · prompt {} · at most {} tokens\n", to_text(r.id), r.model, r.prompt, r.max_tokens));
      if (!r.system.empty()) print("--- system\n" + r.system + "\n");
      for (const ChatMessage& m : r.messages) print(std::string(m.speaker == Speaker::user ? "--- user\n" : "--- assistant\n") + m.text + "\n");
    }
  }
  return kEvaluated;
}

template <class F>
std::function<int()> with_tasks(std::shared_ptr<Options> o, F work) {
  return [o, work]() -> int {
    auto done = [&]() -> Result<int> {
      KBX_TRY_ASSIGN(Settings settings, Settings::load(o->flags));
      KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings, &o->faulty));
      KBX_TRY_ASSIGN(auto tasks, choose(suite, o->names));
      return work(settings, tasks);
    }();
    return done ? *done : report_error(done.error());
  };
}

}  // namespace

std::function<int()> setup_tasks(CLI::App& app) {
  auto o = std::make_shared<Options>();
  auto chosen = std::make_shared<std::function<int()>>();
  app.require_subcommand(1);
  app.footer("Examples:\n  kbx tasks list\n  kbx tasks prompt softmax --method geak\n  kbx tasks check softmax --seeds 20\n  kbx tasks check mine --suite my_suite            your own task (docs/task_format.md)");  // the verbs below take it over
  auto add = [&](const char* name, const char* help, std::function<int()> work) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->callback([chosen, work = std::move(work)] { *chosen = work; });
    add_settings(*sub, o->flags, {"suite"});
    return sub;
  };
  using Tasks = std::vector<const Task*>;
  auto* l = add("list", "all tasks, a line each", with_tasks(o, [o](const Settings&, const Tasks& t) -> Result<int> {
                  list(t, o->json);
                  return kEvaluated;
                }));
  l->add_flag("--json", o->json, "as JSON");
  auto* s = add("show", "a task in full", with_tasks(o, [](const Settings&, const Tasks& tasks) -> Result<int> {
                  for (const Task* t : tasks) show(*t);
                  return kEvaluated;
                }));
  auto* p = add("prompt", "exactly what a model is shown", with_tasks(o, [o](const Settings&, const Tasks& tasks) -> Result<int> {
                  if (!o->method.empty()) return show_prompts(*o, tasks);
                  for (const Task* t : tasks) print(suite::prompt(*t));
                  return kEvaluated;
                }));
  p->add_option("--method", o->method, "what this method asks first: every message of every question");
  p->add_option("--prompts", o->files.prompts, "a folder of prompts laid over kbx's own");
  p->add_option("--corpus", o->files.corpus, "worked examples: a folder of .py files, or JSONL");
  auto* c = add("check", "the task linter: can it be solved, and do wrong kernels fail it?", with_tasks(o, [o](const Settings& settings, const Tasks& tasks) -> Result<int> {
                  KBX_TRY_ASSIGN(int code, check_tasks(settings, tasks, {o->seeds, o->json, o->costs}));
                  return code == kEvaluated && o->names.empty() && o->faulty > 0 ? kGateFailed : code;
                }));
  for (CLI::App* sub : {l, s, p, c}) sub->add_option("NAME", o->names, "tasks or categories (default: all)");
  c->add_option("--seeds", o->seeds, "seeds for the witness")->check(CLI::Range(1, 1000));
  c->add_flag("--json", o->json, "as JSON");
  c->add_flag("--costs", o->costs, "only the [cost] formulas, against what the witness moves and computes in each case");
  add_settings(*c, o->flags, {"python", "device", "jobs", "jail", "arch"});
  add("schema", "JSON Schema of task.toml", [] {
    print(dump_json(suite::task_schema(), 2) + "\n");
    return kEvaluated;
  });
  return [chosen] { return (*chosen)(); };
}

}  // namespace kbx::cli
