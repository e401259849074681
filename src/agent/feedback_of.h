// feedback_of(): from what is stored about one evaluation to what a loop and a model learn of it.
#pragma once
#include <string_view>

#include "agent/feedback.h"
#include "model/record.h"
#include "model/task.h"

namespace kbx::agent {

struct Evidence {
  const Record& record;
  const Task* task = nullptr;  // the one that was evaluated (the public variant, where there is one); null = not known
  std::string_view code;       // for the text of lines
  // True: the cases of the record may be spoken of: they are public ones, or the mode is task_tests. False: only what the
  // candidate's own text and the stage it failed in say: no value, name or shape of a case, no message of an exception
  // (it may hold any of them), no size's time.
  bool cases_may_be_shown = true;
};

Feedback feedback_of(const Evidence& evidence);

// How fast it is says nothing of the cases that count: what is measured on them is told in words made of public ones.
// `counted` is made with cases_may_be_shown = false; nothing is told unless the kernel is right on both.
void tell_speed(Feedback& of_public, const Feedback& counted);

}  // namespace kbx::agent
