// Cards: the GPUs of one evaluation. Each has two slots (one candidate runs, the next gets ready) and one exclusive lease:
// whoever holds it runs, checks, autotunes and is timed with nobody beside. A clock process waits ready on every card.
// Thread-safe.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/clock_process.h"

namespace kbx::gpu {

// Whether NVIDIA's driver runs here; nothing is started for it.
bool machine_has_cards();

class Cards {
 public:
  // `which`: indices; empty = all of the machine. An Error when one of them cannot be used.
  static Result<std::unique_ptr<Cards>> open(const ClockHome& home, std::vector<int> which);

  const std::vector<Card>& list() const { return list_; }

  // A place on one card. Leaves it, and gives the lease back, when it goes.
  class Slot {
   public:
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&&) = delete;
    ~Slot();

    const Card& card() const;
    // Waits until nobody else works on the card. Seconds waited.
    double lease();
    void release();
    bool leased() const { return leased_; }
    double held_seconds() const { return held_; }   // of leases given back
    // A process that is ready on this card and nobody else's. Needs the lease.
    Result<std::unique_ptr<ClockProcess>> clock();

   private:
    friend class Cards;
    Slot(Cards* cards, size_t place) : cards_(cards), place_(place) {}
    Cards* cards_;
    size_t place_;
    bool leased_ = false;
    double held_ = 0;
    Steady::time_point since_{};
  };
  // Waits for a place on the card with the fewest candidates.
  Slot enter();

 private:
  struct State {
    int guests = 0;
    bool busy = false;
    std::unique_ptr<ClockProcess> next;
  };
  static constexpr int kSlots = 2;
  explicit Cards(ClockHome home) : home_(std::move(home)) {}
  void warm(size_t place);

  ClockHome home_;
  std::vector<Card> list_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> states_;
};

}  // namespace kbx::gpu
