// Theory of operation. Per worker: one socket pair, one sealed arena, one output pipe. The supervisor writes a call's
// inputs into the arena, sends the call, waits for the answer under a deadline, copies results and the final state of
// the inputs out, then writes the next call's inputs at the SAME place: an answer cached by address is stale. After the
// last call, or on any trouble, the worker is killed through the zygote and its wait status is fetched.
// A worker for the card makes it ready first (`prepare`), while other candidates compute on it; it gets its candidate, and
// the job's clock starts, once the card is its own.
#include "sandbox/run_once.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <array>
#include <utility>

#include "base/deadline.h"
#include "model/tape_json.h"
#include "sandbox/arena.h"
#include "sandbox/channel.h"
#include "sandbox/claimed.h"
#include "sandbox/decode.h"
#include "sandbox/encode.h"
#include "worker/wire.h"

namespace kbx::sandbox {
namespace {

constexpr size_t kMostImages = 4096;

struct Pipes {
  Fd socket, child_socket, output, child_output;
};
Result<Pipes> make_pipes() {
  Pipes p;
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return fail_errno(Code::sandbox, "cannot make a socket pair");
  p.socket = Fd(fds[0]);
  p.child_socket = Fd(fds[1]);
  if (::pipe2(fds, O_CLOEXEC) != 0) return fail_errno(Code::sandbox, "cannot make a pipe");
  p.output = Fd(fds[0]);
  p.child_output = Fd(fds[1]);
  return p;
}

Json load_frame(const Request& r, const Arena& arena) {
  Json frame = {{"role", to_text(r.role)}, {"source", r.source}, {"entries", r.entries}, {"protocol", r.protocol}, {"arch", r.arch}, {"archs", r.archs},
          {"threads", r.threads}, {"kernel_seconds", r.kernel_seconds}, {"compile_seconds", r.compile_seconds},
          {"checks", {{"undefined", r.undefined}, {"races", r.races}, {"counts", r.counts}}}, {"order", r.order}, {"strict", r.strict}, {"record_ops", true},
          {"tape", r.tape}, {"images", r.texts}, {"gpu", r.gpu}, {"device_tape", r.recorder.has_value()}, {"in_bytes", arena.input_bytes()}, {"out_at", arena.output_at()}, {"out_bytes", arena.output_bytes()}};
  if (r.tf32) frame["tf32"] = *r.tf32;
  if (r.recorder) frame.update({{"probe", r.recorder->probe}, {"cupti", r.recorder->cupti}, {"arena_base", r.recorder->arena_base}});
  if (r.kernels) frame["kernels"] = r.role == Role::compile ? "fill" : "use";
  return frame;
}

// Those of load's fields that concern the machine alone.
Json prepare_frame(const Json& load) {
  Json frame = Json::object();
  for (const char* name : {"role", "gpu", "device_tape", "probe", "cupti", "arena_base"})
    if (load.contains(name)) frame[name] = load[name];
  return frame;
}

class Conversation {
 public:
  Conversation(const Request& request, Arena arena, Channel channel, std::vector<EncodedCall> calls)
      : request_(request), arena_(std::move(arena)), channel_(std::move(channel)), calls_(std::move(calls)) {}

  // Result errors are the harness's; Outcome says the rest.
  Result<void> hold(Outcome& out) {
    start_ = Steady::now();
    if (request_.role == Role::gpu) KBX_TRY(prepare(out));
    start_job(request_.limits.job_seconds);
    if (!load(out)) return {};
    for (size_t k = 0; k < request_.steps.size(); k++) {
      if (request_.steps[k].worth && !request_.steps[k].worth(out)) break;
      StepResult step;
      KBX_TRY_ASSIGN(bool alive, call(k, step, out));
      // What hangs once hangs in every call: one time limit is enough.
      bool stop = !step.ok && (request_.stop_after_failure || (step.error && step.error->kind == "timeout"));
      out.steps.push_back(std::move(step));
      if (!alive) return {};
      if (stop) break;
    }
    finish(out);
    return {};
  }

  // The card is another's from here on, if it was ours.
  void leave_card() {
    if (std::exchange(on_card_, false) && request_.done_on_card) request_.done_on_card();
  }

  void close(Outcome& out) {
    channel_.drain();
    out.output = channel_.output().text();
    out.output_bytes = channel_.output().total();
    out.seconds = seconds_since(start_);
  }
  bool said_bye() const { return bye_; }
  bool must_kill() const { return must_kill_; }

 private:
  Steady::time_point deadline(double seconds) const {
    return std::min(after(seconds), job_end_);
  }
  void start_job(double seconds) {
    start_ = Steady::now();
    job_end_ = after(seconds);
  }

  // Sends and receives; false when the worker is gone, silent or lying: `out` then says how.
  bool exchange(worker::FrameType type, worker::FrameType want, const Json& payload, double seconds, Json& answer, Outcome& out, const std::string& what) {
    auto until = deadline(seconds);
    Channel::Received got;
    if (channel_.send(type, payload, until)) got = channel_.receive(until);
    else got = channel_.receive(std::min(until, after(0.2)));  // it may have said why before it left
    if (got.answer == Channel::Answer::frame && got.type == want) {
      answer = std::move(got.payload);
      return true;
    }
    if (got.answer == Channel::Answer::timeout) {
      out.fate = Fate::timeout;
      out.note = fmt::format("{} did not finish within {:g} s", what, std::min(seconds, request_.limits.job_seconds));
    } else if (got.answer == Channel::Answer::closed) {
      out.fate = Fate::exited;  // refined by the wait status
      out.note = "the process ended during " + what;
    } else {
      out.fate = Fate::babbled;
      out.note = "broke the protocol during " + what + ": " + (got.problem.empty() ? "an unexpected frame" : got.problem);
    }
    must_kill_ = true;
    return false;
  }

  // No candidate is there yet: whatever goes wrong here is the machine's fault or ours.
  Result<void> prepare(Outcome& out) {
    auto trouble = [&](const std::string& why) {
      return fail(Code::sandbox, fmt::format("card {} could not be made ready: {}", request_.gpu, why.empty() ? "the worker does not say why" : why));
    };
    start_job(request_.limits.prepare_seconds);
    Json answer;
    Outcome end;
    bool alive = exchange(worker::FrameType::prepare, worker::FrameType::prepared, prepare_frame(load_frame(request_, arena_)), request_.limits.prepare_seconds,
                          answer, end, "the preparation");
    out.prepare_seconds = seconds_since(start_);
    if (!alive) return trouble(end.note);
    if (!get_bool(answer, "ok").value_or(false)) return trouble(decode_error(get(answer, "error")).message);
    if (!request_.before_load) return {};
    auto asked = Steady::now();
    KBX_TRY(request_.before_load());
    on_card_ = true;
    out.waited_seconds = seconds_since(asked);
    if (channel_.receive(Steady::now()).answer != Channel::Answer::timeout) return trouble("the worker did not live to see the card free");
    return {};
  }

  bool load(Outcome& out) {
    Json answer;
    bool alive = exchange(worker::FrameType::load, worker::FrameType::loaded, load_frame(request_, arena_), request_.limits.load_seconds, answer, out, "the import");
    out.load_seconds = seconds_since(start_);
    if (!alive) return false;
    out.loaded = get_bool(answer, "ok").value_or(false);
    if (!out.loaded) {
      out.load_error = decode_error(get(answer, "error"));
      finish(out);
    }
    return out.loaded;
  }

  Result<bool> call(size_t k, StepResult& step, Outcome& out) {
    const CallStep& ask = request_.steps[k];
    const EncodedCall& encoded = calls_[k];
    KBX_TRY(write_inputs(encoded));
    Json permute = Json::array();
    for (const auto& [arg, dim] : ask.permute) permute.push_back({arg, dim});
    Json frame = {{"id", k}, {"entry", ask.entry}, {"mode", ask.mode}, {"args", encoded.args}, {"kwargs", encoded.kwargs},
                  {"mutates", ask.mutates}, {"permute", permute}, {"permute_seed", ask.permute_seed}};
    if (ask.tape) frame = {{"id", k}, {"tape", tape_to_json(*ask.tape)}};
    if (!ask.returns) frame["returns"] = false;
    if (ask.record) frame["record"] = {{"warm", ask.warm}};
    if (ask.host_calls) frame["host_calls"] = ask.host_calls;
    auto begin = Steady::now();
    Json answer;
    double limit = ask.seconds > 0 ? ask.seconds : request_.limits.call_seconds;
    bool alive = exchange(worker::FrameType::call, worker::FrameType::returned, frame, limit, answer, out, fmt::format("call {}", k));
    step.seconds = seconds_since(begin);
    if (!alive) return false;
    step.answered = true;
    step.ok = get_bool(answer, "ok").value_or(false);
    step.launches = decode_launches(get(answer, "launches"));
    step.findings = decode_findings(get(answer, "findings"));
    step.ops = decode_ops(get(answer, "ops"));
    step.compiled = decode_compiled(get(answer, "compiled"));
    step.compile_skipped = get_int(answer, "skipped").value_or(0);
    if (!step.ok) step.error = decode_error(get(answer, "error"));
    if (step.ok && request_.role == Role::gpu) KBX_TRY(take_device_tape(answer, step));
    if (step.ok && request_.tape) {
      step.tape = decode_tape(get(answer, "tape"));
      decode_texts(get(answer, "texts"), out.texts);
    }
    if (step.ok) {
      auto result = decode_result(get(answer, "result"), arena_, request_.role != Role::reference, step.aliases);
      if (!result && result.error().code != Code::usage) return tl::unexpected(result.error());
      if (!result) {
        out.fate = Fate::babbled;
        out.note = result.error().message;
        must_kill_ = true;
        step.ok = false;
        return false;
      }
      step.result = std::move(*result);
      if (request_.role == Role::reference) KBX_TRY(read_reference_mutations(get(answer, "mutated")));
    }
    KBX_TRY(inspect_inputs(ask, encoded, step));
    return true;
  }

  // Bytes of the arena's result part; what they hold is checked by parse_device_tape().
  Result<void> take_device_tape(const Json& answer, StepResult& step) {
    step.host_seconds = std::clamp(get_double(answer, "host_seconds").value_or(0), 0.0, 1e6);
    step.device_trouble = claimed_text(answer, "device_tape_trouble", 500);
    const Json& images = get(answer, "images");
    if (images.is_array())
      for (const Json& hash : images)
        if (hash.is_string() && step.images.size() < kMostImages) step.images.insert(clean_utf8(hash.get<std::string>(), 64));
    const Json& place = get(answer, "device_tape");
    if (!place.is_object()) return {};
    int64_t at = get_int(place, "at").value_or(-1), bytes = get_int(place, "bytes").value_or(-1);
    bool fits = at >= arena_.output_at() && bytes >= 0 && bytes <= arena_.output_bytes() && at - arena_.output_at() <= arena_.output_bytes() - bytes;
    if (!fits) {
      step.device_trouble = "the tape does not lie in the result part of the arena";
      return {};
    }
    KBX_TRY_ASSIGN(step.device_tape, arena_.read(at, size_t(bytes)));
    return {};
  }

  // A truth run works on float64 copies, so the reference sends the final contents of mutated arguments itself.
  Result<void> read_reference_mutations(const Json& mutated) {
    if (!mutated.is_object()) return {};
    std::vector<std::string> unused;  // that an argument lies in its own memory is no news
    for (const auto& [name, j] : mutated.items()) {
      KBX_TRY_ASSIGN(Value v, decode_result(j, arena_, false, unused));
      for (const TensorRef& ref : tensors_of(v, name)) reference_mutated_[ref.path] = *ref.tensor;
    }
    return {};
  }

  Result<void> write_inputs(const EncodedCall& encoded) {
    for (const Placement& p : encoded.placements) {
      size_t size = p.storage ? p.storage->size() : 0;
      KBX_TRY(arena_.fill(p.at - Arena::kRedzone, Arena::kRedzone, Arena::kRedzoneByte));
      if (size) KBX_TRY(arena_.write(p.at, p.storage->data(), size));
      KBX_TRY(arena_.fill(p.at + int64_t(size), Arena::kRedzone, Arena::kRedzoneByte));
    }
    return {};
  }

  // What the call did to its inputs, seen from outside.
  Result<void> inspect_inputs(const CallStep& ask, const EncodedCall& encoded, StepResult& step) {
    std::set<const Bytes*> mutable_storages;  // an argument that is also given as a mutated one (out = input) may change
    each_mutated(ask, [&](const TensorRef& ref) { mutable_storages.insert(ref.tensor->storage.get()); });
    auto may_change = [&](const Placement& p) { return mutable_storages.count(p.storage.get()) > 0; };
    for (const Placement& p : encoded.placements) {
      size_t size = p.storage ? p.storage->size() : 0;
      for (int64_t at : {p.at - Arena::kRedzone, p.at + int64_t(size)}) {
        KBX_TRY_ASSIGN(Bytes zone, arena_.read(at, Arena::kRedzone));
        if (std::any_of(zone.begin(), zone.end(), [](std::byte b) { return b != Arena::kRedzoneByte; })) step.redzone_hit = true;
      }
      KBX_TRY_ASSIGN(Bytes now, arena_.read(p.at, size));
      if (!size && may_change(p)) final_.push_back({p.storage, p.storage});
      if (!size) continue;
      if (may_change(p)) final_.push_back({p.storage, std::make_shared<const Bytes>(std::move(now))});
      else if (now != *p.storage) step.changed_inputs.push_back(p.name);
    }
    collect_mutated(ask, step);
    for (auto& [path, t] : reference_mutated_) step.mutated[path] = std::move(t);
    reference_mutated_.clear();
    final_.clear();
    return {};
  }

  // Every tensor of the arguments named in `mutates`.
  template <class Visit>
  static void each_mutated(const CallStep& ask, Visit visit) {
    for (const std::string& name : ask.mutates) {
      for (size_t k = 0; k < ask.call->args.size() && k < ask.names->size(); k++)
        if ((*ask.names)[k] == name)
          for (const TensorRef& ref : tensors_of(ask.call->args[k], name)) visit(ref);
      for (const auto& [key, v] : ask.call->kwargs)
        if (key == name)
          for (const TensorRef& ref : tensors_of(v, name)) visit(ref);
    }
  }

  // Their final contents, as dense tensors of the argument's own shape.
  void collect_mutated(const CallStep& ask, StepResult& step) {
    each_mutated(ask, [&](const TensorRef& ref) {
      for (const auto& [before, now] : final_)
        if (ref.tensor->storage == before) {
          Tensor t = *ref.tensor;
          t.storage = now;
          step.mutated[ref.path] = t.dense();
        }
    });
  }

  void finish(Outcome& out) {
    leave_card();
    Json answer;
    Outcome ignored;
    bye_ = exchange(worker::FrameType::finish, worker::FrameType::bye, Json::object(), 10, answer, ignored, "leaving");
    if (!bye_) {
      out.fate = ignored.fate;
      out.note = ignored.note;
    }
  }

  const Request& request_;
  Arena arena_;
  Channel channel_;
  std::vector<EncodedCall> calls_;
  std::vector<std::pair<std::shared_ptr<const Bytes>, std::shared_ptr<const Bytes>>> final_;
  std::map<std::string, Tensor> reference_mutated_;
  Steady::time_point start_ = Steady::now(), job_end_ = start_;
  bool bye_ = false, must_kill_ = false, on_card_ = false;
};

}  // namespace

std::string_view to_text(Role role) {
  constexpr std::array<std::string_view, 5> text{"value", "compile", "reference", "replay", "gpu"};
  return text[size_t(role)];
}
std::string_view to_text(Fate fate) {
  constexpr std::array<std::string_view, 5> text{"finished", "exited", "signaled", "timeout", "babbled"};
  return text[size_t(fate)];
}

Result<Outcome> run_once(ForkServer& server, const Request& request) {
  std::vector<EncodedCall> calls;
  int64_t input_bytes = 0;
  for (const CallStep& step : request.steps) {
    calls.push_back(encode_call(*step.call, *step.names, step.draws));
    input_bytes = std::max(input_bytes, calls.back().bytes);
  }
  KBX_TRY_ASSIGN(Arena arena, Arena::create(input_bytes, request.output_capacity));
  KBX_TRY_ASSIGN(Pipes pipes, make_pipes());
  KBX_TRY_ASSIGN(int64_t id, server.fork(request.role, request.limits, request.jail, pipes.child_socket.get(), arena.fd(), pipes.child_output.get(),
                                           request.kernels ? request.kernels->fd() : -1));
  pipes.child_socket.reset();
  pipes.child_output.reset();
  Outcome out;
  Conversation conversation(request, std::move(arena), Channel(std::move(pipes.socket), std::move(pipes.output), request.limits.output_kept), std::move(calls));
  auto held = conversation.hold(out);
  // One that is on its way out (bye, exit, a signal) is given a moment, so that the status is its own and not our kill's.
  bool leaving = held && (conversation.said_bye() || out.fate == Fate::exited);
  std::optional<ChildExit> exit;
  if (leaving) exit = server.wait(id, after(conversation.said_bye() ? 5 : 1));
  bool by_itself = exit.has_value();
  if (!exit) {
    server.kill(id);
    exit = server.wait(id, after(10));
    if (exit && conversation.said_bye()) exit->wait_status = 0;  // it hung in an exit handler: all its answers are here
  }
  server.forget(id);
  conversation.leave_card();
  conversation.close(out);
  if (!held) return tl::unexpected(held.error());
  if (exit) {
    out.user_seconds = exit->user_seconds;
    out.cpu_seconds = exit->cpu_seconds;
    out.max_rss_bytes = exit->max_rss_bytes;
    if (WIFSIGNALED(exit->wait_status)) out.signal = WTERMSIG(exit->wait_status);
    if (WIFEXITED(exit->wait_status)) out.exit_code = WEXITSTATUS(exit->wait_status);
    if (out.fate == Fate::exited && out.signal) out.fate = Fate::signaled;
    out.killed_by_others = by_itself && out.fate == Fate::signaled && out.signal == SIGKILL;
  } else if (out.fate == Fate::exited) {
    return fail(Code::sandbox, "the fork server died while a worker was running");
  }
  return out;
}

}  // namespace kbx::sandbox
