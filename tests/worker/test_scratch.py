"""What a zygote keeps outside of its children: its temporary folder, the extension it built, and a kbx that lies in /tmp."""

import json
import os
import shutil
import signal
import tempfile
import unittest

import harness
from case import WorkerCase, tearDownModule, zygote  # noqa: F401

prebuilt = harness.worker_module("prebuilt")
scratch = harness.worker_module("scratch")

LOOK = """
import json, os
def run(path):
    return json.dumps({"tmp": sorted(os.listdir("/tmp")), "there": os.path.exists(path), "cwd": os.getcwd(), "home": os.environ["HOME"]})
"""


def folders():
    return {name for name in os.listdir("/tmp") if name.startswith(scratch.PREFIX)}


class Folder(WorkerCase):
    def test_what_a_killed_zygote_leaves_the_next_one_removes(self):
        base = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, base)
        old, lives = (os.path.join(base, scratch.PREFIX + name) for name in ("old", "lives"))
        for path in (old, lives):
            os.makedirs(path + "/child-x")
        os.symlink(base, os.path.join(base, scratch.PREFIX + "link"))
        held = scratch.lock(lives)
        scratch.sweep(base)
        os.close(held)
        self.assertEqual(sorted(os.listdir(base)), [scratch.PREFIX + "link", scratch.PREFIX + "lives"])

    def test_a_zygote_that_ends_leaves_nothing(self):
        before = folders()
        own = harness.Zygote()
        self.assertIsNotNone(own.hello, own.fatal)
        during = folders() - before
        own.close()
        self.assertGreaterEqual(len(during), 1)
        left = {name for name in during if self.is_loose("/tmp/" + name)}
        self.assertEqual(left, set())

    def test_a_zygote_that_is_killed_leaves_a_folder_without_a_lock(self):
        before = folders()
        own = harness.Zygote()
        self.assertIsNotNone(own.hello, own.fatal)
        during = folders() - before
        own.process.send_signal(signal.SIGKILL)
        own.process.wait(20)
        self.assertTrue(any(self.is_loose("/tmp/" + name) for name in during))
        scratch.sweep("/tmp")
        self.assertFalse(any(self.is_loose("/tmp/" + name) for name in during))

    @staticmethod
    def is_loose(path):
        """Whether it is there and nobody holds it. Another test's zygote may go at any moment."""
        try:
            held = scratch.lock(path)
        except FileNotFoundError:
            return False
        if held is None:
            return False
        os.close(held)
        return True


class Kept(unittest.TestCase):
    """The extension kept between runs: what is damaged is not loaded."""

    def setUp(self):
        self.base = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.base)
        built = os.path.join(self.base, "built", "KEY")
        os.makedirs(built)
        with open(os.path.join(built, "cuda_utils.so"), "wb") as file:
            file.write(b"code")
        self.kept = os.path.join(self.base, "cuda_utils", "key")
        self.files = prebuilt.read_tree(os.path.dirname(built))
        prebuilt.keep(os.path.dirname(built), self.kept, prebuilt.sum_of(self.files))

    def test_comes_back_whole(self):
        self.assertEqual(prebuilt.read_kept(self.kept), {"KEY/cuda_utils.so": b"code"})

    def test_garbage_is_removed(self):
        for garbage in (b"", b"cod", b"elf!"):
            with self.subTest(garbage):
                self.setUp()
                with open(os.path.join(self.kept, "KEY", "cuda_utils.so"), "wb") as file:
                    file.write(garbage)
                self.assertEqual(prebuilt.read_kept(self.kept), {})
                self.assertFalse(os.path.exists(self.kept))

    def test_a_planted_file_beside_it_is_garbage(self):
        with open(os.path.join(self.kept, "KEY", "other.so"), "wb") as file:
            file.write(b"mine")
        self.assertEqual(prebuilt.read_kept(self.kept), {})

    def test_without_its_sum_it_is_garbage(self):
        os.remove(os.path.join(self.kept, prebuilt.SUM))
        self.assertEqual(prebuilt.read_kept(self.kept), {})


class KbxInTmp(WorkerCase):
    """A kbx that lies in /tmp shows its own folders there and nothing else."""

    def setUp(self):
        self.base = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, self.base)
        os.chmod(self.base, 0o755)
        self.worker = harness.WORKER
        self.addCleanup(setattr, harness, "WORKER", self.worker)
        harness.WORKER = os.path.join(self.base, "worker")
        shutil.copytree(self.worker, harness.WORKER, ignore=shutil.ignore_patterns("__pycache__"))

    def test_children_see_only_what_is_needed_of_tmp(self):
        secret = os.path.join(self.base, "secret")
        with open(secret, "w") as file:
            file.write("another's")
        own = harness.Zygote()
        self.assertIsNotNone(own.hello, own.fatal)
        if not own.hello["jail"]["mount"]:
            own.close()
            self.skipTest("no mount namespaces here")
        child = own.fork()
        self.assertTrue(child.load(LOOK)["ok"])
        seen = json.loads(child.call({"t": "str", "v": secret})["result"]["v"])
        child.finish()
        child.wait()
        own.close()
        self.assertFalse(seen["there"])
        needed = {os.path.basename(self.base)} | {name for name in seen["tmp"] if name.startswith(scratch.PREFIX)}
        needed |= {os.path.abspath(path).split("/")[2] for path in (harness.LIBRARY, harness.PYTHON) if os.path.abspath(path).startswith("/tmp/")}
        self.assertLessEqual(set(seen["tmp"]), needed)
        self.assertTrue(seen["home"].startswith("/tmp/" + scratch.PREFIX), seen["home"])


if __name__ == "__main__":
    unittest.main()
