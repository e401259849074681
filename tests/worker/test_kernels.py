"""What the compiler made goes from the compile child to a later child of the same candidate, and nothing else does."""

import json
import os
import tempfile
import unittest

import harness
import numpy as np
import sources
from case import WorkerCase, tearDownModule, zygote  # noqa: F401

pack = harness.worker_module("kernel_pack")

HOSTILE = """
import os
def run(x):
    cache = os.environ["TRITON_CACHE_DIR"]
    os.makedirs(cache + "/KEY/folder")
    os.symlink("/etc/passwd", cache + "/KEY/link")
    os.symlink("/etc", cache + "/OUT")
    os.mkfifo(cache + "/KEY/pipe")
    os.symlink("loop", cache + "/KEY/loop")
    with open(cache + "/KEY/plain", "w") as file:
        file.write("mine")
    with open(cache + "/KEY/sparse", "w") as file:
        file.truncate(50 << 20)
    with open(cache + "/KEY/k.autotune.json", "w") as file:
        file.write("{}")
    with open(cache + "/top", "w") as file:
        file.write("no key")
    return x
"""
BREAKS = """
import os, json
def run(x):
    for name in ("open", "read", "listdir", "fstat", "pwrite", "close"):
        setattr(os, name, lambda *a, **k: 1 / 0)
    return x
"""
LOOK = """
import os
def run(x):
    found = []
    for root, _, names in os.walk(os.environ["TRITON_CACHE_DIR"]):
        found += [os.path.relpath(os.path.join(root, name), os.environ["TRITON_CACHE_DIR"]) for name in names]
    return "\\n".join(sorted(found))
"""


class Kernels(WorkerCase):
    def setUp(self):
        self.memory = harness.kernel_memory()
        self.addCleanup(os.close, self.memory)

    def files(self):
        magic, length = pack.HEADER.unpack(os.pread(self.memory, pack.HEADER.size, 0))
        self.assertEqual(magic, pack.MAGIC)
        return {"%s/%s" % (key, name): data for key, name, data in pack.records(os.pread(self.memory, length, 16))}

    def child(self, use, source, role="compile", **load):
        child = zygote().fork(role, kernels=self.memory)
        return self.loaded(child, source, kernels=use, **load)

    def compile(self, use):
        child = self.child(use, sources.ADD, archs=[90])
        args = [child.tensor("a%d" % k, "f32", [1000], np.zeros(1000, np.float32).tobytes()) for k in range(2)]
        reply = child.call(*args)
        self.end(child)
        self.assertTrue(reply["ok"], reply)
        return reply["compiled"]

    def test_second_child_of_a_candidate_compiles_nothing(self):
        (cold,) = self.compile("fill")
        self.assertIsNotNone(cold["registers"])  # ptxas ran
        kinds = {name.rsplit(".", 1)[-1] for name in self.files()}
        self.assertTrue({"cubin", "ptx", "ttir", "json"} <= kinds, kinds)
        (hit,) = self.compile("use")
        self.assertTrue(hit["ok"])
        self.assertIsNone(hit["registers"])  # it did not
        self.assertEqual(hit["shared"], cold["shared"])

    def test_sizes_without_bytes_fill_the_cache_and_no_table(self):
        child = self.child("fill", sources.ADD, archs=[90, 80])
        drawn = {"t": "tensor", "dtype": "f32", "shape": [1 << 26], "draw": {"dist": "normal"}, "name": "a"}
        reply = child.call(drawn, dict(drawn, name="b"))
        self.assertEqual((reply["ok"], reply["compiled"], reply["launches"]), (True, [], []), reply)
        self.assertEqual(sum(name.endswith(".cubin") for name in self.files()), 1)
        self.end(child)

    def test_what_was_compiled_survives_a_call_that_does_not_end(self):
        hangs = "\nonce = run\ndef run(x, y):\n    while x.numel() == 7:\n        pass\n    return once(x, y)\n"
        child = self.child("fill", sources.ADD + hangs, archs=[90])
        for size in (1000, 7):
            args = [child.tensor("a%d" % k, "f32", [size], bytes(4 * size)) for k in range(2)]
            call = {"id": 1, "entry": "run", "mode": "eager", "args": args, "kwargs": {}}
            child.send(harness.wire.CALL, call)
            if size == 1000:
                self.assertTrue(child.receive()[1]["ok"])
        child.kill()
        child.wait()
        self.assertTrue([name for name in self.files() if name.endswith(".cubin")])

    def test_without_the_field_nothing_is_taken_or_left(self):
        self.compile(None)
        self.assertEqual(os.pread(self.memory, 16, 0), bytes(16))

    def test_only_plain_files_are_packed(self):
        child = self.child("fill", HOSTILE)
        self.assertTrue(child.call({"t": "int", "v": 1})["ok"])
        self.end(child)
        self.assertEqual(self.files(), {"KEY/plain": b"mine"})

    def test_a_candidate_that_breaks_os_leaves_in_order(self):
        child = self.child("fill", BREAKS)
        self.assertTrue(child.call({"t": "int", "v": 1})["ok"])
        self.end(child)

    def test_a_hostile_pack_writes_only_below_the_cache(self):
        body = b""
        names = {"../evil": b"x", "KEY/..": b"x", "/etc/evil": b"x", "KEY/a/b": b"x", "KEY/good": b"y"}
        names["KEY/__grp__k.json"] = b"[1]"
        names["KEY/__grp__m.json"] = b'{"child_paths": {"m.cubin": "/old/KEY/m.cubin"}}'
        for name, data in names.items():
            body += pack.RECORD.pack(len(name), len(data)) + name.encode() + data
        body += pack.RECORD.pack(5, 1 << 31) + b"KEY/z"  # cut short
        os.pwrite(self.memory, pack.HEADER.pack(pack.MAGIC, len(body)) + body, 0)
        child = self.child("use", LOOK, role="value")
        seen = child.call({"t": "int", "v": 1})["result"]["v"].split("\n")
        self.end(child)
        self.assertEqual(seen, ["KEY/__grp__m.json", "KEY/good"])

    def test_lengths_that_lie_give_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for header in (b"", b"KBXKERN1", pack.HEADER.pack(pack.MAGIC, 1 << 60), pack.HEADER.pack(b"OTHERONE", 4)):
                os.pwrite(self.memory, header.ljust(16, b"\0"), 0)
                self.assertEqual(pack.unpack(self.memory, folder), 0)
            self.assertEqual(os.listdir(folder), [])

    def test_what_does_not_fit_stays_out(self):
        small = harness.kernel_memory(4096)
        self.addCleanup(os.close, small)
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/KEY")
            for name, size in (("large", 5000), ("small", 100)):
                with open(folder + "/KEY/" + name, "wb") as file:
                    file.write(b"x" * size)
            self.assertEqual(pack.pack(small, folder), 1)
            with tempfile.TemporaryDirectory() as other:
                self.assertEqual(pack.unpack(small, other), 1)
                self.assertEqual(os.path.getsize(other + "/KEY/small"), 100)

    def test_groups_name_their_files_where_they_are_now(self):
        moved = json.loads(pack.moved(b'{"child_paths": {"k.ptx": "/tmp/job-a/triton/KEY/k.ptx"}}', "/new/KEY"))
        self.assertEqual(moved, {"child_paths": {"k.ptx": "/new/KEY/k.ptx"}})


if __name__ == "__main__":
    unittest.main()
