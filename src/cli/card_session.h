// CardSession: the machine's GPUs for one command: which are used, where the recorder and the clock are, what is known of
// the board.
#pragma once
#include <memory>
#include <optional>

#include "cli/settings.h"
#include "eval/on_card.h"

namespace kbx::cli {

// --device: "cpu"; "cuda" (all cards), "cuda:0,2"; "auto": all cards of a machine that has some, else cpu.
Result<void> read_device(const Settings& settings, eval::EvalConfig& config);

class CardSession {
 public:
  // Nothing to do without EvalConfig::card. Completes it by what the worker's python brings (NVRTC, CUPTI) and, where no
  // target was named, sets the first one to the cards'. With `auto` a card that cannot be used is said on stderr and left.
  static Result<std::unique_ptr<CardSession>> open(const Settings& settings, const sandbox::ZygoteFacts& facts, sandbox::ForkServer& server,
                                                   eval::EvalConfig& config, bool quiet);
  eval::CardBench* bench() { return bench_ ? &*bench_ : nullptr; }
  gpu::Cards* cards() const { return cards_.get(); }

 private:
  std::unique_ptr<gpu::Cards> cards_;
  std::unique_ptr<eval::ReferenceTapes> references_;
  std::optional<eval::CardBench> bench_;
};

}  // namespace kbx::cli
