// The end of a recording: constants and the tape itself.
#include <fmt/format.h>

#include <algorithm>

#include "probe/recorder.h"

namespace kbx::probe {

bool Recorder::is_input(const Block& block) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [&](const DeviceTensor& t) {
    return t.storage.at >= block.at && t.storage.at < block.at + std::max<uint64_t>(block.bytes, 1);
  });
}

// Whether a launch writes a block cannot be seen, so its bytes are taken between the dry run, which tells that it is
// needed, and the run that counts.
void Recorder::snapshot() {
  uint64_t sum = 0;
  snapshots_.clear();
  for (const auto& [at, block] : touched_) {
    if (is_input(block) || block.bytes == 0) continue;
    sum += block.bytes;
    if (sum > kMaxConstantBytes) return;  // tape() says so
    Bytes data(block.bytes);
    if (lookup_.read(at, data.data(), data.size())) snapshots_[at] = {block.serial, std::move(data)};
  }
}

void Recorder::add_constants(DeviceTape& tape) {
  uint64_t sum = 0;
  for (const auto& [at, block] : touched_) {
    if (is_input(block) || block.bytes == 0) continue;
    sum += block.bytes;
    if (sum > kMaxConstantBytes) {
      tape.trouble.push_back(
          fmt::format("the call uses more than {} MiB of memory from before it", kMaxConstantBytes >> 20));
      return;
    }
    auto found = snapshots_.find(at);
    if (found != snapshots_.end() && found->second.serial == block.serial) {
      tape.constants.push_back({at, found->second.data});
      continue;
    }
    // The dry run did not touch it: all that is left is what it holds now.
    tape.calls["kbx: constants read after the call"]++;
    Bytes data(block.bytes);
    if (lookup_.read(at, data.data(), data.size()))
      tape.constants.push_back({at, std::move(data)});
    else
      tape.trouble.push_back("memory from before the call cannot be read");
  }
}

DeviceTape Recorder::tape() {
  DeviceTape tape;
  tape.base = arena_.base();
  tape.events = streams_.finish();
  tape.streams = streams_.count();
  tape.threads = uint32_t(std::max<size_t>(threads_.size(), 1));
  tape.entries = entries_;
  tape.functions = functions_;
  tape.inputs = inputs_;
  tape.outputs = outputs_;
  tape.live = live_;
  tape.calls = calls_;
  tape.trouble = trouble_;
  std::map<uint32_t, uint32_t> numbers;  // image of the process -> of the tape
  for (DeviceFunction& f : tape.functions) {
    auto [it, is_new] = numbers.try_emplace(f.image, uint32_t(tape.images.size()));
    if (is_new) tape.images.push_back(handles_.image(f.image).taken());
    f.image = it->second;
  }
  add_constants(tape);
  for (const DeviceRange& r : tape.live) tape.bytes = std::max(tape.bytes, r.at + r.bytes - tape.base);
  tape.bytes = (tape.bytes + kHeapAlign - 1) / kHeapAlign * kHeapAlign + kRedzone;
  if (tape.streams > 1024 || tape.events > 65536) tape.trouble.push_back("the call uses too many streams or events");
  return tape;
}

}  // namespace kbx::probe
