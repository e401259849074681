// Dense elements -> a tensor in the layout that the task asks for.
#pragma once
#include "model/task.h"
#include "model/value.h"
#include "suite/dists.h"

namespace kbx::suite {

// The shape that must be drawn: the logical one, with 1 in place of an expanded dim.
std::vector<int64_t> drawn_shape(const TensorSpec& spec, const Layout& layout);
// `dense` holds the drawn shape row-major. Storage elements that no index reaches are poison.
Tensor lay_out(const TensorSpec& spec, const Layout& layout, Bytes dense);

}  // namespace kbx::suite
