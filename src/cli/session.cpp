#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/system.h"
#include "base/text.h"
#include "cli/card_session.h"
#include "cli/home.h"
#include "cli/terminal.h"
#include "intake/load.h"

namespace kbx::cli {
namespace {
constexpr int kKnownArchs[] = {80, 86, 89, 90, 100, 120};
}

Result<suite::Suite> open_suite(const Settings& settings, size_t* faulty) {
  std::filesystem::path folder = settings.text("suite");
  if (folder.empty()) {
    KBX_TRY_ASSIGN(Home home, find_home());
    folder = home.share / "suite";
  }
  KBX_TRY_ASSIGN(suite::ScannedSuite scanned, suite::scan_suite(folder));
  if (scanned.suite.tasks.empty()) return fail(Code::usage, fmt::format("{}", fmt::join(scanned.problems, "\n")));
  for (const std::string& problem : scanned.problems) say("kbx: a task is left out: " + problem);
  if (faulty) *faulty = scanned.problems.size();
  return std::move(scanned.suite);
}

intake::TaskNames task_names(const suite::Suite& suite) {
  std::vector<intake::KnownTask> known;
  for (const Task& t : suite.tasks) known.push_back({t.name, t.aliases, {t.entry.name, t.name}});
  return intake::TaskNames(std::move(known));
}

Result<std::vector<int>> parse_archs(const std::string& text) {
  if (text == "all") return std::vector<int>(std::begin(kKnownArchs), std::end(kKnownArchs));
  std::vector<int> out;
  for (std::string word : split(text, ',')) {
    word = trim(word);
    auto is_word = [&](int known) { return word == fmt::format("sm_{}", known) || word == std::to_string(known); };
    const int* arch = std::find_if(std::begin(kKnownArchs), std::end(kKnownArchs), is_word);
    if (arch == std::end(kKnownArchs))
      return fail(Code::usage, "unknown target \"" + word + "\"; known: sm_80, sm_86, sm_89, sm_90, sm_100, sm_120, all");
    out.push_back(*arch);
  }
  return out;
}

Result<eval::EvalConfig> make_config(const Settings& settings) {
  eval::EvalConfig config;
  KBX_TRY_ASSIGN(config.archs, parse_archs(settings.text("arch")));
  KBX_TRY_ASSIGN(int64_t jobs, settings.integer("jobs"));
  config.jobs = jobs > 0 ? int(std::min<int64_t>(jobs, 256)) : int(std::max(1u, std::thread::hardware_concurrency()));
  KBX_TRY(read_device(settings, config));
  KBX_TRY_ASSIGN(config.limits.load_seconds, settings.number("load-seconds"));
  KBX_TRY_ASSIGN(config.limits.call_seconds, settings.number("call-seconds"));
  KBX_TRY_ASSIGN(config.limits.job_seconds, settings.number("job-seconds"));
  KBX_TRY_ASSIGN(config.kernel_seconds, settings.number("kernel-seconds"));
  KBX_TRY_ASSIGN(double memory, settings.number("memory-gib"));
  config.limits.memory_bytes = int64_t(memory * double(1 << 30));
  for (auto [name, on] : {std::pair{"lint", &config.lint}, {"jail", &config.jail}, {"delegation", &config.delegation}, {"replay", &config.replay}, {"second-look", &config.second_look}}) {
    const std::string& v = settings.text(name);
    if (on == &config.replay && v == "required") {
      config.replay_required = true;
      continue;
    }
    if (v != "on" && v != "off") return fail(Code::usage, std::string(name) + (on == &config.replay ? " must be on, off or required, not \"" : " must be on or off, not \"") + v + "\"");
    *on = v == "on";
  }
  return config;
}

Result<void> known_task(const suite::Suite& suite, const std::string& task) {
  if (task.empty() || suite.find(task)) return {};
  return fail(Code::usage, "the suite has no task " + task + suite.did_you_mean(task, suite::Suite::Meant::task));
}

Result<std::vector<Candidate>> load_candidates(const Settings& settings, const suite::Suite& suite, const std::string& path, const std::string& task) {
  auto names = task_names(suite);
  intake::LoadOptions load;
  load.tasks = &names;
  load.task = task;
  load.mode = intake::extract_mode_from_text(settings.text("extract")).value_or(intake::ExtractMode::kbx);
  auto loaded = intake::load_all({path}, load);
  for (const auto& p : loaded.problems) say("warning: " + p.text());
  if (loaded.candidates.empty()) return fail(Code::usage, "no candidate in " + path);
  for (const Candidate& c : loaded.candidates) KBX_TRY(known_task(suite, c.task));
  return std::move(loaded.candidates);
}

Result<std::vector<int>> every_arch_unless_named(const Settings& settings) {
  if (settings.entries().at("arch").origin != "default") return parse_archs(settings.text("arch"));
  KBX_TRY_ASSIGN(std::vector<int> archs, parse_archs("all"));
  std::stable_partition(archs.begin(), archs.end(), [](int a) { return a == 90; });
  return archs;
}

uint64_t random_seed() {
  return system_random() >> 1;  // fits a signed 64-bit integer everywhere
}

Result<std::unique_ptr<sandbox::ForkServer>> start_workers(const Settings& settings, bool quiet) {
  KBX_TRY_ASSIGN(sandbox::PythonHome home, find_python_home(settings));
  KBX_TRY_ASSIGN(auto server, sandbox::ForkServer::start(home));
  auto facts = server->facts();
  if (quiet) return server;
  say(fmt::format("python {} · torch {} · triton {} · numpy {} · workers ready in {:.1f} s", facts.python, facts.torch, facts.triton, facts.numpy, facts.start_seconds));
  std::string missing;
  for (const auto& [name, on] : facts.jail)
    if (!on) missing += (missing.empty() ? "" : ", ") + name;
  if (!missing.empty()) say("note: this machine does not permit: " + missing + "; the jail goes on with what is left (kbx doctor says more)");
  for (const auto& note : facts.notes) say("note: " + note);
  return server;
}

}  // namespace kbx::cli
