// Keys are checked by table, then against the kind they belong to, then the names against the signature.
#include "suite/oracle_toml.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "suite/signature.h"
#include "suite/task_keys.h"

namespace kbx::suite {
namespace {

using Kind = toml::Node::Kind;

std::vector<std::string> parameter_names(const Task& task) {
  std::vector<std::string> out;
  for (const Parameter& p : task.entry.parameters) out.push_back(p.name);
  return out;
}

// "tensors[0]" -> "tensors".
std::string base_name(std::string_view path) { return std::string(path.substr(0, path.find_first_of("[."))); }

void check_name(toml::Faults& faults, const toml::Node& at, const Task& task, const std::string& path, std::string_view key) {
  if (task.entry.name.empty() || find_parameter(task.entry, base_name(path))) return;
  faults.add(at, fmt::format("{}: '{}' is no parameter of {}{}", key, path, task.entry.name,
                             toml::did_you_mean(path, parameter_names(task))));
}

void read_names(toml::Faults& faults, const toml::Node& table, const Task& task, Oracle& o) {
  if (const toml::Node* n = table.find("permute"); n && n->kind == Kind::array)
    for (const toml::Node& pair : n->items) {
      if (pair.items.size() != 2) continue;
      o.permute.emplace_back(pair.items[0].text, int(pair.items[1].integer));
      check_name(faults, pair, task, pair.items[0].text, "permute");
    }
  for (auto [key, target] :
       {std::pair{"ties_source", &o.ties_source}, {"ties_dim", &o.ties_dim}, {"p", &o.p}, {"active", &o.active}}) {
    const toml::Node* n = table.find(key);
    if (!n) continue;
    if (n->kind == Kind::integer) {
      *target = std::to_string(n->integer);
    } else {
      *target = n->text;
      check_name(faults, *n, task, n->text, key);
    }
  }
  if (const toml::Node* n = table.find("args"))
    for (const auto& [role, argument] : n->entries) {
      o.roles[role] = argument.text;
      if (!starts_with(argument.text, "result")) check_name(faults, argument, task, argument.text, "args");
    }
}

void check_form(toml::Faults& faults, const toml::Node& table, const Oracle& o, const std::string& where) {
  const std::vector<std::string> factor{"qr", "lu", "cholesky", "svd", "eig", "ldl", "solve", "inverse", "pinv"};
  const std::vector<std::string> random{"dropout", "uniform", "binomial"};
  bool statistical = o.kind == OracleKind::statistical;
  if (!statistical && o.kind != OracleKind::factorization) return;
  const auto& forms = statistical ? random : factor;
  if (o.form.empty())
    faults.add(table, fmt::format("{}: 'form' is missing{}", where, toml::did_you_mean("", forms)));
  else if (std::find(forms.begin(), forms.end(), o.form) == forms.end())
    faults.add(*table.find("form"), fmt::format("{}: form \"{}\" does not go with kind \"{}\"{}", where, o.form,
                                                to_text(o.kind), toml::did_you_mean("", forms)));
}

Oracle read_oracle(toml::Faults& faults, const toml::Node& table, const Task& task, const std::string& where, bool top) {
  Oracle o;
  size_t before = faults.count();
  check_table(faults, table, oracle_keys(), where);
  if (!top && table.find("at")) faults.add(*table.find("at"), fmt::format("{}: 'at' stands in [oracle] only", where));
  auto kind = oracle_kind_from_text(read_string(table, "kind"));
  if (!kind || faults.count() != before) return o;
  o.kind = *kind;
  for (const auto& [name, value] : table.entries)
    if (const Key* key = find_key(oracle_keys(), name); key && !(key->kinds >> unsigned(o.kind) & 1))
      faults.add(value, fmt::format("{}: '{}' does not belong to kind = \"{}\"", where, name, to_text(o.kind)));
  for (auto [key, target] : {std::pair{"ulps", &o.ulps},
                             {"noise_factor", &o.noise_factor},
                             {"cosine_min", &o.cosine_min},
                             {"l1_max", &o.l1_max},
                             {"rmse_max", &o.rmse_max},
                             {"rel_rms_min", &o.rel_rms_min},
                             {"contract_ratio", &o.contract_ratio},
                             {"spec_rms_max", &o.spec_rms_max},
                             {"c", &o.c}}) {
    *target = read_number(table, key, *target);
    if (*target < 0) faults.add(*table.find(key), fmt::format("{}: '{}' must not be negative", where, key));
  }
  o.magnitude = read_bool(table, "magnitude", o.magnitude);
  o.random = read_bool(table, "random", o.random);
  o.ordered = read_bool(table, "ordered", o.ordered);
  o.signed_zero = read_bool(table, "signed_zero", o.signed_zero);
  o.within = int(read_int(table, "within", o.within));
  o.form = read_string(table, "form");
  read_names(faults, table, task, o);
  if (const toml::Node* paper = table.find("paper")) {
    check_table(faults, *paper, paper_bound_keys(), "paper");
    o.paper_cosine = read_number(*paper, "cosine", 0);
    o.paper_l1 = read_number(*paper, "l1", 0);
    o.paper_rmse = read_number(*paper, "rmse", 0);
  }
  check_form(faults, table, o, where);
  return o;
}

}  // namespace

Oracle read_case_oracle(toml::Faults& faults, const toml::Node& table, const Task& task, const std::string& where) {
  return table.kind == Kind::table ? read_oracle(faults, table, task, where + ": oracle", false) : Oracle();
}

void read_oracles(toml::Faults& faults, const toml::Node& table, Task& task) {
  if (table.kind != Kind::table) return faults.add(table, "[oracle] must be a table");
  task.oracle = read_oracle(faults, table, task, "[oracle]", true);
  const toml::Node* at = table.find("at");
  if (!at) return;
  if (at->kind != Kind::table) return faults.add(*at, "write [oracle.at.\"PATH\"]");
  for (const auto& [path, value] : at->entries) {
    std::string where = fmt::format("[oracle.at.\"{}\"]", path), base = base_name(path);
    if (value.kind != Kind::table) {
      faults.add(value, where + " must be a table");
      continue;
    }
    if (base != "result" && std::find(task.mutates.begin(), task.mutates.end(), base) == task.mutates.end())
      faults.add(value, fmt::format("{}: a path starts with \"result\" or with a name of `mutates`", where));
    task.oracle_at[path] = read_oracle(faults, value, task, where, false);
  }
}

}  // namespace kbx::suite
