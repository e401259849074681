// Stores: whole rows at once where the addresses are contiguous and all lanes are on, else lane by lane.
#include <algorithm>

#include "ir/memory.h"
#include "ir/memory_access.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

class Storing {
 public:
  Storing(Context& c, const Inst& i)
      : c_(c),
        i_(i),
        trouble_(c, i),
        pointer_(c.at<uint64_t>(i.a)),
        mask_(i.b ? c.at<uint8_t>(i.b) : nullptr),
        value_(c.arena + i.c),
        undefined_(c.undefined && c.is_tainted(i.c) ? c.undefined + i.c : nullptr),
        bytes_(memory_bytes(i.kind)) {}

  void run() {
    check_operands(c_, i_, mask_, trouble_);
    pack();
    uint32_t rows = 0;
    bool scattered = false;
    for (uint32_t lane = 0; lane < i_.lanes; lane += i_.x, rows++)
      if (!row(lane)) {
        scattered = true;
        for (uint32_t k = lane; k < lane + i_.x; k++) one(k);
      }
    if (c_.race && c_.shared->checks.races && (rows > 1 || (scattered && i_.lanes > 1)) && looks_overwritten())
      find_double_stores();
  }

 private:
  // The block's bytes as memory wants them.
  void pack() {
    if (!is_small_float(i_.kind)) {
      packed_ = value_;
      return;
    }
    c_.scratch.resize(uint64_t{i_.lanes} * bytes_);
    pack_floats(i_.kind, reinterpret_cast<const float*>(value_), c_.scratch.data(), i_.lanes);
    packed_ = c_.scratch.data();
  }
  bool is_on(uint32_t k) const { return !mask_ || mask_[k]; }
  bool row(uint32_t lane) {
    uint32_t n = i_.x;
    uint64_t size = uint64_t{bytes_} * n;
    if (mask_ && !all_set(mask_ + lane, n)) return false;
    if (!is_contiguous(pointer_ + lane, n, bytes_) || (pointer_[lane] & (bytes_ - 1))) return false;
    Hit hit = find_memory(c_, pointer_[lane], size);
    if (!hit.at) return false;
    write(hit, lane, n);
    return true;
  }
  void one(uint32_t k) {
    if (!is_on(k)) return;
    Hit hit = find_memory(c_, pointer_[k], bytes_);
    if (!hit.at) return trouble_.add(FindingKind::out_of_bounds_store, hit, k);
    if (pointer_[k] & (bytes_ - 1)) trouble_.add(FindingKind::misaligned_access, hit, k);
    write(hit, k, 1);
  }
  void write(const Hit& hit, uint32_t lane, uint32_t n) {
    const uint8_t* from = packed_ + uint64_t{lane} * bytes_;
    uint64_t size = uint64_t{bytes_} * n;
    touch(c_, i_, Access::write, hit, size, lane, from);
    if (uint8_t* map = c_.shared->ranges[static_cast<size_t>(hit.range)].undefined; map && c_.undefined)
      for (uint32_t k = 0; k < n; k++)
        std::memset(map + hit.offset + uint64_t{k} * bytes_, undefined_ ? undefined_[lane + k] : 0, bytes_);
    if (undefined_)
      for (uint32_t k = 0; k < n; k++)
        if (undefined_[lane + k])
          trouble_.add(FindingKind::undefined_store, {nullptr, hit.range, hit.offset + uint64_t{k} * bytes_, 0},
                       lane + k);
    std::memcpy(hit.at, from, size);
    count(c_, Access::write, hit.range, size);
  }

  // Whether some lane's bytes are not what is in memory now: a cheap sign that another lane wrote there too.
  bool looks_overwritten() const {
    for (uint32_t k = 0; k < i_.lanes; k++) {
      if (!is_on(k)) continue;
      Hit hit = find_memory(c_, pointer_[k], bytes_);
      if (hit.at && std::memcmp(hit.at, packed_ + uint64_t{k} * bytes_, bytes_)) return true;
    }
    return false;
  }
  // Exactly: two lanes, one address, different bytes.
  void find_double_stores() {
    std::vector<uint32_t> lanes;
    for (uint32_t k = 0; k < i_.lanes; k++)
      if (is_on(k) && find_memory(c_, pointer_[k], bytes_).at) lanes.push_back(k);
    std::stable_sort(lanes.begin(), lanes.end(), [&](uint32_t a, uint32_t b) { return pointer_[a] < pointer_[b]; });
    for (size_t j = 1; j < lanes.size(); j++) {
      uint32_t a = lanes[j - 1], b = lanes[j];
      if (pointer_[a] == pointer_[b] &&
          std::memcmp(packed_ + uint64_t{a} * bytes_, packed_ + uint64_t{b} * bytes_, bytes_))
        trouble_.add(FindingKind::double_store, find_memory(c_, pointer_[b], bytes_), b);
    }
  }

  Context& c_;
  const Inst& i_;
  Trouble trouble_;
  const uint64_t* pointer_;
  const uint8_t* mask_;
  const uint8_t* value_;
  const uint8_t* packed_ = nullptr;
  const uint8_t* undefined_;
  uint32_t bytes_;
};

}  // namespace

void store(Context& c, const Inst& i) { Storing(c, i).run(); }

}  // namespace kbx::ir
