// Times of the IR machine: the five kernels of the design, bare and with each check, as milliseconds and as ratios to
// the bare run; the counts against their formulas; parse and lower of every text in the folder.
// ir_bench FIXTURE_FOLDER [runs]
// One thread: processor time, best of the runs (a busy machine does not matter). Two threads: wall time, and the
// processor time of both as a ratio to the bare run on one: what two threads add to the work.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "ir/machine.h"
#include "ir/small_float.h"

namespace {

using kbx::ir::Checks;
using kbx::ir::Kind;
using kbx::ir::LaunchSpec;

struct Kernel {
  const char* name;
  std::array<int32_t, 3> grid;
  std::vector<std::pair<size_t, uint32_t>> tensors;  // elements, element bytes
  std::vector<double> numbers;                       // after the tensors
  uint64_t flops;
};

std::vector<uint8_t> filled(size_t elements, uint32_t bytes) {
  std::vector<uint8_t> data(elements * bytes);
  uint32_t state = 1;
  for (size_t k = 0; k < elements; k++) {
    state = state * 1664525 + 1013904223;
    float v = static_cast<float>(state >> 8) * 0x1p-23f - 1;
    if (bytes == 4)
      std::memcpy(&data[4 * k], &v, 4);
    else
      kbx::ir::pack_floats(Kind::f16, &v, &data[2 * k], 1);
  }
  return data;
}

struct Best {
  double cpu = 1e9, wall = 1e9;
};
Best best_ms(const kbx::ir::Program& program, const LaunchSpec& spec, int runs, kbx::ir::Report& last) {
  Best best;
  for (int r = 0; r < runs; r++) {
    std::clock_t start = std::clock();
    auto report = kbx::ir::launch(program, spec);
    double cpu_ms = static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC;
    if (!report) {
      std::fprintf(stderr, "%s\n", report.error().text().c_str());
      std::exit(1);
    }
    last = *report;
    best.cpu = std::min(best.cpu, cpu_ms);
    best.wall = std::min(best.wall, report->seconds * 1e3);
  }
  return best;
}

int run(const Kernel& k, const std::string& folder, int runs) {
  auto text = kbx::read_file(folder + "/bench_" + k.name + ".ttir");
  if (!text) return std::fprintf(stderr, "%s\n", text.error().text().c_str()), 1;
  auto start = kbx::Steady::now();
  auto program = kbx::ir::compile(*text);
  double compile_ms = kbx::seconds_since(start) * 1e3;
  if (!program) return std::fprintf(stderr, "%s\n", program.error().text().c_str()), 1;
  LaunchSpec spec;
  spec.grid = k.grid;
  std::vector<std::vector<uint8_t>> memory;
  for (auto [elements, bytes] : k.tensors) memory.push_back(filled(elements, bytes));
  for (size_t t = 0; t < memory.size(); t++) {
    spec.arguments.push_back(reinterpret_cast<uint64_t>(memory[t].data()));
    spec.ranges.push_back({memory[t].data(), memory[t].size(), nullptr, k.tensors[t].second, 0});
  }
  for (double n : k.numbers) {
    uint64_t bits = static_cast<uint64_t>(n);
    if (kbx::ir::is_float(program->argument_kind(spec.arguments.size()))) std::memcpy(&bits, &n, 8);
    spec.arguments.push_back(bits);
  }
  kbx::ir::Report report;
  double bare = best_ms(*program, spec, runs, report).cpu, bare_two = 0;
  std::printf("%-10s compile %5.2f ms  bare %7.2f ms", k.name, compile_ms, bare);
  struct Way {
    const char* name;
    Checks checks;
    int threads;
  };
  for (const Way& w :
       {Way{"2 threads", {}, 2}, Way{"undefined", {.undefined = true}, 1}, Way{"races", {.races = true}, 1},
        Way{"counts", {.unique_counts = true}, 1}, Way{"all", {true, true, true, true, true}, 1},
        Way{"all, 2 threads", {true, true, true, true, true}, 2}}) {
    spec.checks = w.checks;
    spec.threads = w.threads;
    Best ms = best_ms(*program, spec, runs, report);
    std::printf("  %s %.2f (", w.name, w.threads == 1 ? ms.cpu : ms.wall);
    if (w.threads > 1 && bare_two > 0) std::printf("x%.2f of 2 threads, ", ms.wall / bare_two);
    if (w.threads > 1 && bare_two == 0) bare_two = ms.wall;
    std::printf("%sx%.2f)", w.threads > 1 ? "processor " : "", ms.cpu / bare);
  }
  std::printf(
      "\n           flops %llu (formula %llu)  loaded %llu unique %llu  stored %llu unique %llu  findings %zu\n",
      static_cast<unsigned long long>(report.counts.flops), static_cast<unsigned long long>(k.flops),
      static_cast<unsigned long long>(report.counts.load_bytes),
      static_cast<unsigned long long>(report.counts.unique_load_bytes),
      static_cast<unsigned long long>(report.counts.store_bytes),
      static_cast<unsigned long long>(report.counts.unique_store_bytes), report.findings.size());
  return 0;
}

// Every text of the folder, best of three: what it takes from text to program.
int compile_all(const std::string& folder) {
  std::vector<double> ms;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".ttir") continue;
    auto text = kbx::read_file(file.path().string());
    if (!text) return 1;
    double best = 1e9;
    for (int r = 0; r < 3; r++) {
      std::clock_t start = std::clock();
      auto program = kbx::ir::compile(*text);
      best = std::min(best, static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    ms.push_back(best);
  }
  if (ms.empty()) return 1;
  std::sort(ms.begin(), ms.end());
  std::printf("parse + lower of %zu texts: median %.3f ms, p90 %.3f, most %.3f\n", ms.size(), ms[ms.size() / 2],
              ms[ms.size() * 9 / 10], ms.back());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: ir_bench FIXTURE_FOLDER [runs]\n"), 2;
  int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
  constexpr size_t kBig = 1 << 20, kRows = 4096, kWide = 1024;
  const Kernel kernels[] = {
      {"add", {1024, 1, 1}, {{kBig, 4}, {kBig, 4}, {kBig, 4}}, {kBig}, kBig},
      {"softmax",
       {kRows, 1, 1},
       {{kRows * kWide, 4}, {kRows * kWide, 4}},
       {kWide},
       kRows * (3 * kWide + 2 * (kWide - 1))},
      {"layernorm", {kRows, 1, 1}, {{kRows * kWide, 4}, {kWide, 4}, {kWide, 4}, {kRows * kWide, 4}}, {kWide, 1e-5}, 0},
      {"matmul", {8, 8, 1}, {{512 * 512, 2}, {512 * 512, 2}, {512 * 512, 2}}, {512, 512, 512}, 2ull * 512 * 512 * 512},
      {"lse", {256, 1, 1}, {{256 * kWide, 4}, {256, 4}}, {}, 0},
  };
  int bad = 0;
  for (const auto& k : kernels) bad |= run(k, argv[1], runs);
  return bad | compile_all(argv[1]);
}
