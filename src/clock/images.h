// Images: the machine code of a tape, loaded. Equal bytes are loaded once. An image from a heap, which is Triton's or
// another run-time compiler's, is loaded afresh for every group of runs when it is small: where code lies moves times
// too. Nothing may pass from one run to the next in variables that kernels can write: where the driver tells their place
// they are reset before every run, else the image is loaded afresh.
#pragma once
#include "clock/memory.h"
#include "cuda/elf_image.h"
#include "model/device_tape.h"

namespace kbx::clock {

class Images {
 public:
  Images() = default;
  Images(Images&& other) noexcept { *this = std::move(other); }
  Images& operator=(Images&& other) noexcept;
  ~Images();
  // `tape` must outlive this. Fault: image, when one is malformed or the driver refuses it.
  static Outcome<Images> load(Card& card, const DeviceTape& tape);

  CUmodule module_of(size_t image) const { return loaded_[slot_[image]].module; }
  bool has_globals() const { return has_globals_; }  // that cannot be reset: reload before every run
  bool has_strings() const { return has_strings_; }  // the compiler's few bytes, which cannot be reset and are let pass
  Outcome<void> reset_globals() const;               // those that can, on the card's stream
  bool has_movable() const { return has_movable_; }
  bool has_unread() const { return has_unread_; }  // a fatbin or PTX: whether it has such variables is not known
  enum class Which { movable, with_globals };
  // Loads fresh copies beside the old ones, so that they get other addresses. False: nothing was to do.
  Outcome<bool> reload(Which which);

 private:
  struct Loaded {
    Bytes padded;  // followed by zeros: the driver is told no length
    CUmodule module = nullptr;
    bool movable = false, globals = false, strings = false;
    std::vector<cuda::ElfGlobals> sections;   // variables
    struct Place {
      uint64_t at = 0, bytes = 0;
      Buffer initial;
    };
    std::vector<Place> places;                // where they lie, in the order of `sections`; empty: unknown
  };
  static Outcome<Loaded> prepare(const DeviceImage& image);
  Outcome<CUmodule> load_one(const Loaded& image) const;
  Outcome<void> find_globals(Loaded& image) const;

  Card* card_ = nullptr;
  std::vector<Loaded> loaded_;
  std::vector<size_t> slot_;         // image -> loaded
  std::vector<CUmodule> retired_;    // older copies, kept so that their places stay taken
  bool has_globals_ = false, has_unread_ = false, has_movable_ = false, has_strings_ = false;
};

}  // namespace kbx::clock
