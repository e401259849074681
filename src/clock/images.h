// Images: the machine code of a tape, loaded. Equal bytes are loaded once. An image from a heap, which is Triton's or
// another run-time compiler's, is loaded afresh for every group of runs when it is small: where code lies moves times
// too. An image whose kernels can write variables of its own is loaded afresh before every run: nothing may pass from
// one run to the next.
#pragma once
#include <set>

#include "clock/card.h"
#include "model/device_tape.h"

namespace kbx::clock {

class Images {
 public:
  Images() = default;
  Images(Images&& other) noexcept { *this = std::move(other); }
  Images& operator=(Images&& other) noexcept;
  ~Images();
  // `tape` must outlive this. Fault: image, when one is malformed or the driver refuses it.
  static Outcome<Images> load(const Card& card, const DeviceTape& tape);

  CUmodule module_of(size_t image) const { return loaded_[slot_[image]].module; }
  bool has_globals() const { return has_globals_; }
  bool has_movable() const { return has_movable_; }
  bool has_unread() const { return has_unread_; }  // a fatbin or PTX: whether it has such variables is not known
  enum class Which { movable, with_globals };
  // Loads fresh copies beside the old ones, so that they get other addresses. False: nothing was to do.
  Outcome<bool> reload(Which which);

 private:
  struct Loaded {
    Bytes padded;  // followed by zeros: the driver is told no length
    CUmodule module = nullptr;
    bool movable = false, globals = false;
  };
  static Outcome<Loaded> prepare(const DeviceImage& image);
  Outcome<CUmodule> load_one(const Loaded& image) const;

  const Card* card_ = nullptr;
  std::vector<Loaded> loaded_;
  std::vector<size_t> slot_;         // image -> loaded
  std::vector<CUmodule> retired_;    // older copies, kept so that their places stay taken
  bool has_globals_ = false, has_unread_ = false, has_movable_ = false;
};

}  // namespace kbx::clock
