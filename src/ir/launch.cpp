// Running a grid. Threads take chunks of programs; a program that polls memory is set aside so that others go on.
// What each thread saw (counts, race cells) is its own until all have ended.
#include <algorithm>
#include <bit>
#include <deque>
#include <thread>

#include "ir/arena.h"
#include "ir/launch_check.h"
#include "ir/memory_access.h"
#include "ir/program_order.h"
#include "ir/run.h"
#include "ir/small_float.h"
#include "ir/tally.h"

namespace kbx::ir {
namespace {

constexpr uint64_t kMaxWaiting = 1024, kWaitingBytes = uint64_t{256} << 20;

struct Job {
  Shared shared;
  ArgumentLanes arguments;
  RunLimits limits;
  ProgramOrder order;
  uint64_t programs = 0, chunk = 1;
  std::atomic<uint64_t> next{0};
  std::atomic<bool> out_of_memory{false};
};

class Worker {
 public:
  Worker(Job& job, RaceShadow* race, Counter& counter) : job_(job), race_(race), counter_(counter) {
    uint64_t each = Arena::bytes_needed(*job.shared.code, job.shared.checks.undefined);
    max_waiting_ = std::clamp<uint64_t>(kWaitingBytes / each, 1, kMaxWaiting);
  }
  void run() {
    while (!job_.shared.stop.load(std::memory_order_relaxed)) {
      std::unique_ptr<Arena> arena = take();
      if (!arena) break;
      switch (run_slice(arena->context, job_.limits)) {
        case Slice::ended:
        case Slice::stopped:
          spare_.push_back(std::move(arena));
          break;
        case Slice::waiting:
          waiting_.push_back(std::move(arena));
          break;
      }
      // Tiny programs never look at the clock themselves.
      if (++started_ % 16 == 0 && Steady::now() > job_.limits.deadline) time_out();
    }
    for (auto& a : waiting_) spare_.push_back(std::move(a));
  }

 private:
  // A fresh program while there are any and not too many wait, else the one that waited longest; null = done.
  std::unique_ptr<Arena> take() {
    std::unique_ptr<Arena> arena;
    if (waiting_.size() < max_waiting_ && has_fresh()) {
      if (spare_.empty())
        arena = Arena::make(job_.shared, race_, counter_, job_.arguments);
      else {
        arena = std::move(spare_.back());
        spare_.pop_back();
      }
      if (!arena) {
        job_.out_of_memory = true;
        job_.shared.stop = true;
        return nullptr;
      }
      begin(arena->context, job_.order.at(from_++));
    } else if (!waiting_.empty()) {
      arena = std::move(waiting_.front());
      waiting_.pop_front();
    }
    return arena;
  }
  bool has_fresh() {
    if (from_ < to_) return true;
    from_ = std::min(job_.next.fetch_add(job_.chunk), job_.programs);
    to_ = std::min(from_ + job_.chunk, job_.programs);
    return from_ < to_;
  }
  void begin(Context& c, uint64_t program) {
    auto x = static_cast<uint64_t>(job_.shared.grid[0]), y = static_cast<uint64_t>(job_.shared.grid[1]);
    c.program = static_cast<uint32_t>(program);
    c.pid = {static_cast<int32_t>(program % x), static_cast<int32_t>(program / x % y),
             static_cast<int32_t>(program / x / y)};
    c.pc = 0;
    c.steps = 0;
  }
  void time_out() {
    if (job_.shared.stop.exchange(true)) return;
    // Where one of those that wait stands: that is what did not end.
    const Arena* seen = !waiting_.empty() ? waiting_.front().get() : spare_.empty() ? nullptr : spare_.back().get();
    Occurrence o{.kind = FindingKind::time_limit, .program = seen ? seen->context.program : 0};
    if (!waiting_.empty()) o.place = job_.shared.code->main[seen->context.pc].place;
    job_.shared.findings->add(o);
  }

  Job& job_;
  RaceShadow* race_;
  Counter& counter_;
  std::deque<std::unique_ptr<Arena>> waiting_;
  std::vector<std::unique_ptr<Arena>> spare_;
  uint64_t from_ = 0, to_ = 0, started_ = 0, max_waiting_ = 1;
};

// The argument's lane: pointers get their storage's number.
uint64_t argument_lane(const LaunchSpec& spec, const Argument& argument, size_t k) {
  uint64_t v = spec.arguments[k];
  if (argument.kind == Kind::ptr) {
    v &= kAddressMask;
    int32_t range = spec.argument_ranges.empty() ? -1 : spec.argument_ranges[k];
    for (size_t r = 0; range < 0 && r < spec.ranges.size(); r++)
      if (v - address_of(spec.ranges[r]) < spec.ranges[r].size) range = static_cast<int32_t>(r);
    return range < 0 ? v : v | (static_cast<uint64_t>(range) + 1) << kTagShift;
  }
  if (argument.kind == Kind::f64) return v;
  if (is_float(argument.kind)) {
    auto f = static_cast<float>(std::bit_cast<double>(v));
    if (is_small_float(argument.kind)) round_floats(argument.kind, &f, 1);
    return std::bit_cast<uint32_t>(f);
  }
  return argument.kind == Kind::i1 ? v & 1 : v;
}

void check_alignment(const LaunchSpec& spec, const MachineCode& code, FindingLog& log) {
  for (size_t k = 0; k < code.arguments.size(); k++) {
    const Argument& a = code.arguments[k];
    if (a.divisibility <= 1 || is_float(a.kind)) continue;
    uint64_t rest = spec.arguments[k] % static_cast<uint64_t>(a.divisibility);
    if (rest == 0) continue;
    Finding f;
    f.kind = FindingKind::false_divisibility;
    f.name = static_cast<int>(k);
    f.distance = static_cast<int64_t>(rest);
    f.argument = static_cast<int>(k);
    f.where = code.kernel.text();
    f.line = code.kernel.line;
    f.operation = "tt.func";
    log.add(std::move(f));
  }
}

void run_workers(Job& job, std::vector<std::unique_ptr<RaceShadow>>& races, std::vector<Counter>& counters) {
  std::deque<Worker> workers;
  for (size_t t = 0; t < counters.size(); t++)
    workers.emplace_back(job, races.empty() ? nullptr : races[t].get(), counters[t]);
  std::vector<std::jthread> running;
  for (size_t t = 1; t < counters.size(); t++) running.emplace_back([&workers, t] { workers[t].run(); });
  workers[0].run();
}

}  // namespace

Result<Report> launch(const Program& program, const LaunchSpec& spec) {
  const MachineCode& code = program.code();
  KBX_TRY(check_launch(code, spec));
  auto start = Steady::now();
  uint64_t programs = 1;
  for (int32_t g : spec.grid) programs *= static_cast<uint64_t>(g);
  size_t threads =
      std::clamp<uint64_t>(static_cast<uint64_t>(std::clamp(spec.threads, 1, 64)), 1, std::max<uint64_t>(programs, 1));
  double limit = spec.time_limit_s > 0 ? std::min(spec.time_limit_s, 1e6) : 60;

  FindingLog log(code, spec);
  Job job{.order = ProgramOrder(programs, spec.order, spec.order_seed)};
  job.shared.code = &code;
  job.shared.grid = spec.grid;
  job.shared.ranges = spec.ranges;
  job.shared.checks = spec.checks;
  job.shared.findings = &log;
  job.shared.limits = &job.limits;
  job.shared.accumulation = spec.accumulation;
  job.programs = programs;
  job.chunk = std::clamp<uint64_t>(programs / (threads * 16), 1, 64);
  job.limits.deadline = start + std::chrono::duration_cast<Steady::duration>(Seconds(limit));
  if (spec.step_limit) job.limits.steps = spec.step_limit;
  for (size_t k = 0; k < code.arguments.size(); k++) job.arguments.push_back(argument_lane(spec, code.arguments[k], k));
  if (spec.checks.alignment) check_alignment(spec, code, log);

  std::vector<std::unique_ptr<RaceShadow>> races;
  if (spec.checks.races || spec.checks.unique_counts)
    for (size_t t = 0; t < threads; t++) {
      races.push_back(std::make_unique<RaceShadow>(job.shared.ranges, spec.checks, code.reinterprets_pointers, log));
      if (!races.back()->ok()) return fail(Code::internal, "no memory for the race cells of this launch");
    }
  Report report;
  std::vector<Counter> counters(threads, Counter(code, spec.ranges.size()));
  run_workers(job, races, counters);
  if (job.out_of_memory) return fail(Code::internal, "no memory for the programs of this launch");
  std::vector<RaceShadow*> shadows;
  for (auto& r : races) shadows.push_back(r.get());
  report.ranges.resize(spec.ranges.size());
  RaceShadow::join(shadows, spec, log, report);
  count_up(code, counters, programs, report);
  report.completed = !job.shared.stop;
  log.move_into(report);
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace kbx::ir
