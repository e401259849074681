"""What a candidate finds in its jail. Facts that this machine does not permit are skipped, loudly."""

import json
import os
import unittest

from case import WorkerCase, tearDownModule, zygote  # noqa: F401

FACTS = """
import json, os, socket, subprocess

def attempt(action):
    try:
        return "did it: %r" % (action(),)
    except BaseException as error:
        return type(error).__name__ + ": " + str(error)

def write(path):
    with open(path, "w") as file:
        file.write("x")
    return path

def run(path):
    home = os.environ.get("HOME", "")
    return json.dumps({
        "pid": os.getpid(), "group": os.getpgrp(), "uid": os.getuid(), "env": dict(os.environ), "cwd": os.getcwd(),
        "host": socket.gethostname(),
        "pids": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
        "fds": sorted(os.listdir("/proc/self/fd"), key=int),
        "home": attempt(lambda: write(os.path.join(home, "mine"))), "work": os.listdir(home),
        "source": attempt(lambda: write(path)), "read": attempt(lambda: len(open(path).read())), "etc": attempt(lambda: write("/etc/kbx-test")),
        "usr": attempt(lambda: write("/usr/kbx-test")), "tmp": attempt(lambda: write("/var/tmp/kbx-test")),
        "sysctl": attempt(lambda: write("/proc/sys/kernel/core_pattern")),
        "tcp": attempt(lambda: socket.create_connection(("127.0.0.1", 22), 2)),
        "dns": attempt(lambda: socket.getaddrinfo("example.org", 80)),
        "mount": attempt(lambda: __import__("ctypes").CDLL(None, use_errno=True).mount(b"x", b"/", None, 0x20, None)),
        "shell": attempt(lambda: subprocess.check_output(["/bin/sh", "-c", "echo $HOME"], text=True).strip()),
        "status": {k: v.strip() for k, _, v in (line.partition(":") for line in open("/proc/self/status"))
                   if k in ("NoNewPrivs", "CapEff", "CapBnd", "Threads", "Seccomp")},
        "trace": __import__("ctypes").CDLL(None).ptrace(0, 0, None, None),
        "oom": attempt(lambda: open("/proc/self/oom_score_adj").read().strip()),
        "inodes": attempt(lambda: os.statvfs(home).f_files),
        "root": attempt(lambda: os.listdir("/root")), "parent": os.getppid(),
        "core": attempt(lambda: __import__("resource").getrlimit(4)),
    })
"""


class Facts(WorkerCase):
    @classmethod
    def setUpClass(cls):
        cls.jail = zygote().hello["jail"]
        child = zygote().fork()
        assert child.load(FACTS)["ok"]
        cls.facts = json.loads(child.call({"t": "str", "v": os.path.abspath(__file__)})["result"]["v"])
        child.finish()
        child.wait()

    def need(self, *parts):
        missing = [part for part in parts if not self.jail[part]]
        if missing:
            self.skipTest("this machine permits no %s: %s" % (", ".join(missing), zygote().hello["notes"]))

    def test_environment_holds_nothing_of_the_outside(self):
        self.assertEqual(
            set(self.facts["env"]) - {"LC_CTYPE"},
            {"HOME", "TMPDIR", "TRITON_CACHE_DIR", "PATH", "LANG", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"},
        )

    def test_home_is_the_private_working_folder(self):
        self.assertEqual(self.facts["cwd"], self.facts["env"]["HOME"])
        self.assertTrue(self.facts["home"].startswith("did it"), self.facts["home"])
        self.assertEqual([name for name in self.facts["work"] if name not in ("candidate.py", "mine", "triton")], [])

    def test_only_the_wire_is_open(self):
        # 0-2, socket, arena's place (closed or mapped) and the listing itself
        self.assertLessEqual(len(self.facts["fds"]), 6, self.facts["fds"])
        self.assertLessEqual(max(map(int, self.facts["fds"])), 6)

    def test_files_outside_of_the_system_are_not_there(self):
        self.need("mount")
        top = os.path.abspath(__file__).split("/")[1]
        if top in ("usr", "var", "tmp"):
            self.skipTest("this checkout lies in /%s, which is shown or covered otherwise" % top)
        self.assertIn("FileNotFoundError", self.facts["read"])

    def test_own_pid_namespace(self):
        self.need("pid", "mount")
        self.assertLess(self.facts["pid"], 10)
        self.assertLess(max(self.facts["pids"]), 20, "processes of the outside are visible")

    def test_own_process_group(self):
        self.need("pid")
        self.assertEqual(self.facts["group"], self.facts["pid"], "a signal to its group reaches a process outside")

    def test_no_network(self):
        self.need("net")
        self.assertNotIn("did it", self.facts["tcp"])
        self.assertNotIn("did it", self.facts["dns"])

    def test_file_system_is_read_only(self):
        self.need("readonly")
        for place in ("source", "etc", "usr", "tmp", "sysctl"):
            self.assertNotIn("did it", self.facts[place], place)

    def test_host_name_is_ours(self):
        self.need("uts")
        self.assertEqual(self.facts["host"], "kbx")

    def test_no_privileges(self):
        self.assertEqual(self.facts["status"]["NoNewPrivs"], "1")
        self.assertEqual(int(self.facts["status"]["CapEff"], 16), 0)
        self.assertNotEqual(self.facts["mount"], "did it: 0")
        self.assertEqual(self.facts["core"], "did it: (0, 0)")

    def test_system_calls_that_nothing_needs_are_refused(self):
        self.need("calls")
        self.assertEqual(self.facts["status"]["Seccomp"], "2")
        self.assertEqual(self.facts["trace"], -1)

    def test_memory_that_runs_out_ends_the_candidate_first(self):
        self.assertEqual(self.facts["oom"], "did it: '1000'")

    def test_empty_files_have_an_end(self):
        self.need("mount")
        self.assertEqual(self.facts["inodes"], "did it: 262144")

    def test_sub_process_runs_inside(self):
        self.assertEqual(self.facts["shell"], "did it: %r" % self.facts["env"]["HOME"])

    def test_root_is_left_where_the_python_can_be_read_without_it(self):
        if os.getuid() != 0:
            self.skipTest("not root")
        if any("drop uid" in note for note in zygote().hello["notes"]):
            self.skipTest("this machine keeps root: %s" % zygote().hello["notes"])
        self.assertEqual(self.facts["uid"], 65534)


class Neighbours(WorkerCase):
    def test_private_folders_do_not_meet(self):
        source = """
import os
def run(path):
    if path: return os.path.exists(path)
    open("mark", "w").close()
    return os.path.abspath("mark")
"""
        first, second = self.loaded(self.start(), source), self.loaded(self.start(), source)
        mark = first.call({"t": "str", "v": ""})["result"]["v"]
        self.assertEqual(second.call({"t": "str", "v": mark})["result"]["v"], False)
        self.end(first)
        self.end(second)
        self.assertFalse(os.path.exists(mark))

    def test_without_a_jail_the_child_still_works(self):
        child = self.loaded(zygote().fork(jail=False), "def run(): return 7")
        self.assertEqual(child.call()["result"]["v"], 7)
        self.end(child)


if __name__ == "__main__":
    unittest.main()
