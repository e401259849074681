// RunTable: a Watcher that keeps a live table on a terminal, one line for each finished task in a pipe; both on stderr.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "generate/watcher.h"

namespace kbx::cli {

class RunTable : public generate::Watcher {
 public:
  enum class Mode : unsigned char { live, lines, silent };
  RunTable(Mode mode, int64_t tasks) : mode_(mode), tasks_(tasks) {}
  ~RunTable() override { clear(); }
  void changed(const generate::TaskView& view) override;
  void finished(const generate::TaskEnd& end) override;
  void note(const std::string& text) override;
  void tick() override;
  // A note from another thread; shown at the next tick.
  void notice(const std::string& text);
  void clear();

 private:
  void draw();
  std::mutex mutex_;
  std::vector<std::string> notices_;
  Mode mode_;
  int64_t tasks_, done_ = 0, correct_ = 0;
  std::map<std::string, generate::TaskView> open_;
  generate::Spent spent_;  // of finished tasks
  size_t drawn_ = 0;       // lines
  Steady::time_point start_ = Steady::now(), last_{};
};

// "31k", "2.4M"
std::string short_count(int64_t n);
// "$0.12"; "-" when no price is known
std::string money(const generate::Spent& spent);

}  // namespace kbx::cli
