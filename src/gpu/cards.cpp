#include "gpu/cards.h"

#include <unistd.h>

#include <utility>

#include "base/check.h"

namespace kbx::gpu {

bool machine_has_cards() { return ::access("/dev/nvidiactl", F_OK) == 0; }

Result<std::unique_ptr<Cards>> Cards::open(const ClockHome& home, std::vector<int> which) {
  std::unique_ptr<Cards> cards(new Cards(home));
  bool all = which.empty();
  if (all) which = {0};
  for (size_t k = 0; k < which.size(); k++) {
    KBX_TRY_ASSIGN(auto process, ClockProcess::start(home, which[k]));
    KBX_TRY_ASSIGN(Card card, process->ready());
    if (all && k == 0)
      for (int more = 1; more < card.cards; more++) which.push_back(more);
    cards->list_.push_back(std::move(card));
    cards->states_.push_back({0, false, std::move(process)});
  }
  return cards;
}

Cards::Slot Cards::enter() {
  std::unique_lock lock(mutex_);
  size_t best = 0;
  auto emptiest = [&] {
    for (size_t k = 0; k < states_.size(); k++)
      if (states_[k].guests < states_[best].guests) best = k;
    return states_[best].guests < kSlots;
  };
  changed_.wait(lock, emptiest);
  states_[best].guests++;
  return Slot(this, best);
}

// The next candidate's process gets ready while this one's is in use. Called without the mutex held.
void Cards::warm(size_t place) {
  auto process = ClockProcess::start(home_, list_[place].index);
  std::lock_guard lock(mutex_);
  if (process && !states_[place].next) states_[place].next = std::move(*process);
}

Cards::Slot::Slot(Slot&& other) noexcept
    : cards_(std::exchange(other.cards_, nullptr)), place_(other.place_), leased_(std::exchange(other.leased_, false)), held_(other.held_), since_(other.since_) {}

Cards::Slot::~Slot() {
  if (!cards_) return;
  release();
  {
    std::lock_guard lock(cards_->mutex_);
    cards_->states_[place_].guests--;
  }
  cards_->changed_.notify_all();
}

const Card& Cards::Slot::card() const { return cards_->list_[place_]; }

double Cards::Slot::lease() {
  auto start = Steady::now();
  std::unique_lock lock(cards_->mutex_);
  KBX_CHECK(!leased_);
  cards_->changed_.wait(lock, [&] { return !cards_->states_[place_].busy; });
  cards_->states_[place_].busy = leased_ = true;
  since_ = Steady::now();
  return seconds_since(start);
}

void Cards::Slot::release() {
  if (!leased_) return;
  held_ += seconds_since(since_);
  leased_ = false;
  bool empty = false;
  {
    std::lock_guard lock(cards_->mutex_);
    cards_->states_[place_].busy = false;
    empty = !cards_->states_[place_].next;
  }
  cards_->changed_.notify_all();
  if (empty) cards_->warm(place_);
}

Result<std::unique_ptr<ClockProcess>> Cards::Slot::clock() {
  std::unique_ptr<ClockProcess> process;
  {
    std::lock_guard lock(cards_->mutex_);
    KBX_CHECK(leased_);
    process = std::move(cards_->states_[place_].next);
  }
  if (!process || !process->alive()) {
    KBX_TRY_ASSIGN(process, ClockProcess::start(cards_->home_, card().index));
  }
  KBX_TRY(process->ready());
  return process;
}

}  // namespace kbx::gpu
