// A round: every slot goes its own way from generator to reflection; advance() is the barrier.
#include "agent/evolve.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/canonical.h"
#include "agent/outcome.h"
#include "agent/standing.h"
#include "intake/json_reply.h"

namespace kbx::agent {

EvolveLoop::EvolveLoop(LoopParts parts) : TaskLoop(std::move(parts)), history_(size_t(setting().slots)) {}

int EvolveLoop::last_round() const {
  return method().has(Quirk::rounds_to_end) ? setting().rounds : setting().first_round + setting().rounds;
}

bool EvolveLoop::settled(const Attempt& a) const { return method().has(Quirk::untimed_forgotten) ? a.timed() : a.right(); }

// Right ones only: those with a time first, then by the judge's word; equals stay as they were.
bool EvolveLoop::faster(const Attempt& a, const Attempt& b) const {
  if (a.timed() || b.timed()) return better(*a.feedback, *b.feedback);
  return a.score.value_or(0) > b.score.value_or(0);
}

void EvolveLoop::start() {
  round_ = setting().first_round;
  if (round_ < last_round()) begin_round();
}

void EvolveLoop::begin_round() {
  // One slot alone goes on with its code until there is an ancestor to start from.
  bool may_drop = !setting().single_slot() || !ancestors_.empty();
  if (may_drop && (solved_ || debug_ >= setting().debug_cap)) slots_.clear(), debug_ = 0;
  bool fresh = slots_.empty();
  if (fresh) {
    solved_ = false;
    for (int i = 0; i < setting().slots; i++) slots_.push_back({.round = -1, .slot = i, .born = round_});
  }
  bool optimise = fresh && !ancestors_.empty();
  std::string role = optimise ? "optimise" : "generator", prompt = role_prompt(role);
  Fields fields;
  if (optimise) {
    fields["ancestors"] = ancestors_text(prompt);
  } else {
    fields["example"] = example();
  }
  if (!fresh && (!setting().single_slot() || !ancestors_.empty())) debug_++;
  for (Attempt& slot : slots_) {
    if (!fresh && settled(slot)) continue;
    Fields own = fields;
    if (!fresh) own["attempts"] = attempts_text(slot.slot, prompt);
    own["problem"] = slot.problem;
    if (ask(role, round_, slot.slot, own)) generating_++;
  }
}

void EvolveLoop::replied(const CallId& id, const ChatResult& result) {
  if (id.role == "generator" || id.role == "optimise") return generated(id, result);
  if (id.role == "judge") return judged(id, result);
  TextAnswer words = read_words(result);
  if (words.none_more) no_more_calls();
  Attempt& slot = slots_[size_t(id.slot)];
  slot.reflection = std::move(words.text);
  slot.calls.push_back(id);
}

void EvolveLoop::generated(const CallId& id, const ChatResult& result) {
  CodeAnswer answer = read_code(result, method(), facts().target);
  if (answer.code.empty() && ask_again(answer)) return;
  generating_--;
  Attempt& slot = slots_[size_t(id.slot)];
  if (answer.code.empty()) {
    slot.problem = answer.problem;  // the slot keeps what it had
    if (slot.round < 0) slot.round = round_, slot.cut = answer.cut, slot.feedback = not_evaluated(Verdict::no_code, answer.problem);
    slot.calls.push_back(id);
  } else {
    slot = {.round = round_, .slot = id.slot, .born = slot.born, .code = answer.code, .strategy = answer.strategy, .cut = answer.cut, .calls = {id}};
    evaluate({facts().task, round_, id.slot, 0}, answer, id);
    if (setting().judge && !method().has(Quirk::judge_failure_lost)) ask_judge(id.slot);
  }
  if (generating_ == 0 && setting().judge && method().has(Quirk::judge_failure_lost)) judge_next(0);
}

void EvolveLoop::ask_judge(int slot) {
  ask("judge", round_, slot, {{"code", slots_[size_t(slot)].code}});
}

void EvolveLoop::judge_next(int from) {
  for (int slot = from; slot < int(slots_.size()); slot++)
    if (slots_[size_t(slot)].round == round_ && !slots_[size_t(slot)].code.empty()) return ask_judge(slot);
}

void EvolveLoop::judged(const CallId& id, const ChatResult& result) {
  TextAnswer words = read_words(result);
  if (words.none_more) no_more_calls();
  auto object = intake::object_in(words.text);
  Attempt& slot = slots_[size_t(id.slot)];
  slot.calls.push_back(id);
  double sum = 0;
  int numbers = 0;
  if (object)
    for (const auto& [name, value] : object->items())
      if (value.is_number()) sum += value.get<double>(), numbers++;
  if (numbers > 0) slot.score = sum;
  if (method().has(Quirk::judge_failure_lost) && numbers > 0) judge_next(id.slot + 1);
}

void EvolveLoop::evaluated(const EvalId& id, const Feedback& feedback) {
  Attempt& slot = slots_[size_t(id.slot)];
  slot.feedback = method().has(Quirk::results_lost) ? not_evaluated(Verdict::harness_error, "the code could not be tested") : feedback;
  reflect(slot);
}

void EvolveLoop::reflect(Attempt& a) {
  std::string role = a.right() ? "reflect_pass" : "reflect_fail";
  ask(role, round_, a.slot,
      {{"code", a.code}, {"strategy", a.strategy}, {"outcome", outcome_text(*a.feedback, a.cut)}, {"attempts", attempts_text(a.slot, role_prompt(role))}});
}

void EvolveLoop::advance() {
  if (round_ >= last_round()) return finish(best());
  end_round();
  if (++round_ >= last_round()) return finish(best());
  begin_round();
}

void EvolveLoop::end_round() {
  int right = 0;
  for (Attempt& a : slots_) {
    right += a.right();
    if (a.right()) right_ = a;
    if (a.feedback && a.feedback->called) called_ = a;
    if (a.round != round_) continue;
    if (!a.feedback) continue;  // its evaluation was not waited for
    remember({round_, a.slot, a.code, a.strategy, a.reflection, a.score, *a.feedback, a.calls});
    if (!a.code.empty()) keep_in_history(a);
    if (settled(a) && !a.listed) add_ancestor(a);
  }
  if (!slots_.empty() && right >= std::min(setting().debug_quorum, int(slots_.size()))) solved_ = true;
}

void EvolveLoop::keep_in_history(const Attempt& a) {
  auto& list = history_[size_t(a.slot)];
  if (method().has(Quirk::history_shared))
    for (Attempt& earlier : list)
      if (earlier.born == a.born) earlier = a;
  list.push_back(a);
  size_t most = size_t(std::max(setting().history, 0));
  if (method().has(Quirk::history_by_self_score)) {
    std::stable_sort(list.begin(), list.end(), [](const Attempt& x, const Attempt& y) { return x.score.value_or(0) > y.score.value_or(0); });
    if (list.size() > most) list.resize(most);
    return;
  }
  // What got furthest, the newer of equals; shown in the order of time.
  auto worth = [](const Attempt& x) { return std::pair(standing_of(true, x.feedback), x.round); };
  while (list.size() > most)
    list.erase(std::min_element(list.begin(), list.end(), [&](const Attempt& x, const Attempt& y) { return worth(x) < worth(y); }));
}

void EvolveLoop::add_ancestor(Attempt& a) {
  a.listed = true;
  size_t most = size_t(setting().ancestors);
  if (most == 0) return;
  bool upstream = method().has(Quirk::best_overwritten);
  if (!upstream)
    for (const Attempt& other : ancestors_)
      if (canonical_hash(other.code) == canonical_hash(a.code)) return;
  if (ancestors_.size() < most) {
    ancestors_.push_back(a);
  } else if (upstream) {
    if (faster(ancestors_.front(), a)) return;
    ancestors_.front() = a;
  } else {
    if (!faster(a, ancestors_.back())) return;
    ancestors_.back() = a;
  }
  std::stable_sort(ancestors_.begin(), ancestors_.end(), [this](const Attempt& x, const Attempt& y) { return faster(x, y); });
}

std::string EvolveLoop::example() const {
  const Retrieval& r = setting().retrieval;
  if (!r.on) return "";
  const std::string* code = nullptr;
  for (const Attempt& slot : slots_)
    if (!slot.code.empty() && code == nullptr) code = &slot.code;
  std::vector<const Example*> found;
  if (code != nullptr && r.later_by_code)
    found = corpus().by_code(*code, r.k);
  else if (code == nullptr && r.first_by_instruction)
    found = corpus().by_description(facts().description, r.k);
  std::string out;
  for (const Example* e : found) out += (out.empty() ? "" : "\n\n") + prompts().block(role_prompt("generator"), "example_item", {{"name", e->name}, {"code", e->code}});
  return out;
}

std::string EvolveLoop::attempts_text(int slot, const std::string& prompt) const {
  std::string out;
  int number = 0;
  for (const Attempt& a : history_[size_t(slot)]) {
    Fields fields = {{"number", std::to_string(++number)}, {"code", a.code}, {"outcome", outcome_text(*a.feedback, a.cut)}, {"reflection", a.reflection}};
    for (std::string_view block : {"attempt_item", "analysis_item"})
      if (auto text = prompts().block(prompt, block, fields); !text.empty()) out += (out.empty() ? "" : "\n\n") + text;
  }
  return out;
}

std::string EvolveLoop::ancestors_text(const std::string& prompt) const {
  std::vector<const Attempt*> order;
  for (const Attempt& a : ancestors_) order.push_back(&a);
  if (!method().has(Quirk::order_mislabelled)) std::reverse(order.begin(), order.end());
  std::string out;
  for (size_t k = 0; k < order.size(); k++) {
    const Attempt& a = *order[k];
    Fields fields = {{"number", std::to_string(k + 1)}, {"code", a.code}, {"speedup", speedup_text(*a.feedback)}, {"outcome", outcome_text(*a.feedback, false)},
                     {"reflection", a.reflection}};
    for (std::string_view block : {"ancestor_item", "analysis_item"})
      if (auto text = prompts().block(prompt, block, fields); !text.empty()) out += (out.empty() ? "" : "\n\n") + text;
  }
  return out;
}

Finish EvolveLoop::end_with(const Attempt& a) const {
  Finish end;
  end.code = a.code;
  end.why = to_text(standing_of(true, a.feedback));
  end.chosen = EvalId{facts().task, a.round, a.slot, 0};
  return end;
}

Finish EvolveLoop::best() const {
  if (!ancestors_.empty()) return end_with(ancestors_.front());
  if (right_) return end_with(*right_);
  if (called_) return end_with(*called_);
  for (const Attempt& a : slots_)
    if (!a.code.empty()) return end_with(a);
  for (auto list = history_.rbegin(); list != history_.rend(); ++list)
    if (!list->empty()) return end_with(list->back());
  return {.why = "none"};
}

Json EvolveLoop::state() const {
  Json out = TaskLoop::state();
  out["round"] = round_;
  out["rounds"] = last_round();
  out["ancestors"] = ancestors_.size();
  if (!ancestors_.empty() && ancestors_.front().timed()) out["speedup"] = *ancestors_.front().feedback->speedup;
  return out;
}

}  // namespace kbx::agent
