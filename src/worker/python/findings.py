"""What the IR machine found, in words and in fields (docs/wire.md `findings`): which argument, which of its elements,
which programs, the lines of both accesses; what no kernel wrote of a result; and what a launch counted."""

import sys

import ir_host
from trusted import Torch, private_builtins, quiet

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_frame = sys._getframe
SOURCE = "candidate.py"
KIND_NAMES = ("i1", "i8", "i16", "i32", "i64", "f32", "f64", "f16", "bf16", "e4m3", "e5m2", "ptr", "other", "tf32")
MAX_TENSORS = 32


def multi_index(tensor, index):
    """The element's place in a contiguous tensor, as a list; None where that says nothing."""
    shape = list(Torch.size(tensor))
    if len(shape) < 2 or index < 0 or index >= Torch.numel(tensor):
        return None
    step, place = 1, []
    for size, stride in zip(reversed(shape), reversed(Torch.stride(tensor))):
        if size > 1 and stride != step:
            return None
        place.append(index // step % size)
        step *= size
    return place[::-1]


def _side(found, tensor):
    """Out of bounds: how far outside. Counted in elements where the tensor ends where its storage does."""
    amount = "first %d bytes" % abs(found.distance)
    return "%s %s" % (amount, "past the end" if found.distance >= 0 else "before the start")


def _place(found, name, tensor, size):
    """(words, fields) for the argument and the element."""
    fields, words = {}, []
    if name is None:
        return words, fields
    fields["argument"] = name
    text = "argument `%s`" % name
    outside = found.kind in (0, 1, 2)
    if outside:
        text += " (%d bytes)" % size
    if found.width and found.argument >= 0:
        fields["index"] = index = int(found.index)
        place = multi_index(tensor, index) if tensor is not None else None
        if place is not None:
            fields["shape_index"] = place
        of = " of %d" % Torch.numel(tensor) if tensor is not None else ""
        text += " element %s%s" % (place if place is not None else index, of)
    words.append(text)
    if outside:
        words.append(_side(found, tensor))
    return words, fields


def describe(found, kernel, memory):
    """One finding of the machine as docs/wire.md has it. memory: launches.Memory of the launch."""
    rule, severity, words = ir_host.KINDS.get(found.kind, ("out_of_bounds", "reject", "unknown finding"))
    name = memory.names[found.range] if 0 <= found.range < len(memory.names) else None
    size = memory.ranges[found.range][1] if 0 <= found.range < len(memory.ranges) else 0
    tensor = None
    if 0 <= found.argument < len(memory.leaves):
        leaf, value = memory.leaves[found.argument]
        name, tensor = leaf or name, value if isinstance(value, Torch.Tensor) else None
    parts = ["%s in %s" % (words, kernel)]
    place, fields = _place(found, name, tensor, size) if rule != "unaligned_claim" else _claim(found, memory)
    parts += place
    if rule not in ("time_limit", "unaligned_claim"):
        if rule == "out_of_bounds" and name is None and found.kind != 15:
            parts.append("the address lies in no argument of the launch")
        parts.append("%d element%s" % (found.count, "s" if found.count != 1 else ""))
        fields["count"] = int(found.count)
    programs = [(key, list(p)) for key, p in (("program", found.program), ("other_program", found.other)) if p[0] >= 0]
    if programs and rule != "unaligned_claim":
        fields.update(programs)
        parts.append(
            "program%s %s" % ("s" if len(programs) > 1 else "", " and ".join(str(tuple(p)) for _, p in programs))
        )
    if found.other_line and found.other_line != found.line:
        parts.append("the other access is in line %d" % found.other_line)
    if found.other_line:
        fields["other_line"] = found.other_line
    if found.operation:
        parts.append(found.operation.decode(errors="replace"))
    return dict(fields, rule=rule, severity=severity, message=", ".join(parts), line=found.line)


def _claim(found, memory):
    """false_divisibility: `name` is the argument's index (-1: tl.multiple_of), `distance` the remainder."""
    if not 0 <= found.name < len(memory.leaves):
        return ["a value leaves %d when divided by what tl.multiple_of claims" % found.distance], {}
    leaf, value = memory.leaves[found.name]
    is_pointer = memory.pointers[found.name]
    what = "the address of argument `%s`" % leaf if is_pointer else "argument `%s` = %s" % (leaf, value)
    return ["%s leaves %d when divided by what was claimed" % (what, found.distance)], {"argument": leaf}


def line_of_caller():
    """The innermost line of the candidate's source on the stack; 0 = none."""
    frame = _frame(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith(SOURCE):
            return frame.f_lineno
        frame = frame.f_back
    return 0


def grid_limit(kernel, grid, limits):
    """A note: the error that the launch raises decides."""
    axis = [size > limit for size, limit in zip(grid, limits)].index(True)
    words = "the grid of %s has %d programs along %s, the limit is %d" % (kernel, grid[axis], "xyz"[axis], limits[axis])
    return {"rule": "grid_limit", "severity": "note", "message": words, "line": line_of_caller()}


def unwritten(position, tensor, entry, writer):
    """A result of which some elements were never written, or None. entry: the storage's map, 1 = never written;
    writer: (kernel, line) of the last launch that wrote the storage, or None."""
    with quiet():
        width, total = Torch.element_size(tensor), Torch.numel(tensor)
        if not total or not width:
            return None
        start = Torch.storage_offset(tensor) * width
        strides = [stride * width for stride in Torch.stride(tensor)]
        span = start + sum((n - 1) * s for n, s in zip(Torch.size(tensor), strides)) + width
        if span > Torch.numel(entry):
            return None
        raw = Torch.untyped_storage(entry)
        view = Torch.set_(Torch.empty(0, dtype=Torch.uint8), raw, start, Torch.size(tensor), strides)
        flat = Torch.reshape(Torch.clone(view), (-1,))  # a map holds 0 and 1
        missing = int(Torch.sum(flat))
        if not missing:
            return None
        first = int(Torch.argmax(flat))
        place = first if len(Torch.size(tensor)) < 2 else list(_unravel(first, Torch.size(tensor)))
    who = "kernel %s" % writer[0] if writer else "the programs"
    words = "%s wrote %d of %d elements of result %d, which torch.empty made; first unwritten element %s" % (
        who, total - missing, total, position, place)  # fmt: skip
    found = {"rule": "unwritten_output", "severity": "warn", "message": words, "line": writer[1] if writer else 0}
    found.update(index=first, count=missing)
    if isinstance(place, list):
        found["shape_index"] = place
    return found


def _unravel(index, shape):
    place = []
    for size in reversed(shape):
        place.append(index % size)
        index //= size
    return reversed(place)


def counts(report, memory, numbers):
    """The fields of a launch's row that the machine counted. numbers: storage key -> its number in this call."""
    flops = {}
    for unit, prefix in enumerate(("", "dot_")):
        for kind, amount in zip(KIND_NAMES, report.flops_by[unit]):
            if amount:
                flops[prefix + kind] = amount
    fields = ("load_bytes", "store_bytes", "atomic_bytes")
    lines = [
        dict({"line": line.line, "flops": line.flops, "instructions": line.instructions},
             **{key: getattr(line, key) for key in fields})
        for line in report.lines[: report.line_count]
    ]  # fmt: skip
    fields += ("unique_load_bytes", "unique_store_bytes")
    tensors = [
        dict(
            {"argument": name, "bytes": entry[1], "storage": numbers.setdefault(place, len(numbers)), "tensor": ""},
            **{key: getattr(seen, key) for key in fields},
        )
        for name, place, entry, seen in zip(
            memory.names, memory.keys, memory.ranges, report.ranges[: report.counted_ranges]
        )
        if name is not None
    ][:MAX_TENSORS]
    return dict(
        {key: getattr(report, key) for key in fields},
        flops=report.flops, instructions=report.instructions, flops_by=flops, lines=lines, tensors=tensors,
    )  # fmt: skip
