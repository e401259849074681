"""Where this python's packages keep the NVIDIA libraries that kbx loads at run time: NVRTC (compiles the clock's device
code) and CUPTI (tells the recorder what is launched). torch's wheels bring both, Triton's brings CUPTI as well."""

import glob
import os
import site
import sys

_PATTERNS = {
    "nvrtc": ("nvidia/*/lib/libnvrtc.so.*[0-9]",),
    "cupti": ("nvidia/*/lib/libcupti.so.*[0-9]", "triton/backends/nvidia/lib/cupti/libcupti.so*"),
}
_SYSTEM = {
    "nvrtc": ("/usr/local/cuda/lib64/libnvrtc.so.*[0-9]",),
    "cupti": ("/usr/local/cuda/lib64/libcupti.so.*[0-9]", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.*[0-9]"),
}


def find():
    """{"nvrtc": [path, ...], "cupti": [path, ...]}, best first; files that exist."""
    roots = []
    for root in [*site.getsitepackages(), *sys.path]:
        if root and os.path.isdir(root) and root not in roots:
            roots.append(root)
    found = {}
    for name, patterns in _PATTERNS.items():
        places = [os.path.join(root, pattern) for pattern in patterns for root in roots] + list(_SYSTEM[name])
        paths = []
        for place in places:
            paths += [path for path in sorted(glob.glob(place)) if "builtins" not in path]
        found[name] = list(dict.fromkeys(os.path.realpath(path) for path in paths))
    return found


if __name__ == "__main__":
    print(find())
