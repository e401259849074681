#include "eval/delegation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kbx::eval {
namespace {

// Operators without namespace and overload; sorted. They allocate, view, copy, cast, ask or keep books, and compute nothing. Some only
// a card shows: pinned memory, `record_stream` (the allocator's books), the ranges of a profiler.
constexpr std::array kHelperOps{
    std::string_view("_assert_tensor_metadata"), std::string_view("_foreach_copy_"), std::string_view("_foreach_zero_"),
    std::string_view("_has_same_storage_numel"), std::string_view("_lazy_clone"), std::string_view("_local_scalar_dense"), std::string_view("_pin_memory"),
    std::string_view("_record_function_enter"), std::string_view("_record_function_enter_new"), std::string_view("_record_function_exit"),
    std::string_view("_reshape_alias"), std::string_view("_reshape_copy"), std::string_view("_to_copy"), std::string_view("_unsafe_view"),
    std::string_view("alias"), std::string_view("arange"), std::string_view("as_strided"), std::string_view("as_strided_"),
    std::string_view("broadcast_to"), std::string_view("chunk"), std::string_view("clone"), std::string_view("contiguous"), std::string_view("copy_"),
    std::string_view("detach"), std::string_view("detach_"), std::string_view("diagonal"), std::string_view("empty"), std::string_view("empty_like"),
    std::string_view("empty_permuted"), std::string_view("empty_strided"), std::string_view("expand"), std::string_view("fill"), std::string_view("fill_"),
    std::string_view("flatten"), std::string_view("full"), std::string_view("full_like"), std::string_view("is_pinned"), std::string_view("is_same_size"),
    std::string_view("is_set_to"), std::string_view("item"), std::string_view("lift"), std::string_view("lift_fresh"), std::string_view("lift_fresh_copy"),
    std::string_view("movedim"), std::string_view("narrow"), std::string_view("new_empty"), std::string_view("new_empty_strided"),
    std::string_view("new_full"), std::string_view("new_ones"), std::string_view("new_zeros"), std::string_view("ones"), std::string_view("ones_like"),
    std::string_view("permute"), std::string_view("pin_memory"), std::string_view("real"), std::string_view("record_stream"), std::string_view("reshape"),
    std::string_view("resize_"), std::string_view("resize_as_"), std::string_view("scalar_tensor"), std::string_view("select"), std::string_view("set_"),
    std::string_view("slice"), std::string_view("split"), std::string_view("split_with_sizes"), std::string_view("squeeze"), std::string_view("squeeze_"),
    std::string_view("t"), std::string_view("t_"), std::string_view("to"), std::string_view("transpose"), std::string_view("transpose_"),
    std::string_view("unbind"), std::string_view("unfold"), std::string_view("unsafe_split"), std::string_view("unsafe_split_with_sizes"),
    std::string_view("unsqueeze"), std::string_view("unsqueeze_"), std::string_view("view"), std::string_view("view_as_complex"),
    std::string_view("view_as_real"), std::string_view("zero_"), std::string_view("zeros"), std::string_view("zeros_like")};
static_assert(std::is_sorted(kHelperOps.begin(), kHelperOps.end()));

}  // namespace

bool is_helper_op(const std::string& op) { return std::binary_search(kHelperOps.begin(), kHelperOps.end(), std::string_view(op)); }

Delegation find_delegation(const Task& task, const std::vector<Launch>& launches, const std::map<std::string, int64_t>& ops) {
  Delegation out;
  std::string foreign;
  for (const auto& [op, count] : ops) {
    auto listed = [&op = op](const std::vector<std::string>& list) { return std::find(list.begin(), list.end(), op) != list.end(); };
    if (!listed(task.forbidden_library_ops) && (listed(task.allowed_library_ops) || is_helper_op(op))) continue;
    foreign += (foreign.empty() ? "" : ", ") + op;
  }
  if (launches.empty()) {
    out.flags.push_back("launched no kernel");
    out.charges.push_back({Verdict::delegated, "no Triton kernel was launched" + (foreign.empty() ? "" : "; library operators did the work: " + foreign), false, 0});
    return out;
  }
  bool reaches = std::any_of(launches.begin(), launches.end(), [](const Launch& l) { return l.reaches_output; });
  if (!reaches) {
    out.flags.push_back("kernels reach no output");
    out.charges.push_back({Verdict::delegated, "the kernels that were launched write nothing that reaches the result" + (foreign.empty() ? "" : "; library operators: " + foreign), false, 0});
  } else if (!foreign.empty()) {
    out.charges.push_back({Verdict::delegated, "library operators outside the task's allowed_library_ops did part of the work: " + foreign, false, 0});
    out.findings.push_back({Layer::run, "library_ops", Severity::reject, "ran " + foreign + ", which this task does not allow outside Triton", 0, 0});
  }
  return out;
}

}  // namespace kbx::eval
