#include "clock/side.h"

#include <fmt/format.h>

#include "clock/pieces.h"

namespace kbx::clock {
namespace {
constexpr uint64_t kConstantAlign = 256;
}

Outcome<std::unique_ptr<Side>> Side::load(Card& card, const Kernels& kernels, const Bytes& bytes) {
  auto parsed = parse_device_tape(bytes.data(), bytes.size());
  if (!parsed) return fault(Fault::Kind::tape, parsed.error().message);
  if (!parsed->trouble.empty()) return fault(Fault::Kind::tape, "the recorder could not record all: " + parsed->trouble[0]);
  auto out = std::make_unique<Side>();
  Side& s = *out;
  s.card_ = &card;
  s.kernels_ = &kernels;
  s.tape_ = std::move(*parsed);
  KBX_TRY_ASSIGN(s.arena_, Arena::make(card, s.tape_.base, s.tape_.bytes));
  KBX_TRY_ASSIGN(s.images_, Images::load(card, s.tape_));
  KBX_TRY_ASSIGN(s.program_, Program::make(card, s.tape_, s.images_));
  KBX_TRY_ASSIGN(s.guard_, Guard::make(card, guarded_pieces(s.tape_, s.arena_.bytes())));
  uint64_t size = 0;
  for (const DeviceConstant& c : s.tape_.constants) {
    s.constant_moves_.push_back({c.at, size, c.data.size()});
    size += rounded_up(c.data.size(), kConstantAlign);
  }
  if (size) {
    KBX_TRY_ASSIGN(s.constants_, Buffer::make(card, size));
  }
  for (size_t k = 0; k < s.constant_moves_.size(); k++) {
    s.constant_moves_[k].from += s.constants_.at();
    KBX_TRY(upload(card, s.constant_moves_[k].from, s.tape_.constants[k].data.data(), s.tape_.constants[k].data.size()));
  }
  return out;
}

Outcome<void> Side::bind(int number, const InputSet& set) {
  restore_.erase(number);
  unfit_.erase(number);
  auto bound = try_bind(number, set);
  if (!bound) unfit_[number] = bound.error();
  return bound;
}

Outcome<void> Side::try_bind(int number, const InputSet& set) {
  std::vector<device::Move> moves = constant_moves_;
  std::vector<DeviceRange> given;
  for (const DeviceTensor& input : tape_.inputs) {
    if (input.storage.bytes == 0) continue;  // an empty tensor: nothing to restore, and the call sends nothing
    const DeviceRange* from = set.find(input.name);
    if (!from) return fault(Fault::Kind::tape, fmt::format("the tape has an input '{}' that the call has not", input.name));
    if (from->bytes > input.storage.bytes) return fault(Fault::Kind::tape, fmt::format("the tape's input '{}' has {} bytes, the call's {}", input.name, input.storage.bytes, from->bytes));
    moves.push_back({input.storage.at, from->at, from->bytes});
  }
  // By what is really restored: a tape may say that its inputs are larger than they are.
  for (const device::Move& m : moves) given.push_back({m.to, m.bytes});
  KBX_TRY_ASSIGN(poison_, PoisonFill::make(*card_, complement(arena_.base(), arena_.bytes(), merged(std::move(given)))));
  KBX_TRY_ASSIGN(restore_[number], Moves::make(*card_, moves));
  return {};
}

Outcome<void> Side::restore(int set) const {
  if (auto unfit = unfit_.find(set); unfit != unfit_.end()) return tl::unexpected(unfit->second);
  auto moves = restore_.find(set);
  if (moves == restore_.end()) return fault(Fault::Kind::command, fmt::format("there is no set {} of inputs", set));
  KBX_TRY(images_.reset_globals());
  return moves->second.enqueue(*card_, *kernels_);
}

Outcome<void> Side::poison() const { return poison_.enqueue(*card_, *kernels_); }

Outcome<void> Side::poison_all() const {
  return card_->check(card_->cu.cuMemsetD32Async(arena_.base(), device::kPoisonWord, arena_.bytes() / 4, card_->stream()), "cuMemsetD32Async", Fault::Kind::device);
}

Outcome<void> Side::reload_code(Images::Which which) {
  if (which == Images::Which::with_globals ? images_.has_globals() : images_.has_movable()) program_.drop_graph();  // before its code may go
  KBX_TRY_ASSIGN(bool fresh, images_.reload(which));
  return fresh ? program_.resolve(images_) : Outcome<void>();
}

const DeviceTensor* Side::output(const std::string& name) const {
  for (const DeviceTensor& t : tape_.outputs)
    if (t.name == name) return &t;
  return nullptr;
}

std::vector<std::string> Side::notes() const {
  std::vector<std::string> out = program_.notes();
  if (images_.has_globals()) out.push_back("device globals: code loaded afresh before every run");
  if (images_.has_strings()) out.push_back("device globals: the compiler's strings are not reset");
  if (images_.has_unread()) out.push_back("library images: device globals not looked for");
  return out;
}

}  // namespace kbx::clock
