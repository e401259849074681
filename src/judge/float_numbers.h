// Python floats and float64. A float that a Triton kernel is given arrives there as float32: no declaration of the kernel's
// author changes that but `tl.constexpr`, which compiles anew for every value. So an honest kernel may carry that rounding into
// results of float64 (once, or through a difference like 1 - beta), and only a kernel that takes none owes every digit.
#pragma once
#include "judge/view.h"
#include "model/task.h"

namespace kbx::judge {

// Whether some case of the task passes a float, also inside a list.
bool takes_floats(const Task& task);

// Whether `got` (f64 or c128) is float32 in disguise: where no float32 holds the truth, every value is one (by chance: one in
// 2^29). Those values have to differ, 16 at least or all of fewer, since floats that are only stored arrive as float32 too;
// a single one tells only where it is the whole result. Views of equal count.
bool is_float32_only(const View& got, const View& truth);

}  // namespace kbx::judge
