"""Random well-formed kernels with known results: generate(seed) -> Case. The same seed gives the same case."""

import kernels_dot
import kernels_elementwise
import kernels_memory
import kernels_reduce
import kernels_shapes
import numpy as np

MODULES = (kernels_elementwise, kernels_reduce, kernels_dot, kernels_shapes, kernels_memory)
FAMILIES = {name: family for module in MODULES for name, family in module.FAMILIES.items()}


def generate(seed, family=None):
    rng = np.random.default_rng(seed)
    names = sorted(FAMILIES)
    weights = np.array([FAMILIES[name][1] for name in names], dtype=float)
    chosen = family or str(rng.choice(names, p=weights / weights.sum()))
    with np.errstate(all="ignore"):
        return FAMILIES[chosen][0](rng)
