// Task: one entry of the suite as plain data (docs/task_format.md). Nothing here generates inputs or judges.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/dtype.h"

namespace kbx {

enum class OracleKind : unsigned char { close, exact, quantized, factorization, statistical, set };
std::string_view to_text(OracleKind kind);
std::optional<OracleKind> oracle_kind_from_text(std::string_view text);

// The parameters of one oracle; those of other kinds keep their defaults and are not read.
struct Oracle {
  OracleKind kind = OracleKind::close;
  // close, set
  double ulps = 1.5;                                       // output ulps always allowed
  double noise_factor = 4;
  bool magnitude = false;                                  // bound 16 eps * magnitude(...) applies
  bool random = false;                                     // right answers differ by random draws within that bound
  std::vector<std::pair<std::string, int>> permute;        // (argument, dim): permuted together for the noise floor
  bool ordered = true;                                     // set
  // exact
  std::string ties_source, ties_dim;
  bool signed_zero = false;
  int within = 0;
  // quantized
  double cosine_min = 0, l1_max = 0, rmse_max = 0, rel_rms_min = 0, contract_ratio = 0.25, spec_rms_max = 0;
  double paper_cosine = 0, paper_l1 = 0, paper_rmse = 0;   // published absolute bounds; 0 = none
  // factorization
  std::string form;                                        // also statistical
  double c = 30;
  std::map<std::string, std::string> roles;                // role -> argument name, e.g. "a" -> "A"
  // statistical
  std::string p, active;                                   // argument names; empty = none
};

// How one tensor argument is drawn.
struct TensorSpec {
  std::vector<int64_t> shape;
  Dtype dtype = Dtype::f32;
  std::string dist = "normal";
  std::map<std::string, double> params;                    // numbers: mean, std, low, high, p, cond, rank, dim, ...
  std::vector<double> values;                              // dist = "values" (specials already turned into numbers)
  std::string layout = "contiguous";
  bool requires_grad = false;
};

// One argument as the task file states it.
struct ArgSpec {
  enum class Kind : unsigned char { none, boolean, integer, floating, string, dtype, device, generator, list, tuple, tensor, copy_of };
  Kind kind = Kind::none;
  bool boolean = false;
  int64_t integer = 0;                                     // also the generator's seed
  double floating = 0;
  std::string text;                                        // string, dtype, copy_of
  TensorSpec tensor;
  std::vector<ArgSpec> items;                              // list, tuple
};

struct Case {
  std::string name;
  std::map<std::string, ArgSpec> args;                     // by parameter name
  bool outlier = true;                                     // has an outlier twin
  int calls = 1;
  std::string raises;
  bool published = true;                                   // false: asks for more than the published text and tests do
  std::optional<Oracle> oracle;                            // judges this case in place of the task's
};

struct OutlierPhase {
  bool enabled = true;
  double prob = 0.001, scale = 50;
  std::vector<std::string> args;                           // empty = every continuous floating tensor
  std::optional<std::pair<double, double>> clamp;
};

// One parameter of the entry signature.
struct Parameter {
  std::string name, annotation;
  std::optional<std::string> default_text;                 // Python text of the default
  enum class Kind : unsigned char { positional, variadic, keyword } kind = Kind::positional;
};

struct Signature {
  std::string name, text, returns;
  std::vector<Parameter> parameters;
};

struct Cost {
  std::string bytes, flops, unit;                          // expressions over the arguments; unit: whose peak
  std::string differs;                                     // why counted bytes may differ: "", "data" or "unread"
  double least_flops = 0;                                  // share of flops that a candidate's launches must execute
};

struct Task {
  std::string name, category, summary;
  int difficulty = 1;
  Signature entry;
  std::vector<std::string> aliases, contract, allowed_library_ops, forbidden_library_ops, mutates;
  bool tf32 = false, quantized = false;
  enum class Protocol : unsigned char { function, optimizer } protocol = Protocol::function;
  Oracle oracle;
  std::map<std::string, Oracle> oracle_at;                 // PATH -> oracle
  OutlierPhase outlier;
  std::vector<Case> cases, perf;
  Cost cost;
  std::string reference, witness, mutants;                 // Python sources ("" = absent)
  std::string folder;                                      // where it came from, for messages
  std::string version;                                     // SHA-256 over task.toml and reference.py
};

// The oracle that judges the output at PATH ("result", "result[1]", a mutated argument's name).
const Oracle& oracle_for(const Task& task, const std::string& path);

}  // namespace kbx
