// The tables. A new key of the format is one line here plus the line that reads it.
#include "suite/task_keys.h"

#include <array>

#include "model/task.h"
#include "suite/dists.h"

namespace kbx::suite {
namespace {

constexpr toml::KindMask bit(OracleKind kind) { return 1u << unsigned(kind); }
constexpr toml::KindMask kClose = bit(OracleKind::close) | bit(OracleKind::set);
constexpr toml::KindMask kExact = bit(OracleKind::exact);
constexpr toml::KindMask kQuantized = bit(OracleKind::quantized);
constexpr toml::KindMask kFactorization = bit(OracleKind::factorization);
constexpr toml::KindMask kStatistical = bit(OracleKind::statistical);

const std::vector<std::string_view> kDtypes{"f16", "bf16", "f32", "f64", "f8e4m3", "f8e5m2", "i8",
                                            "i16", "i32",  "i64", "u8",  "bool",   "c64",    "c128"};
const std::vector<std::string_view> kUnits{"f16", "bf16", "tf32", "f32", "f64", "i8"};

using T = toml::KeyType;
const std::array kTask{
    Key{"name", T::string, true, "the task's name, unique in the suite; the folder is named like it"},
    Key{"category", T::string, true, "the category in snake_case; the parent folder is named like it"},
    Key{"difficulty", T::integer, true, "1 (easy) to 5"},
    Key{"entry", T::string, true, "the signature a candidate must define"},
    Key{"aliases", T::strings, false, "other names that are accepted for the task"},
    Key{"summary", T::string, true, "one or two sentences for the prompt"},
    Key{"contract", T::strings, true, "shapes, dtypes, numerics: shown in the prompt"},
    Key{"tf32", T::boolean, false, "may float32 dot products round their inputs to TF32?"},
    Key{"allowed_library_ops", T::strings, false, "ATen operators that a candidate may run outside Triton"},
    Key{"forbidden_library_ops", T::strings, false, "operators that are no help here, though they compute nothing (copies, where copying is the task)"},
    Key{"mutates", T::strings, false, "arguments whose final contents are part of the result"},
    Key{"protocol", T::string, false, "what the entry returns", {"function", "optimizer"}},
    Key{"quantized", T::boolean, false, "high-level quantization APIs are forbidden"},
    Key{"oracle", T::section, true, "how results are judged"},
    Key{"outlier", T::section, false, "phase two"},
    Key{"case", T::section, true, "correctness cases"},
    Key{"perf", T::section, false, "timed sizes"},
    Key{"cost", T::section, false, "bytes and operations a call needs"},
};
const std::array kOracle{
    Key{"kind",
        T::string,
        true,
        "how values are judged",
        {"close", "exact", "quantized", "factorization", "statistical", "set"}},
    Key{"ulps", T::number, false, "output ulps always allowed", {}, kClose},
    Key{"noise_factor", T::number, false, "multiple of the measured noise floor", {}, kClose},
    Key{"magnitude", T::boolean, false, "bound by magnitude() of reference.py", {}, kClose | kStatistical},
    Key{"random", T::boolean, false, "right answers differ by random draws within magnitude", {}, kClose},
    Key{"permute", T::permute, false, "argument dims permuted together for the noise floor", {}, kClose},
    Key{"ordered", T::boolean, false, "the order of the elements counts", {}, bit(OracleKind::set)},
    Key{"ties_source", T::string, false, "argument whose equal values make indices equal", {}, kExact},
    Key{"ties_dim",
        T::name_or_integer,
        false,
        "the argument that names the dim of the indices, or the dim",
        {},
        kExact},
    Key{"signed_zero", T::boolean, false, "-0.0 differs from 0.0", {}, kExact},
    Key{"within", T::integer, false, "integers may differ by this much at a rounding border", {}, kExact},
    Key{"cosine_min", T::number, false, "least cosine to the float reference", {}, kQuantized},
    Key{"l1_max", T::number, false, "largest L1-relative error", {}, kQuantized},
    Key{"rmse_max", T::number, false, "largest RMSE relative to the reference's RMS", {}, kQuantized},
    Key{"rel_rms_min", T::number, false, "a smaller error was not quantized", {}, kQuantized},
    Key{"contract_ratio",
        T::number,
        false,
        "nearer to scheme() than this share of its distance to float",
        {},
        kQuantized},
    Key{"spec_rms_max", T::number, false, "relative RMS distance to scheme()", {}, kQuantized},
    Key{"paper", T::section, false, "the published absolute bounds", {}, kQuantized},
    Key{"form",
        T::string,
        false,
        "which property or distribution",
        {"qr", "lu", "cholesky", "svd", "eig", "ldl", "solve", "inverse", "pinv", "dropout", "uniform", "binomial"},
        kFactorization | kStatistical},
    Key{"c", T::number, false, "the bound is c x n x eps", {}, kFactorization},
    Key{"args", T::roles, false, "role -> argument", {}, kFactorization | kStatistical},
    Key{"p", T::string, false, "argument that holds the probability", {}, kStatistical},
    Key{"active", T::string, false, "argument that switches randomness on", {}, kStatistical},
    Key{"at", T::section, false, "other oracles for single outputs"},
};
const std::array kPaper{
    Key{"cosine", T::number, false, "least cosine"},
    Key{"l1", T::number, false, "largest L1-relative error"},
    Key{"rmse", T::number, false, "largest absolute RMSE"},
};
const std::array kOutlier{
    Key{"enabled", T::boolean, false, "false: no case has an outlier twin"},
    Key{"prob", T::number, false, "probability of an element to be replaced"},
    Key{"scale", T::number, false, "standard deviation of the replacement"},
    Key{"args", T::strings, false, "the arguments concerned"},
    Key{"clamp", T::range, false, "[low, high] after replacement"},
};
const std::array kCase{
    Key{"name", T::string, true, "unique in the task"},
    Key{"args", T::arguments, true, "parameter -> value"},
    Key{"outlier", T::boolean, false, "false: this case has no outlier twin"},
    Key{"calls", T::integer, false, "how often the entry is called on the same inputs"},
    Key{"published", T::boolean, false, "false: asks for more than the published task does; left out of the paper verdict"},
    Key{"raises", T::string, false, "class name of the exception that the call must raise; one derived from it will do"},
    Key{"oracle", T::section, false, "judges every output of this case in place of the task's oracles"},
};
const std::array kCost{
    Key{"bytes", T::string, true, "expression: compulsory traffic of one call"},
    Key{"flops", T::string, true, "expression: operations of one call"},
    Key{"unit", T::string, true, "whose peak the operations are held against", kUnits},
    Key{"differs", T::string, false, "why counted bytes may differ from `bytes`: they depend on the data, or parts of the inputs need not be read", {"data", "unread"}},
    Key{"least_flops", T::number, false, "share of `flops` that the launches must execute at least, where values cannot show whether the work was done"},
};
const std::array kSpecial{
    Key{"none", T::boolean, false, "None"},
    Key{"torch_dtype", T::string, false, "torch.<dtype>"},
    Key{"device", T::boolean, false, "the device under test"},
    Key{"generator", T::integer, false, "a torch.Generator with this seed"},
    Key{"list", T::list, false, "a list of values"},
    Key{"tuple", T::list, false, "a tuple of values"},
    Key{"copy_of", T::string, false, "the same object as another argument"},
};

std::vector<std::string_view> dist_names() {
  std::vector<std::string_view> out;
  for (const DistInfo& d : dists()) out.push_back(d.name);
  return out;
}

}  // namespace

Keys task_keys() { return kTask; }
Keys oracle_keys() { return kOracle; }
Keys paper_bound_keys() { return kPaper; }
Keys outlier_keys() { return kOutlier; }
Keys case_keys() { return kCase; }
Keys perf_keys() { return Keys(kCase).first(2); }
Keys cost_keys() { return kCost; }
Keys special_value_keys() { return kSpecial; }
Keys tensor_keys() {
  static const std::array kTensor{
      Key{"shape", T::integers, true, "the logical shape"},
      Key{"dtype", T::string, true, "element type", kDtypes},
      Key{"dist", T::string, true, "how the values are drawn", dist_names()},
      Key{"layout", T::string, false, "how the elements lie in memory"},
      Key{"requires_grad", T::boolean, false, "a leaf that collects gradients"},
      Key{"values", T::numbers, false, "of dist = \"values\""},
  };
  return kTensor;
}

}  // namespace kbx::suite
