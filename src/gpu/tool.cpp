#include "gpu/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"

namespace kbx::gpu {
namespace {

namespace fs = std::filesystem;
constexpr double kVersionSeconds = 10;
constexpr size_t kMostText = 8192;       // of what it says of its version
constexpr size_t kMostPattern = 60000;   // of all kernels' names

bool runnable(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> usual_places() {
  auto value = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  std::vector<std::string> places;
  for (const std::string& p : split(value("PATH"), ':'))
    if (starts_with(p, "/")) places.push_back(p);
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string root = value(name); starts_with(root, "/")) places.insert(places.end(), {root + "/bin", root + "/compute-sanitizer"});
  places.push_back("/usr/local/cuda/bin");
  return places;
}

// What `path --version` prints; "" when it says nothing in time.
std::string version_text(const std::string& path) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "";
  Fd ours(ends[0]), theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string program = path, option = "--version";
  char* argv[] = {program.data(), option.data(), nullptr};
  pid_t pid = -1;
  int rc = ::posix_spawn(&pid, path.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  theirs.reset();
  std::string text;
  if (rc != 0) return text;
  for (auto start = Steady::now(); text.size() < kMostText && seconds_since(start) < kVersionSeconds;) {
    pollfd p{ours.get(), POLLIN, 0};
    if (::poll(&p, 1, 100) <= 0) continue;
    char buffer[1024];
    ssize_t n = ::read(ours.get(), buffer, sizeof buffer);
    if (n <= 0) break;
    text.append(buffer, size_t(n));
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return text;
}

// "... Version 2025.3.1.0 (build 36398880)" -> "2025.3.1.0"
std::string version_in(const std::string& text) {
  for (size_t at = text.find("ersion "); at != text.npos; at = text.find("ersion ", at + 1)) {
    size_t from = at + 7, to = from;
    while (to < text.size() && (std::isdigit(static_cast<unsigned char>(text[to])) || text[to] == '.')) to++;
    if (to > from) return text.substr(from, std::min<size_t>(to - from, 40));
  }
  return "";
}

bool is_identifier(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

Result<Tool> find_tool(const std::string& name, const std::string& folder) {
  std::vector<std::string> places = folder.empty() ? usual_places() : std::vector<std::string>{folder};
  for (const std::string& place : places) {
    std::error_code ec;
    fs::path path = fs::absolute(fs::path(place) / name, ec);
    if (ec || !runnable(path)) continue;
    return Tool{name, path.string(), version_in(version_text(path.string()))};
  }
  return fail(Code::usage, folder.empty() ? fmt::format("{} was found neither on PATH nor in $CUDA_HOME/bin nor in /usr/local/cuda/bin; NVIDIA's CUDA toolkit brings it; name its folder with --cuda-tools", name)
                                          : fmt::format("there is no {} that can be run in {} (setting cuda-tools)", name, folder));
}

std::string_view to_text(SanitizerCheck check) {
  switch (check) {
    case SanitizerCheck::memcheck: return "memcheck";
    case SanitizerCheck::racecheck: return "racecheck";
    case SanitizerCheck::initcheck: return "initcheck";
  }
  return "";
}

std::vector<std::string> sanitizer_words(const Tool& tool, SanitizerCheck check, const std::string& log) {
  std::vector<std::string> words{tool.path, "--tool", std::string(to_text(check)), "--log-file", log, "--print-limit", "500", "--show-backtrace", "no"};
  // The kernel ends and the process goes on: every kernel of the tape is looked at.
  if (check == SanitizerCheck::memcheck) words.insert(words.end(), {"--destroy-on-device-error", "kernel", "--report-api-errors", "no"});
  if (check == SanitizerCheck::racecheck) words.insert(words.end(), {"--racecheck-report", "analysis"});
  return words;
}

std::vector<std::string> profiler_words(const Tool& tool, const std::vector<std::string>& metrics, const std::vector<std::string>& kernels, const std::string& log) {
  std::vector<std::string> words{tool.path, "--target-processes", "all", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--log-file", log, "--metrics"};
  words.push_back(fmt::format("{}", fmt::join(metrics, ",")));
  std::string pattern;
  for (const std::string& k : kernels)
    if (is_identifier(k) && pattern.size() + k.size() < kMostPattern) pattern += (pattern.empty() ? "" : "|") + k;
  if (!pattern.empty()) words.insert(words.end(), {"--kernel-name-base", "mangled", "--kernel-name", "regex:^(" + pattern + ")$"});
  return words;
}

}  // namespace kbx::gpu
