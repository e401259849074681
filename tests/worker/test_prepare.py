"""A GPU child before its candidate: `prepare`, what is built beforehand, and its end while it is stuck."""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

import harness
import numpy as np
import sources
import test_kernels
from case import WorkerCase, tearDownModule, zygote  # noqa: F401

IDLE = "def run(x):\n    return x\n"


def cuda_here():
    return os.path.exists("/dev/nvidiactl")


class Prepare(WorkerCase):
    def test_without_cuda_the_reason_is_said(self):
        if cuda_here():
            self.skipTest("this machine has a GPU")
        child = self.start("gpu")
        reply = child.prepare()
        self.assertFalse(reply["ok"])
        self.assertEqual(reply["error"]["kind"], "not_judged")
        self.assertRegex(reply["error"]["message"], "kbx's worker failed: .*(CUDA|NVIDIA)")
        self.end(child)

    def test_after_load_it_breaks_the_protocol(self):
        child = self.loaded(self.start(), IDLE)
        child.send(harness.wire.PREPARE, {"gpu": 0})
        with self.assertRaises(harness.Gone):
            child.receive()
        self.assertNotEqual(child.wait()["status"], 0)

    def test_the_alarm_stands_still_until_load(self):
        # The first process of a PID namespace does not feel an alarm.
        child = self.start("value", limits={"wall_seconds": 2}, jail=False)
        child.prepare()  # fails here, and still stops the clock
        time.sleep(2.5)
        self.loaded(child, "import time\ndef run(x):\n    time.sleep(30)\n")
        with self.assertRaises(harness.Gone):
            child.call({"t": "int", "v": 1}, seconds=20)
        self.assertEqual(child.wait()["status"], signal.SIGALRM)


class Kill(WorkerCase):
    def test_the_end_is_reported_when_every_process_of_it_is_gone(self):
        if not zygote().hello["jail"]["pid"]:
            self.skipTest("this machine permits no PID namespace")
        mark = "98700.%d" % os.getpid()
        source = (
            "import subprocess, time\ndef run(x):\n    subprocess.Popen(['/bin/sleep', '%s'])\n"
            "    time.sleep(0.3)\n    return x\n" % mark
        )
        child = self.loaded(self.start(), source)
        self.assertTrue(child.call({"t": "int", "v": 1})["ok"])
        self.assertTrue(self.alive(mark))
        child.send(harness.wire.CALL, {"id": 2, "entry": "run", "mode": "eager", "args": [], "kwargs": {}})
        child.kill()
        self.assertEqual(child.wait()["status"], signal.SIGKILL)
        self.assertFalse(self.alive(mark))

    @staticmethod
    def alive(mark):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    if mark.encode() in file.read():
                        return True
            except OSError:
                continue
        return False

    def test_a_stopped_process_dies_too(self):
        stops = "import os, signal\ndef run(x):\n    os.kill(os.getpid(), signal.SIGSTOP)\n    signal.pause()\n"
        child = self.loaded(self.start(), stops)
        child.send(harness.wire.CALL, {"id": 1, "entry": "run", "mode": "eager", "args": [], "kwargs": {}})
        child.kill()
        self.assertEqual(child.wait()["status"], signal.SIGKILL)


def fake_libcuda(folder):
    """A libcuda.so.1 whose every function says success: enough to build and load what links against it."""
    import triton.backends.nvidia.driver as driver

    with open(os.path.join(os.path.dirname(driver.__file__), "driver.c")) as file:
        names = set(re.findall(r"\bcu[A-Z]\w+(?=\()", file.read()))
    launcher = "CtxGetCurrent DeviceGet DevicePrimaryCtxRetain CtxSetCurrent PointerGetAttribute LaunchKernelEx"
    names |= {"cu" + name for name in (launcher + " FuncSetAttribute GetErrorString TensorMapEncodeTiled").split()}
    source = os.path.join(folder, "cuda.c")
    with open(source, "w") as file:
        file.writelines("int %s(void) { return 0; }\n" % name for name in sorted(names))
    library = os.path.join(folder, "libcuda.so.1")
    subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", library, source], check=True)
    os.symlink("libcuda.so.1", os.path.join(folder, "libcuda.so"))


@unittest.skipUnless(os.path.exists("/usr/bin/gcc"), "this machine has no gcc")
class Prebuilt(unittest.TestCase):
    """With the driver's library present, what Triton builds with gcc is built before the card is taken."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.path.dirname(harness.LIBRARY))  # a jail has another /tmp
        os.chmod(cls.folder.name, 0o755)
        place = cls.folder.name + "/lib"
        os.mkdir(place)
        fake_libcuda(place)
        cls.env = {"TRITON_LIBCUDA_PATH": place, "LD_LIBRARY_PATH": place, "PATH": "/usr/bin:/bin:/sbin"}
        cls.cache = cls.folder.name + "/cache"
        cls.zygote = harness.Zygote(env=cls.env, cache=cls.cache)
        assert cls.zygote.hello, cls.zygote.fatal

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()
        cls.folder.cleanup()

    def kept(self):
        return sorted(os.path.join(root, name) for root, _, names in os.walk(self.cache) for name in names)

    def test_cuda_utils_is_built_once_and_kept(self):
        path, checksum = self.kept()
        self.assertIn("cuda_utils", os.path.basename(path))
        self.assertTrue(path.startswith(os.path.dirname(checksum)))
        before = [os.stat(path).st_mtime_ns for path in self.kept()]
        again = harness.Zygote(env=dict(self.env, PATH="/nonexistent"), cache=self.cache)
        self.addCleanup(again.close)
        self.assertIsNotNone(again.hello, again.fatal)
        self.assertFalse([note for note in again.hello["notes"] if "cuda_utils" in note])
        self.assertEqual([os.stat(path).st_mtime_ns for path in self.kept()], before)

    def test_children_find_it_where_triton_looks(self):
        memory = harness.kernel_memory()
        self.addCleanup(os.close, memory)
        child = self.zygote.fork("compile", kernels=memory)
        self.assertTrue(child.load(sources.ADD, archs=[90], kernels="fill")["ok"])
        args = [child.tensor("a%d" % k, "f32", [1000], np.zeros(1000, np.float32).tobytes()) for k in range(2)]
        self.assertTrue(child.call(*args)["ok"])
        child.finish()
        self.assertEqual(child.wait()["status"], 0)
        _, length = test_kernels.pack.HEADER.unpack(os.pread(memory, 16, 0))
        names = [name for _, name, _ in test_kernels.pack.records(os.pread(memory, length, 16))]
        self.assertEqual(sum("cuda_utils" in name for name in names), 1, names)
        import triton.backends.nvidia.driver as driver

        launchers = 1 if hasattr(driver, "make_launcher") else 0  # generic since 3.8
        self.assertEqual(sum("__triton_launcher" in name for name in names), launchers, names)

    def test_tritons_driver_needs_no_compiler_in_a_child(self):
        source = (
            "import os\nos.environ['PATH'] = '/nonexistent'\nfrom triton.backends.nvidia.driver import CudaUtils\n"
            "def run(x):\n    return callable(CudaUtils().load_binary)\n"
        )
        for role in ("compile", "value"):  # a value child has no use for it
            child = self.zygote.fork(role)
            self.assertTrue(child.load(source)["ok"])
            reply = child.call({"t": "int", "v": 1})
            self.assertEqual(reply["ok"], role == "compile", reply)
            child.finish()
            child.wait()

    def test_a_broken_compiler_is_a_note(self):
        other = harness.Zygote(env=dict(self.env, PATH="/nonexistent"), cache=self.folder.name + "/empty")
        self.addCleanup(other.close)
        self.assertIsNotNone(other.hello, other.fatal)
        self.assertTrue([note for note in other.hello["notes"] if "cuda_utils" in note], other.hello["notes"])


if __name__ == "__main__":
    unittest.main()
