// kbx doctor: is this machine fit, and what to do if not.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/command.h"
#include "cli/doctor_models.h"
#include "cli/exit_code.h"
#include "cli/home.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "gpu/cards.h"
#include "report/text_table.h"
#include "base/text.h"
#include "base/words.h"

namespace kbx::cli {
namespace {

// One thing that was looked at. `advice`: what to do; "" when nothing is to be done.
struct Check {
  std::string name;
  enum class State : unsigned char { ok, note, bad } state = State::ok;
  std::string found, advice;
};
using State = Check::State;

std::string command_output(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return out;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe)) out += buffer;
  ::pclose(pipe);
  return trim(out);
}

Check check_python(const Settings& settings, std::string& python) {
  auto found = find_python(settings);
  if (!found) return {"python", State::bad, "none", found.error().message};
  python = *found;
  std::string version = command_output("'" + python + "' -c 'import sys; print(\"%d.%d.%d\" % sys.version_info[:3])'");
  int minor = 0;
  bool three = std::sscanf(version.c_str(), "3.%d", &minor) == 1;
  if (!three || minor < 10 || minor > 13) return {"python", State::bad, version + " at " + python, "kbx supports python 3.10 to 3.13: set KBX_PYTHON to one of them"};
  return {"python", State::ok, version + " at " + python, ""};
}

Check check_gpu() {
  if (!gpu::machine_has_cards()) return {"GPU", State::note, "none", "kernels are judged without a GPU; times need one"};
  std::string smi = command_output("nvidia-smi --query-gpu=name,driver_version --format=csv,noheader");
  return {"GPU", State::ok, smi, ""};
}

// Libraries that a GPU needs beside its driver; the workers' python brings them (docs/gpu.md).
void check_cuda_libraries(const sandbox::ZygoteFacts& facts, std::vector<Check>& out) {
  struct Library { const char* name; const std::vector<std::string>& paths; const char* without; };
  for (const Library& l : {Library{"CUPTI", facts.cupti, "nothing is recorded on a GPU: values only, in_process; torch's and Triton's wheels bring it"},
                           Library{"NVRTC", facts.nvrtc, "there is no clock, so GPUs are not used; torch's CUDA wheels bring it"}}) {
    if (!l.paths.empty()) out.push_back({l.name, State::ok, l.paths.front(), ""});
    else out.push_back({l.name, State::note, "not found", gpu::machine_has_cards() ? l.without : "only needed on a GPU"});
  }
}

// What the workers said of themselves: versions and the jail.
void check_workers(const Settings& settings, std::vector<Check>& out) {
  auto home = find_python_home(settings);
  if (!home) {
    out.push_back({"kbx's own files", State::bad, "incomplete", home.error().message});
    return;
  }
  auto server = sandbox::ForkServer::start(*home);
  if (!server) {
    // "<what is wrong>\n  <what to do>"
    auto lines = split_lines(server.error().message);
    std::string advice;
    for (size_t k = 1; k < lines.size(); k++) advice += (advice.empty() ? "" : "; ") + trim(lines[k]);
    out.push_back({"workers", State::bad, "do not start: " + (lines.empty() ? "" : lines[0]), advice});
    return;
  }
  auto facts = (*server)->facts();
  out.push_back({"torch", State::ok, facts.torch, ""});
  out.push_back({"triton", State::ok, facts.triton, ""});
  out.push_back({"numpy", State::ok, facts.numpy, ""});
  for (const std::string& note : facts.notes) out.push_back({"versions", State::note, note, ""});
  out.push_back({"workers", State::ok, fmt::format("ready in {:.1f} s", facts.start_seconds), ""});
  check_cuda_libraries(facts, out);
  std::string on, off;
  for (const auto& [name, permitted] : facts.jail) (permitted ? on : off) += ((permitted ? on : off).empty() ? "" : ", ") + name;
  if (off.empty()) out.push_back({"jail", State::ok, on, ""});
  else
    out.push_back({"jail", State::note, "without: " + off,
                   "candidates run with fewer walls; in a container allow user namespaces (e.g. --security-opt seccomp=unconfined, sysctl kernel.unprivileged_userns_clone=1)"});
}

Check check_disk() {
  struct statvfs s {};
  if (::statvfs(".", &s) != 0) return {"disk", State::bad, "unknown", "the current folder cannot be looked at"};
  double gib = double(s.f_bavail) * double(s.f_frsize) / double(1 << 30);
  if (gib < 1) return {"disk", State::bad, fmt::format("{:.1f} GiB free here", gib), "a run needs room for its database: free some space"};
  return {"disk", State::ok, fmt::format("{:.1f} GiB free here", gib), ""};
}

// What can be had: memory that holds cached files counts too, as the kernel gives it back on demand.
double available_gib() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (long long kib = 0; std::sscanf(line.c_str(), "MemAvailable: %lld kB", &kib) == 1) return double(kib) / double(1 << 20);
  return double(::sysconf(_SC_AVPHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE)) / double(1 << 30);
}

Check check_memory() {
  double gib = available_gib();
  auto cores = std::thread::hardware_concurrency();
  if (gib < 1.5) return {"memory", State::note, fmt::format("{:.1f} GiB free, {} cores", gib, cores), "a worker needs about 0.5 GiB: use --jobs 1"};
  return {"memory", State::ok, fmt::format("{:.1f} GiB free, {} cores", gib, cores), ""};
}

Check check_suite(const Settings& settings) {
  auto suite = open_suite(settings);
  if (!suite) return {"suite", State::bad, "faulty", suite.error().message};
  return {"suite", State::ok, counted(int64_t(suite->tasks.size()), "task"), ""};
}

Result<int> examine(const Flags& flags, bool json) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(flags));
  std::vector<Check> checks;
  std::string python;
  checks.push_back(check_python(settings, python));
  if (!python.empty()) check_workers(settings, checks);
  checks.push_back(check_suite(settings));
  checks.push_back(check_gpu());
  checks.push_back(check_memory());
  checks.push_back(check_disk());
  report::TextTable table({{"what"}, {""}, {"found"}, {"what to do"}});
  Json out = Json::array();
  bool bad = false;
  for (const Check& c : checks) {
    bad |= c.state == State::bad;
    table.add({c.name, c.state == State::ok ? "✓" : c.state == State::note ? "·" : "✗", c.found, c.advice});
    out.push_back({{"name", c.name}, {"state", c.state == State::ok ? "ok" : c.state == State::note ? "note" : "bad"}, {"found", c.found}, {"advice", c.advice}});
  }
  print(json ? dump_json(out, 2) + "\n" : table.text());
  if (!json) print(bad ? "\nsomething must be put right first (✗)\n" : "\nthis machine can judge kernels\n");
  return bad ? kHarness : kEvaluated;
}

}  // namespace

std::function<int()> setup_doctor(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  auto json = std::make_shared<bool>(false), models = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON");
  app.add_flag("--models", *models, "ask every model whose key is there one short question (it costs a few tokens each)");
  add_settings(app, *flags, {"python", "suite"});
  app.footer("Exit code 3: something must be put right before kbx can judge.");
  return [flags, json, models] {
    auto code = *models ? ask_models(*json) : examine(*flags, *json);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
