// A run in a temporary folder with a loop, a client and an evaluator that the test scripts.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>

#include "agent/loop.h"
#include "generate/call_key.h"
#include "generate/scheduler.h"

namespace kbx::generate {

struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name) : path(std::filesystem::temp_directory_path() / ("kbx_" + name + "_" + std::to_string(::getpid()))) { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

// Asks `slots` questions a round, judges each reply's text as code, ends after `rounds`; the answer is the last code.
class RoundsLoop : public agent::Loop {
 public:
  RoundsLoop(std::string task, int rounds, int slots) : task_(std::move(task)), rounds_(rounds), slots_(slots) {}
  std::vector<agent::Action> step(const agent::Event& event) override {
    std::vector<agent::Action> out;
    if (std::holds_alternative<agent::OutOfBudget>(event)) spent_ = true;
    if (const auto* r = std::get_if<agent::Replied>(&event)) {
      open_--;
      if (const auto* reply = std::get_if<ChatReply>(&r->result)) {
        open_++;
        last_ = codes_[r->id.slot] = reply->text;
        out.push_back(agent::Evaluate{{task_, round_, r->id.slot, 0}, reply->text, "whole", false, r->id, true});
      }
    }
    if (const auto* e = std::get_if<agent::Evaluated>(&event)) {
      open_--;
      chosen_ = e->id;
      out.push_back(agent::Remember{{round_, e->id.slot, codes_[e->id.slot], "", "", {}, e->feedback, {}}});
    }
    if (open_ > 0 || done_) return out;
    bool begun = !std::holds_alternative<agent::Started>(event);
    if (begun) round_++;
    if (spent_ || round_ >= rounds_) {
      done_ = true;
      agent::Finish end;
      end.code = last_;
      end.why = last_.empty() ? (spent_ ? "budget" : "none") : "executes";
      end.cut_short = spent_;
      end.chosen = chosen_;
      out.push_back(end);
      return out;
    }
    for (int s = 0; s < slots_; s++) {
      agent::Ask ask;
      ask.request.id = {task_, "solver", round_, s, 0};
      ask.request.model = "m";
      ask.request.max_tokens = 100;
      ask.request.messages = {{Speaker::user, "after " + last_, false}};
      out.push_back(ask);
      open_++;
    }
    return out;
  }
  bool done() const override { return done_; }
  Json state() const override { return {{"round", round_}, {"state", "open " + std::to_string(open_)}}; }

 private:
  std::string task_, last_;
  std::map<int, std::string> codes_;  // by slot
  std::optional<agent::EvalId> chosen_;
  int rounds_, slots_, round_ = 0, open_ = 0;
  bool done_ = false, spent_ = false;
};

// Answers from its own thread of control: at once, inside start().
class ScriptedClient : public llm::Client {
 public:
  std::function<ChatResult(const ChatRequest&)> answer = [](const ChatRequest& r) -> ChatResult {
    ChatReply reply;
    reply.text = "code of " + to_text(r.id);
    reply.stop = Stop::end;
    reply.usage = {30, 0, 0, 20, 0, false};
    return reply;
  };
  std::vector<std::string> asked;
  void start(ChatRequest request, std::function<void(llm::Exchange)> done) override {
    asked.push_back(to_text(request.id));
    llm::Exchange e;
    e.result = answer(request);
    e.request = std::move(request);
    done(std::move(e));
  }
  void cancel(const CallId&) override {}
};

class ScriptedEvaluator : public Evaluator {
 public:
  std::vector<std::string> judged;
  void start(Judging what, std::function<void(Judged)> done) override {
    judged.push_back(what.candidate.id);
    Judged out;
    out.record.candidate = what.candidate.id;
    out.record.task = what.candidate.task;
    out.record.job_key = key_of(what);
    out.record.ordinal = what.ordinal;
    out.record.verdict = out.record.paper = Verdict::correct;
    out.feedback.verdict = Verdict::correct;
    out.feedback.executes = true;
    done(std::move(out));
  }
  bool cancel(const agent::EvalId&) override { return false; }
  std::string key_of(const Judging& what) const override { return "key of " + what.candidate.id; }
};

class Silent : public Watcher {
 public:
  void changed(const TaskView&) override {}
  void finished(const TaskEnd&) override {}
  void note(const std::string& text) override { notes.push_back(text); }
  void tick() override {}
  std::vector<std::string> notes;
};

}  // namespace kbx::generate
