// Rounds of diagnosis, rewriting and looking back.
#include "agent/optimise_phase.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/canonical.h"
#include "agent/denylist.h"
#include "agent/outcome.h"
#include "agent/standing.h"
#include "base/text.h"
#include "intake/json_reply.h"

namespace kbx::agent {
namespace {

constexpr size_t kPastShown = 5;     // attempts and lessons that a prompt shows
constexpr size_t kCodeShown = 800;   // bytes of an earlier try

std::string words_of_list(const Json& list) {
  std::string out;
  if (list.is_string()) return list.get<std::string>();
  if (!list.is_array()) return out;
  for (const Json& item : list)
    if (item.is_string()) out += (out.empty() ? "" : "; ") + item.get<std::string>();
  return out;
}

// "memory traffic. Causes: x; y. Change: z"
std::string diagnosis_of(const Json& entry) {
  std::string name = get_string(entry, "name").value_or(""), causes = words_of_list(get(entry, "causes")), fix = words_of_list(get(entry, "fix"));
  std::string out = name;
  if (!causes.empty()) out += fmt::format("{}Causes: {}.", out.empty() ? "" : ". ", causes);
  if (!fix.empty()) out += fmt::format("{}Change: {}", out.empty() ? "" : " ", fix);
  return out;
}

}  // namespace

bool OptimisePhase::is_optimise_role(const std::string& role) {
  return role == "bottleneck" || role == "optimise" || role == "reflexion" || starts_with(role, "repair_");
}

bool OptimisePhase::begin_optimising(Kernel kernel, int first_round) {
  if (setting().rounds == 0 || !kernel.timed() || out_of_budget()) return false;
  optimising_ = true;
  first_round_ = first_round;
  fastest_ = kernel;
  beam_.assign(method().has(Quirk::beam_of_copies) ? size_t(width()) : 1, kernel);
  begin_optimise_round();
  return true;
}

void OptimisePhase::begin_optimise_round() {
  directions_.clear();
  for (int k = 0; k < int(beam_.size()); k++)
    ask("bottleneck", phase_round_, k,
        {{"code", beam_[size_t(k)].code}, {"outcome", outcome_text(beam_[size_t(k)].feedback, false)}, {"directions", std::to_string(directions())}});
}

void OptimisePhase::optimise_replied(const CallId& id, const ChatResult& result) {
  if (id.role == "bottleneck") return diagnosed(id, result);
  if (id.role != "reflexion") return rewritten(id, result);
  TextAnswer words = read_words(result);
  if (words.none_more) no_more_calls();
  Direction& d = directions_[id.slot];
  d.calls.push_back(id);
  auto object = intake::object_in(words.text);
  if (!object) return;
  for (auto [key, word] : {std::pair{"lessons", ""}, {"avoid", "Avoid: "}, {"try", "Try: "}})
    if (std::string text = words_of_list(get(*object, key)); !text.empty()) d.lesson += (d.lesson.empty() ? "" : " ") + std::string(word) + text;
}

void OptimisePhase::diagnosed(const CallId& id, const ChatResult& result) {
  TextAnswer words = read_words(result);
  if (words.none_more) no_more_calls();
  std::vector<std::string> found;
  if (auto object = intake::object_in(words.text))
    if (const Json& list = get(*object, "bottlenecks"); list.is_array())
      for (const Json& entry : list)
        if (entry.is_object()) found.push_back(diagnosis_of(entry));
  const Kernel& parent = beam_[size_t(id.slot)];
  for (int d = 0; d < directions(); d++) {
    // Without a diagnosis one rewrite is tried all the same, and no second one that would be asked the same.
    if (d > 0 && d >= int(found.size())) break;
    int slot = id.slot * directions() + d;
    Direction& direction = directions_[slot];
    direction = {.parent = id.slot, .diagnosis = d < int(found.size()) ? found[size_t(d)] : "", .calls = {id}};
    ask("optimise", phase_round_, slot,
        {{"code", parent.code},
         {"outcome", outcome_text(parent.feedback, false)},
         {"diagnosis", direction.diagnosis},
         {"history", history_text()},
         {"lessons", lessons_text()},
         {"target", fmt::format("{:.0f} %", setting().target * 100)}});
  }
}

void OptimisePhase::rewritten(const CallId& id, const ChatResult& result) {
  CodeAnswer answer = read_code(result, method(), facts().target);
  if (answer.code.empty() && ask_again(answer)) return;
  Direction& d = directions_[id.slot];
  d.calls.push_back(id);
  if (answer.code.empty()) return;  // this direction ends
  d.answer = std::move(answer);
  d.from = id;
  test(d, id.slot);
}

void OptimisePhase::test(Direction& d, int slot) {
  bool look = method().parallel_refine.denylist && (d.repairs == 0 || !method().has(Quirk::repairs_unchecked));
  std::string violation = look ? denied(d.answer.code) : "";
  if (!violation.empty()) return tested(d, slot, not_evaluated(Verdict::constraint_violation, violation));
  evaluate({facts().task, first_round_ + phase_round_, slot, d.repairs}, d.answer, d.from);
}

void OptimisePhase::optimise_evaluated(const EvalId& id, const Feedback& feedback) { tested(directions_[id.slot], id.slot, feedback); }

void OptimisePhase::tested(Direction& d, int slot, const Feedback& feedback) {
  EvalId id{facts().task, first_round_ + phase_round_, slot, d.repairs};
  d.result = Kernel{d.answer.code, feedback, id, d.from};
  bool may_repair = !feedback.executes && d.repairs < setting().repairs;
  if (may_repair) {
    d.repairs++;
    Fields fields = {{"code", d.answer.code}, {"outcome", outcome_text(feedback, d.answer.cut)}};
    if (ask(fmt::format("repair_{}", d.repairs), phase_round_, slot, fields, method().parallel_refine.refine_temperature)) return;
  }
  look_back(d, slot);
}

void OptimisePhase::look_back(Direction& d, int slot) {
  const Kernel& parent = beam_[size_t(d.parent)];
  ask("reflexion", phase_round_, slot,
      {{"before", outcome_text(parent.feedback, false)}, {"diagnosis", d.diagnosis}, {"code", d.result->code}, {"outcome", outcome_text(d.result->feedback, false)}});
}

void OptimisePhase::optimise_advance() {
  double before = fastest_->time();
  update_beam();
  without_gain_ = fastest_->time() < before ? 0 : without_gain_ + 1;
  phase_round_++;
  bool enough = fastest_->feedback.roofline && *fastest_->feedback.roofline >= setting().stop_at;
  bool stuck = setting().greedy && without_gain_ >= setting().patience;
  if (enough || stuck || phase_round_ >= setting().rounds || out_of_budget()) return finish(best_optimised());
  begin_optimise_round();
}

void OptimisePhase::update_beam() {
  std::vector<Kernel> pool = setting().greedy ? std::vector<Kernel>{} : beam_;
  for (auto& [slot, d] : directions_) {
    if (!d.result) continue;
    const Kernel& k = *d.result;
    remember({k.id.round, slot, k.code, d.diagnosis, d.lesson, std::nullopt, k.feedback, d.calls});
    past_.push_back({clean_utf8(k.code, kCodeShown), outcome_text(k.feedback, false)});
    if (!d.lesson.empty()) lessons_.push_back(d.lesson);
    if (!k.timed()) continue;
    pool.push_back(k);
    if (k.time() < fastest_->time()) fastest_ = k;
  }
  if (setting().greedy) {
    if (!pool.empty()) beam_ = {pool.back().time() > fastest_->time() * (1 + setting().revert_pct / 100) ? *fastest_ : pool.back()};
    return;
  }
  std::stable_sort(pool.begin(), pool.end(), [](const Kernel& a, const Kernel& b) { return a.time() < b.time(); });
  beam_.clear();
  std::set<std::string> seen;
  for (Kernel& k : pool) {
    if (int(beam_.size()) == width()) break;
    if (seen.insert(canonical_hash(k.code)).second || method().has(Quirk::beam_of_copies)) beam_.push_back(std::move(k));
  }
}

std::string OptimisePhase::history_text() const {
  std::string out;
  size_t first = past_.size() > kPastShown ? past_.size() - kPastShown : 0;
  for (size_t k = first; k < past_.size(); k++)
    out += (out.empty() ? "" : "\n\n") + prompts().block(role_prompt("optimise"), "history_item", {{"number", std::to_string(k + 1)}, {"code", past_[k].code}, {"error", past_[k].outcome}});
  return out;
}

std::string OptimisePhase::lessons_text() const {
  std::string out;
  size_t first = lessons_.size() > kPastShown ? lessons_.size() - kPastShown : 0;
  for (size_t k = first; k < lessons_.size(); k++) out += (out.empty() ? "- " : "\n- ") + lessons_[k];
  return out;
}

Finish OptimisePhase::best_optimised() const {
  // The budget may have ended before the barrier of a round.
  const Kernel* best = &*fastest_;
  for (const auto& [slot, d] : directions_)
    if (d.result && d.result->timed() && d.result->time() < best->time()) best = &*d.result;
  return {.code = best->code, .why = std::string(to_text(standing_of(true, best->feedback))), .chosen = best->id};
}

}  // namespace kbx::agent
