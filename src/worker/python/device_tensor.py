"""Tensors whose device IS cuda:0, for torch's own C++ too: a wrapper subclass around a CPU tensor that holds the values.

So `.device`, `.is_cuda`, mixing CPU and CUDA tensors, `.numpy()` on a device tensor and a CPU tensor given to a kernel behave
as on a GPU. What a GPU would refuse is raised by this file and by nothing else, and carries a mark
(`refused`): an error without it says only that such tensors cannot do something here.
"""

import ctypes
import os

import torch
from errors import NotJudged, gpu_refuses
from own_operators import kernel_key
from torch.utils._python_dispatch import TorchDispatchMode
from trusted import Torch, private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

CUDA = torch.device("cuda", 0)
CPU, CUDA_TYPE = 0, 1  # c10::DeviceType

# ATen names. These take CPU and CUDA tensors together; the result lies where the first argument lies.
COPIES = ("copy_", "copy", "_to_copy", "_foreach_copy_", "_foreach_copy")
# An index may lie on the CPU; the indexed tensor and the values may not.
INDEXING = ("index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index", "_unsafe_index_put")
# One argument belongs on the CPU.
MIXED = ("_pack_padded_sequence", "_ctc_loss", "_foreach_addcdiv", "_foreach_addcdiv_", "_foreach_addcmul")
MIXED += ("_foreach_addcmul_", "is_same_size", "resize_as_")

_data = torch._C.TensorBase.data
_wrapper = torch.Tensor._make_wrapper_subclass
_is_conj, _is_neg = torch._C.TensorBase.is_conj, torch._C.TensorBase.is_neg


def _guard_table():
    """c10's table of device guards by device type, or None."""
    try:
        path = os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so")
        return (ctypes.c_void_p * 2).in_dll(ctypes.CDLL(path), "_ZN3c104impl26device_guard_impl_registryE")
    except (OSError, ValueError):
        return None


_GUARDS = _guard_table()


def lend_guard():
    """Gives cuda a guard that does nothing: a CPU build has none, so x[0] = 1 would raise and autograd would abort; a CUDA
    build without a GPU has one that asks the driver, and a function of its own to replace it."""
    ensure = getattr(torch._C, "_ensureCUDADeviceGuardSet", None)
    if ensure is not None:
        ensure()
    if _GUARDS is not None and not _GUARDS[CUDA_TYPE]:
        _GUARDS[CUDA_TYPE] = _GUARDS[CPU]


def walk(value, change):
    """The same value with every tensor in nested lists and tuples replaced."""
    if isinstance(value, Torch.Tensor):
        return change(value)
    kind = type(value)
    return kind([walk(item, change) for item in value]) if kind is list or kind is tuple else value


def _no_numpy(*args, **kwargs):
    raise gpu_refuses(
        TypeError(
            "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )
    )


class DeviceTensor(torch.Tensor):
    """`kbx_inner` is the CPU tensor; it never requires a gradient, autograd works on the wrapper."""

    __torch_function__ = torch._C._disabled_torch_function_impl
    numpy = __array__ = _no_numpy

    @staticmethod
    def __new__(cls, inner):
        if Torch.layout_of(inner) is not Torch.strided:
            raise NotJudged("a device tensor of layout %s" % (Torch.layout_of(inner),))
        if _is_conj(inner) or _is_neg(inner):  # a bit of the inner tensor that the wrapper cannot show
            inner = Torch.resolve_neg(Torch.resolve_conj(inner))
        made = _wrapper(
            cls,
            Torch.size(inner),
            strides=Torch.stride(inner),
            storage_offset=Torch.storage_offset(inner),
            dtype=Torch.dtype_of(inner),
            layout=Torch.strided,
            device=CUDA,
        )
        made.kbx_inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return redispatch(func, args, kwargs or {})

    def data_ptr(self):
        return Torch.data_ptr(self.kbx_inner)

    def untyped_storage(self):
        return Torch.untyped_storage(self.kbx_inner)

    def tolist(self):
        return self.cpu().tolist()

    def cuda(self, *args, **kwargs):
        return self

    def set_(self, *args):
        raise NotJudged("set_ on a device tensor")

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        data = torch.tensor(data, dtype=dtype, device=device or CUDA)
        return data.requires_grad_() if requires_grad else data

    @property
    def data(self):
        return _data.__get__(self)

    @data.setter
    def data(self, value):
        if not isinstance(value, DeviceTensor):
            raise NotJudged("x.data = y across devices")
        self.kbx_inner = value.kbx_inner
        _data.__set__(self, value)

    def __repr__(self, **kwargs):
        return repr(self.kbx_inner)[:-1] + ", device='cuda:0')"

    def __format__(self, spec):
        return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            made = self.detach().clone().requires_grad_(self.requires_grad)
            if getattr(self, "_is_param", False):
                made._is_param = True
            memo[id(self)] = made
        return memo[id(self)]


def _refuse_mixing(func, name, args, plain):
    if name in COPIES or name in MIXED:
        return
    if name in INDEXING:
        plain = [value for value in (args[0], args[2] if len(args) > 2 else None) if type(value) is Torch.Tensor]
    for tensor in plain:
        if len(Torch.size(tensor)) > 0 and Torch.numel(tensor) and Torch.device_of(tensor).type == "cpu":
            raise gpu_refuses(
                RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
                    "(%s, CPU tensor of shape %s)" % (name, tuple(Torch.size(tensor)))
                )
            )


def redispatch(func, args, kwargs):
    """One ATen operator on the inner tensors."""
    device, plain, original = [], [], {}

    def inner(tensor):
        if isinstance(tensor, DeviceTensor):
            device.append(tensor)
            original[id(tensor.kbx_inner)] = tensor
            return tensor.kbx_inner
        plain.append(tensor)
        original[id(tensor)] = tensor
        return tensor

    inner_args = [walk(value, inner) for value in args]
    inner_kwargs = {name: walk(value, inner) for name, value in kwargs.items()}
    name = func._schema.name.split("::")[-1]
    target = kwargs.get("device")
    if target is not None:
        on_device = target.type == "cuda"
        if on_device:
            inner_kwargs["device"] = Torch.cpu
    else:
        on_device = isinstance(args[0], DeviceTensor) if name in COPIES and args else bool(device)
    if device and plain:
        _refuse_mixing(func, name, args, plain)
    pinned = inner_kwargs.get("pin_memory")
    if pinned:
        inner_kwargs["pin_memory"] = False
    out = func(*inner_args, **inner_kwargs)
    if device and func._schema.is_mutable:
        _follow(device)

    def outer(tensor):
        known = original.get(id(tensor))
        if known is not None:
            return known
        if on_device:
            return DeviceTensor(tensor)
        if pinned:
            tensor.kbx_pinned = True
        return tensor

    return walk(out, outer)


def _follow(tensors):
    """Operators that change a tensor's shape in place (resize_, out=) changed the inner one only."""
    for tensor in tensors:
        inner = tensor.kbx_inner
        if Torch.size(inner) != Torch.size(tensor) or Torch.stride(inner) != Torch.stride(tensor):
            _data.__set__(tensor, DeviceTensor(inner))


class DeviceMode(TorchDispatchMode):
    """Factories with device="cuda" make device tensors while it is entered; per thread."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        own = kernel_key(func)
        if own is not None:
            with DeviceMode():
                return func._op_dk(own, *args, **(kwargs or {}))
        return redispatch(func, args, kwargs or {})


def inner_of(value):
    """The CPU tensor inside a device tensor; anything else as it is."""
    return value.kbx_inner if type(value) is DeviceTensor else value


def kernel_argument(tensor, position, name):
    """What a kernel is given for a tensor. Empty and pinned CPU tensors are fine on a GPU too."""
    if isinstance(tensor, DeviceTensor):
        return tensor.kbx_inner
    if Torch.numel(tensor) and not getattr(tensor, "kbx_pinned", False):
        raise gpu_refuses(
            ValueError(
                "Pointer argument (at %d) cannot be accessed from Triton (cpu tensor?): `%s`, shape %s"
                % (position, name, tuple(Torch.size(tensor)))
            )
        )
    return tensor
