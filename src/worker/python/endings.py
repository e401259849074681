"""How the zygote ends a child."""

import os
import signal


def kill_inner(pid):
    """The first process of the child's PID namespace, where there is one. The outer process reports the end when the
    kernel has ended all of it: one that is in the driver holds the card for 80 ms more. False where there is none."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            inner = [int(word) for word in file.read().split()]
        own = os.stat("/proc/self/ns/pid").st_ino
        if len(inner) != 1 or os.stat("/proc/%d/ns/pid" % inner[0]).st_ino == own:
            return False
        os.kill(inner[0], signal.SIGKILL)
        return True
    except (OSError, ValueError):
        return False


def kill_tree(pid):
    """The child, its process group (all it started, without a PID namespace), and by PDEATHSIG its namespace."""
    for call in (os.killpg, os.kill):
        try:
            call(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
