// Method as JSON: what a run records of it.
#include "agent/method.h"

namespace kbx::agent {
namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json roles_json(const Method& m) {
  Json out = Json::object();
  for (const auto& [name, role] : m.roles)
    out[name] = {{"prompt", role.prompt}, {"model", role.model}, {"temperature", optional_json(role.temperature)}, {"max_tokens", role.max_tokens}};
  return out;
}

Json sampling_json(const Sampling& s) {
  Json out = {{"temperature", optional_json(s.temperature)}, {"top_p", optional_json(s.top_p)}};
  out["top_k"] = s.top_k ? Json(*s.top_k) : Json();
  out["seed"] = s.seed ? Json(*s.seed) : Json();
  out["stop"] = s.stop;
  return out;
}

Json loop_json(const SinglePass& p) {
  return {{"n", p.samples}, {"select", p.select == Select::first ? "first" : p.select == Select::best ? "best" : "correct_then_fastest"}};
}

Json loop_json(const Evolve& e) {
  const Retrieval& r = e.retrieval;
  return {{"rounds", e.rounds},       {"slots", e.slots},         {"ancestors", e.ancestors}, {"first_round", e.first_round}, {"debug_cap", e.debug_cap}, {"debug_quorum", e.debug_quorum},
          {"history", e.history},     {"judge", e.judge},
          {"retrieval", {{"on", r.on}, {"first", r.first_by_instruction}, {"later", r.later_by_code}, {"k", r.k}}}};
}

Json loop_json(const ParallelRefine& p) {
  const Optimise& o = p.optimise;
  return {{"workers", p.workers}, {"rounds", p.rounds}, {"stop", p.all_workers ? "all" : "first_success"}, {"dedup", p.dedup}, {"denylist", p.denylist}, {"wordings", p.wordings},
          {"seed_temperature", optional_json(p.seed_temperature)}, {"refine_temperature", optional_json(p.refine_temperature)},
          {"history", {{"n", p.history.n}, {"code", p.history.code}, {"err", p.history.err}, {"out", p.history.out}}},
          {"optimise", {{"rounds", o.rounds}, {"keep", o.keep}, {"directions", o.directions}, {"repairs", o.repairs}, {"greedy", o.greedy}, {"patience", o.patience},
                        {"target", o.target}, {"revert_pct", o.revert_pct}, {"stop_at", o.stop_at}}}};
}

}  // namespace

Json method_json(const Method& m) {
  Json quirks = Json::array();
  for (Quirk quirk : m.quirks) quirks.push_back(std::string(to_text(quirk)));
  Json out = {{"name", m.name},
              {"loop", std::string(to_text(m.loop))},
              {"model", m.model},
              {"form", m.form},
              {"roles", roles_json(m)},
              {"reply", m.reply == ReplyForm::json ? "json" : "text"},
              {"extract", std::string(intake::to_text(m.extract))},
              {"strip_think", m.strip_think},
              {"sampling", sampling_json(m.sampling)},
              {"max_tokens", m.max_tokens},
              {"thinking", m.thinking == Thinking::on ? "on" : m.thinking == Thinking::off ? "off" : "unset"},
              {"effort", m.effort},
              {"feedback", std::string(to_text(m.feedback))},
              {"asks_again", m.asks_again},
              {"quirks", quirks}};
  out["setting"] = m.loop == LoopKind::single_pass ? loop_json(m.single_pass) : m.loop == LoopKind::evolve ? loop_json(m.evolve) : loop_json(m.parallel_refine);
  return out;
}

}  // namespace kbx::agent
