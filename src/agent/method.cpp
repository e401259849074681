// Names of the enums, and how many calls a method can take.
#include "agent/method.h"

#include <array>

namespace kbx::agent {
namespace {

struct QuirkName {
  Quirk quirk;
  std::string_view text;
  LoopKind loop;
};
constexpr std::array kQuirks = {
    QuirkName{Quirk::best_overwritten, "best_overwritten", LoopKind::evolve},
    QuirkName{Quirk::order_mislabelled, "order_mislabelled", LoopKind::evolve},
    QuirkName{Quirk::history_by_self_score, "history_by_self_score", LoopKind::evolve},
    QuirkName{Quirk::judge_failure_lost, "judge_failure_lost", LoopKind::evolve},
    QuirkName{Quirk::rounds_to_end, "rounds_to_end", LoopKind::evolve},
    QuirkName{Quirk::results_lost, "results_lost", LoopKind::evolve},
    QuirkName{Quirk::history_shared, "history_shared", LoopKind::evolve},
    QuirkName{Quirk::untimed_forgotten, "untimed_forgotten", LoopKind::evolve},
    QuirkName{Quirk::mock_seeds, "mock_seeds", LoopKind::parallel_refine},
    QuirkName{Quirk::rising_temperature, "rising_temperature", LoopKind::parallel_refine},
    QuirkName{Quirk::last_untested, "last_untested", LoopKind::parallel_refine},
    QuirkName{Quirk::same_kernel_again, "same_kernel_again", LoopKind::parallel_refine},
    QuirkName{Quirk::beam_of_copies, "beam_of_copies", LoopKind::parallel_refine},
    QuirkName{Quirk::repairs_unchecked, "repairs_unchecked", LoopKind::parallel_refine},
};

int64_t calls_of(const Evolve& e) { return int64_t(e.rounds) * e.slots * (e.judge ? 3 : 2); }

int64_t calls_of(const ParallelRefine& p) {
  const Optimise& o = p.optimise;
  int64_t kernels = o.greedy ? 1 : o.keep, tries = kernels * (o.greedy ? 1 : o.directions);
  // A seed and its refinements a worker; a round: a diagnosis a kernel; a try, its repairs and a look back each.
  return int64_t(p.workers) * (1 + p.rounds) + int64_t(o.rounds) * (kernels + tries * (2 + o.repairs));
}

}  // namespace

std::string_view to_text(LoopKind kind) {
  return kind == LoopKind::single_pass ? "single_pass" : kind == LoopKind::evolve ? "evolve" : "parallel_refine";
}

std::string_view to_text(Quirk quirk) {
  for (const QuirkName& row : kQuirks)
    if (row.quirk == quirk) return row.text;
  return "";
}

std::optional<Quirk> quirk_from_text(std::string_view text) {
  for (const QuirkName& row : kQuirks)
    if (row.text == text) return row.quirk;
  return std::nullopt;
}

std::set<Quirk> quirks_of(const Method& m) {
  if (m.loop == LoopKind::evolve && m.evolve.single_slot()) return {Quirk::results_lost, Quirk::untimed_forgotten};
  std::set<Quirk> out;
  for (const QuirkName& row : kQuirks)
    if (row.loop == m.loop && row.quirk != Quirk::results_lost) out.insert(row.quirk);
  return out;
}

std::vector<std::string> role_names(const Method& m) {
  switch (m.loop) {
    case LoopKind::single_pass:
      return {"solver"};
    case LoopKind::evolve:
      return {"generator", "optimise", "judge", "reflect_fail", "reflect_pass"};
    case LoopKind::parallel_refine:
      return {"seed", "refine", "bottleneck", "optimise", "reflexion"};
  }
  return {};
}

int64_t most_calls(const Method& m) {
  switch (m.loop) {
    case LoopKind::single_pass:
      return m.single_pass.samples;
    case LoopKind::evolve:
      return calls_of(m.evolve);
    case LoopKind::parallel_refine:
      return calls_of(m.parallel_refine);
  }
  return 0;
}

}  // namespace kbx::agent
