// Which roles a loop asks, and the loop itself.
#include "agent/make_loop.h"

#include <fmt/core.h>

#include "agent/evolve.h"
#include "agent/parallel_refine.h"
#include "agent/single_pass.h"

namespace kbx::agent {
namespace {

// Without those of a phase that is off.
std::vector<std::string> roles_asked(const Method& m) {
  std::vector<std::string> out;
  for (std::string& role : role_names(m)) {
    bool off = (role == "judge" && !m.evolve.judge) ||
               (m.loop == LoopKind::parallel_refine && m.parallel_refine.optimise.rounds == 0 && role != "seed" && role != "refine");
    if (!off) out.push_back(std::move(role));
  }
  return out;
}

// Blocks that the loop itself puts into lists: role, block.
std::vector<std::pair<std::string, std::string>> items_of(const Method& m) {
  if (m.loop == LoopKind::single_pass) return {};
  if (m.loop == LoopKind::parallel_refine) {
    if (m.parallel_refine.optimise.rounds == 0) return {{"refine", "history_item"}};
    return {{"refine", "history_item"}, {"optimise", "history_item"}};
  }
  std::vector<std::pair<std::string, std::string>> out{{"optimise", "ancestor_item"}, {"optimise", "analysis_item"}};
  for (std::string_view role : {"generator", "reflect_fail", "reflect_pass"})
    for (std::string_view block : {"attempt_item", "analysis_item"}) out.emplace_back(role, block);
  if (m.evolve.retrieval.on) out.emplace_back("generator", "example_item");
  return out;
}

}  // namespace

Result<std::unique_ptr<Loop>> make_loop(LoopParts parts) {
  const Method& m = parts.method;
  for (const std::string& role : roles_asked(m)) {
    auto found = m.roles.find(role);
    if (found == m.roles.end() || found->second.prompt.empty())
      return fail(Code::usage, fmt::format("method '{}' names no prompt for the role '{}': roles = {{ {} = \"...\" }}", m.name, role, role));
    if (auto ok = parts.prompts.check(found->second.prompt, m.form); !ok)
      return tl::unexpected(with_context(ok.error(), fmt::format("while preparing method '{}', role '{}'", m.name, role)));
  }
  for (const auto& [role, block] : items_of(m))
    if (const std::string& prompt = m.roles.at(role).prompt; !parts.prompts.has_block(prompt, block))
      return fail(Code::usage, fmt::format("method '{}', role '{}': prompt '{}' needs a block '{}', which nobody wrote", m.name, role, prompt, block));
  if (m.loop == LoopKind::single_pass) return std::unique_ptr<Loop>(std::make_unique<SinglePassLoop>(std::move(parts)));
  if (m.loop == LoopKind::evolve) return std::unique_ptr<Loop>(std::make_unique<EvolveLoop>(std::move(parts)));
  return std::unique_ptr<Loop>(std::make_unique<ParallelRefineLoop>(std::move(parts)));
}

}  // namespace kbx::agent
