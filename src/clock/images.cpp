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
      auto sections = cuda::read_elf_sections(image.data.data(), image.data.size());
      if (!sections) return fault(Fault::Kind::image, fmt::format("machine code that is malformed: {}", sections.error().message));
      out.globals = cuda::writable_global_bytes(*sections) > 0;
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

Outcome<Images> Images::load(const Card& card, const DeviceTape& tape) {
  Images out;
  out.card_ = &card;
  std::map<std::string, size_t> known;
  for (const DeviceImage& image : tape.images) {
    auto [at, fresh] = known.emplace(key_of(image), out.loaded_.size());
    out.slot_.push_back(at->second);
    if (!fresh) continue;
    KBX_TRY_ASSIGN(Loaded loaded, prepare(image));
    KBX_TRY_ASSIGN(loaded.module, out.load_one(loaded));
    out.has_globals_ |= loaded.globals;
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
    any = true;
  }
  if (retired_.size() > kMostRetired) {
    for (CUmodule m : retired_) card_->cu.cuModuleUnload(m);
    retired_.clear();
  }
  return any;
}

}  // namespace kbx::clock
