// n questions, then a choice.
#include "agent/single_pass.h"

#include "agent/standing.h"

namespace kbx::agent {

void SinglePassLoop::start() {
  for (int slot = 0; slot < method().single_pass.samples; slot++) ask("solver", 0, slot, {});
}

void SinglePassLoop::replied(const CallId& id, const ChatResult& result) {
  CodeAnswer answer = read_code(result, method(), facts().target);
  bool came = std::holds_alternative<ChatReply>(result);
  if (answer.code.empty() && ask_again(answer)) return;
  if (!came) return;  // the world's failure, not a sample of the model's
  EvalId at{facts().task, 0, id.slot, 0};
  samples_[id.slot].evaluation = {at, answer.code, answer.how, answer.cut, id, true};
  if (method().single_pass.select != Select::first) evaluate(at, answer, id);
}

void SinglePassLoop::evaluated(const EvalId& id, const Feedback& feedback) { samples_[id.slot].feedback = feedback; }

Finish SinglePassLoop::best() const {
  Finish end;
  const Sample* chosen = nullptr;
  auto standing = [](const Sample& s) { return standing_of(!s.evaluation.code.empty(), s.feedback); };
  for (const auto& [slot, sample] : samples_) {
    end.samples.push_back(sample.evaluation);
    if (sample.evaluation.code.empty()) continue;
    bool wins = chosen == nullptr;
    if (!wins && method().single_pass.select == Select::best) {
      // How far it got, and no more: whether it is fast says nothing about whether it is right.
      auto level = [&](const Sample& s) { return std::min(standing(s), Standing::executes); };
      wins = level(sample) > level(*chosen);
    } else if (!wins && method().single_pass.select == Select::correct_then_fastest && sample.feedback) {
      wins = !chosen->feedback || better(*sample.feedback, *chosen->feedback);
    }
    if (wins) chosen = &sample;
  }
  if (chosen == nullptr) return end.why = "none", end;
  end.code = chosen->evaluation.code;
  end.why = to_text(standing(*chosen));
  end.chosen = chosen->evaluation.id;
  return end;
}

}  // namespace kbx::agent
