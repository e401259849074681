// A method whose workers race.
#pragma once
#include "fixture.h"

namespace kbx::generate {

// `workers` ask, have their reply judged and ask again, `rounds` times at most; the first right one stops all others.
class RaceLoop : public agent::Loop {
 public:
  RaceLoop(std::string task, int workers, int rounds) : task_(std::move(task)), workers_(workers), rounds_(rounds) {}
  std::vector<agent::Action> step(const agent::Event& event) override {
    std::vector<agent::Action> out;
    if (std::holds_alternative<agent::Started>(event))
      for (int w = 0; w < workers_; w++) ask(w, 0, "start", out);
    if (std::holds_alternative<agent::OutOfBudget>(event)) spent_ = true;
    if (const auto* r = std::get_if<agent::Replied>(&event); r && calls_.erase(r->id) > 0)
      if (const auto* reply = std::get_if<ChatReply>(&r->result)) {
        agent::EvalId id{task_, r->id.round, r->id.slot, 0};
        codes_[id.slot] = reply->text;
        evaluations_.insert(id);
        out.push_back(agent::Evaluate{id, reply->text, "whole", false, r->id, true});
      }
    if (const auto* e = std::get_if<agent::Evaluated>(&event); e && evaluations_.erase(e->id) > 0) {
      seen_ += agent::to_text(e->id) + " " + e->feedback.resources + ";";  // the answer depends on who came when
      out.push_back(agent::Remember{{e->id.round, e->id.slot, codes_[e->id.slot], seen_, "", {}, e->feedback, {}}});
      if (e->feedback.executes) return win(e->id, out);
      if (e->id.round < rounds_) ask(e->id.slot, e->id.round + 1, seen_, out);
    }
    if (calls_.empty() && evaluations_.empty() && !done_) finish("none", out);
    return out;
  }
  bool done() const override { return done_; }
  Json state() const override { return {{"round", 0}, {"state", "racing"}}; }

 private:
  void ask(int slot, int round, const std::string& text, std::vector<agent::Action>& out) {
    if (spent_) return;
    agent::Ask ask;
    ask.request.id = {task_, "solver", round, slot, 0};
    ask.request.model = "m";
    ask.request.max_tokens = 100;
    ask.request.messages = {{Speaker::user, text, false}};
    calls_.insert(ask.request.id);
    out.push_back(ask);
  }
  std::vector<agent::Action> win(const agent::EvalId& id, std::vector<agent::Action>& out) {
    for (const CallId& c : calls_) out.push_back(agent::CancelCall{c});
    for (const agent::EvalId& e : evaluations_) out.push_back(agent::CancelEvaluation{e});
    calls_.clear();
    evaluations_.clear();
    winner_ = id;
    finish("executes", out);
    return std::move(out);
  }
  void finish(const std::string& why, std::vector<agent::Action>& out) {
    done_ = true;
    agent::Finish end;
    end.why = why;
    end.cut_short = spent_;
    end.chosen = winner_;
    if (winner_) end.code = codes_[winner_->slot];
    out.push_back(end);
  }

  std::string task_, seen_;
  int workers_, rounds_;
  std::map<int, std::string> codes_;
  std::set<CallId> calls_;
  std::set<agent::EvalId> evaluations_;
  std::optional<agent::EvalId> winner_;
  bool done_ = false, spent_ = false;
};

}  // namespace kbx::generate
