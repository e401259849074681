// Progress: an Observer that draws a live bar on a terminal and plain lines into a pipe, both on stderr.
#pragma once
#include <chrono>
#include <map>
#include <string>

#include "base/clock.h"
#include "eval/observer.h"
#include "report/summary.h"

namespace kbx::cli {

class Progress : public eval::Observer {
 public:
  enum class Mode : unsigned char { bar, lines, silent };
  explicit Progress(Mode mode) : mode_(mode) {}
  ~Progress() override { clear(); }

  // How many there will be; more may be found later. `known`: the input is fully read.
  void expect(int64_t total, bool known);
  void started(const std::string& candidate, const std::string& task) override;
  void finished(const Record& record) override;
  void note(const std::string& text) override;
  void clear();

 private:
  void draw();

  Mode mode_;
  int64_t total_ = 0, done_ = 0, correct_ = 0, wrong_ = 0, other_ = 0;
  bool known_ = false, drawn_ = false;
  std::string current_;
  Steady::time_point start_ = Steady::now(), last_{};
};

}  // namespace kbx::cli
