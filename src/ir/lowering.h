// IR -> register machine. One Lowering a kernel; the families (lower_*.cpp) add their operations through tables.
//
// A storage is a number for some arena bytes; offsets are given at the end (liveness.cpp). Every operation's operand
// counts, kinds and lane counts are checked here, because the text may be hostile and kernels check nothing.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "ir/op_row.h"
#include "ir/program.h"
#include "ir/storage.h"

namespace kbx::ir {

class Lowering {
 public:
  Lowering(const Module& m, MachineCode& c);
  Lowered run();

  const Module& module;
  MachineCode& code;
  std::vector<Storage> storages;
  std::vector<Loop> loops;

  // ---- refusals
  tl::unexpected<Error> malformed(const Op& o, std::string_view why) const;
  tl::unexpected<Error> not_judged(const Op& o, std::string_view why) const;
  Lowered expect(const Op& o, bool holds, std::string_view why) const;
  // Exactly these many operands and results.
  Lowered expect_arity(const Op& o, size_t operands, size_t results) const;
  // A kernel table's bytes, before they are made.
  Lowered reserve_table(const Op& o, uint64_t bytes);

  // ---- values
  const Type& type(ValueId v) const { return module.type(v); }
  uint32_t lanes(ValueId v) const;  // in a combine region a scalar has many
  Slot slot(ValueId v, uint32_t storage) const { return {storage, type(v).kind, lanes(v)}; }
  bool has_storage(ValueId v) const { return values_[v].storage != 0; }
  uint32_t storage(ValueId v) const { return values_[v].storage; }
  Result<uint32_t> use(const Op& o, ValueId v) const;
  Result<uint32_t> operand(const Op& o, size_t k) const { return use(o, o.operands[k]); }
  uint32_t fresh(uint64_t bytes, bool fixed = false);
  uint32_t make(ValueId v, bool fixed = false);
  void alias(ValueId v, uint32_t storage, bool invariant) { values_[v] = {storage, invariant}; }
  // All operands depend on the launch's arguments alone: the instruction belongs into the setup.
  bool is_invariant(const Op& o) const;
  bool is_invariant(ValueId v) const { return values_[v].invariant; }
  void set_invariant(ValueId v, bool invariant) { values_[v].invariant = invariant; }

  // ---- instructions
  Extra* new_extra();
  uint32_t emit(Inst i, bool invariant = false);  // its index in main or in the region's body; 0 in the setup
  uint32_t here() const { return static_cast<uint32_t>((body_ ? *body_ : code.main).size()); }
  void patch(uint32_t at, uint32_t target) { (body_ ? *body_ : code.main)[at].x = target; }
  uint32_t jump(Control control, uint32_t a = 0, uint32_t target = 0);
  void touch(uint32_t storage, int64_t position);
  void copy(const Slot& to, uint32_t from);
  // All at once: a target may be another's source. Kinds and lanes must agree.
  Lowered moves(const Op& o, std::span<const ValueId> from, std::span<const Slot> to);
  Lowered add_loop(const Op& o, uint32_t begin, uint32_t end);

  Lowered op(const Op& o);
  Lowered block(const Block& b);
  // The only block of a region, with at least its terminator of that name.
  Result<const Block*> only_block(const Op& o, size_t region, std::string_view terminator) const;
  // All blocks of a region, with the branches between them. The entry block's arguments are the caller's to make.
  Lowered blocks(const Op& o, const Region& region);

  // ---- the region of a reduction: instructions go to `body`, every scalar gets `count` lanes
  bool in_combine() const { return body_ != nullptr; }
  void begin_combine(std::vector<Inst>& body, uint32_t count) { body_ = &body, combine_lanes_ = count; }
  void end_combine() { body_ = nullptr; }
  // May stand in a body that runs all lanes at once.
  static bool is_lane_wise(const Op& o);
  // A body with control flow runs one lane at a time: where its terminator's values go, and the jumps to its end.
  struct Frame {
    std::vector<Slot> results;
    std::vector<uint32_t> exits;
    bool memory = false;  // it may touch memory: how often a combine function runs is nobody's promise
  };
  Frame* frame = nullptr;
  // Scalars of outside are spread over `count` lanes for the region; to be given back to restore().
  struct Saved {
    ValueId value;
    uint32_t storage;
  };
  Result<std::vector<Saved>> spread_outer(const Op& o, const Block& b, uint32_t count);
  void restore(const std::vector<Saved>& saved);

  // ---- functions (lower_function.cpp)
  struct Function {
    const Op* op = nullptr;
    uint32_t pc = 0;
    bool declared = false, lowered = false, inlining = false;
    uint32_t return_pc = 0;  // storage; 0 = the entry function
    std::vector<Slot> arguments, results;
    std::vector<uint32_t> call_sites;
    std::vector<std::string_view> callees;
  };
  struct Label {
    const Block* block = nullptr;
    bool placed = false;
    uint32_t pc = 0;
    std::vector<Slot> arguments;
  };
  std::unordered_map<std::string_view, Function> functions;
  std::vector<std::string_view> pending;  // called, not lowered yet
  Function* current = nullptr;
  std::unordered_map<std::string_view, Label> labels;          // of the current function
  std::vector<std::pair<uint32_t, std::string_view>> forward;  // jumps to labels not placed yet
  int structured_depth = 0;                                    // inside scf regions

 private:
  struct ValueState {
    uint32_t storage = 0;
    bool invariant = false;
  };
  Lowered dispatch(const Op& o);
  Lowered place_blocks(const Op& o, const Region& region);
  Lowered lower_function(Function& f);
  Lowered declare_entry(Function& f);
  Lowered refuse_recursion();

  std::vector<ValueState> values_;
  std::vector<Inst>* body_ = nullptr;
  uint32_t combine_lanes_ = 1;
  uint32_t place_ = 0;
  uint64_t table_bytes_ = 0;
  bool in_entry_ = true;
};

Lowered lower_call(Lowering& l, const Op& o);
Lowered declare_function(Lowering& l, Lowering::Function& f);
// Offsets for all storages; fills MachineCode::arena_bytes.
Lowered place_storages(Lowering& l);
// Calls f with every storage number that the instruction names.
void each_storage(Inst& i, const std::function<void(uint32_t&)>& f);
Split split_at(const std::vector<uint32_t>& shape, size_t axis);

}  // namespace kbx::ir
