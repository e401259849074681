"""The processes of a kbx run, found through /proc, and what a run leaves behind."""

import fcntl
import os
import pathlib


def stat_of(pid):
    """(name, state, parent) or None where the process is gone."""
    try:
        text = pathlib.Path("/proc/%d/stat" % pid).read_text()
    except OSError:
        return None
    name, rest = text[text.index("(") + 1 :].rsplit(")", 1)
    return name, rest.split()[0], int(rest.split()[1])


def tree(root):
    """pid -> (name, state, parent) of everything below `root`, itself left out."""
    all_ = {int(entry): stat_of(int(entry)) for entry in os.listdir("/proc") if entry.isdigit()}
    children = {}
    for pid, found in all_.items():
        if found:
            children.setdefault(found[2], []).append(pid)
    below, todo = {}, [root]
    while todo:
        for pid in children.get(todo.pop(), []):
            below[pid] = all_[pid]
            todo.append(pid)
    return below


def is_zygote(pid):
    try:
        return b"zygote.py" in pathlib.Path("/proc/%d/cmdline" % pid).read_bytes()
    except OSError:
        return False


def roles(root):
    """role -> pids, of a running kbx: `zygote`, `kbx-clock` on a card, and for each kind of worker `kbx-value`, `kbx-replay` ...
    (the zygote names them) the outer process of its PID namespace and the inner one, which runs the candidate and is called
    `kbx` only."""
    found = {}
    below = tree(root)
    for pid, (name, state, parent) in below.items():
        name = below[parent][0] if name == "kbx" and parent in below else name
        if state == "Z":
            continue
        if parent == root and is_zygote(pid):
            found.setdefault("zygote", []).append(pid)
        elif name.startswith("kbx-") and (parent in below or name == "kbx-clock"):
            found.setdefault(name, []).append(pid)
    return found


def left_behind(mark):
    """Processes whose environment or command holds `mark` and that still live, and zombies among them."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words:
            found.append(int(entry))
    return found


def loose_folders(base="/tmp"):
    """Temporary folders of zygotes that are no more: nobody holds their lock."""
    found = set()
    for path in pathlib.Path(base).glob("kbx-zygote-*"):
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            found.add(path)
        except OSError:
            pass
        os.close(fd)
    return found | set(pathlib.Path(base).glob(".kbx-new-*"))


def shared_memory():
    return {path.name for path in pathlib.Path("/dev/shm").iterdir()} if pathlib.Path("/dev/shm").is_dir() else set()
