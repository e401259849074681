// Opening, and the way from a command to its function.
#include "clock/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "model/clock_wire.h"

namespace kbx::clock {

Result<std::unique_ptr<Session>> Session::open(const Options& options) {
  auto start = Steady::now();
  std::unique_ptr<Session> s(new Session);
  KBX_TRY_ASSIGN(s->card_, Card::open(options.card));
  KBX_TRY_ASSIGN(s->kernels_, Kernels::load(*s->card_, options.kernels));
  s->nvml_ = cuda::Nvml::open(s->card_->facts().pci);
  auto runner = Runner::make(*s->card_, *s->kernels_);
  if (!runner) return fail(Code::sandbox, runner.error().message);
  s->runner_ = std::move(*runner);
  if (!options.connect.empty()) return s;
  if (auto floors = s->measure_floors(); !floors) return fail(Code::sandbox, floors.error().message);
  s->seconds_ = seconds_since(start);
  return s;
}

// What the clock shows for nothing, for an empty kernel and for a graph of one.
Outcome<void> Session::measure_floors() {
  constexpr int kRuns = 15;
  KBX_TRY_ASSIGN(nominal_mhz_, runner_->settle_clock());
  const cuda::Driver& cu = card_->cu;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  auto empty = [&] { return kernels_->launch("nothing", Kernels::Grid{1, 1, 32, 0}); };
  KBX_TRY(card_->check(cu.cuStreamBeginCapture(card_->stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture", Fault::Kind::launch));
  KBX_TRY(empty());
  KBX_TRY(card_->check(cu.cuStreamEndCapture(card_->stream(), &graph), "cuStreamEndCapture", Fault::Kind::launch));
  KBX_TRY(card_->check(cu.cuGraphInstantiate(&exec, graph, 0), "cuGraphInstantiate", Fault::Kind::launch));
  cu.cuGraphDestroy(graph);
  auto launch_graph = [&] { return card_->check(cu.cuGraphLaunch(exec, card_->stream()), "cuGraphLaunch", Fault::Kind::launch); };
  auto middle = [&](const std::function<Outcome<void>()>& what, double& to) -> Outcome<void> {
    std::vector<double> us;
    for (int k = 0; k < kRuns; k++) {
      KBX_TRY_ASSIGN(double one, runner_->time(what, "SR"));
      us.push_back(one);
    }
    std::sort(us.begin(), us.end());
    to = us[us.size() / 2];
    return {};
  };
  KBX_TRY(middle([] { return Outcome<void>(); }, floor_nothing_));
  KBX_TRY(middle(empty, floor_kernel_));
  KBX_TRY(middle(launch_graph, floor_graph_));
  cu.cuGraphExecDestroy(exec);
  return {};
}

Json Session::hello() const {
  const cuda::DeviceFacts& f = card_->facts();
  std::string driver = nvml_ ? nvml_->driver_version() : "";
  Json device{{"name", f.name}, {"uuid", f.uuid}, {"pci", f.pci}, {"cc", f.cc}, {"sms", f.sms}, {"l2_bytes", f.l2_bytes}, {"memory_bytes", f.memory_bytes},
              {"driver", driver.empty() ? "CUDA " + f.driver : driver}, {"cards", f.cards}, {"sm_mhz_max", nvml_ ? int(nvml_->max_sm_mhz()) : f.clock_mhz}, {"sm_mhz", nominal_mhz_}};
  return {{"hello",
           {{"protocol", kClockProtocol}, {"device", device}, {"nvrtc", kernels_->nvrtc_version()}, {"nvml", nvml_.has_value()},
            {"floor_us", {{"nothing", floor_nothing_}, {"kernel", floor_kernel_}, {"graph", floor_graph_}}}, {"seconds", seconds_}}}};
}

Session::Command Session::command_named(const std::string& name) {
  static const std::map<std::string, Command> kCommands{{"load", &Session::load},     {"unload", &Session::unload}, {"inputs", &Session::inputs}, {"read", &Session::read},
                                                        {"play", &Session::play},     {"verify", &Session::verify}, {"time", &Session::time},
                                                        {"time_one", &Session::time_one}, {"plain", &Session::plain},   {"memory", &Session::memory},
                                                        {"bandwidth", &Session::bandwidth}};
  auto at = kCommands.find(name);
  return at == kCommands.end() ? nullptr : at->second;
}

Message Session::answer(const Message& command, bool* dead) {
  auto name = get_string(command.head, "do").value_or("");
  Command function = command_named(name);
  Outcome<Message> done = fault(Fault::Kind::command, fmt::format("no command '{}'", name));
  if (function) done = (this->*function)(command);
  if (done) {
    Json head{{"ok", true}};
    if (done->head.is_object()) head.update(done->head);
    done->head = std::move(head);
    return std::move(*done);
  }
  const Fault& f = done.error();
  *dead = f.fatal();
  Json head{{"ok", false}, {"fault", to_text(f.kind)}, {"message", f.message}};
  if (!f.side.empty()) head["side"] = f.side;
  return {std::move(head), {}};
}

Outcome<std::unique_ptr<Side>*> Session::slot(const Json& command) {
  auto name = get_string(command, "side").value_or("");
  if (name == "candidate") return &candidate_;
  if (name == "reference") return &reference_;
  return fault(Fault::Kind::command, "no side: 'candidate' or 'reference'");
}
Outcome<Side*> Session::loaded(const Json& command) {
  KBX_TRY_ASSIGN(auto at, slot(command));
  if (!*at) return fault(Fault::Kind::command, "that side is not loaded");
  return at->get();
}
Outcome<int> Session::set_of(const Json& command) const {
  int set = int(get_int(command, "set").value_or(0));
  if (!sets_.count(set)) return fault(Fault::Kind::command, fmt::format("there is no set {} of inputs", set));
  return set;
}

}  // namespace kbx::clock
