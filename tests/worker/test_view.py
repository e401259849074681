"""What a candidate can see of kbx around it, and that it is the same in every phase: the import, a call that is judged, the
same call again, the second look, the compile child; recorded and timed calls of the GPU child without a GPU."""

import json
import os
import re
import sys
import unittest
from unittest import mock

import harness
import test_memory
import test_recorder
from case import WorkerCase, f32, tearDownModule  # noqa: F401

VIEW = """
import gc, json, os, resource, signal, sys, threading
import torch

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError as error:
        return type(error).__name__

def links():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink("/proc/self/fd/" + name)
        except OSError:
            pass  # the listing's own
    return found

def stack():
    frames, frame = [], sys._getframe(4)
    while frame is not None:
        frames.append([frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals)])
        frame = frame.f_back
    return frames

def memory():
    stats = sorted(torch.cuda.memory_stats().items())  # empty where a reference runs: no CUDA and no shim
    return stats and [torch.cuda.memory_allocated(), stats, torch.cuda.memory_summary(), torch.cuda.memory_snapshot()]

def view():
    status = dict(line.split(":", 1) for line in read("/proc/self/status").splitlines() if ":" in line)
    return {
        "stack": stack(),
        "modules": sorted(name for name, module in sys.modules.items() if not getattr(module, "__spec__", None)),
        "every module": sorted(sys.modules),
        "main": sorted(vars(sys.modules["__main__"])),
        "paths": [sys.path, sys.argv, sys.orig_argv, [hook.__name__ for hook in sys.path_hooks], sorted(sys.path_importer_cache)],
        "environment": dict(os.environ), "first environment": read("/proc/self/environ"),
        "command": read("/proc/self/cmdline"), "name": read("/proc/self/comm"),
        "names": [read("/proc/self/task/%s/comm" % task) for task in sorted(os.listdir("/proc/self/task"))],
        "threads": [thread.name for thread in threading.enumerate()],
        "folder": [os.getcwd(), [name for name in sorted(os.listdir(".")) if name != "triton"]],
        "files": links(), "processes": sorted(name for name in os.listdir("/proc") if name.isdigit()),
        "status": {key: status[key] for key in ("Pid", "PPid", "Uid", "Threads", "Seccomp", "CapEff", "SigIgn", "SigCgt", "SigBlk") if key in status},
        "limits": read("/proc/self/limits"), "mounts": read("/proc/self/mounts"), "group": read("/proc/self/cgroup"),
        "libraries": sorted({line.split()[-1] for line in read("/proc/self/maps").splitlines() if ".so" in line}),
        "handlers": [str(signal.getsignal(number)) for number in (1, 2, 10, 14, 15, 17)],
        "python": [sys.gettrace() is None, sys.getprofile() is None, sys.getrecursionlimit(), gc.isenabled(), sys.flags.isolated, sys.getswitchinterval()],
        "torch": [torch.is_grad_enabled(), torch.get_num_threads(), str(torch.get_default_dtype()), torch._C._len_torch_function_stack()],
        "memory": memory(),
        "file": __file__, "own": sorted(globals()),
    }

def tell():
    print(json.dumps(view()), flush=True)

tell()

def run(x):
    tell()
"""
# What is not the worker's doing at the import: python has not yet come to the last line of the file.
AT_IMPORT = {"own"}
# The strict tensors are another class, known by one look at an argument: they come with a mode of torch.
STRICT = {"torch"}


def plain(view):
    """Without what differs from child to child by chance."""
    text = re.sub(r"(socket|pipe):\[\d+\]", r"\1", json.dumps(view))
    text = re.sub(r"(Max address space +)\d+ +\d+", r"\1", text)
    return json.loads(re.sub(r"child-\w+", "child", text))


class View(WorkerCase):
    maxDiff = 4000

    def views(self, role="value", **more):
        """At the import, and in each of two calls."""
        child = self.loaded(self.start(role), VIEW, **more)
        for value in (1.0, 1e30):
            reply = child.call(child.tensor("x", "f32", [2], f32([value, 2.0])))
            self.assertTrue(reply["ok"], reply)
        self.end(child)
        found = [plain(json.loads(line)) for line in child.output.decode().splitlines()]
        self.assertEqual(len(found), 3)
        return found

    def differences(self, one, other):
        return {key: (one[key], other[key]) for key in one if one[key] != other[key]}

    def test_the_import_and_every_call_look_the_same(self):
        early, first, second = self.views()
        self.assertEqual(self.differences(first, second), {})
        self.assertEqual(set(self.differences(early, first)) - AT_IMPORT, set(), self.differences(early, first))

    def test_the_second_look_looks_the_same(self):
        once, twice = self.views()[1], self.views(strict=True, order="reverse")[1]
        self.assertEqual(set(self.differences(once, twice)) - STRICT, set(), self.differences(once, twice))

    def test_the_memory_is_told_as_on_a_card(self):
        with test_memory.card(mock.patch.object):
            here = json.loads(json.dumps(test_memory.told()))
        view = self.views()[1]["memory"]
        self.assertEqual(view, here)

    def test_nothing_tells_where_kbx_lies_or_who_uses_it(self):
        view = self.views()[1]
        view.pop("libraries")  # what is loaded has its path
        view.pop("mounts")
        text = json.dumps(view)
        for place in {harness.WORKER, os.path.dirname(harness.LIBRARY)} - {"/usr/lib", "/usr/local/lib"}:
            self.assertNotIn(place, text)

    def test_no_name_of_the_worker_tells_the_role(self):
        names = [[frame[:2] for frame in self.views(role)[1]["stack"]] for role in ("value", "compile", "reference")]
        self.assertEqual(names[0], names[1])
        self.assertEqual(names[0], names[2])
        for file, _ in names[0]:
            self.assertTrue(file.startswith("kbx/") or file == "<string>", file)


class Repeated(test_recorder.Case):
    def test_judged_recorded_and_timed_calls_have_one_stack(self):
        stacks = []

        def function(x):
            frames, frame = [], sys._getframe(1)
            while frame is not None and frame.f_code.co_name != "call":  # the test's own
                frames.append((frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals)))
                frame = frame.f_back
            stacks.append(frames)
            return x

        self.call(function, [{**test_recorder.TENSOR, "name": "x"}], record={"warm": 2}, host_calls=2)
        self.assertEqual(len(stacks), 1 + 2 + 1 + 2)
        self.assertEqual([frame[1] for frame in stacks[0]], ["attempt", "drive"])
        self.assertEqual({str(frames) for frames in stacks}, {str(stacks[0])})


if __name__ == "__main__":
    unittest.main()
