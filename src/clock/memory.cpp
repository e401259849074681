#include "clock/memory.h"

#include <fmt/format.h>

#include <utility>

namespace kbx::clock {

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(at_, other.at_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
Reservation::~Reservation() {
  if (at_) card_->cu.cuMemAddressFree(at_, bytes_);
}
Outcome<Reservation> Reservation::make(const Card& card, uint64_t at, uint64_t bytes) {
  Reservation out;
  CUdeviceptr got = 0;
  KBX_TRY(card.check(card.cu.cuMemAddressReserve(&got, bytes, 0, at, 0), "cuMemAddressReserve", Fault::Kind::address));
  out.card_ = &card;
  out.at_ = got;
  out.bytes_ = bytes;
  // A wish that cannot be met is answered with another place and success.
  if (got != at) return fault(Fault::Kind::address, fmt::format("the addresses from {:#x} are taken", at));
  return out;
}

Physical& Physical::operator=(Physical&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(handle_, other.handle_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
Physical::~Physical() {
  if (bytes_) card_->cu.cuMemRelease(handle_);
}
Outcome<Physical> Physical::make(const Card& card, uint64_t bytes) {
  CUmemAllocationProp wish{};
  wish.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wish.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wish.location.id = card.device();
  Physical out;
  KBX_TRY(card.check(card.cu.cuMemCreate(&out.handle_, bytes, &wish, 0), "cuMemCreate", Fault::Kind::memory));
  out.card_ = &card;
  out.bytes_ = bytes;
  return out;
}
Outcome<void> Physical::map(uint64_t at) const {
  KBX_TRY(card_->check(card_->cu.cuMemMap(at, bytes_, 0, handle_, 0), "cuMemMap", Fault::Kind::memory));
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = card_->device();
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  auto done = card_->check(card_->cu.cuMemSetAccess(at, bytes_, &access, 1), "cuMemSetAccess", Fault::Kind::memory);
  if (!done) card_->cu.cuMemUnmap(at, bytes_);
  return done;
}
Outcome<void> Physical::unmap(const Card& card, uint64_t at, uint64_t bytes) {
  return card.check(card.cu.cuMemUnmap(at, bytes), "cuMemUnmap", Fault::Kind::memory);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(place_, other.place_);
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
Buffer::~Buffer() {
  if (bytes_) card_->cu.cuMemUnmap(at(), bytes_);
}
Outcome<Buffer> Buffer::make(Card& card, uint64_t bytes) {
  // Below every place that kbx gives to an arena (0x5.., 0x6..): about 2^21 places, and a wrong guess is a fault.
  constexpr uint64_t kFirst = 0x100000000000, kLast = 0x4f0000000000;
  Buffer out;
  bytes = rounded_up(std::max<uint64_t>(bytes, 1), kGranule);
  std::uniform_int_distribution<uint64_t> pick(kFirst / kReserveStep, kLast / kReserveStep);
  Outcome<Reservation> place = fault(Fault::Kind::address, "no addresses");
  for (int k = 0; k < 8 && !place; k++) place = Reservation::make(card, pick(card.random) * kReserveStep, std::max(kLeastReserve, rounded_up(bytes, kReserveStep)));
  KBX_TRY_ASSIGN(out.place_, std::move(place));
  KBX_TRY_ASSIGN(out.memory_, Physical::make(card, bytes));
  KBX_TRY(out.memory_.map(out.at()));
  out.card_ = &card;
  out.bytes_ = bytes;
  return out;
}

Pinned& Pinned::operator=(Pinned&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(device_, other.device_);
  return *this;
}
Pinned::~Pinned() {
  if (data_) card_->cu.cuMemFreeHost(data_);
}
Outcome<Pinned> Pinned::make(const Card& card, size_t bytes) {
  Pinned out;
  void* data = nullptr;
  KBX_TRY(card.check(card.cu.cuMemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc", Fault::Kind::memory));
  out.card_ = &card;
  out.data_ = static_cast<std::byte*>(data);
  out.size_ = bytes;
  KBX_TRY(card.check(card.cu.cuMemHostGetDevicePointer(&out.device_, data, 0), "cuMemHostGetDevicePointer", Fault::Kind::memory));
  return out;
}

// A pageable copy may return before its bytes have landed, and our stream does not wait for it: hence the waiting.
Outcome<void> upload(const Card& card, uint64_t to, const void* from, size_t bytes) {
  if (bytes == 0) return {};
  KBX_TRY(card.check(card.cu.cuMemcpyHtoDAsync(to, from, bytes, card.stream()), "cuMemcpyHtoDAsync", Fault::Kind::launch));
  return card.wait();
}
Outcome<void> download(const Card& card, void* to, uint64_t from, size_t bytes) {
  if (bytes == 0) return {};
  KBX_TRY(card.check(card.cu.cuMemcpyDtoHAsync(to, from, bytes, card.stream()), "cuMemcpyDtoHAsync", Fault::Kind::launch));
  return card.wait();
}

}  // namespace kbx::clock
