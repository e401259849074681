"""The device shim of the second look: torch.cuda answers as under the first one, but tensors are device tensors
(device_tensor.py) and no name of Tensor lies. What is patched here only gives every cuda device an index, which a build
without CUDA cannot look up, or copies to the device above torch's dispatcher."""

import contextlib
import functools

import torch
from device_shim import FACTORIES, MODULE_METHODS, DeviceShim, names_cuda
from device_tensor import CUDA, DeviceMode, DeviceTensor, inner_of, kernel_argument, lend_guard, walk
from torch.overrides import _get_current_function_mode_stack
from torch.utils._device import DeviceContext, _device_constructors
from trusted import Torch, private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

CONVERTERS = ("tensor", "as_tensor", "asarray")  # these copy to the device below the dispatcher
UNTOUCHED = ("load", "set_default_device")
_mode_count = torch._C._len_torch_function_stack


def with_index(args, kwargs):
    """The same arguments with every mention of a cuda device replaced by cuda:0."""
    device = kwargs.get("device")
    if device is not None and (names_cuda(device) or type(device) is int):
        kwargs["device"] = CUDA
    if any(type(arg) in (str, torch.device) and names_cuda(arg) for arg in args):
        args = tuple(CUDA if type(arg) in (str, torch.device) and names_cuda(arg) else arg for arg in args)
    return args, kwargs


def on_cuda(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        args, kwargs = with_index(args, kwargs)
        return function(*args, **kwargs)

    return call


def default_device():
    """The device of `with torch.device(...)` or torch.set_default_device, None if there is none."""
    if _mode_count():
        for mode in reversed(_get_current_function_mode_stack()):
            if isinstance(mode, DeviceContext):
                return mode.device
    return None


def converter(function, to):
    @functools.wraps(function)
    def call(data, *args, device=None, **kwargs):
        if isinstance(data, DeviceTensor):
            made = data.detach().clone() if function.__name__ == "tensor" else data
            made = to(made, *args, **{key: value for key, value in kwargs.items() if key in ("dtype", "copy")})
            if device is not None:
                made = to(made, CUDA if names_cuda(device) or type(device) is int else device)
            return made.requires_grad_() if kwargs.get("requires_grad") else made
        data = walk(data, inner_of)  # values of device scalars in a list
        device = default_device() if device is None else device
        if device is None or not (names_cuda(device) or type(device) is int):
            return function(data, *args, device=device, **kwargs)
        grad = kwargs.pop("requires_grad", False)
        made = to(function(data, *args, device="cpu", **kwargs), CUDA)
        return made.requires_grad_() if grad else made

    return call


class StrictShim(DeviceShim):
    argument = staticmethod(kernel_argument)
    inner = staticmethod(inner_of)

    def enter(self):
        lend_guard()
        _device_constructors()  # keeps torch's own functions, which the ones put in their place call
        self._cuda()
        self._put(torch.cuda, "_lazy_init", lambda: None)
        self._generators()
        self._testing()
        self._functions()
        self._tensors()
        self._watch()
        self._overwrite = torch.__future__.get_overwrite_module_params_on_conversion()
        torch.__future__.set_overwrite_module_params_on_conversion(True)  # Module.cuda() makes new parameters
        self._mode = DeviceMode()
        self._mode.__enter__()

    def leave(self):
        self._mode.__exit__(None, None, None)
        torch.__future__.set_overwrite_module_params_on_conversion(self._overwrite)
        super().leave()

    @contextlib.contextmanager
    def watched(self, mode):
        """Modes run from the innermost: the watcher must come after the device mode, to see CPU tensors."""
        self._mode.__exit__(None, None, None)
        try:
            with mode, DeviceMode():
                yield
        finally:
            self._mode = DeviceMode()
            self._mode.__enter__()

    @staticmethod
    def outer(name, dtype, tensor):
        return DeviceTensor(tensor)

    def _functions(self):
        to = on_cuda(torch.Tensor.to)
        for name in FACTORIES:
            function = getattr(torch, name, None)
            if name in CONVERTERS:
                self._put(torch, name, converter(function, to))
            elif function is not None and name not in UNTOUCHED:
                self._put(torch, name, on_cuda(function))
        for name in MODULE_METHODS:
            self._put(torch.nn.Module, name, on_cuda(getattr(torch.nn.Module, name)))

    def _tensors(self):
        tensor, to = torch.Tensor, torch.Tensor.to
        for name in ("new_empty", "new_zeros", "new_ones", "new_full", "new_empty_strided"):
            self._put(tensor, name, on_cuda(getattr(tensor, name)))

        def moved(this, *args, **kwargs):
            if args and type(args[0]) is int:
                args = (CUDA, *args[1:])
            args, kwargs = with_index(args, kwargs)
            return to(this, *args, **kwargs)

        def pinned(this, *args, **kwargs):
            made = Torch.clone(this)
            made.kbx_pinned = True
            return made

        self._put(tensor, "to", moved)
        self._put(tensor, "cuda", lambda this, *args, **kwargs: to(this, CUDA))
        self._put(tensor, "pin_memory", pinned)
        self._put(tensor, "record_stream", lambda this, *args: None)
