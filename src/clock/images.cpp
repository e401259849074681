#include "clock/images.h"

#include <fmt/format.h>

#include <map>

#include "base/hash.h"
#include "cuda/elf_image.h"

namespace kbx::clock {
namespace {

constexpr size_t kMovableBytes = 128 << 10, kPadding = 64, kMostRetired = 192;

std::string key_of(const DeviceImage& image) { return sha256_hex({reinterpret_cast<const char*>(image.data.data()), image.data.size()}); }

}  // namespace

Images& Images::operator=(Images&& other) noexcept {
  std::swap(card_, other.card_);
  std::swap(loaded_, other.loaded_);
  std::swap(slot_, other.slot_);
  std::swap(retired_, other.retired_);
  std::swap(has_globals_, other.has_globals_);
  std::swap(has_unread_, other.has_unread_);
  std::swap(has_movable_, other.has_movable_);
  std::swap(has_strings_, other.has_strings_);
  return *this;
}
Images::~Images() {
  for (const Loaded& l : loaded_)
    if (l.module) card_->cu.cuModuleUnload(l.module);
  for (CUmodule m : retired_) card_->cu.cuModuleUnload(m);
}

Outcome<Images::Loaded> Images::prepare(const DeviceImage& image) {
  Loaded out;
  out.padded = image.data;
  out.padded.resize(image.data.size() + kPadding);
  out.movable = image.origin == "heap" && image.data.size() <= kMovableBytes;
  switch (image.kind) {
    case DeviceImage::Kind::elf: {
      auto globals = cuda::read_elf_globals(image.data.data(), image.data.size());
      if (!globals) return fault(Fault::Kind::image, fmt::format("machine code that is malformed: {}", globals.error().message));
      out.sections = std::move(*globals);
      return out;
    }
    case DeviceImage::Kind::fatbin:
      if (auto whole = cuda::check_fatbin(image.data.data(), image.data.size()); !whole) return fault(Fault::Kind::image, whole.error().message);
      return out;
    case DeviceImage::Kind::ptx:
      return out;
    default:
      return fault(Fault::Kind::image, "machine code of a kind that is not known");
  }
}

Outcome<CUmodule> Images::load_one(const Loaded& image) const {
  CUmodule module = nullptr;
  KBX_TRY(card_->check(card_->cu.cuModuleLoadData(&module, image.padded.data()), "cuModuleLoadData", Fault::Kind::image));
  return module;
}

// Any symbol of a section that the driver knows tells where the section lies.
Outcome<void> Images::find_globals(Loaded& image) const {
  constexpr uint64_t kMostBytes = uint64_t(256) << 20;
  std::vector<Loaded::Place> places;
  for (const cuda::ElfGlobals& section : image.sections) {
    CUdeviceptr at = 0;
    size_t bytes = 0;
    for (const auto& symbol : section.symbols)
      if (at == 0 && card_->cu.cuModuleGetGlobal(&at, &bytes, image.module, symbol.name.c_str()) == CUDA_SUCCESS) at -= symbol.offset;
    if (at == 0 || section.bytes > kMostBytes) break;
    places.push_back({at, section.bytes, {}});
  }
  bool known = places.size() == image.sections.size();
  for (size_t k = 0; known && k < places.size(); k++) {
    if (k < image.places.size()) places[k].initial = std::move(image.places[k].initial);
    if (!places[k].initial) {
      KBX_TRY_ASSIGN(places[k].initial, Buffer::make(*card_, places[k].bytes));
    }
    // The driver tells a place for the compiler's own strings too, and refuses to copy from there.
    known = card_->cu.cuMemcpyDtoDAsync(places[k].initial.at(), places[k].at, places[k].bytes, card_->stream()) == CUDA_SUCCESS;
  }
  image.strings = !known && cuda::only_compilers_strings(image.sections);
  image.globals = !known && !image.strings;
  if (known) image.places = std::move(places);
  else image.places.clear();
  return {};
}

Outcome<void> Images::reset_globals() const {
  for (const Loaded& image : loaded_)
    for (const Loaded::Place& p : image.places)
      KBX_TRY(card_->check(card_->cu.cuMemcpyDtoDAsync(p.at, p.initial.at(), p.bytes, card_->stream()), "cuMemcpyDtoDAsync", Fault::Kind::device));
  return {};
}

Outcome<Images> Images::load(Card& card, const DeviceTape& tape) {
  Images out;
  out.card_ = &card;
  std::map<std::string, size_t> known;
  for (const DeviceImage& image : tape.images) {
    auto [at, fresh] = known.emplace(key_of(image), out.loaded_.size());
    out.slot_.push_back(at->second);
    if (!fresh) continue;
    KBX_TRY_ASSIGN(Loaded loaded, prepare(image));
    KBX_TRY_ASSIGN(loaded.module, out.load_one(loaded));
    KBX_TRY(out.find_globals(loaded));
    out.has_globals_ |= loaded.globals;
    out.has_strings_ |= loaded.strings;
    out.has_movable_ |= loaded.movable;
    out.has_unread_ |= image.kind != DeviceImage::Kind::elf;
    out.loaded_.push_back(std::move(loaded));
  }
  return out;
}

Outcome<bool> Images::reload(Which which) {
  bool any = false;
  for (Loaded& l : loaded_) {
    if (which == Which::movable ? !l.movable : !l.globals) continue;
    KBX_TRY_ASSIGN(CUmodule fresh, load_one(l));
    retired_.push_back(std::exchange(l.module, fresh));
    KBX_TRY(find_globals(l));
    any = true;
  }
  if (retired_.size() > kMostRetired) {
    for (CUmodule m : retired_) card_->cu.cuModuleUnload(m);
    retired_.clear();
  }
  return any;
}

}  // namespace kbx::clock
