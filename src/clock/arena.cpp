#include "clock/arena.h"

#include <algorithm>

namespace kbx::clock {

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(place_, other.place_);
  std::swap(copies_, other.copies_);
  std::swap(next_, other.next_);
  std::swap(mapped_, other.mapped_);
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
Arena::~Arena() {
  if (mapped_) card_->cu.cuMemUnmap(base_, bytes_);
}

Outcome<Arena> Arena::make(Card& card, uint64_t base, uint64_t bytes) {
  Arena out;
  out.card_ = &card;
  out.base_ = base;
  out.bytes_ = rounded_up(std::max<uint64_t>(bytes, 1), kGranule);
  KBX_TRY_ASSIGN(out.place_, Reservation::make(card, base, std::max(kLeastReserve, rounded_up(out.bytes_, kReserveStep))));
  KBX_TRY(out.add_copy());
  KBX_TRY(out.copies_[0].map(base));
  out.mapped_ = true;
  return out;
}

Outcome<void> Arena::add_copy() {
  auto copy = Physical::make(*card_, bytes_);
  if (!copy) return tl::unexpected(std::move(copy.error()));
  copies_.push_back(std::move(*copy));
  return {};
}

Outcome<void> Arena::rotate() {
  if (copies_.size() < 2) return {};
  KBX_TRY(Physical::unmap(*card_, base_, bytes_));
  mapped_ = false;
  next_ = (next_ + 1) % copies_.size();
  if (next_ == 0) std::shuffle(copies_.begin(), copies_.end(), card_->random);
  KBX_TRY(copies_[next_].map(base_));
  mapped_ = true;
  return {};
}

CopyCounts copies_wanted(uint64_t first_bytes, uint64_t second_bytes, uint64_t free_bytes) {
  constexpr double kPerSide = 2.5e9, kLeaveFree = 0.9;
  auto wish = [](uint64_t bytes) { return size_t(std::clamp(kPerSide / double(std::max<uint64_t>(bytes, 1)), 3.0, 48.0)); };
  CopyCounts out{wish(first_bytes), wish(second_bytes)};
  // One copy of each exists already.
  auto needs = [&] { return double(first_bytes) * double(out.first - 1) + double(second_bytes) * double(out.second - 1); };
  while (needs() > kLeaveFree * double(free_bytes) && (out.first > 1 || out.second > 1)) {
    if (out.first > 1) out.first--;
    if (out.second > 1) out.second--;
  }
  return out;
}

}  // namespace kbx::clock
