#include "replay/player.h"

#include <cstdlib>
#include <cstring>

#include "replay/copy_view.h"

namespace kbx::replay {

Result<const ir::Program*> Images::program(const std::string& hash) {
  auto found = programs_.find(hash);
  if (found == programs_.end()) {
    auto text = texts_.find(hash);
    if (text == texts_.end()) return fail(Code::usage, "the tape launches a kernel whose text did not come with it");
    KBX_TRY_ASSIGN(ir::Program program, ir::compile(text->second));
    found = programs_.emplace(hash, std::move(program)).first;
  }
  return &found->second;
}

void Player::Free::operator()(uint8_t* p) const { std::free(p); }

Result<void> Player::prepare() {
  for (const TapeBuffer& b : tape_.buffers) {
    if (b.origin == TapeBuffer::Origin::input) {
      if (b.at > input_bytes_ || b.bytes > input_bytes_ - b.at) return fail(Code::usage, "an input of the tape lies outside the call's inputs");
      memory_.push_back(inputs_ + b.at);
      continue;
    }
    size_t bytes = size_t(b.bytes), rounded = (bytes + 64) / 64 * 64;
    auto* p = static_cast<uint8_t*>(std::aligned_alloc(64, rounded));
    if (!p) return fail(Code::usage, "no memory for a buffer of the tape");
    owned_.emplace_back(p);
    memory_.push_back(p);
    const auto* data = reinterpret_cast<const uint8_t*>(b.data.data());
    if (b.origin == TapeBuffer::Origin::constant) std::memcpy(p, data, bytes);
    else if (b.origin == TapeBuffer::Origin::uniform)
      for (size_t k = 0; k < bytes; k++) p[k] = data[k % b.data.size()];
    else if (b.ones) std::memset(p, 0, bytes);
    else
      for (size_t k = 0; k < bytes; k++) p[k] = uint8_t(kFreshPattern >> (8 * (k % 2)));
  }
  return {};
}

Result<void> Player::play(const PlayOptions& options) {
  KBX_TRY(prepare());
  for (const TapeEntry& entry : tape_.entries) KBX_TRY(std::visit([&](const auto& e) { return run(e, options); }, entry));
  return {};
}

Result<void> Player::run(const TapeLaunch& launch, const PlayOptions& options) {
  for (int64_t n : launch.grid)
    if (n <= 0) return {};
  KBX_TRY_ASSIGN(const ir::Program* program, images_.program(tape_.images[size_t(launch.image)]));
  ir::LaunchSpec spec;
  for (size_t k = 0; k < 3; k++) {
    if (launch.grid[k] > INT32_MAX) return fail(Code::usage, "a grid of impossible size");
    spec.grid[k] = int32_t(launch.grid[k]);
  }
  std::map<int32_t, int32_t> ranges;  // buffer -> index
  for (const TapeArgument& a : launch.arguments) {
    if (a.buffer < 0) {
      spec.arguments.push_back(a.bits);
      spec.argument_ranges.push_back(-1);
      continue;
    }
    auto [it, fresh] = ranges.try_emplace(a.buffer, int32_t(spec.ranges.size()));
    uint8_t* base = memory_[size_t(a.buffer)];
    if (fresh) spec.ranges.push_back({base, uint64_t(tape_.buffers[size_t(a.buffer)].bytes), nullptr, a.width, int(a.buffer)});
    spec.arguments.push_back(uint64_t(reinterpret_cast<uintptr_t>(base)) + uint64_t(a.offset));
    spec.argument_ranges.push_back(it->second);
  }
  spec.threads = options.threads;
  spec.time_limit_s = options.seconds - used_seconds_;
  if (spec.time_limit_s <= 0) return fail(Code::usage, "the time for playing the tape is used up");
  KBX_TRY_ASSIGN(ir::Report report, ir::launch(*program, spec));
  used_seconds_ += report.seconds;
  if (!report.completed) return fail(Code::usage, "a launch did not finish in the time for playing the tape");
  return {};
}

Result<void> Player::run(const TapeCopy& copy, const PlayOptions&) {
  if (!can_cast(copy.to.dtype, copy.from.dtype)) return fail(Code::usage, "a cast between complex and real numbers");
  copy_view(copy.to, memory_[size_t(copy.to.buffer)], copy.from, memory_[size_t(copy.from.buffer)]);
  return {};
}

Result<void> Player::run(const TapeFill& fill, const PlayOptions&) {
  fill_view(fill.to, memory_[size_t(fill.to.buffer)], reinterpret_cast<const uint8_t*>(fill.element.data()));
  return {};
}

Result<void> Player::run(const TapeData& data, const PlayOptions&) {
  if (!data.data.empty()) std::memcpy(memory_[size_t(data.buffer)], data.data.data(), data.data.size());
  return {};
}

// Whether what such an operator made matters was asked before (eval/tape_reading.h): here it is passed over.
Result<void> Player::run(const TapeOperator&, const PlayOptions&) { return {}; }
Result<void> Player::run(const TapeHostRead&, const PlayOptions&) { return {}; }

void Player::output(const TapeView& view, uint8_t* to) const {
  TapeView dense{0, view.dtype, 0, view.shape, row_major(view.shape)};
  copy_view(dense, to, view, memory_[size_t(view.buffer)]);
}

}  // namespace kbx::replay
