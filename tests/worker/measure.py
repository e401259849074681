"""Prints how long a cold candidate takes from fork to first result, against a fresh python per candidate.

python measure.py [forks] [fresh]          (defaults 30 and 5)
"""

import statistics
import subprocess
import sys
import time

import harness
import sources
from case import f32

FRESH = """
import sys; sys.path.insert(0, %r)
import ctypes
import torch, triton, numpy
torch.set_num_threads(1)
import compat, ir_host, launches, observer, stub_driver, device_shim
library = ctypes.CDLL(%r)
watcher = observer.Observer()
machine = launches.Launches(ir_host.Machine(library), watcher, {"undefined": True, "races": True})
compat.set_active_driver(stub_driver.StubDriver(90)); compat.patch_compile(machine.compile)
x = torch.arange(1000.0)
device_shim.DeviceShim(90).enter()
open(sys.argv[1], "w").write(%r)
sys.path.insert(0, sys.argv[2])
import cold
with observer.ObserverMode(watcher): out = cold.run(x, x)
assert out.tolist()[999] == 1998.0
"""


def forked(zygote, **options):
    """(seconds to `forked` and load answered, seconds to the first result, seconds until reaped)."""
    start = time.perf_counter()
    child = zygote.fork(**options)
    assert child.load(sources.ADD)["ok"]
    loaded = time.perf_counter() - start
    x = child.tensor("x", "f32", [1000], f32(range(1000)))
    assert child.call(x, x)["ok"]
    first = time.perf_counter() - start
    child.finish()
    child.wait()
    return loaded, first, time.perf_counter() - start


def fresh():
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        code = FRESH % (harness.WORKER, harness.LIBRARY, sources.ADD)
        environment = {"OMP_NUM_THREADS": "1", "HOME": folder, "TRITON_CACHE_DIR": folder, "PATH": os.environ["PATH"]}
        start = time.perf_counter()
        subprocess.run([harness.PYTHON, "-c", code, folder + "/cold.py", folder], check=True, env=environment)
        return time.perf_counter() - start


def line(name, values):
    values = sorted(1e3 * value for value in values)
    print(
        "%-44s median %8.1f ms   p90 %8.1f ms   n=%d"
        % (name, statistics.median(values), values[int(0.9 * (len(values) - 1))], len(values))
    )
    return statistics.median(values)


def main():
    forks, fresh_runs = (int(value) for value in (sys.argv[1:] + ["30", "5"][len(sys.argv) - 1 :])[:2])
    zygote = harness.Zygote()
    if zygote.hello is None:
        sys.exit("the zygote does not start: %s" % zygote.fatal)
    print(
        "python %(python)s torch %(torch)s triton %(triton)s; zygote ready in %(seconds).2f s; jail %(jail)s"
        % zygote.hello
    )
    forked(zygote)
    rows = [forked(zygote) for _ in range(forks)]
    bare = [forked(zygote, jail=False) for _ in range(forks)]
    line("fork -> loaded (jailed)", [row[0] for row in rows])
    jailed = line("fork -> first result (jailed)", [row[1] for row in rows])
    line("fork -> reaped (jailed)", [row[2] for row in rows])
    line("fork -> first result (without the jail)", [row[1] for row in bare])
    zygote.close()
    cold = line("fresh python -> first result", [fresh() for _ in range(fresh_runs)])
    print("a fresh python takes %.1f times as long" % (cold / jailed))


if __name__ == "__main__":
    main()
