#include "gpu/profile_log.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "base/text.h"

namespace kbx::gpu {
namespace {

constexpr size_t kMostFields = 200, kMostLogBytes = size_t(16) << 20;
constexpr const char* kDuration = "gpu__time_duration.sum";
constexpr const char* kRead = "dram__bytes_read.sum";
constexpr const char* kWritten = "dram__bytes_write.sum";
constexpr const char* kL2 = "lts__t_sector_hit_rate.pct";
constexpr const char* kSm = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kTensor = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* kOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* kRegisters = "launch__registers_per_thread";

// Fields of one line; a quote inside a quoted field is doubled.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (size_t k = 0; k < line.size(); k++) {
    char c = line[k];
    if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') out.back() += line[++k];
    else if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) {
      if (out.size() == kMostFields) break;
      out.emplace_back();
    } else out.back() += c;
  }
  return out;
}

// "1,234.5" -> 1234.5; "n/a" -> nullopt.
std::optional<double> number(std::string text) {
  std::erase(text, ',');
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() || text.size() > 40 ? std::nullopt : std::optional<double>(value);
}

// Bytes and microseconds, whatever unit ncu chose.
double factor_of(const std::string& unit) {
  struct Row { std::string_view unit; double factor; };
  constexpr std::array kRows{Row{"byte", 1}, Row{"Kbyte", 1e3}, Row{"Mbyte", 1e6}, Row{"Gbyte", 1e9}, Row{"ns", 1e-3}, Row{"nsecond", 1e-3},
                             Row{"us", 1},   Row{"usecond", 1}, Row{"ms", 1e3},    Row{"msecond", 1e3}, Row{"s", 1e6}, Row{"second", 1e6}};
  for (const Row& r : kRows)
    if (r.unit == unit) return r.factor;
  return 1;
}

class Reader {
 public:
  ProfileLog read(std::string_view text) {
    text = text.substr(0, kMostLogBytes);
    while (!text.empty()) {
      size_t end = text.find('\n');
      std::string_view line = text.substr(0, std::min(end, text.size()));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (starts_with(line, "==")) words(std::string(line));
      else if (starts_with(line, "\"ID\"")) header_ = fields_of(line), units_.clear();
      else if (!header_.empty() && starts_with(line, "\"")) row(fields_of(line));
    }
    if (log_.kernels.empty() && log_.trouble.empty()) log_.trouble = "ncu counted no kernel";
    return std::move(log_);
  }

 private:
  void words(const std::string& line) {
    if (line.find("ERR_NVGPUCTRPERM") != line.npos)
      log_.trouble = "the driver keeps its performance counters for administrators (ERR_NVGPUCTRPERM): run kbx as root, or load the module with "
                     "NVreg_RestrictProfilingToAdminUsers=0 (in a file of /etc/modprobe.d, then reboot); in a container add the capability SYS_ADMIN";
    else if (line.find("Failed to find metric") != line.npos) log_.unknown_metric = true;
    if ((starts_with(line, "==ERROR==")) && log_.trouble.empty()) log_.trouble = shown("ncu says: " + trim(line.substr(9)), 400);
  }

  void row(const std::vector<std::string>& fields) {
    std::map<std::string, std::string> cell;
    for (size_t k = 0; k < std::min(fields.size(), header_.size()); k++) cell[header_[k]] = fields[k];
    if (cell["ID"].empty()) {  // the line of units
      units_ = std::move(cell);
      return;
    }
    if (log_.kernels.size() == kMostProfiled) return;
    KernelProfile p;
    p.kernel = shown(cell["Kernel Name"], 200);
    p.grid = shown(cell["Grid Size"], 60);
    p.block = shown(cell["Block Size"], 60);
    auto value = [&](const char* metric) -> std::optional<double> {
      auto it = cell.find(metric);
      auto v = it == cell.end() ? std::nullopt : number(it->second);
      return v ? std::optional<double>(*v * factor_of(units_[metric])) : std::nullopt;
    };
    p.us = value(kDuration);
    p.read_bytes = value(kRead);
    p.written_bytes = value(kWritten);
    p.l2_hits = value(kL2);
    p.sm = value(kSm);
    p.tensor = value(kTensor);
    p.occupancy = value(kOccupancy);
    if (auto r = value(kRegisters)) p.registers = int(std::clamp(*r, 0.0, 1e6));
    log_.kernels.push_back(std::move(p));
  }

  ProfileLog log_;
  std::vector<std::string> header_;
  std::map<std::string, std::string> units_;
};

}  // namespace

std::vector<std::string> profile_metrics(bool certain) {
  std::vector<std::string> out{kDuration, kRead, kWritten, kL2, kSm, kOccupancy, kRegisters};
  if (!certain) out.push_back(kTensor);
  return out;
}

ProfileLog parse_profile_log(std::string_view text) { return Reader().read(text); }

}  // namespace kbx::gpu
