// Commands that load, play and compare.
#include <fmt/format.h>

#include "clock/pieces.h"
#include "clock/session.h"
#include "model/clock_wire.h"

namespace kbx::clock {
namespace {

constexpr double kLimitMs = 10e3;
constexpr int kMostSets = 64;

double limit_of(const Json& command) { return get_double(command, "limit_ms").value_or(kLimitMs); }

Json shape_json(const std::vector<int64_t>& shape) {
  Json out = Json::array();
  for (int64_t d : shape) out.push_back(d);
  return out;
}

Json tensors_json(const std::vector<DeviceTensor>& tensors) {
  Json out = Json::array();
  for (const DeviceTensor& t : tensors)
    out.push_back({{"name", t.name}, {"dtype", to_text(t.dtype)}, {"shape", shape_json(t.shape)}, {"storage_bytes", t.storage.bytes}});
  return out;
}

template <class T>
Outcome<T> of_side(Outcome<T> outcome, const char* side) {
  if (!outcome) outcome.error().side = side;
  return outcome;
}

}  // namespace

Outcome<Message> Session::load(const Message& m) {
  KBX_TRY_ASSIGN(auto at, slot(m.head));
  const char* name = at == &candidate_ ? "candidate" : "reference";
  at->reset();  // its addresses may be the new one's
  KBX_TRY_ASSIGN(*at, of_side(Side::load(*card_, *kernels_, m.blob), name));
  for (auto& [number, set] : sets_) {
    auto bound = (*at)->bind(number, set);  // a set of an earlier tape's inputs need not fit this one
    if (!bound && bound.error().kind != Fault::Kind::tape) return tl::unexpected(std::move(bound.error()));
  }
  const Side& side = **at;
  return Message{{{"launches", side.tape().launches()}, {"arena_bytes", side.arena().bytes()}, {"images", side.tape().images.size()}, {"notes", side.notes()},
                  {"inputs", tensors_json(side.tape().inputs)}, {"outputs", tensors_json(side.tape().outputs)}},
                 {}};
}

Outcome<Message> Session::unload(const Message&) {
  KBX_TRY(card_->wait());
  candidate_.reset();
  reference_.reset();
  sets_.clear();
  tolerances_.clear();
  return Message{};
}

Outcome<Message> Session::inputs(const Message& m) {
  auto number = get_int(m.head, "set");
  if (!number || *number < 0 || *number >= kMostSets) return fault(Fault::Kind::command, "no number of a set");
  int set = int(*number);
  sets_.erase(set);
  KBX_TRY_ASSIGN(InputSet made, InputSet::make(*card_, *kernels_, get(m.head, "inputs"), m.blob));
  const InputSet& kept = sets_.emplace(set, std::move(made)).first->second;
  if (candidate_) KBX_TRY(of_side(candidate_->bind(set, kept), "candidate"));
  if (reference_) KBX_TRY(of_side(reference_->bind(set, kept), "reference"));
  return Message{{{"bytes", kept.bytes()}}, {}};
}

// A set's bytes as they lie on the card, for whoever computes on the very same inputs elsewhere.
Outcome<Message> Session::read(const Message& m) {
  KBX_TRY_ASSIGN(int set, set_of(m.head));
  const InputSet& kept = sets_.at(set);
  if (kept.bytes() > kMaxClockBlob) return fault(Fault::Kind::command, "the inputs are too large for one message");
  KBX_TRY_ASSIGN(bool intact, kept.intact(*card_, *kernels_));
  if (!intact) return fault(Fault::Kind::memory, fmt::format("set {} of inputs was changed", set));
  Message out;
  Json list = Json::array();
  for (const auto& [name, place] : kept.places()) {
    uint64_t at = out.blob.size();
    out.blob.resize(at + place.bytes);
    KBX_TRY(download(*card_, out.blob.data() + at, place.at, place.bytes));
    list.push_back({{"name", name}, {"at", at}, {"bytes", place.bytes}});
  }
  out.head = {{"inputs", list}};
  return out;
}

Outcome<void> Session::play_once(Side& side, double limit_ms) const {
  if (side.images().has_globals()) KBX_TRY(side.reload_code(Images::Which::with_globals));
  auto queued = side.program().enqueue();
  auto ended = card_->wait(limit_ms);
  if (!ended) return ended;  // what the card says comes before what the driver said of a later launch
  return queued;
}

Outcome<Message> Session::play(const Message& m) {
  KBX_TRY_ASSIGN(Side* side, loaded(m.head));
  KBX_TRY_ASSIGN(int set, set_of(m.head));
  bool candidate = side == candidate_.get();
  const char* name = candidate ? "candidate" : "reference";
  // Nothing of the other side's work may be there to be copied.
  if (Side* other = candidate ? reference_.get() : candidate_.get()) KBX_TRY(other->poison_all());
  // Without poison nothing is written but the inputs, so that a tool sees what was never written; then there is no guard
  // to look at, and the outputs stay where they are.
  bool poison = get_bool(m.head, "poison").value_or(true);
  if (poison) KBX_TRY(side->poison_all());
  KBX_TRY(side->restore(set));
  KBX_TRY(card_->wait());
  KBX_TRY(of_side(play_once(*side, limit_of(m.head)), name));
  if (!poison) return Message{{{"outputs", Json::array()}, {"guard_words", 0}, {"guard_at", ""}}, {}};
  KBX_TRY_ASSIGN(Guard::Hits hits, of_side(side->guard(), name));
  Message out;
  Json outputs = Json::array();
  for (const DeviceTensor& t : side->tape().outputs) {
    uint64_t room = kMaxClockBlob - out.blob.size();
    Buffer scratch;
    KBX_TRY_ASSIGN(uint64_t bytes, of_side(dense_bytes(t, room), name));
    KBX_TRY_ASSIGN(uint64_t from, dense_at(*card_, *kernels_, t, scratch, room));
    uint64_t at = out.blob.size();
    out.blob.resize(at + bytes);
    KBX_TRY(download(*card_, out.blob.data() + at, from, bytes));
    outputs.push_back({{"name", t.name}, {"dtype", to_text(t.dtype)}, {"shape", shape_json(t.shape)}, {"at", at}, {"bytes", bytes}});
  }
  out.head = {{"outputs", outputs}, {"guard_words", hits.words}, {"guard_at", hits.words ? place_text(side->tape(), hits.first) : ""}};
  return out;
}

Outcome<Json> Session::compare_all(const std::vector<Tolerance>& tolerances) {
  Json out = Json::array();
  for (const Tolerance& t : tolerances) {
    KBX_TRY_ASSIGN(Comparison c, compare(*card_, *kernels_, candidate_->output(t.name), reference_->output(t.name), t));
    out.push_back(c.json());
  }
  return out;
}

Outcome<Message> Session::verify(const Message& m) {
  if (!candidate_ || !reference_) return fault(Fault::Kind::command, "both sides must be loaded");
  KBX_TRY_ASSIGN(int set, set_of(m.head));
  KBX_TRY_ASSIGN(tolerances_, read_tolerances(get(m.head, "outputs")));
  for (Side* side : {candidate_.get(), reference_.get()}) {
    KBX_TRY(side->poison_all());
    KBX_TRY(side->restore(set));
  }
  KBX_TRY(card_->wait());
  // The candidate first: the reference's outputs are not there yet.
  KBX_TRY(of_side(play_once(*candidate_, limit_of(m.head)), "candidate"));
  KBX_TRY_ASSIGN(Guard::Hits hits, candidate_->guard());
  // Whatever it did to the other arena is undone: it may have guessed where that lies.
  KBX_TRY(reference_->poison_all());
  KBX_TRY(reference_->restore(set));
  KBX_TRY(card_->wait());
  KBX_TRY(of_side(play_once(*reference_, limit_of(m.head)), "reference"));
  KBX_TRY_ASSIGN(Json outputs, compare_all(tolerances_));
  return Message{{{"outputs", outputs}, {"guard_words", hits.words}, {"guard_at", hits.words ? place_text(candidate_->tape(), hits.first) : ""}}, {}};
}

}  // namespace kbx::clock
