"""Inputs too large to be carried: the supervisor names a distribution, and the tensor is filled where it lies.

The values are valid ones of that distribution, for recording a call; what is judged is drawn later, elsewhere.
Meanings: docs/tasks.md. No matrix product and no library workspace is used, so that nothing of a library is set up here.
"""

import math
import zlib

import torch
from trusted import Torch, private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

CHUNK = 1 << 24  # numbers at a time: bounds the temporary memory

_base = torch._C.TensorBase
_arange, _where, _sort, _argsort = torch.arange, torch.where, torch.sort, torch.argsort
_view_as_real, _tensor = torch.view_as_real, torch.tensor
_normal_, _uniform_, _random_ = _base.normal_, _base.uniform_, _base.random_
_any, _item, _tolist = _base.any, _base.item, _base.tolist
_exp, _log, _floor, _sum, _mul, _triu, _tril = (
    _base.exp,
    _base.log,
    _base.floor,
    _base.sum,
    _base.mul,
    _base.triu,
    _base.tril,
)
_float32, _float64, _int64 = torch.float32, torch.float64, torch.int64
_COMPLEX = (torch.complex64, torch.complex128)
_WIDE = (torch.float64, torch.complex128, torch.int64)


class UnknownDistribution(Exception):
    """The supervisor asks for a distribution that this file does not know: its fault."""


class Source:
    """Random numbers of one tensor. `real`: the type in which they are made."""

    def __init__(self, name, dtype, device):
        self.device, self.real = device, _float64 if dtype in _WIDE else _float32
        self._generator = Torch.Generator(device=device).manual_seed(zlib.crc32(name.encode()))

    def empty(self, *shape, dtype=None):
        return Torch.empty(shape, dtype=dtype or self.real, device=self.device)

    def normal(self, *shape):
        return _normal_(self.empty(*shape), 0.0, 1.0, generator=self._generator)

    def unit(self, *shape):
        return _uniform_(self.empty(*shape), 0.0, 1.0, generator=self._generator)

    def integers(self, low, high, *shape):
        made = self.empty(*shape, dtype=_int64)
        return _random_(made, int(low), max(int(high), int(low) + 1), generator=self._generator)


# ---- one chunk: (source, params, count, first index, numbers of the whole tensor, numbers an element) -> count numbers


def _scaled(source, p, count, *_):
    return source.normal(count) * p.get("std", 1.0) + p.get("mean", 0.0)


def _outliers(source, p, count, *_):
    hit = source.unit(count) < p.get("prob", 0.01)
    return _where(hit, source.normal(count) * p.get("scale", 50.0), _scaled(source, p, count))


def _uniform(source, p, count, *_):
    low, high = p.get("low", 0.0), p.get("high", 1.0)
    return source.unit(count) * (high - low) + low


def _positive(source, p, count, *_):
    low, high = math.log(p.get("low", 0.1)), math.log(p.get("high", 4.0))
    return _exp(source.unit(count) * (high - low) + low)


def _class_index(source, p, count, *_):
    drawn = source.integers(0, p["classes"], count)
    if p.get("ignore") is None or not p.get("ignore_prob"):
        return drawn
    ignored = Torch.fill_(source.empty(1, dtype=_int64), int(p["ignore"]))
    return _where(source.unit(count) < p["ignore_prob"], ignored, drawn)


def _linspace(source, p, count, first, numbers, step):
    index = _arange(first, first + count, dtype=source.real, device=source.device)
    last = max(numbers // step - 1, 1)
    drawn = _floor(index / step) * ((p["high"] - p["low"]) / last) + p["low"]
    return drawn if step == 1 else _where(index % step == 0, drawn, drawn * 0)


def _constant(source, p, count, first, numbers, step):
    return _linspace(source, {"low": p["value"], "high": p["value"]}, count, first, numbers, step)


def _values(source, p, count, first, *_):
    given = _tensor(p["values"], dtype=source.real, device=source.device)
    return given[_arange(first, first + count, device=source.device) % len(p["values"])]


def _ties(source, p, count, *_):
    levels = int(p.get("levels", 4))
    return source.integers(0, levels, count) - (0 if p["integer"] else levels // 2)


def _mixed(index, half, keys):
    """A permutation of the numbers of 2 * half bits: a Feistel network whose rounds multiply and shift."""
    mask = (1 << half) - 1
    left, right = index >> half, index & mask
    for key in keys:
        word = (right + key) * 0x9E3779B1
        word = (word ^ ((word >> 15) & 0xFFFFFFFF)) * 0x85EBCA77
        left, right = right, left ^ ((word >> 13) & mask)
    return (left << half) | right


def _chosen(source, p, count, first, numbers, step):
    """Exactly share * elements of them are one: those that a random order puts first."""
    elements = numbers // step
    keys = p.get("keys")
    if keys is None:  # of the whole tensor, in its first chunk
        keys = p["keys"] = _tolist(source.integers(0, 1 << 31, 6))
    half = max(((elements - 1).bit_length() + 1) // 2, 1)
    number = _arange(first, first + count, dtype=_int64, device=source.device)
    place = _mixed(number // step, half, keys)
    while _item(_any(place >= elements)):  # each walk brings a quarter or more of those outside back in
        place = _where(place >= elements, _mixed(place, half, keys), place)
    one = place < math.floor(p.get("share", 0.5) * elements + 0.5)
    return one if step == 1 else one & (number % step == 0)


ELEMENTWISE = {
    "normal": _scaled,
    "edge": _scaled,
    "uniform": _uniform,
    "grid": lambda s, p, n, *_: _uniform(s, {"low": -1.1, "high": 1.1, **p}, n),
    "lognormal": lambda s, p, n, *_: _exp(_scaled(s, p, n)),
    "positive": _positive,
    "outliers": _outliers,
    "randint": lambda s, p, n, *_: s.integers(p["low"], p["high"], n),
    "class_index": _class_index,
    "bernoulli": lambda s, p, n, *_: s.unit(n) < p.get("p", 0.5),
    "chosen": _chosen,
    "ties": _ties,
    "constant": _constant,
    "linspace": _linspace,
    "values": _values,
    "poison": lambda s, p, n, *_: Torch.zero_(s.empty(n)),
}


# ---- a whole tensor along one dimension: (source, params, shape) -> tensor


def _weights(source, p, shape):
    drawn = -_log(source.unit(*shape) + 2.0**-25) + 2.0**-20
    return drawn / _sum(drawn, int(p.get("dim", -1)), keepdim=True)


ROWS = {
    "probabilities": _weights,
    "log_probabilities": lambda s, p, shape: _log(_weights(s, p, shape)),
    "permutation": lambda s, p, shape: _argsort(s.unit(*shape), int(p.get("dim", -1))),
    "sorted": lambda s, p, shape: _sort(s.normal(*shape) * p.get("std", 1.0) + p.get("mean", 0.0), -1)[0],
}


# ---- a batch of matrices: (source, params, (batch, rows, columns)) -> tensor


def _spectrum(source, p, shape, ones=False):
    """A diagonal of numbers from 1 to cond, spaced by their logarithms."""
    least = min(shape[1], shape[2])
    out = Torch.zero_(source.empty(*shape))
    steps = _arange(least, dtype=source.real, device=source.device) / max(least - 1, 1)
    values = _exp(steps * (0.0 if ones else math.log(p.get("cond", 10.0))))
    _base.diagonal(out, 0, 1, 2).copy_(values)
    return out


def _reflect(source, matrix, left=True, right=False, count=2):
    """H A, A H or H A H for random reflections H = 1 - 2 v v' / v'v."""
    for _ in range(count):
        v = source.normal(matrix.shape[0], matrix.shape[1] if left else matrix.shape[2])
        scale = (2.0 / _sum(v * v, -1))[:, None, None]
        if left:
            row = _sum(_mul(matrix, v[:, :, None]), 1)
            matrix = matrix - scale * v[:, :, None] * row[:, None, :]
        if right or not left:
            column = _sum(_mul(matrix, v[:, None, :]), 2)
            matrix = matrix - scale * column[:, :, None] * v[:, None, :]
    return matrix


def _symmetric(source, p, shape):
    drawn = source.normal(*shape)
    return (drawn + _base.transpose(drawn, 1, 2)) * 0.5


def _triangular(source, p, shape):
    spread = 0.5 / math.sqrt(max(1, min(shape[1], shape[2])))
    drawn, upper = source.normal(*shape) * spread, bool(p.get("upper"))
    diagonal = _spectrum(source, p, shape, ones=bool(p.get("unit")))
    return diagonal + (_triu(drawn, 1) if upper else _tril(drawn, -1))


def _low_rank(source, p, shape):
    out, rank = Torch.zero_(source.empty(*shape)), int(p["rank"])
    for _ in range(rank):
        out = out + source.normal(shape[0], shape[1], 1) * source.normal(shape[0], 1, shape[2])
    return out / math.sqrt(max(rank, 1))


def _spd(source, p, shape):
    made = _reflect(source, _spectrum(source, p, shape), left=True, right=True)
    return (made + _base.transpose(made, 1, 2)) * 0.5


MATRICES = {
    "spd": _spd,
    "symmetric": _symmetric,
    "triangular": _triangular,
    "orthogonal": lambda s, p, shape: _reflect(s, _spectrum(s, p, shape, ones=True), left=shape[1] >= shape[2]),
    "conditioned": lambda s, p, shape: _reflect(s, _reflect(s, _spectrum(s, p, shape)), left=False),
    "low_rank": _low_rank,
}


def _fill_chunks(flat, source, make, p, step):
    numbers = Torch.numel(flat)
    for first in range(0, numbers, CHUNK):
        count = min(CHUNK, numbers - first)
        Torch.copy_(flat[first : first + count], make(source, p, count, first, numbers, step))


def fill(tensor, draw, name):
    """Fills a tensor of any strides. `draw`: dist, params, values, as docs/wire.md says; one name, one outcome."""
    if Torch.numel(tensor) == 0:
        return
    dtype, shape, dist = Torch.dtype_of(tensor), tuple(Torch.size(tensor)), draw["dist"]
    source = Source(name, dtype, Torch.device_of(tensor))
    p = dict(draw.get("params") or {})
    p["values"], p["integer"] = draw.get("values") or [0.0], not (dtype.is_floating_point or dtype.is_complex)
    if dist in ELEMENTWISE:
        dense = tensor if _base.is_contiguous(tensor) else source.empty(*shape, dtype=dtype)
        flat, step = Torch.view(dense, -1), 1
        if dtype in _COMPLEX:
            flat, step = Torch.view(_view_as_real(flat), -1), 2
        _fill_chunks(flat, source, ELEMENTWISE[dist], p, step)
        if dense is not tensor:
            Torch.copy_(tensor, dense)
    elif dist in ROWS:
        Torch.copy_(tensor, ROWS[dist](source, p, shape or (1,)).reshape(shape))
    elif dist in MATRICES:
        batch = Torch.numel(tensor) // (shape[-2] * shape[-1])
        Torch.copy_(tensor, MATRICES[dist](source, p, (batch, shape[-2], shape[-1])).reshape(shape))
    else:
        raise UnknownDistribution("unknown distribution %r" % dist)
