#include "eval/library_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace kbx::eval {
namespace {

// By what part of their mangled names the kernels of an operator are known. Only operators that some task allows and that
// compute; those that fill, copy or cast are no work anywhere (is_helper_kernel).
struct Known {
  std::string_view op, part;
  bool seed = false;  // allowed for a seed: one block at most
};
constexpr std::array kKnown{Known{"random_", "DistributionRandomKernel", true}, Known{"randint", "DistributionRandomKernel", true},
                            Known{"rand", "DistributionUniform"},    Known{"uniform_", "DistributionUniform"}, Known{"sum", "sum_functor"},
                            Known{"cumsum", "tensor_kernel_scan"},   Known{"cumsum", "DeviceScan"},            Known{"sub", "CUDAFunctor_add"},
                            Known{"sub", "CUDAFunctorOnSelf_add"},   Known{"le", "Compare"},                   Known{"lt", "Compare"},
                            Known{"ge", "Compare"},                  Known{"gt", "Compare"},                   Known{"any", "or_kernel"},
                            Known{"all", "and_kernel"},              Known{"logical_not", "logical_not"},      Known{"bitwise_not", "bitwise_not"},
                            Known{"_conj", "conj_kernel"},           Known{"resolve_conj", "conj_kernel"},     Known{"resolve_conj", "neg_conj"}};

bool listed(const std::vector<std::string>& list, std::string_view op) { return std::find(list.begin(), list.end(), op) != list.end(); }

bool allowed(const Task& task, const LibraryKernel& kernel) {
  return kernel.aten && std::any_of(kKnown.begin(), kKnown.end(), [&](const Known& k) {
    return listed(task.allowed_library_ops, k.op) && !listed(task.forbidden_library_ops, k.op) && kernel.name.find(k.part) != kernel.name.npos && (!k.seed || kernel.blocks <= 1);
  });
}

}  // namespace

std::optional<Charge> library_charge(const Task& task, const DeviceReading& reading, const std::string& where) {
  for (const LibraryKernel& k : reading.work)
    if (!allowed(task, k)) return Charge{Verdict::delegated, fmt::format("{}: kernels of libraries did part of the work on the card: {}", where, k.library), false, 0};
  return std::nullopt;
}

DeviceTape own_part(const Task& task, const DeviceTape& tape) {
  DeviceTape out = tape;
  std::erase_if(out.entries, [&](const DeviceEntry& e) {
    const auto* launch = std::get_if<DeviceLaunch>(&e);
    auto kernel = launch ? library_kernel(tape, *launch) : std::nullopt;
    return kernel && !allowed(task, *kernel);
  });
  return out;
}

std::optional<Charge> copy_charge(const Task& task, const DeviceReading& reading, const std::string& where) {
  if (reading.copies && listed(task.forbidden_library_ops, "copy_"))
    return Charge{Verdict::delegated, fmt::format("{}: a copy that is no kernel of its own, where copying is the task", where), false, 0};
  return std::nullopt;
}

}  // namespace kbx::eval
