// Oracle `set`: the size depends on the data (masked_select and its kind). The structure check has compared the shapes;
// the elements are compared as `close` (floats) or `exact`, in order, or sorted where the task leaves the order open.
// NaN: sorted to the end.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "judge/oracles.h"

namespace kbx::judge {
namespace {

// The elements in ascending order, in their own dtype.
Value sorted(const Value& value) {
  View view(leaf_tensor(value));
  std::vector<double> all = view.all();
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t(0));
  auto before = [&](size_t a, size_t b) { return std::isnan(all[b]) ? !std::isnan(all[a]) : all[a] < all[b]; };
  std::stable_sort(order.begin(), order.end(), before);
  size_t width = size_of(view.dtype());
  Bytes bytes(all.size() * width);
  for (size_t k = 0; k < order.size(); k++)
    std::memcpy(bytes.data() + k * width, view.data() + order[k] * width, width);
  return Value::of_tensor(make_tensor(view.dtype(), view.shape(), std::move(bytes)));
}

}  // namespace

Judgement judge_set(const Evidence& e, const Oracle& oracle) {
  Dtype dtype = leaf_tensor(*e.eager).dtype;
  auto judge_elements = is_floating(dtype) ? judge_close : judge_exact;
  if (oracle.ordered || is_complex(dtype)) return judge_elements(e, oracle);
  Value got = sorted(*e.got), eager = sorted(*e.eager), truth = sorted(e.truth ? *e.truth : *e.eager);
  Evidence in_order = e;
  in_order.got = &got;
  in_order.eager = &eager;
  in_order.truth = &truth;
  in_order.permuted = in_order.narrow = in_order.magnitude = in_order.domain = nullptr;
  return judge_elements(in_order, oracle);
}

}  // namespace kbx::judge
