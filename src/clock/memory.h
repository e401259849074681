// Memory of the card at addresses of our choice: reserved addresses, physical memory, and trusted buffers that lie at
// random places away from every arena.
#pragma once
#include <cstdint>
#include <vector>

#include "clock/card.h"

namespace kbx::clock {

inline constexpr uint64_t kGranule = uint64_t(2) << 20;        // of physical memory
inline constexpr uint64_t kReserveStep = uint64_t(32) << 20;   // of addresses; the driver ignores finer wishes
inline constexpr uint64_t kLeastReserve = uint64_t(64) << 30;  // and wishes for small ranges

inline uint64_t rounded_up(uint64_t bytes, uint64_t step) { return (bytes + step - 1) / step * step; }

// Addresses without memory.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept { *this = std::move(other); }
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();
  // Exactly at `at`; fault address when something else lies there.
  static Outcome<Reservation> make(const Card& card, uint64_t at, uint64_t bytes);
  uint64_t at() const { return at_; }

 private:
  const Card* card_ = nullptr;
  uint64_t at_ = 0, bytes_ = 0;
};

// Memory without addresses: one allocation, a multiple of kGranule.
class Physical {
 public:
  Physical() = default;
  Physical(Physical&& other) noexcept { *this = std::move(other); }
  Physical& operator=(Physical&& other) noexcept;
  ~Physical();
  static Outcome<Physical> make(const Card& card, uint64_t bytes);
  // Puts it at reserved addresses, readable and writable; unmap first what lies there.
  Outcome<void> map(uint64_t at) const;
  static Outcome<void> unmap(const Card& card, uint64_t at, uint64_t bytes);

 private:
  const Card* card_ = nullptr;
  CUmemGenericAllocationHandle handle_ = 0;
  uint64_t bytes_ = 0;
};

// Ours: nobody who wrote a tape knows where it lies.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();
  static Outcome<Buffer> make(Card& card, uint64_t bytes);
  uint64_t at() const { return place_.at(); }
  uint64_t bytes() const { return bytes_; }  // rounded up
  explicit operator bool() const { return bytes_ != 0; }

 private:
  const Card* card_ = nullptr;
  Reservation place_;
  Physical memory_;
  uint64_t bytes_ = 0;
};

// Page-locked host memory that the card can read and write.
class Pinned {
 public:
  Pinned() = default;
  Pinned(Pinned&& other) noexcept { *this = std::move(other); }
  Pinned& operator=(Pinned&& other) noexcept;
  ~Pinned();
  static Outcome<Pinned> make(const Card& card, size_t bytes);
  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  uint64_t device_at() const { return device_; }

 private:
  const Card* card_ = nullptr;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  CUdeviceptr device_ = 0;
};

// Blocking copies to and from memory of the card, in order with the stream.
Outcome<void> upload(const Card& card, uint64_t to, const void* from, size_t bytes);
Outcome<void> download(const Card& card, void* to, uint64_t from, size_t bytes);

}  // namespace kbx::clock
