// Loads: whole rows at once where the addresses are contiguous and all lanes are on, else lane by lane.
#include "ir/memory.h"
#include "ir/memory_access.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

class Loading {
 public:
  Loading(Context& c, const Inst& i)
      : c_(c),
        i_(i),
        trouble_(c, i),
        pointer_(c.at<uint64_t>(i.a)),
        mask_(i.b ? c.at<uint8_t>(i.b) : nullptr),
        out_(c.arena + i.out),
        undefined_(c.undefined ? c.undefined + i.out : nullptr),
        bytes_(memory_bytes(i.kind)),
        width_(lane_bytes(i.kind)) {}

  void run() {
    check_operands(c_, i_, mask_, trouble_);
    for (uint32_t lane = 0; lane < i_.lanes; lane += i_.x)
      if (!row(lane))
        for (uint32_t k = lane; k < lane + i_.x; k++) one(k);
    if (undefined_) c_.flags[i_.out >> 6] = tainted_;
  }

 private:
  void read(const uint8_t* from, uint32_t lane, uint32_t n) {
    uint8_t* to = out_ + uint64_t{lane} * width_;
    if (is_small_float(i_.kind))
      unpack_floats(i_.kind, from, reinterpret_cast<float*>(to), n);
    else if (i_.kind == Kind::i1)
      for (uint32_t k = 0; k < n; k++) to[k] = from[k] != 0;
    else
      std::memcpy(to, from, uint64_t{bytes_} * n);
  }
  bool row(uint32_t lane) {
    uint32_t n = i_.x;
    uint64_t size = uint64_t{bytes_} * n;
    if (mask_ && !all_set(mask_ + lane, n)) return false;
    if (!is_contiguous(pointer_ + lane, n, bytes_) || (pointer_[lane] & (bytes_ - 1))) return false;
    Hit hit = find_memory(c_, pointer_[lane], size);
    if (!hit.at) return false;
    read(hit.at, lane, n);
    if (undefined_) {
      std::memset(undefined_ + lane, 0, n);
      const uint8_t* map = c_.shared->ranges[static_cast<size_t>(hit.range)].undefined;
      if (map && any_set(map + hit.offset, size))
        for (uint32_t k = 0; k < n; k++)
          tainted_ |= undefined_[lane + k] = any_set(map + hit.offset + uint64_t{k} * bytes_, bytes_);
    }
    touch(c_, i_, Access::read, hit, size, lane, nullptr);
    count(c_, Access::read, hit.range, size);
    return true;
  }
  void one(uint32_t k) {
    uint8_t* to = out_ + uint64_t{k} * width_;
    if (mask_ && !mask_[k]) {
      if (i_.c)
        std::memcpy(to, c_.arena + i_.c + uint64_t{k} * width_, width_);
      else
        std::memset(to, 0, width_);
      if (undefined_) tainted_ |= undefined_[k] = i_.c ? c_.is_tainted(i_.c) && c_.undefined[i_.c + k] : 1;
      return;
    }
    Hit hit = find_memory(c_, pointer_[k], bytes_);
    if (undefined_) undefined_[k] = 0;
    if (!hit.at) {  // it was told; what follows from it should not be told again
      trouble_.add(FindingKind::out_of_bounds_load, hit, k);
      std::memset(to, 0, width_);
      return;
    }
    if (pointer_[k] & (bytes_ - 1)) trouble_.add(FindingKind::misaligned_access, hit, k);
    read(hit.at, k, 1);
    if (undefined_)
      if (const uint8_t* map = c_.shared->ranges[static_cast<size_t>(hit.range)].undefined)
        tainted_ |= undefined_[k] = any_set(map + hit.offset, bytes_);
    touch(c_, i_, Access::read, hit, bytes_, k, nullptr);
    count(c_, Access::read, hit.range, bytes_);
  }

  Context& c_;
  const Inst& i_;
  Trouble trouble_;
  const uint64_t* pointer_;
  const uint8_t* mask_;
  uint8_t* out_;
  uint8_t* undefined_;
  uint32_t bytes_, width_;
  uint8_t tainted_ = 0;
};

}  // namespace

void load(Context& c, const Inst& i) { Loading(c, i).run(); }

}  // namespace kbx::ir
