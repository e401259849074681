// Side: one loaded tape with all that playing it needs.
#pragma once
#include "clock/arena.h"
#include "clock/bulk.h"
#include "clock/inputs.h"
#include "clock/program.h"

namespace kbx::clock {

class Side {
 public:
  // Fault: tape, address, memory, image, function.
  static Outcome<std::unique_ptr<Side>> load(Card& card, const Kernels& kernels, const Bytes& bytes);

  const DeviceTape& tape() const { return tape_; }
  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }
  Program& program() { return program_; }
  const Images& images() const { return images_; }

  // Says where the inputs of set `number` come from; sets that are used together have inputs of the same sizes. Fault
  // tape: an input the set has not, or one that is too small; restoring that set then says so again.
  Outcome<void> bind(int number, const InputSet& set);

  // All of these put work on the card's stream and return.
  Outcome<void> restore(int set) const;     // inputs and constants
  Outcome<void> poison() const;             // everything else of the arena
  Outcome<void> poison_all() const;

  Outcome<Guard::Hits> guard() const { return guard_.check(*card_, *kernels_); }
  // Fresh code: what moves for a group, or what has variables of its own for a run. The stream must be idle.
  Outcome<void> reload_code(Images::Which which);

  const DeviceTensor* output(const std::string& name) const;
  std::vector<std::string> notes() const;

 private:
  Outcome<void> try_bind(int number, const InputSet& set);

  Card* card_ = nullptr;
  const Kernels* kernels_ = nullptr;
  DeviceTape tape_;
  Arena arena_;
  Images images_;
  Program program_;
  PoisonFill poison_;
  Guard guard_;
  Buffer constants_;
  std::vector<device::Move> constant_moves_;
  std::map<int, Moves> restore_;  // by set
  std::map<int, Fault> unfit_;
};

}  // namespace kbx::clock
