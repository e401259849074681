// canonical(): one spelling per thing, and the names that Python has without an import.
#include <algorithm>
#include <array>

#include "lint/names.h"

namespace kbx::lint {
namespace {

struct Rename {
  std::string_view from, to;  // whole leading components
};
constexpr std::array kRenames = {
    Rename{"torch._C._VariableFunctions", "torch"},
    Rename{"torch._C._nn", "torch.nn.functional"},
    Rename{"torch.ops.aten", "torch"},
    Rename{"torch._VF", "torch"},
    Rename{"torch.functional", "torch"},
    Rename{"torch._tensor.Tensor", "torch.Tensor"},
    Rename{"torch.quantization", "torch.ao.quantization"},
    Rename{"torch.nn.quantized", "torch.ao.nn.quantized"},
    Rename{"torch.autograd.function.Function", "torch.autograd.Function"},
    Rename{"triton.runtime.jit.jit", "triton.jit"},
    Rename{"triton.runtime.jit", "triton.runtime"},
    Rename{"triton.runtime.autotuner", "triton"},
    Rename{"triton.runtime.autotune", "triton.autotune"},
    Rename{"triton.runtime.heuristics", "triton.heuristics"},
    Rename{"triton.runtime.JITFunction", "triton.JITFunction"},
    Rename{"posix", "os"},
    Rename{"_io", "io"},
    Rename{"io.open", "builtins.open"},
    Rename{"_ctypes", "ctypes"},
    Rename{"_socket", "socket"},
    Rename{"_posixsubprocess", "subprocess"},
    Rename{"_pickle", "pickle"},
    Rename{"_signal", "signal"},
};

// Modules that other modules import and so offer as attributes: torch.os is os.
constexpr std::array<std::string_view, 16> kReachedThrough = {
    "os",     "sys",       "subprocess",      "ctypes", "gc",     "inspect",  "importlib", "builtins",
    "socket", "threading", "multiprocessing", "shutil", "pickle", "tempfile", "atexit",    "marshal"};

constexpr std::array<std::string_view, 81> kBuiltins = {"abs",
                                                        "aiter",
                                                        "all",
                                                        "anext",
                                                        "any",
                                                        "ascii",
                                                        "bin",
                                                        "bool",
                                                        "breakpoint",
                                                        "bytearray",
                                                        "bytes",
                                                        "callable",
                                                        "chr",
                                                        "classmethod",
                                                        "compile",
                                                        "complex",
                                                        "copyright",
                                                        "credits",
                                                        "delattr",
                                                        "dict",
                                                        "dir",
                                                        "divmod",
                                                        "enumerate",
                                                        "eval",
                                                        "exec",
                                                        "exit",
                                                        "filter",
                                                        "float",
                                                        "format",
                                                        "frozenset",
                                                        "getattr",
                                                        "globals",
                                                        "hasattr",
                                                        "hash",
                                                        "help",
                                                        "hex",
                                                        "id",
                                                        "input",
                                                        "int",
                                                        "isinstance",
                                                        "issubclass",
                                                        "iter",
                                                        "len",
                                                        "license",
                                                        "list",
                                                        "locals",
                                                        "map",
                                                        "max",
                                                        "memoryview",
                                                        "min",
                                                        "next",
                                                        "object",
                                                        "oct",
                                                        "open",
                                                        "ord",
                                                        "pow",
                                                        "print",
                                                        "property",
                                                        "quit",
                                                        "range",
                                                        "repr",
                                                        "reversed",
                                                        "round",
                                                        "set",
                                                        "setattr",
                                                        "slice",
                                                        "sorted",
                                                        "staticmethod",
                                                        "str",
                                                        "sum",
                                                        "super",
                                                        "tuple",
                                                        "type",
                                                        "vars",
                                                        "zip",
                                                        "__import__",
                                                        "__build_class__",
                                                        "SystemExit",
                                                        "KeyboardInterrupt",
                                                        "BaseException",
                                                        "Exception"};

bool leads(std::string_view name, std::string_view prefix) {
  return name.substr(0, prefix.size()) == prefix && (name.size() == prefix.size() || name[prefix.size()] == '.');
}

}  // namespace

bool is_builtin(std::string_view name) {
  return std::find(kBuiltins.begin(), kBuiltins.end(), name) != kBuiltins.end();
}

std::string canonical(std::string name) {
  size_t limit = name.find('(');  // members of a call's result are no modules
  for (size_t dot = name.find('.'); dot != std::string::npos && dot < limit; dot = name.find('.', dot + 1)) {
    size_t end = std::min({name.find('.', dot + 1), limit, name.size()});
    std::string_view part = std::string_view(name).substr(dot + 1, end - dot - 1);
    if (std::find(kReachedThrough.begin(), kReachedThrough.end(), part) == kReachedThrough.end()) continue;
    return canonical(name.substr(dot + 1));
  }
  for (const Rename& r : kRenames)
    if (leads(name, r.from)) name = std::string(r.to) + name.substr(r.from.size());
  return name;
}

}  // namespace kbx::lint
