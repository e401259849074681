// What a worker answered, checked: hostile JSON and arena offsets to plain values. A lie is an Error with code usage
// ("the worker said ..."), which the conversation turns into Fate::babbled.
#pragma once
#include "base/json.h"
#include "base/result.h"
#include "sandbox/arena.h"
#include "sandbox/outcome.h"

namespace kbx::sandbox {

// Limits on a result: worker/wire.h; tensors inside the arena's result part with exactly shape x itemsize bytes.
// `on_device`: a CPU tensor is not what was asked for and becomes an `object` value.
Result<Value> decode_result(const Json& result, const Arena& arena, bool on_device, std::vector<std::string>& aliases);
WorkerError decode_error(const Json& error);
std::vector<Launch> decode_launches(const Json& list);    // at most 4096 kept
std::vector<Finding> decode_findings(const Json& list);   // at most 256 kept, texts cut and cleaned
std::map<std::string, int64_t> decode_ops(const Json& object);
std::vector<Compiled> decode_compiled(const Json& list);
// A tape that is none becomes one with `trouble`: nothing is played then, and nothing else depends on it.
Tape decode_tape(const Json& object);
// Adds the texts whose hash is what the worker said, while they are at most 64 MiB together.
void decode_texts(const Json& object, std::map<std::string, std::string>& texts);

}  // namespace kbx::sandbox
