#include "eval/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace kbx::eval {
namespace {

constexpr double kHalfWidth = 0.005, kCapMs = 300;

struct Plan {
  Unit unit;
  const char* entry;
  Dtype dtype;
  std::vector<int64_t> sizes;
};

// The units without tensor cores, or with few of them, get the smaller sizes: a product must end in a second on any card.
std::vector<Plan> plans() {
  return {{Unit::f64, "matmul", Dtype::f64, {2048, 4096}},
          {Unit::f32, "matmul", Dtype::f32, {4096, 8192}},
          {Unit::tf32, "matmul_tf32", Dtype::f32, {4096, 8192, 16384}},
          {Unit::f16, "matmul", Dtype::f16, {4096, 8192, 16384}},
          {Unit::bf16, "matmul", Dtype::bf16, {4096, 8192, 16384}},
          {Unit::f8, "matmul_f8", Dtype::f8e4m3, {4096, 8192, 16384}},
          {Unit::i8, "matmul_i8", Dtype::i8, {4096, 8192, 16384}}};
}

const char* words_of(Unit unit) {
  switch (unit) {
    case Unit::f8: return "torch._scaled_mm";
    case Unit::i8: return "torch._int_mm";
    case Unit::tf32: return "torch.matmul, tf32 allowed";
    default: return "torch.matmul";
  }
}

struct Best {
  double rate = 0;
  std::string how, trouble;
};

Result<double> time_product(SteadyClock& clock, const UnitProduct& p, const Bytes& tape) {
  KBX_TRY(clock.ask({{"do", "load"}, {"side", "candidate"}}, tape));
  KBX_TRY(clock.ask({{"do", "inputs"}, {"set", 0}, {"inputs", inputs_of(p.call, 0)}}));
  KBX_TRY_ASSIGN(auto timed, clock.ask({{"do", "time_one"}, {"side", "candidate"}, {"half_width", kHalfWidth}, {"min_groups", 10}, {"cap_ms", kCapMs}}));
  return rate_of(timed.head, p.operations);
}

Best best_of(const MeasuringBench& bench, const gpu::Card& card, SteadyClock& clock, const std::vector<UnitProduct>& products) {
  Best best;
  std::vector<TrustedCall> calls;
  for (const UnitProduct& p : products) calls.push_back(p.call);
  auto tapes = record_trusted(bench, card.index, kFirstBase, calls);
  for (size_t k = 0; k < products.size(); k++) {
    int64_t n = products[k].call.tensors.front().spec.shape.front();
    std::string size = fmt::format("{} x {} x {}", n, n, n);
    auto rate = tapes[k].bytes.empty() ? Result<double>(fail(Code::sandbox, tapes[k].why_not)) : time_product(clock, products[k], tapes[k].bytes);
    clock.unload();
    std::string unit(to_text(products[k].unit));
    if (!rate) best.trouble = size + ": " + rate.error().text();
    bench.say(rate ? fmt::format("cuda:{} matmul {} {}: {:.1f} T/s", card.index, unit, size, *rate / 1e12) : fmt::format("cuda:{} matmul {} {}: not measured: {}", card.index, unit, size, rate.error().text()));
    if (!rate || *rate <= best.rate) continue;
    best.rate = *rate;
    best.how = fmt::format("{}, {}, best of {} sizes", words_of(products[k].unit), size, products.size());
  }
  return best;
}

void measure_memory(const MeasuringBench& bench, SteadyClock& clock, Calibration& c) {
  auto answer = clock.ask({{"do", "bandwidth"}});
  if (!answer) {
    c.methods["copy"] = c.methods["read"] = "not measured: " + answer.error().text();
    bench.say("memory: " + c.methods["copy"]);
    return;
  }
  auto rate = [&](const char* key) {
    double v = get_double(answer->head, key).value_or(0);
    return std::isfinite(v) && v > 0 ? v : 0;
  };
  c.copy_bandwidth = rate("copy");
  c.read_bandwidth = rate("read");
  double mib = double(get_int(answer->head, "bytes").value_or(0)) / double(1 << 20);
  c.methods["copy"] = fmt::format("the driver's copy of {:.0f} MiB, bytes read and written", mib);
  c.methods["read"] = fmt::format("a trusted kernel that reads {:.0f} MiB", mib);
  bench.say(fmt::format("memory: copy {:.0f} GB/s, read {:.0f} GB/s", c.copy_bandwidth / 1e9, c.read_bandwidth / 1e9));
}

}  // namespace

std::vector<UnitProduct> unit_products() {
  std::vector<UnitProduct> out;
  for (const Plan& p : plans())
    for (int64_t n : p.sizes) {
      bool whole = p.unit == Unit::i8;
      auto matrix = [&](const char* name) {
        return whole ? drawn_tensor(name, {n, n}, p.dtype, "randint", {{"low", -128}, {"high", 128}}) : drawn_tensor(name, {n, n}, p.dtype);
      };
      UnitProduct product{p.unit, {p.entry, {matrix("a"), matrix("b")}, {}}, 2 * std::pow(double(n), 3)};
      if (p.unit == Unit::f8) product.call.tensors.push_back(drawn_tensor("one", {1}, Dtype::f32, "constant", {{"value", 1}}));
      out.push_back(std::move(product));
    }
  return out;
}

Result<double> rate_of(const Json& answer, double operations) {
  double us = get_double(answer, "mean_us").value_or(0);
  if (!std::isfinite(us) || us <= 0) return fail(Code::sandbox, "the clock told no time");
  return operations / (us * 1e-6);
}

Result<Calibration> calibrate(const MeasuringBench& bench, gpu::Cards::Slot& slot) {
  if (!slot.leased()) slot.lease();
  const gpu::Card& card = slot.card();
  Calibration c;
  c.gpu = card.name;
  c.board = card.uuid;
  c.driver = card.driver;
  c.date = utc_now();
  SteadyClock clock(slot);
  KBX_TRY(clock.ask({{"do", "memory"}}));
  measure_memory(bench, clock, c);
  auto products = unit_products();
  for (size_t first = 0; first < products.size();) {
    size_t last = first;
    while (last < products.size() && products[last].unit == products[first].unit) last++;
    Best best = bench.config.card->cupti.empty() ? Best{0, "", "there is no CUPTI on this machine, so nothing can be recorded"}
                                                 : best_of(bench, card, clock, {products.begin() + int64_t(first), products.begin() + int64_t(last)});
    size_t unit = size_t(products[first].unit);
    if (best.rate > 0) c.matmul[unit] = best.rate;
    c.methods[std::string(to_text(products[first].unit))] = best.rate > 0 ? best.how : "not measured: " + best.trouble;
    first = last;
  }
  return c;
}

}  // namespace kbx::eval
