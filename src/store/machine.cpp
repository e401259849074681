#include "store/machine.h"

#include <cstdlib>

#include "base/files.h"
#include "base/system.h"

namespace kbx::store {
namespace fs = std::filesystem;

MachineFiles MachineFiles::from_environment() {
  MachineFiles out;
  out.cache = cache_folder();
  const char* named = std::getenv("KBX_GPUS");
  if (named && *named) out.gpus = named;
  else if (fs::path base = user_folder("XDG_CONFIG_HOME", ".config"); !base.empty()) out.gpus = base / "kbx" / "gpus.toml";
  return out;
}

fs::path calibration_path(const MachineFiles& files, std::string_view board) {
  std::string name = "calibration-";
  for (char c : board) {
    bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    name += plain ? c : '_';
  }
  return files.cache / (name + ".json");
}

Result<fs::path> save_calibration(const MachineFiles& files, const Calibration& calibration) {
  if (files.cache.empty()) return fail(Code::io, "no place for a calibration: neither XDG_CACHE_HOME nor HOME is set");
  std::error_code ec;
  fs::create_directories(files.cache, ec);
  if (ec) return fail(Code::io, "cannot make the folder " + files.cache.string() + ": " + ec.message());
  fs::path path = calibration_path(files, calibration.board);
  KBX_TRY(write_file(path, dump_json(calibration_json(calibration), 2) + "\n"));
  return path;
}

Result<std::optional<Calibration>> load_calibration(const MachineFiles& files, std::string_view board) {
  std::error_code ec;
  fs::path path = calibration_path(files, board);
  if (files.cache.empty() || !fs::exists(path, ec)) return std::optional<Calibration>();
  KBX_TRY_ASSIGN(std::string text, read_file(path));
  auto json = parse_json(text);
  if (!json) return tl::unexpected(with_context(std::move(json.error()), "while reading " + path.string()));
  auto calibration = calibration_from(*json);
  if (!calibration) return tl::unexpected(with_context(std::move(calibration.error()), "while reading " + path.string() + "; kbx calibrate writes it anew"));
  return std::optional<Calibration>(std::move(*calibration));
}

Result<std::optional<Peaks>> stated_peaks(const MachineFiles& files, const Card& card) {
  const GpuSpec* row = find_gpu_by_driver_name(card.name, card.sms, card.memory_bytes);
  std::optional<Peaks> out;
  if (row) out = peaks_of(*row);
  std::error_code ec;
  if (files.gpus.empty() || !fs::exists(files.gpus, ec)) return out;
  KBX_TRY_ASSIGN(std::string text, read_file(files.gpus));
  KBX_TRY_ASSIGN(auto stated, parse_user_peaks(text, files.gpus.string()));
  for (const Peaks& p : stated)
    if (p.name == card.name || (row && p.name == row->name)) out = overlaid(out.value_or(Peaks()), p);
  return out;
}

}  // namespace kbx::store
