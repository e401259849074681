// Representative signatures, and a way to make a task file out of any signature: what "expressible" means in tests.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace kbx::suite {

inline constexpr std::array<std::string_view, 22> kRepresentative{
    "relu(input, inplace=False)",
    "sigmoid(input: Tensor, out: Tensor | None = None) -> Tensor",
    "blend(input, weight, bias, *, out=None)",
    "conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    "scaled(input, other, alpha=1, approximate='none', out=None)",
    "reduce(input, dim=None, keepdim=False, dtype=None, out=None)",
    "stack_div(tensors, divisor, *, rounding_mode=None, out=None)",
    "take(dim, x, index, value)",
    "pick(input, mask)",
    "expand(input, target_sizes, cond, other)",
    "factor(A, mode='reduced', out=None)",
    "solve(A, B)",
    "loss(input, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)",
    "fft(input, s=None, dim=None, norm=None, out=None)",
    "drop(input, p=0.5, training=True, inplace=False, *, out=None)",
    "norm(x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05)",
    "Adam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0)",
    "step(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9)",
    "sample(*size, generator=None, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
    "space(start, end, steps, base=10.0, dtype=None, device=None)",
    "resize(input, size=None, scale_factor=None, mode='nearest', align_corners=None)",
    "poly(n, input, *, out=None)",
};

// task.toml for the signature: one case with only what must be given, one with everything that can be.
std::string task_text(const std::string& name, std::string_view signature, std::string_view kind);

}  // namespace kbx::suite
