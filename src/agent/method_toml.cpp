// Key tables, then reading by loop. A key that is not given keeps what `like` or the defaults say.
#include "agent/method_toml.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

namespace kbx::agent {
namespace {

using toml::Faults;
using toml::Key;
using toml::Keys;
using toml::Node;
using T = toml::KeyType;

const std::array kCommon = {
    Key{"like", T::string, false, "a method to start from"},
    Key{"summary", T::string, false, "one line for people"},
    Key{"loop", T::string, false, "how it goes on", {"single_pass", "evolve", "parallel_refine"}},
    Key{"model", T::string, false, "a name of [models]"},
    Key{"form", T::string, false, "of the task's text: \"kbx\", \"tritonbench\""},
    Key{"roles", T::section, false, "role = \"prompt\" or { prompt, model, temperature, max_tokens }"},
    Key{"reply", T::string, false, "what is asked for", {"text", "json:strategy,code", "json:thought,code"}},
    Key{"top_p", T::number, false, "nucleus sampling"},
    Key{"top_k", T::integer, false, "sampling among the k likeliest"},
    Key{"seed", T::integer, false, "of the server's sampling"},
    Key{"stop_sequences", T::strings, false, "texts that end a reply"},
    Key{"max_tokens", T::integer, false, "of a reply, reasoning included"},
    Key{"thinking", T::string, false, "reasoning of models that can", {"unset", "off", "on"}},
    Key{"effort", T::string, false, "of reasoning: \"low\", \"medium\", \"high\""},
    Key{"feedback", T::string, false, "which cases it may learn from", {"public_only", "task_tests"}},
    Key{"asks_again", T::integer, false, "how often a reply of no use is asked for again"},
    Key{"compat", T::string, false, "the published quirks, or none", {"upstream", "fixed"}},
    Key{"quirks", T::strings, false, "single quirks, instead of compat"},
};
const std::array kExtract = {
    Key{"mode", T::string, false, "how code is taken from a reply", {"upstream", "kbx", "repair"}},
    Key{"strip_think", T::boolean, false, "take <think> off first"},
};
const std::array kRole = {
    Key{"prompt", T::string, false, "a prompt's name"},
    Key{"model", T::string, false, "a name of [models]"},
    Key{"temperature", T::number, false, "of this role"},
    Key{"max_tokens", T::integer, false, "of this role's replies"},
};
const std::array kSingle = {
    Key{"prompt", T::string, false, "the prompt's name"},
    Key{"n", T::integer, false, "samples"},
    Key{"select", T::string, false, "which sample is the answer", {"first", "best", "correct_then_fastest"}},
};
const std::array kEvolve = {
    Key{"rounds", T::integer, false, "rounds"},
    Key{"slots", T::integer, false, "kernels a round"},
    Key{"ancestors", T::integer, false, "kernels that the optimiser sees"},
    Key{"first_round", T::integer, false, "number of the first round"},
    Key{"debug_cap", T::integer, false, "rounds of debugging before it starts afresh"},
    Key{"debug_quorum", T::integer, false, "slots that must be right for a round to count as solved"},
    Key{"history", T::integer, false, "attempts shown"},
    Key{"judge", T::boolean, false, "ask the model for its own opinion"},
    Key{"retrieval", T::section, false, "a worked example in the prompt"},
    Key{"answer", T::string, false, "what is taken at the end", {"timed>exe>call>raw"}},
};
const std::array kRetrieval = {
    Key{"kind", T::string, false, "how", {"bm25", "none"}},
    Key{"first", T::string, false, "the first prompt searches by", {"instruction", "none"}},
    Key{"later", T::string, false, "debugging searches by", {"code", "none"}},
    Key{"k", T::integer, false, "examples"},
};
const std::array kParallel = {
    Key{"workers", T::integer, false, "kernels side by side"},
    Key{"rounds", T::integer, false, "refinements of each"},
    Key{"stop", T::string, false, "when", {"first_success", "all"}},
    Key{"dedup", T::boolean, false, "a kernel that was tried is not run again"},
    Key{"denylist", T::string, false, "what is refused before it runs", {"kernelagent", "none"}},
    Key{"oracle", T::string, false, "who says what is right", {"task"}},
    Key{"wordings", T::integer, false, "wordings of the seed prompt"},
    Key{"seed_temperature", T::number, false, "of seeds"},
    Key{"refine_temperature", T::number, false, "of refinements"},
    Key{"history", T::section, false, "{ n, code, err, out }"},
    Key{"optimise", T::section, false, "the phase after the first right kernel"},
};
const std::array kHistory = {
    Key{"n", T::integer, false, "attempts"},
    Key{"code", T::integer, false, "characters of code"},
    Key{"err", T::integer, false, "characters of errors"},
    Key{"out", T::integer, false, "characters of output"},
};
const std::array kOptimise = {
    Key{"strategy", T::string, false, "search", {"beam", "greedy"}},
    Key{"rounds", T::integer, false, "0 = off"},
    Key{"keep", T::integer, false, "kernels kept"},
    Key{"directions", T::integer, false, "bottlenecks followed for each"},
    Key{"repairs", T::integer, false, "repairs of one try"},
    Key{"patience", T::integer, false, "greedy: rounds without gain"},
    Key{"target", T::number, false, "gain asked for, 0.10 = a tenth"},
    Key{"revert_pct", T::number, false, "greedy: slower than the best by more starts from the best"},
    Key{"stop_at", T::number, false, "share of the roofline that is enough"},
};

class MethodReader {
 public:
  MethodReader(Faults& faults, const Node& table, Method& out) : faults_(faults), table_(table), m_(out) {}

  void read() {
    where_ = fmt::format("[methods.{}]", m_.name);
    loop();
    std::vector<Key> keys(kCommon.begin(), kCommon.end());
    for (const Key& key : loop_keys()) keys.push_back(key);
    toml::check_table(faults_, table_, keys, where_, {"temperature", "extract"});
    common();
    roles();
    if (m_.loop == LoopKind::single_pass) single();
    if (m_.loop == LoopKind::evolve) evolve();
    if (m_.loop == LoopKind::parallel_refine) parallel();
    quirks();
  }

 private:
  Keys loop_keys() const { return m_.loop == LoopKind::single_pass ? Keys(kSingle) : m_.loop == LoopKind::evolve ? Keys(kEvolve) : Keys(kParallel); }

  void loop() {
    std::string text = toml::read_string(table_, "loop");
    for (auto kind : {LoopKind::single_pass, LoopKind::evolve, LoopKind::parallel_refine})
      if (to_text(kind) == text) m_.loop = kind;
    if (!table_.find("loop") && !table_.find("like")) faults_.add(table_, fmt::format("{}: 'loop' is missing (single_pass, evolve or parallel_refine), or 'like' a method that has one", where_));
  }

  // ints in [low, high]; a fault names the bounds.
  void integer(const Node& table, std::string_view key, int& into, int low, int high) {
    const Node* n = table.find(key);
    if (!n || n->kind != Node::Kind::integer) return;
    if (n->integer < low || n->integer > high)
      faults_.add(*n, fmt::format("{}: {} = {} must lie in {}..{}", where_, key, n->integer, low, high));
    else
      into = int(n->integer);
  }
  void number(const Node& table, std::string_view key, double& into, double low, double high) {
    const Node* n = table.find(key);
    if (!n || !n->is_number()) return;
    if (!(n->number() >= low && n->number() <= high))
      faults_.add(*n, fmt::format("{}: {} = {} must lie in {}..{}", where_, key, n->number(), low, high));
    else
      into = n->number();
  }
  void number(const Node& table, std::string_view key, std::optional<double>& into, double low, double high) {
    double value = NAN;
    number(table, key, value, low, high);
    if (value == value) into = value;
  }
  void text(const Node& table, std::string_view key, std::string& into) {
    if (table.find(key)) into = toml::read_string(table, key);
  }
  void boolean(const Node& table, std::string_view key, bool& into) { into = toml::read_bool(table, key, into); }

  const Node* section(const Node& table, std::string_view key, Keys keys) {
    const Node* n = table.find(key);
    if (!n) return nullptr;
    if (n->kind != Node::Kind::table) return faults_.add(*n, fmt::format("{}: '{}' must be a table {{ ... }}", where_, key)), nullptr;
    toml::check_table(faults_, *n, keys, fmt::format("{} {}", where_, key));
    return n;
  }

  void common() {
    text(table_, "summary", m_.summary);
    text(table_, "model", m_.model);
    text(table_, "form", m_.form);
    if (std::string reply = toml::read_string(table_, "reply"); !reply.empty()) m_.reply = reply == "text" ? ReplyForm::text : ReplyForm::json;
    if (const Node* n = table_.find("temperature")) {
      if (n->kind == Node::Kind::string && n->text == "unset")
        m_.sampling.temperature.reset();
      else if (n->is_number() && n->number() >= 0 && n->number() <= 2)
        m_.sampling.temperature = n->number();
      else
        faults_.add(*n, where_ + ": temperature must be a number in 0..2, or \"unset\"");
    }
    number(table_, "top_p", m_.sampling.top_p, 0, 1);
    int value = -1;
    integer(table_, "top_k", value, 1, INT_MAX);
    if (value > 0) m_.sampling.top_k = value;
    if (table_.find("seed")) m_.sampling.seed = toml::read_int(table_, "seed", 0);
    if (table_.find("stop_sequences")) m_.sampling.stop = toml::read_strings(table_, "stop_sequences");
    value = int(m_.max_tokens);
    integer(table_, "max_tokens", value, 1, 1 << 24);
    m_.max_tokens = value;
    if (std::string word = toml::read_string(table_, "thinking"); !word.empty()) m_.thinking = word == "on" ? Thinking::on : word == "off" ? Thinking::off : Thinking::unset;
    text(table_, "effort", m_.effort);
    if (auto mode = feedback_mode_from_text(toml::read_string(table_, "feedback"))) m_.feedback = *mode;
    integer(table_, "asks_again", m_.asks_again, 0, 10);
    extract();
  }

  void extract() {
    const Node* n = table_.find("extract");
    if (!n) return;
    if (n->kind == Node::Kind::string) {
      if (auto mode = intake::extract_mode_from_text(n->text))
        m_.extract = *mode;
      else
        faults_.add(*n, fmt::format("{}: extract = \"{}\" is not known; one of: upstream, kbx, repair", where_, n->text));
    } else if (const Node* table = section(table_, "extract", kExtract)) {
      if (auto mode = intake::extract_mode_from_text(toml::read_string(*table, "mode"))) m_.extract = *mode;
      boolean(*table, "strip_think", m_.strip_think);
    }
  }

  void roles() {
    const Node* n = table_.find("roles");
    if (!n || n->kind != Node::Kind::table) return;
    std::vector<std::string> known = role_names(m_);
    for (const auto& [name, value] : n->entries) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        faults_.add(value, fmt::format("{}: the loop {} has no role '{}'{}", where_, to_text(m_.loop), name, toml::did_you_mean(name, known)));
      } else if (value.kind == Node::Kind::string) {
        m_.roles[name].prompt = value.text;
      } else if (value.kind == Node::Kind::table) {
        toml::check_table(faults_, value, kRole, fmt::format("{} role {}", where_, name));
        Role& role = m_.roles[name];
        text(value, "prompt", role.prompt);
        text(value, "model", role.model);
        number(value, "temperature", role.temperature, 0, 2);
        int tokens = int(role.max_tokens);
        integer(value, "max_tokens", tokens, 1, 1 << 24);
        role.max_tokens = tokens;
      } else {
        faults_.add(value, fmt::format("{}: role '{}' must be a prompt's name or a table", where_, name));
      }
    }
  }

  void single() {
    if (table_.find("prompt")) m_.roles["solver"].prompt = toml::read_string(table_, "prompt");
    integer(table_, "n", m_.single_pass.samples, 1, 10000);
    std::string select = toml::read_string(table_, "select");
    if (select == "first") m_.single_pass.select = Select::first;
    if (select == "best") m_.single_pass.select = Select::best;
    if (select == "correct_then_fastest") m_.single_pass.select = Select::correct_then_fastest;
  }

  void evolve() {
    Evolve& e = m_.evolve;
    integer(table_, "rounds", e.rounds, 1, 1000);
    integer(table_, "slots", e.slots, 1, 1000);
    integer(table_, "ancestors", e.ancestors, 0, 1000);
    integer(table_, "first_round", e.first_round, 0, 1000);
    integer(table_, "debug_cap", e.debug_cap, 1, 1000);
    integer(table_, "debug_quorum", e.debug_quorum, 1, 1000);
    integer(table_, "history", e.history, 0, 1000);
    boolean(table_, "judge", e.judge);
    if (const Node* r = section(table_, "retrieval", kRetrieval)) {
      if (std::string kind = toml::read_string(*r, "kind"); !kind.empty()) e.retrieval.on = kind == "bm25";
      if (std::string first = toml::read_string(*r, "first"); !first.empty()) e.retrieval.first_by_instruction = first == "instruction";
      if (std::string later = toml::read_string(*r, "later"); !later.empty()) e.retrieval.later_by_code = later == "code";
      integer(*r, "k", e.retrieval.k, 1, 100);
    }
  }

  void parallel() {
    ParallelRefine& p = m_.parallel_refine;
    integer(table_, "workers", p.workers, 1, 1000);
    integer(table_, "rounds", p.rounds, 0, 1000);
    if (std::string stop = toml::read_string(table_, "stop"); !stop.empty()) p.all_workers = stop == "all";
    boolean(table_, "dedup", p.dedup);
    if (std::string list = toml::read_string(table_, "denylist"); !list.empty()) p.denylist = list == "kernelagent";
    integer(table_, "wordings", p.wordings, 1, 4);
    number(table_, "seed_temperature", p.seed_temperature, 0, 2);
    number(table_, "refine_temperature", p.refine_temperature, 0, 2);
    if (const Node* h = section(table_, "history", kHistory)) {
      integer(*h, "n", p.history.n, 0, 1000);
      integer(*h, "code", p.history.code, 0, 1 << 20);
      integer(*h, "err", p.history.err, 0, 1 << 20);
      integer(*h, "out", p.history.out, 0, 1 << 20);
    }
    if (const Node* o = section(table_, "optimise", kOptimise)) optimise(*o);
  }

  void optimise(const Node& o) {
    Optimise& out = m_.parallel_refine.optimise;
    if (std::string strategy = toml::read_string(o, "strategy"); !strategy.empty()) out.greedy = strategy == "greedy";
    integer(o, "rounds", out.rounds, 0, 1000);
    integer(o, "keep", out.keep, 1, 100);
    integer(o, "directions", out.directions, 1, 100);
    integer(o, "repairs", out.repairs, 0, 100);
    integer(o, "patience", out.patience, 1, 1000);
    number(o, "target", out.target, 0, 10);
    number(o, "revert_pct", out.revert_pct, 0, 1e6);
    number(o, "stop_at", out.stop_at, 0, 1);
  }

  void quirks() {
    const Node *compat = table_.find("compat"), *list = table_.find("quirks");
    if (compat && list) return faults_.add(*list, where_ + ": either compat or quirks, not both");
    if (compat) m_.quirks = compat->text == "upstream" ? quirks_of(m_) : std::set<Quirk>();
    if (!list) return;
    m_.quirks.clear();
    for (const std::string& name : toml::read_strings(table_, "quirks"))
      if (auto quirk = quirk_from_text(name))
        m_.quirks.insert(*quirk);
      else
        faults_.add(*list, fmt::format("{}: there is no quirk '{}' (docs/methods.md)", where_, name));
  }

  Faults& faults_;
  const Node& table_;
  Method& m_;
  std::string where_;
};

}  // namespace

void read_methods(Faults& faults, const Node& methods, std::string_view file, Methods& into) {
  if (methods.kind != Node::Kind::table) return faults.add(methods, "'methods' must be a table: [methods.NAME]");
  for (const auto& [name, table] : methods.entries) {
    if (table.kind != Node::Kind::table) {
      faults.add(table, fmt::format("'methods.{}' must be a table: [methods.{}]", name, name));
      continue;
    }
    Method method;
    size_t before = faults.count();
    if (std::string like = toml::read_string(table, "like"); !like.empty()) {
      auto found = into.find(like);
      std::vector<std::string> known;
      for (const auto& entry : into) known.push_back(entry.first);
      if (found == into.end())
        faults.add(*table.find("like"), fmt::format("[methods.{}]: there is no method '{}' to be like{}", name, like, toml::did_you_mean(like, known)));
      else
        method = found->second;
    }
    method.name = name;
    method.source = file;
    MethodReader(faults, table, method).read();
    if (faults.count() == before) into[name] = std::move(method);
  }
}

Result<void> parse_methods(std::string_view text, const std::string& filename, Methods& into) {
  KBX_TRY_ASSIGN(toml::Node root, toml::parse(text, filename));
  Faults faults(filename);
  for (const auto& [name, value] : root.entries)
    if (name != "methods") faults.add(value, fmt::format("unknown key '{}': a file of methods holds [methods.NAME] tables", name));
  if (const Node* methods = root.find("methods"))
    read_methods(faults, *methods, filename, into);
  else
    faults.add(root, "no [methods.NAME] table");
  if (!faults.none()) return fail(Code::usage, faults.text());
  return {};
}

}  // namespace kbx::agent
