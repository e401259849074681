#include "clock/arena.h"

#include <algorithm>

namespace kbx::clock {

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(place_, other.place_);
  std::swap(copies_, other.copies_);
  std::swap(placed_, other.placed_);
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

Outcome<void> Arena::place(size_t copy) {
  if (copy == placed_) return {};
  KBX_TRY(Physical::unmap(*card_, base_, bytes_));
  mapped_ = false;
  KBX_TRY(copies_[copy].map(base_));
  mapped_ = true;
  placed_ = copy;
  return {};
}

size_t copies_wanted(uint64_t first_bytes, uint64_t second_bytes, uint64_t free_bytes) {
  constexpr double kShare = 0.5, kMost = 0.9;  // of what is free: wished for, and taken when three copies need it
  double each = double(std::max<uint64_t>(first_bytes + second_bytes, 1));
  double wished = std::clamp(1 + kShare * double(free_bytes) / each, 3.0, 48.0);
  return size_t(std::min(wished, 1 + kMost * double(free_bytes) / each));
}

}  // namespace kbx::clock
