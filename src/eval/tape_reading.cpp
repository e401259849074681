// Two marks a buffer. `lost`: a replay does not know its bytes, since an operator that it has not wrote them, and which.
// `derived`: its bytes depend on the inputs. Both flow through every entry from what it reads to what it writes.
#include "eval/tape_reading.h"

#include <algorithm>
#include <set>

namespace kbx::eval {
namespace {

class Reading {
 public:
  explicit Reading(const Tape& tape) : tape_(tape), lost_(tape.buffers.size()), derived_(tape.buffers.size()), constant_(tape.buffers.size()) {
    for (size_t k = 0; k < tape.buffers.size(); k++) {
      auto origin = tape.buffers[k].origin;
      derived_[k] = origin == TapeBuffer::Origin::input;
      constant_[k] = origin == TapeBuffer::Origin::constant;
      if (origin == TapeBuffer::Origin::unknown) lost_[k].insert("memory of unknown contents");
    }
  }

  TapeReading read() {
    if (!tape_.trouble.empty()) {
      out_.why_not = tape_.trouble;
      return out_;
    }
    for (const TapeEntry& e : tape_.entries) std::visit([&](const auto& one) { take(one); }, e);
    std::set<std::string> operators;
    for (const TapeView& v : tape_.outputs) operators.insert(lost_[size_t(v.buffer)].begin(), lost_[size_t(v.buffer)].end());
    for (size_t k = 0; k < tape_.buffers.size(); k++)  // arguments that the call writes to
      if (tape_.buffers[k].origin == TapeBuffer::Origin::input) operators.insert(lost_[k].begin(), lost_[k].end());
    out_.operators.assign(operators.begin(), operators.end());
    out_.playable = operators.empty();
    for (const std::string& op : out_.operators) out_.why_not += (out_.why_not.empty() ? "the result needs " : ", ") + op;
    return out_;
  }

 private:
  void flow(const std::vector<int32_t>& reads, const std::vector<int32_t>& writes) {
    std::set<std::string> lost;
    bool derived = false;
    for (int32_t r : reads) {
      lost.insert(lost_[size_t(r)].begin(), lost_[size_t(r)].end());
      derived |= derived_[size_t(r)];
    }
    for (int32_t w : writes) {
      lost_[size_t(w)].insert(lost.begin(), lost.end());
      if (derived) derived_[size_t(w)] = true;
    }
  }

  void take(const TapeLaunch& e) {
    std::vector<int32_t> reads;
    for (const TapeArgument& a : e.arguments) {
      if (a.buffer < 0) continue;
      reads.push_back(a.buffer);
      out_.uses_constants |= constant_[size_t(a.buffer)];
    }
    flow(reads, e.writes);
  }
  void take(const TapeCopy& e) { flow({e.from.buffer}, {e.to.buffer}); }
  void take(const TapeFill&) {}
  void take(const TapeData& e) { lost_[size_t(e.buffer)].clear(); }
  void take(const TapeOperator& e) {
    flow(e.reads, e.writes);
    for (int32_t w : e.writes) lost_[size_t(w)].insert(e.name);
  }
  void take(const TapeHostRead& e) { out_.host_dependent |= derived_[size_t(e.buffer)]; }

  const Tape& tape_;
  TapeReading out_;
  std::vector<std::set<std::string>> lost_;
  std::vector<bool> derived_, constant_;
};

}  // namespace

TapeReading read_tape(const Tape& tape) { return Reading(tape).read(); }

std::vector<std::string> operators_of(const Tape& tape) {
  std::vector<std::string> names;
  for (const TapeEntry& e : tape.entries)
    if (const auto* op = std::get_if<TapeOperator>(&e)) names.push_back(op->name);
  return names;
}

std::vector<std::string> tape_flags(const Tape& tape, const TapeReading& reading) {
  std::vector<std::string> flags;
  if (!tape.trouble.empty()) return flags;
  if (tape.launches() == 0) flags.push_back("tape: empty");
  if (reading.host_dependent) flags.push_back("tape: host read");
  if (reading.uses_constants) flags.push_back("tape: constants");
  std::string names;
  for (const std::string& op : reading.operators) names += (names.empty() ? "" : ", ") + op;
  if (!names.empty()) flags.push_back("tape: operators " + names);
  return flags;
}

}  // namespace kbx::eval
