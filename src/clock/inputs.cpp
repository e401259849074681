#include "clock/inputs.h"

#include <fmt/format.h>

namespace kbx::clock {
namespace {
constexpr uint64_t kAlign = 512;
}

Outcome<InputSet> InputSet::make(Card& card, const Kernels& kernels, const Json& inputs, const Bytes& blob) {
  if (!inputs.is_array()) return fault(Fault::Kind::command, "no list of inputs");
  InputSet out;
  std::vector<DrawRequest> requests;
  uint64_t size = 0;
  for (const Json& input : inputs) {
    KBX_TRY_ASSIGN(DrawRequest r, read_draw_request(input, blob.size()));
    if (!out.places_.emplace(r.name, DeviceRange{size, r.bytes}).second) return fault(Fault::Kind::command, fmt::format("{} is given twice", r.name));
    size += rounded_up(r.bytes, kAlign);
    requests.push_back(std::move(r));
  }
  KBX_TRY_ASSIGN(out.memory_, Buffer::make(card, size));
  KBX_TRY_ASSIGN(out.total_, Buffer::make(card, sizeof(uint64_t)));
  KBX_TRY(card.check(card.cu.cuMemsetD32Async(out.memory_.at(), 0, out.memory_.bytes() / 4, card.stream()), "cuMemsetD32Async", Fault::Kind::device));
  for (auto& [name, place] : out.places_) place.at += out.memory_.at();
  for (const DrawRequest& r : requests) KBX_TRY(out.fill(card, kernels, r, out.places_[r.name].at, blob));
  out.key_ = card.random();
  KBX_TRY_ASSIGN(out.sum_, out.sum(card, kernels));
  return out;
}

Outcome<void> InputSet::fill(Card& card, const Kernels& kernels, const DrawRequest& r, uint64_t to, const Bytes& blob) {
  if (r.bytes == 0) return {};
  if (!r.drawn) return upload(card, to, blob.data() + r.blob_at, r.bytes);
  device::DrawSpec draw = r.draw;
  draw.to = to;
  Buffer scratch;
  if (r.matrix) {
    device::MatrixSpec m{draw, r.rows, r.cols, r.batches, 0};
    KBX_TRY_ASSIGN(scratch, Buffer::make(card, device::vectors_bytes(m) * r.batches));
    m.scratch = scratch.at();
    KBX_TRY(kernels.launch("draw_reflectors", Kernels::Grid{unsigned(std::min<uint64_t>(r.batches, 65535)), 1, 32, 0}, m));
    KBX_TRY(kernels.launch("draw_matrices", kernels.over(r.rows * r.cols * r.batches), m));
    return card.wait();  // before the scratch goes
  }
  if (!r.values.empty()) {
    KBX_TRY_ASSIGN(scratch, Buffer::make(card, r.values.size() * sizeof(double)));
    KBX_TRY(upload(card, scratch.at(), r.values.data(), r.values.size() * sizeof(double)));
    draw.values = scratch.at();
  }
  KBX_TRY(kernels.launch(r.wide ? "draw_double" : "draw_single", kernels.over(draw.count / 4 + 1), draw));
  return r.values.empty() ? Outcome<void>() : card.wait();
}

Outcome<uint64_t> InputSet::sum(const Card& card, const Kernels& kernels) const {
  uint64_t value = 0;
  KBX_TRY(upload(card, total_.at(), &value, sizeof value));
  device::Piece piece{memory_.at(), memory_.bytes()};
  KBX_TRY(kernels.launch("checksum", kernels.over(memory_.bytes() / 8), piece, key_, reinterpret_cast<uint64_t*>(total_.at())));
  KBX_TRY(download(card, &value, total_.at(), sizeof value));
  return value;
}

Outcome<bool> InputSet::intact(const Card& card, const Kernels& kernels) const {
  KBX_TRY_ASSIGN(uint64_t now, sum(card, kernels));
  return now == sum_;
}

const DeviceRange* InputSet::find(const std::string& name) const {
  auto at = places_.find(name);
  return at == places_.end() ? nullptr : &at->second;
}

}  // namespace kbx::clock
