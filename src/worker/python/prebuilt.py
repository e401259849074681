"""Triton's cuda_utils extension, which it builds with gcc in every new cache (300 to 430 ms): built once a machine,
kept by kbx, and put into each child's private cache. Children inherit the bytes from the zygote.
"""

import hashlib
import os
import shutil
import signal
import sysconfig
import tempfile

import compat

BUILD_SECONDS = 60
SUM = "sha256"  # beside the files: what is damaged is built again instead of loaded


def key_of(source):
    """Changes with everything the extension depends on: its source, this python, this Triton and kbx's own layout."""
    import triton

    about = (triton.__version__, sysconfig.get_config_var("EXT_SUFFIX"), os.uname().machine)
    parts = [b"2", source, *(str(part).encode() for part in about)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def build(folder):
    """Triton builds it, in a process of its own: the zygote itself loads nothing of CUDA. True when it did."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(BUILD_SECONDS)
            null = os.open("/dev/null", os.O_RDWR)
            for fd in (1, 2):
                os.dup2(null, fd)
            os.environ["TRITON_CACHE_DIR"] = folder
            compat.build_cuda_utils()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def read_tree(folder):
    """{"KEY/FILE": bytes}"""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".so"):
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def sum_of(files):
    parts = [part for path in sorted(files) for part in (path.encode(), hashlib.sha256(files[path]).digest())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def read_kept(kept):
    """The files as they were kept; {} where there are none, or they are damaged and so removed."""
    if not os.path.isdir(kept):
        return {}
    files = read_tree(kept)
    try:
        with open(os.path.join(kept, SUM)) as file:
            if files and file.read() == sum_of(files):
                return files
    except (OSError, ValueError):
        pass
    shutil.rmtree(kept, ignore_errors=True)
    return {}


def load(cache_folder):
    """({"KEY/FILE": bytes}, notes). Nothing on a machine without CUDA's driver."""
    if not compat.has_libcuda():
        return {}, []
    try:
        files = kept_or_built(cache_folder)
    except OSError:
        files = {}
    note = "Triton's cuda_utils cannot be built here (is there gcc?): GPU workers start slower or not at all"
    return files, [] if files else [note]


def kept_or_built(cache_folder):
    with open(compat.cuda_utils_source(), "rb") as file:
        key = key_of(file.read())
    kept = os.path.join(cache_folder, "cuda_utils", key) if cache_folder else None
    files = read_kept(kept) if kept else {}
    if files:
        return files
    folder = tempfile.mkdtemp(prefix="kbx-prebuilt-")
    try:
        files = read_tree(folder) if build(folder) else {}
        if files and kept:
            keep(folder, kept, sum_of(files))
        return files
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep(folder, kept, digest):
    """A whole folder appears or none; another zygote's is as good."""
    try:
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        new = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(kept))
        try:
            shutil.copytree(folder, os.path.join(new, "files"))
            with open(os.path.join(new, "files", SUM), "w") as file:
                file.write(digest)
            os.rename(os.path.join(new, "files"), kept)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError:
        pass  # a read-only home: built again next time


def plant(files, folder):
    """Into a Triton cache."""
    for path, data in files.items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(data)
