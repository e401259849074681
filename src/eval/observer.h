// Observer: how an evaluation tells the outside what happens. Called from job threads, one call at a time.
#pragma once
#include <cstdint>
#include <string>

#include "model/record.h"

namespace kbx::eval {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void started(const std::string& candidate, const std::string& task) = 0;
  // In the order of completion, after the record was stored.
  virtual void finished(const Record& record) = 0;
  virtual void note(const std::string& text) = 0;  // one line for a human, e.g. a bad input line
};

}  // namespace kbx::eval
