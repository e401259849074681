#include "cli/run_folder.h"

#include <signal.h>

#include <cstdlib>

#include "base/clock.h"
#include "cli/session.h"
#include "model/version.h"
#include "store/generation.h"

namespace kbx::cli {
namespace {

std::atomic<bool> interrupted{false};  // set by the signal handler, read by who works
void on_interrupt(int) { interrupted = true; }

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

std::string default_run_folder() {
  std::string stamp = utc_now();
  for (char& c : stamp)
    if (c == ':') c = '-';
  return "runs/" + stamp;
}

bool holds_nothing(const store::Store& store) {
  auto records = store.count();
  auto rows = store::Generation::open_for_reading(store);
  if (!records || *records > 0 || !rows) return false;
  bool called = false;
  auto first = [&](const store::CallRow&) { return !(called = true); };
  return rows->each_call(first) && !called;
}

NewRun::NewRun(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code ec;
  made_here_ = !std::filesystem::exists(folder_, ec);
}

NewRun::~NewRun() {
  if (!made_here_) return;
  {
    auto store = store::Store::open_for_reading(folder_);
    if (!store || !holds_nothing(*store)) return;
  }
  std::error_code ec;  // only what a store makes, and the folder only if nothing else is in it
  for (const char* name : {"run.db", "run.db-wal", "run.db-shm", "run.json", "lock", "blobs"}) std::filesystem::remove(folder_ / name, ec);
  std::filesystem::remove(folder_, ec);
}

Result<void> settle_seed(const Settings& settings, store::Store& store, bool resume, eval::EvalConfig& config) {
  KBX_TRY_ASSIGN(Json facts, store.facts());
  KBX_TRY_ASSIGN(int64_t stored, store.count());
  if (stored > 0 && !resume)
    return fail(Code::usage, store.folder().string() + " already holds " + std::to_string(stored) + " results; add --resume to go on with it, or choose another --run");
  auto old = get_string(get(facts, "config"), "seed");
  if (!settings.text("seed").empty()) {
    KBX_TRY_ASSIGN(int64_t seed, settings.integer("seed"));
    config.seed = uint64_t(seed);
    if (old && *old != std::to_string(config.seed)) return fail(Code::usage, "the run was started with another seed; leave --seed out to resume it");
  } else {
    config.seed = old ? std::strtoull(old->c_str(), nullptr, 10) : random_seed();
  }
  return {};
}

Result<void> put_versions(store::Store& store, const sandbox::ZygoteFacts& facts) {
  KBX_TRY(store.put_fact("versions", {{"kbx", kEngineVersion}, {"python", facts.python}, {"torch", facts.torch}, {"triton", facts.triton}, {"numpy", facts.numpy}}));
  return store.put_fact("started", utc_now());
}

}  // namespace kbx::cli
