// What tests of loops are made of: replies, kernels, feedback, plain prompts.
#pragma once
#include "agent/make_loop.h"

namespace kbx::agent {

inline ChatResult said(std::string text, Stop stop = Stop::end) {
  ChatReply reply;
  reply.text = std::move(text);
  reply.stop = stop;
  return reply;
}
inline ChatResult broken(ApiFault fault, bool stops_provider = false) {
  ApiError error;
  error.fault = fault;
  error.message = "the server is on fire";
  error.stops_provider = stops_provider;
  return error;
}
inline std::string fenced(const std::string& code) { return "Here it is.\n```python\n" + code + "```\n"; }
inline std::string kernel(const std::string& name) {
  return "import triton\n\n\n@triton.jit\ndef k_" + name + "(x):\n    pass\n\n\ndef relu(x):\n    return \"" + name + "\"\n";
}
inline Feedback right(std::optional<double> speedup = std::nullopt) {
  Feedback f;
  f.verdict = Verdict::correct;
  f.called = f.executes = true;
  f.speedup = speedup;
  if (speedup) f.time_us = 100 / *speedup;
  return f;
}
inline Feedback wrong(std::string error = "result[0]: expected 1, got 0") {
  Feedback f;
  f.verdict = Verdict::wrong_value;
  f.called = true;
  f.error = std::move(error);
  return f;
}
inline Feedback crash(std::string error = "NameError: tl") {
  Feedback f;
  f.verdict = Verdict::runtime_error;
  f.error = std::move(error);
  return f;
}

// A store whose prompts hold every field a loop gives, each on a line of its own, so that tests can look for them.
inline PromptStore plain_prompts(const std::vector<std::string>& names, const std::vector<std::string>& fields) {
  PromptStore store;
  std::map<std::string, std::string, std::less<>> blocks = {{"again", "AGAIN {{problem}}"}};
  std::vector<std::string> user;
  for (const std::string& field : fields) blocks[field] = field + "=<{{" + field + "}}>", user.push_back(field);
  store.add_blocks(std::move(blocks));
  for (const std::string& name : names) {
    Prompt p;
    p.name = name;
    p.system = {"task"};
    p.user = user;
    p.blocks["task"] = "You write kernels. Role " + name + ".";
    store.add(std::move(p));
  }
  return store;
}
inline TaskFacts relu_facts() {
  TaskFacts facts;
  facts.task = "relu";
  facts.description = "rectified linear unit";
  facts.target.names = {"relu"};
  facts.fields = {{"task", "relu"}};
  return facts;
}

}  // namespace kbx::agent
