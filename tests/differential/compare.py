"""How far two versions of a tensor's memory are apart: bit for bit, in units in the last place, or relative."""

import torch

# dtype -> (bits of the fraction, integer type of the same width)
FLOATS = {
    torch.float16: (10, torch.int16),
    torch.bfloat16: (7, torch.int16),
    torch.float32: (23, torch.int32),
    torch.float64: (52, torch.int64),
    torch.float8_e4m3fn: (3, torch.int8),
    torch.float8_e5m2: (2, torch.int8),
}


def as_double(data, dtype):
    values = data.view(dtype)
    return values.to(torch.complex128).abs() if dtype.is_complex else values.to(torch.float64)


def unit(values, dtype):
    """The distance between neighbouring numbers of a float type at each value, as double."""
    size = values.abs().clamp(min=torch.finfo(dtype).tiny)
    return torch.exp2(torch.floor(torch.log2(size)) - FLOATS[dtype][0])


def difference(ours, theirs, dtype):
    """None when equal (NaN equals NaN, whatever its bits), else {"count", "of", "rel", "scaled", "ulps", "max_abs",
    "ours", "theirs", "at", "special"}: rel = |a - b| / |b|, scaled = |a - b| / root mean square of b, ulps = |a - b| /
    unit(b), `special` = NaN or Inf on one side alone; the largest of each, and the values where rel is largest. The
    bytes are those of a whole storage; a tail shorter than an element is not looked at."""
    width = torch.empty(0, dtype=dtype).element_size()
    ours, theirs = (data[: data.numel() // width * width] for data in (ours, theirs))
    if torch.equal(ours, theirs):
        return None
    a, b = as_double(ours, dtype), as_double(theirs, dtype)
    differ = ~((a == b) | (a.isnan() & b.isnan()))
    if not bool(differ.any()):
        return None
    finite = a.isfinite() & b.isfinite()
    gap = torch.where(differ, (a - b).abs(), 0.0)
    special = int((differ & ~finite).sum())
    gap = torch.where(finite, gap, 0.0)
    size = float(b[finite].square().mean().sqrt()) if bool(finite.any()) else 0.0
    rel = gap / b.abs().clamp(min=1e-300)
    rel = torch.where(finite & differ, rel, 0.0)
    at = int((rel if not special else (differ & ~finite).double()).argmax())
    return {
        "dtype": str(dtype).replace("torch.", ""),
        "count": int(differ.sum()),
        "of": a.numel(),
        "rel": float(rel.max()),
        "ulps": float((gap / unit(torch.where(finite, b, 0.0), dtype)).max()) if dtype in FLOATS else None,
        "scaled": float(gap.max()) / size if size else 0.0,
        "max_abs": float(gap.max()),
        "special": special,
        "at": at,
        "ours": float(a[at]),
        "theirs": float(b[at]),
    }
