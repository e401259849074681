// What is kept of this machine's cards outside any run: calibrations (`kbx calibrate`), and the peaks that the user states.
//   calibrations  $XDG_CACHE_HOME/kbx/calibration-<board>.json       (else ~/.cache/kbx/)
//   stated peaks  $KBX_GPUS, else $XDG_CONFIG_HOME/kbx/gpus.toml     (else ~/.config/kbx/)
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/calibration.h"

namespace kbx::store {

// Folders and files by the environment, read once by whoever starts the program. Empty paths: there is no home either.
struct MachineFiles {
  std::filesystem::path cache;  // folder of calibrations
  std::filesystem::path gpus;   // the user's file; it need not exist
  static MachineFiles from_environment();
};

// Where the calibration of a board is kept; characters of the UUID that are no letter, digit or '-' become '_'.
std::filesystem::path calibration_path(const MachineFiles& files, std::string_view board);
// Makes the folder.
Result<std::filesystem::path> save_calibration(const MachineFiles& files, const Calibration& calibration);
// nullopt: this board was never calibrated. Error: the file is damaged.
Result<std::optional<Calibration>> load_calibration(const MachineFiles& files, std::string_view board);

// The peaks a card's times are held against: the datasheet's row, with what the user states of a card of this driver name
// (or of the row's name) laid over it. nullopt: neither knows the card.
struct Card {
  std::string name;          // as the driver gives it
  int sms = 0;               // 0 = not known
  int64_t memory_bytes = 0;  // 0 = not known
};
Result<std::optional<Peaks>> stated_peaks(const MachineFiles& files, const Card& card);

}  // namespace kbx::store
