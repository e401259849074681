#include "clock/bulk.h"

#include "clock/device/device_bytes.h"

namespace kbx::clock {
namespace {

constexpr uint64_t kSmallBytes = 64 << 10;
constexpr unsigned kMostTableBlocks = 65535;

template <class T>
Outcome<Table<T>> make_table(Card& card, const std::vector<T>& items) {
  Table<T> out;
  out.count = uint32_t(items.size());
  if (items.empty()) return out;
  KBX_TRY_ASSIGN(out.buffer, Buffer::make(card, items.size() * sizeof(T)));
  KBX_TRY(upload(card, out.buffer.at(), items.data(), items.size() * sizeof(T)));
  return out;
}

Kernels::Grid grid_of(uint32_t items, unsigned y = 1) { return {std::min(items, kMostTableBlocks), y, 256, 0}; }

}  // namespace

Outcome<PoisonFill> PoisonFill::make(Card& card, const std::vector<DeviceRange>& pieces) {
  PoisonFill out;
  std::vector<device::Piece> small;
  for (const DeviceRange& p : pieces) {
    uint64_t begin = rounded_up(p.at, 4), end = (p.at + p.bytes) / 4 * 4;
    if (p.bytes < kSmallBytes) {
      small.push_back({p.at, p.bytes});
      continue;
    }
    out.large_.push_back({begin, end - begin});
    if (begin > p.at) small.push_back({p.at, begin - p.at});
    if (p.at + p.bytes > end) small.push_back({end, p.at + p.bytes - end});
  }
  KBX_TRY_ASSIGN(out.small_, make_table(card, small));
  return out;
}

Outcome<void> PoisonFill::enqueue(const Card& card, const Kernels& kernels) const {
  for (const DeviceRange& p : large_)
    KBX_TRY(card.check(card.cu.cuMemsetD32Async(p.at, device::kPoisonWord, p.bytes / 4, card.stream()), "cuMemsetD32Async", Fault::Kind::device));
  if (small_.count == 0) return {};
  return kernels.launch("poison_pieces", grid_of(small_.count), small_.at(), small_.count);
}

Outcome<Moves> Moves::make(Card& card, const std::vector<device::Move>& moves) {
  Moves out;
  std::vector<device::Move> small;
  for (const device::Move& m : moves)
    if (m.bytes) (m.bytes < kSmallBytes ? small : out.large_).push_back(m);
  KBX_TRY_ASSIGN(out.small_, make_table(card, small));
  return out;
}

Outcome<void> Moves::enqueue(const Card& card, const Kernels& kernels) const {
  for (const device::Move& m : large_)
    KBX_TRY(card.check(card.cu.cuMemcpyDtoDAsync(m.to, m.from, m.bytes, card.stream()), "cuMemcpyDtoDAsync", Fault::Kind::device));
  if (small_.count == 0) return {};
  return kernels.launch("move_pieces", grid_of(small_.count), small_.at(), small_.count);
}

Outcome<Guard> Guard::make(Card& card, const std::vector<DeviceRange>& pieces) {
  Guard out;
  std::vector<device::Piece> table;
  for (const DeviceRange& p : pieces) table.push_back({p.at, p.bytes});
  KBX_TRY_ASSIGN(out.pieces_, make_table(card, table));
  KBX_TRY_ASSIGN(out.totals_, Buffer::make(card, sizeof(device::GuardTotals)));
  return out;
}

Outcome<Guard::Hits> Guard::check(const Card& card, const Kernels& kernels) const {
  if (pieces_.count == 0) return Hits{};
  device::GuardTotals totals{0, ~uint64_t(0)};
  KBX_TRY(upload(card, totals_.at(), &totals, sizeof totals));
  auto out = reinterpret_cast<device::GuardTotals*>(totals_.at());
  KBX_TRY(kernels.launch("guard_pieces", grid_of(pieces_.count, 32), pieces_.at(), pieces_.count, out));
  KBX_TRY(download(card, &totals, totals_.at(), sizeof totals));
  return Hits{totals.words, totals.words ? totals.first : 0};
}

}  // namespace kbx::clock
