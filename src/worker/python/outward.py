"""What a child shows of itself and of where it came from: its name, its command line, its folder and environment."""

import ctypes
import os
import sys
import tempfile


def disguise(name):
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)  # PR_SET_NAME


def forget_command():
    """What the command line says of this machine, here and in /proc/self/cmdline: places, a user's name."""
    with open("/proc/self/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    start, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: fields 48 and 49 of proc(5)
    if 0 < start < end:
        ctypes.memset(start, 0, end - start)
    sys.argv[:] = sys.orig_argv[:] = ["candidate.py"]


def private_folder(root):
    """The child's own folder; what the environment says is only about it. In a private file system its name is always the
    same: names of files stand in compiled kernels, and a tape's seal should not depend on chance."""
    folder = os.path.join(root, "job")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:  # no private file system: a neighbour's
        folder = tempfile.mkdtemp(prefix="job-", dir=root)
    os.environ.clear()
    os.environ.update(
        {
            "HOME": folder,
            "TMPDIR": folder,
            "TRITON_CACHE_DIR": os.path.join(folder, "triton"),
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
        }
    )
    tempfile.tempdir = folder
    os.chdir(folder)
    return folder
