"""Bad candidates, inside the jail only: each ends as data, and the zygote and the neighbours live on."""

import os
import signal
import time
import unittest

import sources
from case import WorkerCase, f32, floats, tearDownModule, zygote  # noqa: F401
from harness import Gone


class Hostile(WorkerCase):
    def tearDown(self):
        """The zygote still serves."""
        child = self.loaded(self.start(), sources.ADD)
        x = child.tensor("x", "f32", [3], f32([1, 2, 3]))
        self.assertEqual(floats(child.read(child.call(x, x)["result"])), [2, 4, 6])
        self.end(child)

    def error(self, source, *args, loading=False, **limits):
        child = self.start(limits=limits)
        reply = child.load(source)
        if not loading:
            self.assertTrue(reply["ok"], reply)
            reply = child.call(*args)
        self.assertFalse(reply["ok"], reply)
        child.finish()
        self.assertEqual(child.wait()["status"], 0)
        return reply["error"]

    def dies(self, source, **limits):
        """The raw wait status of a child that ends in its call without an answer."""
        child = self.start(limits=limits)
        self.assertTrue(child.load(source)["ok"])
        with self.assertRaises(Gone):
            child.call(seconds=30)
        return child.wait()["status"]

    def test_exit_at_import(self):
        error = self.error("import sys\nsys.exit(0)\ndef run(): pass", loading=True)
        self.assertEqual((error["kind"], error["line"]), ("runtime_error", 2))
        self.assertIn("exit", error["message"])

    def test_exit_in_a_call(self):
        self.assertEqual(self.error("def run(): raise SystemExit(0)")["kind"], "runtime_error")
        self.assertEqual(self.error("def run(): raise KeyboardInterrupt")["kind"], "runtime_error")

    def test_hard_exit_is_a_death_without_bye(self):
        self.assertEqual(self.dies("import os\ndef run(): os._exit(0)"), 0)

    def test_segmentation_fault(self):
        status = self.dies("import ctypes\ndef run(): ctypes.string_at(8)")
        self.assertEqual(os.WTERMSIG(status), signal.SIGSEGV)

    def test_abort(self):
        self.assertTrue(os.WIFSIGNALED(self.dies("import os\ndef run(): os.abort()")))

    def test_exit_handlers_do_not_run(self):
        child = self.loaded(
            self.start(), "import atexit, os\natexit.register(lambda: os._exit(9))\ndef run(): return 1"
        )
        child.call()
        self.end(child)

    def test_endless_loop_is_killed_by_name(self):
        child = self.loaded(self.start(), "def run():\n    while True: pass")
        with self.assertRaises(TimeoutError):
            child.call(seconds=0.5)
        child.kill()
        self.assertEqual(os.WTERMSIG(child.wait(5)["status"]), signal.SIGKILL)

    def test_processor_time_is_limited(self):
        child = self.loaded(self.start(limits={"cpu_seconds": 1}), "def run():\n    while True: pass")
        start = time.monotonic()
        with self.assertRaises(Gone):
            child.call(seconds=30)
        child.wait()
        self.assertLess(time.monotonic() - start, 25)

    def test_kill_takes_the_grandchildren(self):
        source = """
import os, time
def run():
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
    time.sleep(60)
"""
        child = self.loaded(self.start(), source)
        with self.assertRaises(TimeoutError):
            child.call(seconds=0.5)
        child.kill()
        child.wait(5)
        self.assertFalse(child._drain.is_alive(), "a grandchild still holds the output pipe")

    def test_fork_bomb_is_bounded(self):
        source = """
import os, time
def run():
    made = 0
    try:
        while made < 10000:
            if os.fork() == 0: time.sleep(30)
            made += 1
    except OSError:
        pass
    return made
"""
        child = self.loaded(self.start(limits={"processes": 20}), source)
        reply = child.call()
        if zygote().hello["jail"]["user"]:
            self.assertLess(reply["result"]["v"], 20)
        child.kill()
        child.wait(5)
        self.assertFalse(child._drain.is_alive())

    def test_recursion_bomb(self):
        error = self.error("def run(): return run()")
        self.assertEqual((error["kind"], error["type"]), ("runtime_error", "RecursionError"))
        self.assertLess(len(error["traceback"]), 8 << 10)

    def test_huge_allocations(self):
        self.assertEqual(
            self.error("import torch\ndef run(): return torch.zeros(100 << 30, dtype=torch.uint8)")["kind"],
            "out_of_memory",
        )
        self.assertEqual(self.error("def run(): return bytearray(100 << 30)")["kind"], "out_of_memory")
        self.assertEqual(
            self.error("def run():\n    a = []\n    while True: a.append(bytearray(64 << 20))", memory_bytes=1 << 30)[
                "kind"
            ],
            "out_of_memory",
        )

    def test_huge_output_is_drained_and_the_values_count(self):
        source = "def run():\n    line = 'x' * 65535\n    for _ in range(4096): print(line)\n    return 5"
        child = self.loaded(self.start(), source)
        self.assertEqual(child.call()["result"]["v"], 5)
        self.end(child)
        self.assertGreater(len(child.output) + child.dropped, 4096 * 65535)

    def test_huge_file(self):
        source = "def run():\n    with open('big', 'wb') as f:\n        for _ in range(4096): f.write(b'x' * (1 << 20))"
        child = self.loaded(self.start(limits={"file_bytes": 8 << 20}), source)
        try:
            self.assertEqual(child.call()["error"]["type"], "OSError")
        except Gone:  # SIGXFSZ
            pass
        child.kill()
        child.wait()

    def test_hostile_exceptions(self):
        error = self.error("class E(Exception):\n    def __str__(self): raise SystemExit(3)\ndef run(): raise E()")
        self.assertEqual((error["kind"], error["type"], error["line"]), ("runtime_error", "E", 3))
        self.assertEqual(error["bases"], ["Exception", "BaseException"])
        error = self.error(
            "class E(BaseException):\n    __cause__ = property(lambda s: 1 / 0)\n"
            "    def __str__(self): return 'y' * (1 << 24)\ndef run(): raise E()"
        )
        self.assertEqual(error["type"], "E")
        self.assertLess(len(error["message"]), 8 << 10)
        error = self.error(
            "class M(type):\n    __name__ = property(lambda s: 1 / 0)\n"
            "class E(Exception, metaclass=M): pass\ndef run(): raise E('z')"
        )
        self.assertEqual(error["message"], "z")

    def test_hostile_results(self):
        source = """
class L(list):
    def __iter__(self): raise SystemExit
class D(dict):
    def __len__(self): return -1
def run():
    a = []
    a.append(a)
    return [L(), D(), a]
"""
        child = self.loaded(self.start(), source)
        reply = child.call()
        self.assertEqual([item["t"] for item in reply["result"]["v"]], ["object", "object", "list"])
        self.end(child)

    def test_patched_python_and_torch_break_only_their_owner(self):
        source = (
            sources.ADD
            + """
import builtins, json, os, socket, struct, time
def spoiled(*args, **kwargs): raise SystemExit("spoiled")
honest = run
def run(x, y):
    out = honest(x, y)
    spoil = {
        builtins: "len isinstance range list open type getattr zip min print sorted",
        json: "dumps loads", os: "read write _exit listdir", struct: "pack unpack", time: "perf_counter time",
        torch: "empty equal no_grad frombuffer uint8", json.JSONEncoder: "encode default",
        socket.socket: "send sendall",
    }
    for owner, names in spoil.items():
        for name in names.split(): setattr(owner, name, spoiled)
    for name in "copy_ clone data_ptr stride size untyped_storage set_ detach numel shape dtype".split():
        setattr(torch.Tensor, name, property(spoiled))
    return out
"""
        )
        child = self.loaded(self.start(), source)
        x = child.tensor("x", "f32", [100], f32(range(100)))
        reply = child.call(x, x)
        self.assertTrue(reply["ok"], reply)
        self.assertEqual(floats(child.read(reply["result"])), [2.0 * k for k in range(100)])
        self.end(child)

    def test_lying_comparison_and_modes_left_behind(self):
        source = """
import torch
from torch.overrides import TorchFunctionMode
class Lie(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None): return 3
def run(x):
    y = x + 1
    Lie().__enter__()
    return y
"""
        child = self.loaded(self.start(), source)
        reply = child.call(child.tensor("x", "f32", [2], f32([1, 2])))
        self.assertEqual(floats(child.read(reply["result"])), [2.0, 3.0])
        self.end(child)

    def test_broken_sources(self):
        self.assertEqual(self.error("def run(:\n  pass", loading=True)["kind"], "syntax_error")
        self.assertEqual(self.error("x = 1\n  y = 2\ndef run(): pass", loading=True)["line"], 2)
        error = self.error("import torch\nimport no_such_module\ndef run(): pass", loading=True)
        self.assertEqual((error["kind"], error["type"], error["line"]), ("import_error", "ModuleNotFoundError", 2))
        self.assertEqual(self.error("import torch\ndef other(): pass", loading=True)["kind"], "entry_missing")
        self.assertEqual(self.error("x = undefined_name\ndef run(): pass", loading=True)["kind"], "import_error")
        self.assertEqual(self.error("\0", loading=True)["kind"], "syntax_error")
        self.assertEqual(
            self.error("import values, wire, errors\ndef run(): pass", loading=True)["type"], "ModuleNotFoundError"
        )

    def test_missing_cpu_operator_is_not_judged(self):
        error = self.error("import torch\ndef run(): return torch.linalg.lu(torch.ones(2, 2), pivot=False)")
        self.assertEqual(error["kind"], "not_judged")

    def test_frames_of_the_caller_hold_no_expected_values(self):
        source = """
import sys
def run(x):
    seen, frame = [], sys._getframe(1)
    while frame:
        seen += [name for name in frame.f_locals if "expect" in name or "truth" in name or "seed" in name]
        frame = frame.f_back
    return seen
"""
        child = self.loaded(self.start(), source)
        self.assertEqual(child.call(child.tensor("x", "f32", [1], f32([1])))["result"], {"t": "list", "v": []})
        self.end(child)


class ZygoteItself(WorkerCase):
    def test_it_says_why_it_cannot_work(self):
        import harness

        broken = harness.Zygote(library="/no/such/library.so")
        self.assertIn("/no/such/library.so", broken.fatal["message"])
        self.assertTrue(broken.fatal["hint"])
        broken.close()

    def test_a_python_without_torch_is_named(self):
        import subprocess

        import harness

        bare = "/usr/bin/python3"
        if (
            not os.path.exists(bare)
            or subprocess.run([bare, "-c", "import torch"], capture_output=True).returncode == 0
        ):
            self.skipTest("no python without torch at %s" % bare)
        broken = harness.Zygote(python=bare)
        self.assertIn("this python has no", broken.fatal["message"])
        self.assertIn("torch, triton", broken.fatal["message"])
        self.assertRegex(broken.fatal["hint"], "^/[^ ]*python[^ ]* -m pip install .*torch triton$")
        broken.close()

    def test_its_end_takes_the_children_along(self):
        import harness

        other = harness.Zygote()
        child = other.fork()
        child.load("def run():\n    import time\n    time.sleep(60)")
        other.close()
        child._drain.join(5)
        self.assertFalse(child._drain.is_alive())

    def test_many_children_at_once(self):
        children = [self.start() for _ in range(8)]
        for child in children:
            self.loaded(child, sources.ADD)
        for child in children:
            x = child.tensor("x", "f32", [2], f32([1, 2]))
            self.assertEqual(floats(child.read(child.call(x, x)["result"])), [2, 4])
        for child in children:
            self.end(child)


if __name__ == "__main__":
    unittest.main()
