"""Where a difference between a GPU, or Triton's interpreter, and the IR machine comes from."""

EPS32 = 2.0**-23
ORDER_FACTOR = 8  # two orders of the machine show the noise of one pair; a GPU's order is a third


def cause(tensor, order, unfused, row):
    """A few words for a tensor of a launch. tensor: GPU against machine; order: machine against machine in another
    order of sums; unfused: GPU without contraction against machine."""
    if tensor is None:
        return "equal"
    faults = {"out_of_bounds", "data_race", "undefined_read", "misaligned"} & set(row.get("findings", []))
    if faults:
        return "faulty kernel: " + ", ".join(sorted(faults))
    if row.get("unfused") is not None and unfused is None:
        return "contraction to fma"
    best = min((t for t in (tensor, unfused) if t), key=lambda t: (t["special"], t["max_abs"]))
    if best["special"]:
        return "unexplained: NaN or Inf on one side"
    if "bf16 sums" in row.get("ops", []) and best["dtype"] == "bfloat16" and best["scaled"] <= 2.0**-5:
        return "bf16 sums"
    if order is not None and best["max_abs"] <= ORDER_FACTOR * order["max_abs"]:
        return "order of sums"
    if "tf32" in row.get("ops", []) and best["scaled"] <= 2.0**-9:
        return "tf32 operands"
    return small(best, row) or "unexplained"


def small(t, row):
    """Differences that need no second order: approximate functions, one rounding, a rounding that tips over."""
    inexact = set(row.get("ops", []))
    if t["dtype"] in ("int8", "uint8", "int32", "int64") and t["max_abs"] == 1 and t["count"] <= max(2, t["of"] // 100):
        return "a rounding to integers that tips over"
    if inexact and t["dtype"] in ("float16", "bfloat16") and t["ulps"] <= 1:
        return "last bit of a 16-bit float"
    if inexact & {"approximate", "division"} and (t["ulps"] or 9e9) <= 64:
        return "approximate function or division"
    if inexact & {"approximate", "division"} and t["scaled"] <= 64 * EPS32 and t["dtype"] in ("float32", "float64"):
        return "approximate function or division, near zero"
    # exp(x) is 2^(x log2 e) in f32: the product's last bit weighs |x| times as much
    if "approximate" in inexact and t["rel"] <= 2.0**-16 and t["dtype"] in ("float32", "float64"):
        return "exp of large arguments"
    if inexact & {"division", "contraction"} and t["scaled"] <= 2.0**-15 and t["dtype"] == "float32":
        return "a last bit made large by cancellation"
    if "order" in inexact and t["dtype"] == "float32" and t["scaled"] <= 64 * EPS32:
        return "order of sums, near zero"
    return None


def causes(row):
    """[(cause, difference)] for each tensor of a launch's row."""
    found = []
    for index, tensor in enumerate(row.get("tensors", [])):
        order = row["order"][index] if row.get("order") else None
        unfused = row["unfused"][index] if row.get("unfused") else None
        found.append((cause(tensor, order, unfused, row), tensor))
    return found
