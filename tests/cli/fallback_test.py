"""A machine that permits no namespaces: kbx says so once and goes on with what is left.

Usage: fallback_test.py KBX. Skipped (77) where unshare cannot make the outer user namespace.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORBID = "echo 0 > /proc/sys/user/max_user_namespaces && "


def main():
    kbx = sys.argv[1]
    probe = subprocess.run(["unshare", "-Ur", "sh", "-c", FORBID + "! unshare -U true"], capture_output=True)
    if probe.returncode != 0:
        print("this machine has no unshare, or does not let it forbid namespaces")
        return 77
    candidate = ROOT / "tests/verdicts/hostile/control_right.py"
    command = FORBID + "exec '%s' check '%s' --task exp_sqrt --arch sm_90" % (kbx, candidate)
    done = subprocess.run(["unshare", "-Ur", "sh", "-c", command], capture_output=True, text=True)
    said = done.stderr.count("does not permit")
    ok = done.returncode == 0 and said == 1 and "correct" in done.stdout
    print(done.stdout[:200], done.stderr[-800:] if not ok else "")
    print("%d passed, %d failed" % (ok, not ok))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
