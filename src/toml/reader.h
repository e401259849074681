// Reading a TOML tree against key tables: every fault is noted with its place, reading goes on.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toml/keys.h"
#include "toml/tree.h"

namespace kbx::toml {

class Faults {
 public:
  explicit Faults(std::string filename) : filename_(std::move(filename)) {}
  void add(const Node& at, const std::string& what);
  bool none() const { return faults_.empty(); }
  size_t count() const { return faults_.size(); }
  std::string text() const;  // one line each, in the file's order

 private:
  struct Fault {
    int line, column;
    std::string text;
  };
  std::string filename_;
  std::vector<Fault> faults_;
};

// " (did you mean 'x'?)", " (known: a, b, c)", or "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

// Is the node of this type? Notes a fault when not. Texts are held against key.allowed too.
bool check_type(Faults& faults, const Node& node, const Key& key);
// Unknown keys, wrong types, missing required keys. `where` names the table in messages: "[oracle]", "case 'rows'".
// Keys that `passed_over` accepts are not looked at.
void check_table(Faults& faults, const Node& table, Keys keys, std::string_view where,
                 const std::vector<std::string>& passed_over = {});

// Readers of checked tables: the fallback when the key is absent or of a wrong type (already noted).
bool read_bool(const Node& table, std::string_view key, bool fallback);
int64_t read_int(const Node& table, std::string_view key, int64_t fallback);
double read_number(const Node& table, std::string_view key, double fallback);
std::string read_string(const Node& table, std::string_view key);
std::vector<std::string> read_strings(const Node& table, std::string_view key);

}  // namespace kbx::toml
