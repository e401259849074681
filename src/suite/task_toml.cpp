// The whole of task.toml: tables checked by key table, then read, then held against the entry's signature.
#include "suite/task_toml.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "suite/arg_toml.h"
#include "suite/case_fit.h"
#include "suite/expression.h"
#include "suite/inputs.h"
#include "suite/names.h"
#include "suite/oracle_toml.h"
#include "suite/signature.h"
#include "suite/task_keys.h"

namespace kbx::suite {
namespace {

using Kind = toml::Node::Kind;

bool is_identifier(std::string_view text) {
  auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), good);
}

class TaskReader {
 public:
  TaskReader(const toml::Node& root, const std::string& filename) : root_(root), faults_(filename) {}

  Result<Task> read() {
    check_table(faults_, root_, task_keys(), "task");
    read_head();
    read_entry();
    read_mutates();
    if (const toml::Node* n = root_.find("oracle")) read_oracles(faults_, *n, task_);
    read_outlier();
    read_cases("case", case_keys(), task_.cases);
    read_cases("perf", perf_keys(), task_.perf);
    if (root_.find("case") && task_.cases.empty()) faults_.add(*root_.find("case"), "write at least one [[case]]");
    read_cost();
    if (!faults_.none()) return fail(Code::usage, faults_.text());
    return std::move(task_);
  }

 private:
  void read_head() {
    task_.name = read_string(root_, "name");
    task_.category = read_string(root_, "category");
    task_.summary = read_string(root_, "summary");
    task_.difficulty = int(read_int(root_, "difficulty", 1));
    task_.aliases = read_strings(root_, "aliases");
    task_.contract = read_strings(root_, "contract");
    task_.allowed_library_ops = read_strings(root_, "allowed_library_ops");
    task_.forbidden_library_ops = read_strings(root_, "forbidden_library_ops");
    task_.tf32 = read_bool(root_, "tf32", false);
    task_.quantized = read_bool(root_, "quantized", false);
    if (read_string(root_, "protocol") == "optimizer") task_.protocol = Task::Protocol::optimizer;
    if (const toml::Node* n = root_.find("name"); n && n->kind == Kind::string && !is_identifier(n->text))
      faults_.add(*n, "name: letters, digits and '_' only");
    if (const toml::Node* n = root_.find("difficulty");
        n && n->kind == Kind::integer && (n->integer < 1 || n->integer > 5))
      faults_.add(*n, "difficulty: 1 to 5");
    if (const toml::Node* n = root_.find("category"); n && n->kind == Kind::string) {
      if (snake_case(n->text) != n->text)
        faults_.add(*n, fmt::format("category: write it in snake_case: \"{}\"", snake_case(n->text)));
      else if (!is_identifier(n->text))
        faults_.add(*n, "category: letters, digits and '_' only");
    }
    for (const char* key : {"allowed_library_ops", "forbidden_library_ops"})
      if (const toml::Node* n = root_.find(key))
        for (const toml::Node& op : n->items)
          if (op.kind == Kind::string && !is_identifier(op.text))
            faults_.add(op, fmt::format("{}: \"{}\": the bare operator name, without namespace or overload", key, op.text));
  }

  void read_entry() {
    const toml::Node* n = root_.find("entry");
    if (!n || n->kind != Kind::string) return;
    if (auto signature = parse_signature(n->text))
      task_.entry = std::move(*signature);
    else
      faults_.add(*n, signature.error().message);
    // Not the entry's: for each call of step() the gradients that are set before it, a list of lists.
    if (task_.protocol == Task::Protocol::optimizer)
      task_.entry.parameters.push_back({.name = "grads", .annotation = "list[list[Tensor]]", .default_text = "[]", .kind = Parameter::Kind::keyword});
  }

  bool known_parameter(const toml::Node& at, std::string_view key) {
    if (at.kind != Kind::string || task_.entry.name.empty() || find_parameter(task_.entry, at.text)) return true;
    std::vector<std::string> known;
    for (const Parameter& p : task_.entry.parameters) known.push_back(p.name);
    faults_.add(at, fmt::format("{}: '{}' is no parameter of {}{}", key, at.text, task_.entry.name,
                                toml::did_you_mean(at.text, known)));
    return false;
  }

  void read_mutates() {
    task_.mutates = read_strings(root_, "mutates");
    if (const toml::Node* n = root_.find("mutates"))
      for (const toml::Node& name : n->items) known_parameter(name, "mutates");
  }

  void read_outlier() {
    const toml::Node* n = root_.find("outlier");
    if (!n) return;
    if (n->kind != Kind::table) return faults_.add(*n, "[outlier] must be a table");
    check_table(faults_, *n, outlier_keys(), "[outlier]");
    OutlierPhase& o = task_.outlier;
    o.enabled = read_bool(*n, "enabled", true);
    o.prob = read_number(*n, "prob", o.prob);
    o.scale = read_number(*n, "scale", o.scale);
    o.args = read_strings(*n, "args");
    if (!(o.prob >= 0 && o.prob <= 1)) faults_.add(*n->find("prob"), "prob: between 0 and 1");
    if (!(o.scale > 0)) faults_.add(*n->find("scale"), "scale: greater than 0");
    if (const toml::Node* names = n->find("args"))
      for (const toml::Node& name : names->items) known_parameter(name, "[outlier] args");
    const toml::Node* clamp = n->find("clamp");
    if (!clamp || clamp->items.size() != 2) return;
    o.clamp = {clamp->items[0].number(), clamp->items[1].number()};
    if (!(o.clamp->first < o.clamp->second)) faults_.add(*clamp, "clamp: low must be below high");
  }

  void read_cases(std::string_view section, Keys keys, std::vector<Case>& out) {
    const toml::Node* list = root_.find(section);
    if (!list) return;
    if (list->kind != Kind::array) return faults_.add(*list, fmt::format("write [[{}]]", section));
    std::set<std::string> seen;
    for (const toml::Node& n : list->items) {
      if (n.kind != Kind::table) {
        faults_.add(n, fmt::format("write [[{}]]", section));
        continue;
      }
      out.push_back(read_case(n, section, keys));
      if (!out.back().name.empty() && !seen.insert(out.back().name).second)
        faults_.add(n, fmt::format("{} '{}' twice", section, out.back().name));
    }
  }

  Case read_case(const toml::Node& n, std::string_view section, Keys keys) {
    Case c;
    c.name = read_string(n, "name");
    std::string where = fmt::format("{} '{}'", section, c.name);
    check_table(faults_, n, keys, where);
    c.outlier = read_bool(n, "outlier", true);
    c.calls = int(read_int(n, "calls", 1));
    c.raises = read_string(n, "raises");
    c.published = read_bool(n, "published", true);
    if (const toml::Node* own = n.find("oracle"); own && section == "case") c.oracle = read_case_oracle(faults_, *own, task_, where);
    if (c.calls < 1 || c.calls > 1000) faults_.add(*n.find("calls"), where + ": calls: 1 to 1000");
    const toml::Node* args = n.find("args");
    if (!args || args->kind != Kind::table) return c;
    for (const auto& [name, value] : args->entries)
      c.args[name] = read_argument(faults_, value, fmt::format("{}: argument '{}'", where, name));
    if (task_.entry.name.empty()) return c;
    for (const auto& [name, what] : case_misfits(task_.entry, c)) {
      const toml::Node* at = name.empty() ? nullptr : args->find(name);
      faults_.add(at ? *at : *args, fmt::format("{}: {}", where, what));
    }
    return c;
  }

  void read_cost() {
    const toml::Node* n = root_.find("cost");
    if (!n) return;
    if (n->kind != Kind::table) return faults_.add(*n, "[cost] must be a table");
    check_table(faults_, *n, cost_keys(), "[cost]");
    task_.cost = {read_string(*n, "bytes"), read_string(*n, "flops"), read_string(*n, "unit"), n->find("differs") ? read_string(*n, "differs") : "", read_number(*n, "least_flops", 0)};
    if (!(task_.cost.least_flops >= 0 && task_.cost.least_flops <= 1)) faults_.add(*n->find("least_flops"), "[cost] least_flops: a share, between 0 and 1");
    for (std::string_view key : {"bytes", "flops"}) {
      const toml::Node* at = n->find(key);
      if (!at || at->kind != Kind::string) continue;
      auto expression = Expression::parse(at->text);
      if (!expression) {
        faults_.add(*at, fmt::format("[cost] {}: {}", key, expression.error().message));
        continue;
      }
      for (const std::string& name : expression->names()) {
        toml::Node named = *at;
        named.text = name;
        known_parameter(named, fmt::format("[cost] {}", key));
      }
    }
  }

  const toml::Node& root_;
  toml::Faults faults_;
  Task task_;
};

}  // namespace

Result<Task> parse_task(std::string_view text, const std::string& filename) {
  KBX_TRY_ASSIGN(toml::Node root, toml::parse(text, filename));
  return TaskReader(root, filename).read();
}

}  // namespace kbx::suite
