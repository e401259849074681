// Input generation against torch on the same cores, side by side: `input_bench [PYTHON]`.
// PYTHON (or $KBX_PYTHON, or .venv/bin/python) needs torch. Prints GB/s of the median of several repetitions.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "suite/inputs.h"
#include "suite/signature.h"

namespace {

using namespace kbx;

struct Row {
  const char* name;
  Dtype dtype;
  const char* dist;
  const char* torch;  // an expression over n
};
constexpr std::array<Row, 6> kRows{{
    {"f32 normal", Dtype::f32, "normal", "torch.randn(n)"},
    {"f32 uniform", Dtype::f32, "uniform", "torch.rand(n)"},
    {"f16 normal", Dtype::f16, "normal", "torch.randn(n, dtype=torch.float16)"},
    {"bf16 normal", Dtype::bf16, "normal", "torch.randn(n, dtype=torch.bfloat16)"},
    {"f64 normal", Dtype::f64, "normal", "torch.randn(n, dtype=torch.float64)"},
    {"i64 randint", Dtype::i64, "randint", "torch.randint(0, 1000, (n,))"},
}};
constexpr int64_t kElements = 1 << 25;
constexpr int kRepetitions = 5;

double ours(const Row& row) {
  Task task;
  task.name = "bench";
  task.entry = *suite::parse_signature("bench(input)");
  Case which{.name = "bench"};
  ArgSpec& arg = which.args["input"];
  arg.kind = ArgSpec::Kind::tensor;
  arg.tensor = {.shape = {kElements}, .dtype = row.dtype, .dist = row.dist};
  if (std::string(row.dist) == "randint") arg.tensor.params = {{"low", 0}, {"high", 1000}};
  std::vector<double> seconds;
  for (int k = 0; k < kRepetitions; k++) {
    auto start = Steady::now();
    auto call = suite::make_call(task, which, suite::Phase::standard, uint64_t(k));
    seconds.push_back(seconds_since(start));
    if (!call) std::exit(3);
  }
  std::sort(seconds.begin(), seconds.end());
  return double(kElements) * double(size_of(row.dtype)) / seconds[kRepetitions / 2] / 1e9;
}

std::map<std::string, double> torchs(const std::string& python) {
  std::string program = fmt::format("import time, torch\ntorch.set_num_threads({})\nn = {}\n",
                                    std::thread::hardware_concurrency(), kElements);
  for (const Row& row : kRows)
    program += fmt::format(
        "ts = []\nfor _ in range({}):\n t = time.perf_counter(); x = {}; ts.append(time.perf_counter() - t); b = "
        "x.numel() * x.element_size(); del x\n"
        "print(\"{}\", b / sorted(ts)[{}] / 1e9, sep=\"=\")\n",
        kRepetitions, row.torch, row.name, kRepetitions / 2);
  std::map<std::string, double> out;
  std::FILE* pipe = popen(fmt::format("{} -c '{}'", python, program).c_str(), "r");
  if (!pipe) return out;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe)) {
    std::string text = line.data();
    if (size_t at = text.find('='); at != text.npos) out[text.substr(0, at)] = std::atof(text.c_str() + at + 1);
  }
  pclose(pipe);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const char* environment = std::getenv("KBX_PYTHON");
  std::string python = argc > 1 ? argv[1] : environment ? environment : ".venv/bin/python";
  auto theirs = torchs(python);
  if (theirs.empty()) fmt::print(stderr, "no figures from torch: is {} a python with torch?\n", python);
  fmt::print("{:<12} {:>10} {:>10} {:>7}   ({} elements, {} threads)\n", "", "kbx GB/s", "torch GB/s", "ratio",
             kElements, std::thread::hardware_concurrency());
  for (const Row& row : kRows) {
    double mine = ours(row), other = theirs.count(row.name) ? theirs[row.name] : 0;
    fmt::print("{:<12} {:>10.2f} {:>10.2f} {:>7.2f}\n", row.name, mine, other, other > 0 ? mine / other : 0);
  }
}
