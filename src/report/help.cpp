// The table of help: rule, a word of the message that narrows it ("" = any), what to change. Narrow rows stand first.
#include "report/help.h"

#include <algorithm>
#include <cctype>

namespace kbx::report {
namespace {

struct Row {
  std::string_view rule, mark, help;
};

constexpr Row kRows[] = {
    // the machine
    {"out_of_bounds", "before the start", "an offset is negative: clamp it, or mask it with offsets >= 0"},
    {"out_of_bounds", "no argument", "build every address from a pointer argument and its strides"},
    {"out_of_bounds", "atomic", "give the atomic a mask: tl.atomic_add(ptr + offsets, value, mask=offsets < n)"},
    {"out_of_bounds", "store", "mask the store: tl.store(ptr + offsets, value, mask=offsets < n)"},
    {"out_of_bounds", "gather", "keep the index of tl.gather within the source's size along that axis"},
    {"out_of_bounds", "", "mask the load: tl.load(ptr + offsets, mask=offsets < n, other=0.0)"},
    {"misaligned", "", "addresses must be multiples of the element's size: no reinterpreted pointer at an odd offset"},
    {"undefined_read", "atomic", "zero the target before atomics add to it: torch.zeros instead of torch.empty"},
    {"undefined_read", "",
     "lanes that a mask leaves out hold garbage: give tl.load other=..., or store under the same mask; memory of "
     "torch.empty must be written first"},
    {"double_store", "", "one block stores twice to one element: the offsets of its lanes must differ"},
    {"data_race", "update", "use the atomic everywhere on that buffer, or read it in a later launch"},
    {"data_race", "reads what",
     "programs run in any order: read it in a second launch, or let one program own the element"},
    {"data_race", "",
     "let each program store its own elements (program_id belongs into every store's offset), or use tl.atomic_add"},
    {"order_dependent", "", "programs of one launch run in any order: none may rely on another one's work"},
    {"device_assert", "", "the assertion is the candidate's own: its condition fails for this input"},
    {"unaligned_claim", "", "a hint (tl.multiple_of) promises more than this tensor keeps: drop it"},
    {"grid_limit", "", "y and z of a grid hold at most 65535 programs: put the large dimension into x"},
    {"shared_memory", "", "smaller blocks or fewer num_stages need less shared memory"},
    {"time_limit", "", "look for a loop without end; larger blocks need fewer programs"},
    {"sanitizer_memcheck", "", "mask the access, or build its address from the argument's own strides and sizes"},
    {"sanitizer_racecheck", "", "threads of one program share that memory without a barrier: inline assembly needs its own"},
    {"sanitizer_initcheck", "", "memory of torch.empty must be written before it is read: mask the load, or use torch.zeros"},
    // the compiler
    {"compiler_refused", "power of 2", "block sizes are powers of two: BLOCK = triton.next_power_of_2(n), and mask the rest"},
    {"compiler_refused", "global variable", "make it NAME: tl.constexpr = tl.constexpr(value), or pass it as an argument"},
    {"compiler_refused", "constexpr", "a value that shapes a block must be known to the compiler: declare it NAME: tl.constexpr"},
    {"compiler_refused", "is not defined", "the kernel neither defines nor takes this name: pass it as an argument"},
    {"compiler_refused", "unsupported ast", "kernels know a part of Python: no try, with, lambda, comprehensions or break"},
    {"compiler_refused", "has no attribute", "this version of Triton has no such function: see triton.language"},
    {"compiler_refused", "loop-carried", "a variable keeps its type in a loop: start it with the final dtype and shape"},
    {"compiler_refused", "mismatched type", "both branches must give the name the same type: cast in one of them"},
    {"compiler_refused", "shared memory", "the block needs more shared memory than the target has: smaller blocks, fewer stages"},
    {"compiler_refused", "outofresources", "the block needs more than the target has: smaller blocks, fewer stages or warps"},
    {"compiler_refused", ">= 16", "tl.dot needs at least 16 in each dimension: pad the blocks and mask"},
    {"compiler_refused", "dot", "tl.dot takes blocks [M, K] and [K, N] of one dtype, each dimension at least 16"},
    {"compiler_refused", "shape", "the shapes must broadcast: add dimensions with [:, None] and [None, :]"},
    {"compiler_refused", "expected dtype", "tl.exp, tl.sqrt and their like take float32 or float64: .to(tl.float32) first"},
    {"compiler_refused", "return", "a kernel does not return early: use a mask, or an if around the rest"},
    {"compiler_refused", "", "the compiler's words name the construct; kbx compile FILE tries every target"},
    // lint
    {"unreadable_source", "", "send plain Python of reasonable size"},
    {"syntax_error", "", "look for an open bracket, a fence or prose within the code"},
    {"entry_missing", "", "define the function that kbx tasks show names, at module level"},
    {"no_triton_kernel", "", "write a kernel with @triton.jit and launch it from the entry"},
    {"unreachable_kernel", "", "call the kernel from the entry: kernel[grid](...)"},
    {"quantization_api", "", "quantize by hand: scale, round, clamp and cast in the kernel"},
    {"forbidden_call", "", "the operator is the task's own work: do it in the kernel"},
    {"torch_compile", "", "write the kernel by hand in Triton"},
    {"inline_cuda", "", "write the kernel in Triton"},
    {"foreign_kernels", "", "do the work in the candidate's own kernels"},
    {"patching", "", "leave modules as they are"},
    {"exec_eval", "", "write the code out instead of building it at run time"},
    {"dynamic_attribute", "", "name the attribute in the text, or use a table of functions"},
    {"import_machinery", "", "use plain import statements"},
    {"introspection", "", "remove it: a kernel needs neither frames nor the interpreter's objects"},
    {"dunder_escape", "", "remove it: a kernel needs none of the interpreter's inner attributes"},
    {"native_access", "", "use torch and triton alone; x.data_ptr() is fine for a test of alignment"},
    {"process_use", "", "remove it: a candidate starts no processes"},
    {"network", "", "remove it: a candidate has no network"},
    {"file_access", "", "remove it: a candidate works on the tensors that it is given"},
    {"environment_tampering", "", "remove it: settings of the compiler belong to the launch (num_warps, num_stages)"},
    {"exit_call", "", "raise an exception, or return"},
    {"thread_use", "", "work on the calling thread"},
    {"clock_access", "", "remove the timing code: kbx measures"},
    {"memory_replay", "", "make new tensors with torch.empty and write every element"},
    {"data_ptr_keyed_cache", "", "compute the result in every call; cache by shape and dtype at most"},
    {"global_tensor_cache", "", "compute the result in every call; cache by shape and dtype at most"},
    {"subclassed_tensor", "", "return plain tensors"},
    {"global_state", "", "leave torch's defaults alone: pass dtype and device where they are needed"},
    {"stream_escape", "", "launch on the current stream"},
    {"silent_fallback", "", "let the error out: a library call behind the kernel counts as delegated"},
    // the run
    {"library_ops", "", "do that step in a kernel; kbx tasks show lists the operators that are allowed outside"},
    {"strict_device", "cpu", "make results with torch.empty_like(input), or with device=input.device"},
    {"strict_device", "", "a GPU would raise here: keep all tensors on the inputs' device"},
    // verdicts
    {"no_code", "", "the reply must hold the code, best in one fence of type python"},
    {"import_error", "", "torch, triton, numpy and the standard library are there; test code belongs under the main guard"},
    {"compile_error", "", "the compiler's words name the construct; kbx compile FILE tries every target"},
    {"runtime_error", "cannot be accessed from triton", "the tensor is on the CPU: make it on input.device"},
    {"runtime_error", "unexpected keyword", "the entry must take every parameter of its signature (kbx tasks show)"},
    {"runtime_error", "missing", "the entry must take its parameters with the same defaults (kbx tasks show)"},
    {"runtime_error", "argument: grid", "y and z of a grid hold at most 65535 programs: put the large dimension into x"},
    {"runtime_error", "", "the traceback names the line; the case's arguments are in the task's task.toml"},
    {"illegal_memory_access", "around an input", "a write left its tensor: mask the stores"},
    {"illegal_memory_access", "", "mask loads and stores at the end of the tensor"},
    {"crashed", "", "no exit calls; deep recursion and huge allocations end a process too"},
    {"timeout", "", "less work on the host, fewer and larger programs; limits: --call-seconds, --kernel-seconds"},
    {"out_of_memory", "", "do not expand inputs to full size; --memory-gib sets the limit"},
    {"sandbox_violation", "", "a candidate writes no files, uses no network and starts no processes"},
    {"wrong_structure", "dtype", "give the output the dtype of the contract, and cast when storing"},
    {"wrong_structure", "shape", "compare the output's shape with the contract (keepdim, squeezed and empty dims)"},
    {"wrong_structure", "", "return what kbx tasks show states: count, shapes and dtypes"},
    {"mutated_input", "", "write to a new tensor, or clone the argument first"},
    {"unwritten_output", "", "some elements are never stored: check the grid (triton.cdiv), the tail's mask and the strides"},
    {"wrong_value", "must be raised", "check the arguments, and raise that exception before launching"},
    {"wrong_value", "transpose", "rows and columns are swapped: check the order of the strides"},
    {"wrong_value", "sign is flipped", "a subtraction is the wrong way round, or a minus is missing"},
    {"wrong_value", "float32's digits", "compute in float64 where the input is float64: .to(tl.float32) drops digits, and so does a Python float that is not tl.constexpr"},
    {"wrong_value", "x expected", "a constant factor is off: check scales, divisors (n or n - 1) and the log's base"},
    {"wrong_value", "got is zero", "these elements are skipped or masked away: check grid, mask and loop bounds"},
    {"wrong_value", "nan where a number", "guard 0/0, inf - inf, and the log or root of what may be negative"},
    {"wrong_value", "inf where a finite", "subtract the maximum before exp, or accumulate in float32"},
    {"wrong_value", "in the last", "the tail is wrong: check the mask of the last block"},
    {"wrong_value", "the last one", "the tail is wrong: check the mask of the last block"},
    {"wrong_value", "from flat index", "later programs are wrong: check program_id in the offsets, and the grid"},
    {"wrong_value", "(4 x noise floor)", "if the error is small: accumulate in float32 and round once, at the store"},
    {"wrong_value", "", "compute the element shown by hand; kbx tasks show prints the reference"},
    {"wrong_value_outlier", "inf where a finite", "subtract the maximum before exp, or accumulate in float32"},
    {"wrong_value_outlier", "", "right on ordinary inputs: look for overflow, cancellation, or a narrow accumulator"},
    {"contract_violation", "", "carry out what kbx tasks show states, do not only reach its values"},
    {"nondeterministic", "", "the same inputs give the same result: no dependence on order, time or unwritten memory"},
    {"delegated", "no triton kernel", "launch a kernel on every path that returns a result"},
    {"delegated", "", "do the work in the candidate's own kernels; kbx tasks show lists what else is allowed"},
    // taking code from replies
    {"reply_cut", "", "the reply ends early: raise the model's token limit"},
    {"placeholder", "", "write the part that was left out"},
};

bool contains(std::string_view text, std::string_view mark) {
  auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), mark.begin(), mark.end(), same) != text.end();
}

}  // namespace

std::string_view help_for(std::string_view rule, std::string_view message) {
  for (const Row& row : kRows)
    if (row.rule == rule && (row.mark.empty() || contains(message, row.mark))) return row.help;
  return {};
}

}  // namespace kbx::report
