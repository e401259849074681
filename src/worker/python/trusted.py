"""What the worker holds on to before a candidate is imported, so that a candidate that patches python or torch breaks
only itself. A module that says `__builtins__ = private_builtins` keeps its own len, open, ... in the functions below.
"""

import builtins
import contextlib

import torch

private_builtins = dict(vars(builtins))

_base = torch._C.TensorBase


class Torch:
    """Functions of torch as they were: never looked up on torch or Tensor again."""

    Tensor = torch.Tensor
    Parameter = torch.nn.Parameter
    device_of = _base.device.__get__
    dtype_of = _base.dtype.__get__
    requires_grad_of = _base.requires_grad.__get__
    shape_of = _base.shape.__get__
    layout_of = _base.layout.__get__
    strided = torch.strided
    size = _base.size
    stride = _base.stride
    storage_offset = _base.storage_offset
    numel = _base.numel
    element_size = _base.element_size
    data_ptr = _base.data_ptr
    untyped_storage = _base.untyped_storage
    copy_ = _base.copy_
    fill_ = _base.fill_
    zero_ = _base.zero_
    set_ = _base.set_
    view = _base.view
    reshape = _base.reshape
    sum = _base.sum
    argmax = _base.argmax
    detach = _base.detach
    to = _base.to
    clone = _base.clone
    resolve_conj = _base.resolve_conj
    resolve_neg = _base.resolve_neg
    index_select = _base.index_select
    requires_grad_ = _base.requires_grad_
    equal = torch.equal
    ne = torch.ne
    any = torch.any
    logical_and = torch.logical_and
    empty = torch.empty
    ones = torch.ones
    frombuffer = torch.frombuffer
    randperm = torch.randperm
    Generator = torch.Generator
    device = torch.device
    dtype = torch.dtype
    no_grad = torch.no_grad
    uint8, int16 = torch.uint8, torch.int16
    cpu = torch.device("cpu")
    UntypedStorage = torch.UntypedStorage
    storage_data_ptr = torch.UntypedStorage.data_ptr
    storage_nbytes = torch.UntypedStorage.nbytes
    DisableTorchFunction = torch._C.DisableTorchFunction
    DisableTorchFunctionSubclass = torch._C.DisableTorchFunctionSubclass
    DisableTorchDispatch = torch._C._DisableTorchDispatch


_guards = (Torch.DisableTorchFunction, Torch.DisableTorchDispatch, Torch.no_grad)


class quiet(contextlib.ContextDecorator):  # noqa: N801  (used as a keyword)
    """Inside, torch functions mean what they meant: no function mode, no dispatch mode, no autograd."""

    def __enter__(self):
        self._entered = [guard() for guard in _guards]
        for guard in self._entered:
            guard.__enter__()

    def __exit__(self, *caught):
        for guard in reversed(self._entered):
            guard.__exit__(*caught)
        return False
