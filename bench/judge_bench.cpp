// judge_bench: the speed of one judging pass beside the same metrics computed by torch on the same cores.
//   judge_bench [python]      python with torch; default: $KBX_PYTHON, else python3.
// Prints GB/s of both operands' bytes by the wall clock, and the ratio by CPU time, which other processes disturb less.
// Both sides: max abs, max rel, mismatch count under allclose, cosine, L1-relative, RMSE, NaN and Inf counts.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "judge/compare.h"

namespace {

using namespace kbx;

constexpr int64_t kCount = 1 << 24;
constexpr int kRepeats = 3;

// Torch's program: prints "name GB/s" lines. Written the way a careful person would: float64 sums, no needless copies.
constexpr const char* kTorchProgram = R"py(
import sys, time, torch
torch.set_num_threads(int(sys.argv[1]))
n, repeats = int(sys.argv[2]), int(sys.argv[3])
def metrics(got, want, tol):
    nan_got, nan_want = torch.isnan(got).sum().item(), torch.isnan(want).sum().item()
    inf_got, inf_want = torch.isinf(got).sum().item(), torch.isinf(want).sum().item()
    wrong = (~torch.isclose(got, want, rtol=tol, atol=tol, equal_nan=True)).sum().item()
    g, w = got.float(), want.float()
    d, a = (g - w).abs(), w.abs()
    f64 = torch.float64
    rel = (d / a).nan_to_num(0, 0, 0).max().item()
    l1 = (d.sum(dtype=f64) / a.sum(dtype=f64)).item()
    rmse = d.square().mean(dtype=f64).sqrt().item()
    cosine = torch.nn.functional.cosine_similarity(g, w, dim=0).item()
    return wrong, d.max().item(), rel, l1, rmse, cosine, nan_got, nan_want, inf_got, inf_want
rows = (("f32/f32", torch.float32, torch.float32, 1e-5), ("f16/f16", torch.float16, torch.float16, 5e-3),
        ("f16/f32", torch.float16, torch.float32, 5e-3), ("f32/f64", torch.float32, torch.float64, 1e-5))
for name, got_type, want_type, tol in rows:
    want = torch.randn(n).to(want_type)
    got = want.to(got_type)
    if got_type != want_type and name == "f16/f32": got, want = got.float(), want
    if name == "f32/f64": got = got.double()
    size = n * (torch.empty(0, dtype=got_type).element_size() + torch.empty(0, dtype=want_type).element_size())
    best = cpu = 1e9
    for _ in range(repeats):
        start, cpu_start = time.perf_counter(), time.process_time()
        metrics(got, want, tol)
        best, cpu = min(best, time.perf_counter() - start), min(cpu, time.process_time() - cpu_start)
    print(name, size / best / 1e9, size / cpu / 1e9, flush=True)
)py";

Tensor sample(Dtype dtype) {
  Bytes bytes(size_t(kCount) * size_of(dtype));
  uint64_t state = 88172645463325252ull;
  for (int64_t k = 0; k < kCount; k++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    double value =
        0.5 + double(state >> 40) * 0x1p-24;  // [0.5, 1.5): any values do, the loop has no fast path for them
    if (dtype == Dtype::f32) {
      auto v = float(value);
      std::memcpy(bytes.data() + k * 4, &v, 4);
    } else if (dtype == Dtype::f64) {
      std::memcpy(bytes.data() + k * 8, &value, 8);
    } else {
      auto v = uint16_t(0x3800 + (state >> 54));  // f16 in [0.5, 1)
      std::memcpy(bytes.data() + k * 2, &v, 2);
    }
  }
  return make_tensor(dtype, {kCount}, std::move(bytes));
}

struct Figure {
  double wall = 0, cpu = 0;  // GB/s, GB per CPU second
};

Figure ours(Dtype got_type, Dtype want_type) {
  judge::View got(sample(got_type)), want(sample(want_type));
  judge::Pair pair{got, want, {}, nullptr, nullptr};
  pair.tolerance.atol = pair.tolerance.rtol = judge::paper_tolerance(got_type);
  if (got_type == Dtype::f16 && want_type != Dtype::f16)
    pair.tolerance.atol = 10;  // other values: no element may mismatch
  double best = 1e9, cpu = 1e9;
  for (int k = 0; k < kRepeats; k++) {
    std::clock_t cpu_start = std::clock();
    auto start = std::chrono::steady_clock::now();
    Metrics m = judge::compare(pair);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    cpu = std::min(cpu, double(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    if (m.mismatches != 0) fmt::print(stderr, "unexpected mismatches\n");
  }
  double size = double(kCount) * double(size_of(got_type) + size_of(want_type)) / 1e9;
  return {size / best, size / cpu};
}

std::map<std::string, Figure> torch_figures(const std::string& python) {
  std::map<std::string, Figure> out;
  char path[] = "/tmp/kbx_judge_bench_XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0) return out;
  FILE* script = fdopen(fd, "w");
  fputs(kTorchProgram, script);
  fclose(script);
  std::string command =
      fmt::format("'{}' {} {} {} {}", python, path, std::thread::hardware_concurrency(), kCount, kRepeats);
  if (FILE* pipe = popen(command.c_str(), "r")) {
    char name[64];
    Figure figure;
    while (fscanf(pipe, "%63s %lf %lf", name, &figure.wall, &figure.cpu) == 3) out[name] = figure;
    pclose(pipe);
  }
  remove(path);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const char* chosen = getenv("KBX_PYTHON");
  std::string python = argc > 1 ? argv[1] : chosen ? chosen : "python3";
  auto torch = torch_figures(python);
  fmt::print("one pass over {} elements, {} threads, best of {}\n", kCount, std::thread::hardware_concurrency(),
             kRepeats);
  fmt::print("{:10} {:>10} {:>10} {:>7} {:>9}\n", "got/want", "kbx GB/s", "torch GB/s", "ratio", "CPU ratio");
  struct Row {
    const char* name;
    Dtype got, want;
  };
  for (Row row : {Row{"f32/f32", Dtype::f32, Dtype::f32}, Row{"f16/f16", Dtype::f16, Dtype::f16},
                  Row{"f16/f32", Dtype::f16, Dtype::f32}, Row{"f32/f64", Dtype::f32, Dtype::f64}}) {
    Figure mine = ours(row.got, row.want);
    auto theirs = torch.find(row.name);
    if (theirs == torch.end()) {
      fmt::print("{:10} {:10.2f} {:>10} {:>7} {:>9}\n", row.name, mine.wall, "-", "-", "-");
      continue;
    }
    Figure t = theirs->second;
    fmt::print("{:10} {:10.2f} {:10.2f} {:6.1f}x {:8.1f}x\n", row.name, mine.wall, t.wall, mine.wall / t.wall,
               mine.cpu / t.cpu);
  }
  return torch.empty() ? 1 : 0;
}
