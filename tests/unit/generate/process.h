// One process of a run with scripted surroundings: opens the folder, schedules, closes it.
#pragma once
#include "fixture.h"

namespace kbx::generate {

struct Process {
  ScriptedClient client;
  ScriptedEvaluator evaluator;
  Silent watcher;
  Budget budget;
  std::atomic<bool> stop{false};
  int rounds = 2, slots = 3, calls_at_a_time = 16;
  std::vector<std::string> names{"a", "b"};
  Spent spent;

  Ending run(const std::filesystem::path& folder) {
    auto store = store::Store::open(folder);
    EXPECT_TRUE(store);
    auto journal = Journal::open(*store);
    EXPECT_TRUE(journal);
    llm::Registry registry;
    registry.models["m"].name = "m";
    registry.models["m"].price = {1e6 / 100, std::nullopt, std::nullopt, 1e6 / 50, ""};  // a cent in, two cents out a token
    std::vector<Task> tasks(names.size());
    Work work;
    for (size_t k = 0; k < names.size(); k++) {
      tasks[k].name = names[k];
      work.tasks.push_back(&tasks[k]);
    }
    work.make_loop = [this](const Task& task) -> Result<std::unique_ptr<agent::Loop>> { return std::make_unique<RoundsLoop>(task.name, rounds, slots); };
    Ledger ledger(budget);
    auto ending = Scheduler({client, evaluator, *journal, ledger, registry, watcher, stop, calls_at_a_time, 2}, std::move(work)).run();
    EXPECT_TRUE(ending) << (ending ? "" : ending.error().text());
    spent = ledger.total();
    return ending ? *ending : Ending{};
  }
};

}  // namespace kbx::generate
