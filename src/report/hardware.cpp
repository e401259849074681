// Counts to feedback: see the header.
#include "report/hardware.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/text_table.h"

namespace kbx::report {
namespace {

constexpr size_t kLaunchesShown = 12;

double accessed(const Launch& l) { return double(l.load_bytes) + double(l.store_bytes) + double(l.atomic_bytes); }
double distinct(const Launch& l) { return double(l.unique_load_bytes) + double(l.unique_store_bytes); }

GpuBound bound_of(const GpuSpec& gpu, const Record& r, const std::optional<CallCost>& cost) {
  GpuBound out;
  out.gpu = &gpu;
  double longest = -1;
  for (const Launch& l : r.launches) {
    TimeBound t = at_least(gpu, work_of(l));
    out.seconds += t.seconds;
    out.memory_seconds += t.memory_seconds;
    if (t.seconds > longest) longest = t.seconds, out.compute = t.compute;
  }
  if (cost) out.least_seconds = at_least(gpu, work_of(*cost)).seconds;
  return out;
}

std::string scaled(double v, std::initializer_list<const char*> units, int digits) {
  const char* unit = *units.begin();
  for (const char* next : units) {
    unit = next;
    if (v < 999.5 || next == *(units.end() - 1)) break;
    v /= 1000;
  }
  return fmt::format("{:.{}f} {}", v, v < 10 ? digits : v < 100 ? std::max(digits - 1, 0) : 0, unit);
}
std::string factor(double v) { return v > 0 ? fmt::format("x{:.2f}", v) : "-"; }
std::string intensity(double flops, double bytes) { return bytes > 0 ? fmt::format("{:.3g}", flops / bytes) : "-"; }
std::string flops_text(double v) { return v < 1 ? "0" : scaled(v, {"", "k", "M", "G", "T"}, 2); }

std::string launches_text(const Record& r, const Feedback& f) {
  using Align = TextTable::Align;
  TextTable t({{"launch"}, {"grid"}, {"loaded", Align::right}, {"stored", Align::right}, {"atomics", Align::right}, {"distinct", Align::right}, {"traffic", Align::right},
               {"flops", Align::right}, {"flops/byte", Align::right}});
  double compulsory = f.cost ? f.cost->bytes : 0;
  auto over = [&](double bytes) { return compulsory > 0 ? factor(bytes / compulsory) : "-"; };
  for (size_t k = 0; k < r.launches.size() && k < kLaunchesShown; k++) {
    const Launch& l = r.launches[k];
    t.add({shown(l.kernel, 60), fmt::format("{}x{}x{}", l.grid[0], l.grid[1], l.grid[2]), bytes_text(double(l.load_bytes)), bytes_text(double(l.store_bytes)),
           bytes_text(double(l.atomic_bytes)), bytes_text(distinct(l)), over(accessed(l)), flops_text(double(l.flops)), intensity(double(l.flops), distinct(l))});
  }
  if (r.launches.size() > kLaunchesShown) t.add({fmt::format("and {} more", r.launches.size() - kLaunchesShown)});
  if (r.launches.size() > 1) {
    t.rule();
    t.add({"all", "", "", "", bytes_text(f.atomics), bytes_text(f.distinct), over(f.accessed), flops_text(f.flops), intensity(f.flops, f.distinct)});
  }
  return t.text();
}

std::string bounds_text(const Feedback& f) {
  using Align = TextTable::Align;
  TextTable t({{"GPU"}, {"target"}, {"these kernels take at least", Align::right}, {"because of"}, {"any kernel at least", Align::right}});
  for (const GpuBound& g : f.gpus)
    t.add({std::string(g.gpu->name), fmt::format("sm_{}", g.gpu->arch), seconds_text(g.seconds), g.compute ? std::string(to_text(*g.compute)) + " peak" : "memory",
           g.least_seconds > 0 ? seconds_text(g.least_seconds) : "-"});
  return t.text();
}

}  // namespace

std::string bytes_text(double bytes) { return bytes < 999.5 ? fmt::format("{:.0f} B", bytes) : scaled(bytes / 1000, {"kB", "MB", "GB", "TB"}, 2); }

std::string seconds_text(double s) {
  if (s <= 0) return "0";
  return scaled(s * 1e9, {"ns", "us", "ms", "s"}, 2);
}

std::optional<Feedback> hardware_feedback(const Record& r) {
  Feedback f;
  for (const Launch& l : r.launches) {
    f.accessed += accessed(l);
    f.distinct += distinct(l);
    f.atomics += double(l.atomic_bytes);
    f.flops += double(l.flops);
  }
  if (f.distinct <= 0) return std::nullopt;
  if (r.cost && r.cost->bytes > 0) f.cost = r.cost;
  for (const GpuSpec& gpu : gpu_specs()) f.gpus.push_back(bound_of(gpu, r, f.cost));
  return f;
}

std::string hardware_text(const Record& r) {
  auto f = hardware_feedback(r);
  if (!f) return "";
  std::string out = "counted on the machine, case " + shown(r.cost ? r.cost->case_name : "?", 100);
  if (f->cost)
    out += fmt::format(": {} compulsory, {} accessed ({}), {} of it distinct ({}), {} flops", bytes_text(f->cost->bytes), bytes_text(f->accessed), factor(f->traffic()),
                       bytes_text(f->distinct), factor(f->overhead()), flops_text(f->flops));
  out += "\n" + launches_text(r, *f) + "\n" + bounds_text(*f);
  return out + "lower bounds from datasheets, not times: no launch can be faster with its data in memory; most are slower\n";
}

Json hardware_json(const Record& r) {
  auto f = hardware_feedback(r);
  if (!f) return nullptr;
  Json bounds = Json::array();
  for (const GpuBound& g : f->gpus)
    bounds.push_back({{"gpu", g.gpu->name}, {"arch", fmt::format("sm_{}", g.gpu->arch)}, {"at_least_seconds", g.seconds}, {"memory_seconds", g.memory_seconds},
                      {"limit", g.compute ? std::string(to_text(*g.compute)) : "memory"}, {"any_kernel_at_least_seconds", g.least_seconds > 0 ? Json(g.least_seconds) : Json()},
                      {"source", g.gpu->source}});
  Json j = {{"case", r.cost ? r.cost->case_name : ""}, {"accessed_bytes", f->accessed}, {"distinct_bytes", f->distinct}, {"atomic_bytes", f->atomics}, {"flops", f->flops}, {"bounds", bounds}};
  j["compulsory_bytes"] = f->cost ? Json(f->cost->bytes) : Json();
  j["compulsory_flops"] = f->cost ? Json(f->cost->flops) : Json();
  j["traffic"] = f->cost ? Json(f->traffic()) : Json();
  j["distinct_traffic"] = f->cost ? Json(f->overhead()) : Json();
  return j;
}

}  // namespace kbx::report
