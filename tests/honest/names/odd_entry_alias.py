# task: tanh_bf16
# style: the entry is an alias of a method of an instance; underscores and dunder-like names abound
import torch
import triton
import triton.language as tl


@triton.jit
def _k_(x_ptr, y_ptr, __n__, ___: tl.constexpr):
    _i_ = tl.program_id(0) * ___ + tl.arange(0, ___)
    _x_ = tl.load(x_ptr + _i_, mask=_i_ < __n__, other=0.0).to(tl.float32)
    _e_ = tl.exp(-2.0 * tl.abs(_x_))
    _s_ = _x_ * _x_
    _near_ = tl.abs(_x_) * (1.0 + _s_ * (-0.3333333333 + _s_ * (0.1333333333 - _s_ * 0.0539682540)))
    _y_ = tl.where(tl.abs(_x_) < 0.2, _near_, (1.0 - _e_) / (1.0 + _e_))
    tl.store(y_ptr + _i_, tl.where(_x_ < 0, -_y_, _y_).to(tl.bfloat16), mask=_i_ < __n__)


class __Impl__:
    __slots__ = ("_block",)

    def __init__(self):
        self._block = 256

    def _run_(self, input):
        x = input.contiguous()
        y = torch.empty_like(x)
        if x.numel():
            _k_[(triton.cdiv(x.numel(), self._block),)](x, y, x.numel(), self._block)
        return y


tanh_bf16 = __Impl__()._run_
