"""What the compiler made for a candidate, from its compile child to its GPU child: the files of Triton's cache in one
piece of memory (a sealed memfd that kbx made and never reads).

16 bytes: magic, length of what follows. Then for each file: u16 length of the name, u32 of the data, "KEY/FILE", data.
Both ends are jailed processes of the same candidate: what is packed here is as hostile as what it may do anyway, and
the unpacking end runs before it, so a broken pack is an empty one.
"""

import json
import os
import stat
import struct

from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

MAGIC, HEADER, RECORD = b"KBXKERN1", struct.Struct("<8sQ"), struct.Struct("<HI")
MAX_FILES, MAX_FILE_BYTES = 4096, 16 << 20
GROUP = "__grp__"  # Triton's list of the files of one compilation, by absolute path
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_open, _close, _read, _write_at, _read_at, _fstat = os.open, os.close, os.read, os.pwrite, os.pread, os.fstat
_list, _join, _regular, _directory = os.listdir, os.path.join, stat.S_ISREG, stat.S_ISDIR
_loads, _dumps = json.loads, json.dumps


def wanted(name):
    """Not an autotuner's memory (its timings were none), not what is half written."""
    return not name.endswith(".autotune.json") and name != "lock" and not name.startswith("tmp.")


def read_regular(path):
    """The bytes of a plain file of bearable size, never through a link; None of anything else."""
    try:
        fd = _open(path, _OPEN)
    except OSError:
        return None
    try:
        info = _fstat(fd)
        if not _regular(info.st_mode) or info.st_size > MAX_FILE_BYTES:
            return None
        data = b""
        while len(data) < info.st_size:
            part = _read(fd, info.st_size - len(data))
            if not part:
                break
            data += part
        return data
    finally:
        _close(fd)


def files_of(folder):
    """(key, name, data) of the files in the folders of `folder`, at most MAX_FILES."""
    count = 0
    for key in sorted(_list(folder)):
        place = _join(folder, key)
        try:
            fd = _open(place, _OPEN | os.O_DIRECTORY)
        except OSError:
            continue
        _close(fd)
        for name in sorted(_list(place)):
            data = read_regular(_join(place, name)) if wanted(name) else None
            if data is None:
                continue
            count += 1
            if count > MAX_FILES:
                return
            yield key, name, data


def pack(fd, folder):
    """Fills the memory, anew each time. What does not fit stays out. Returns the number of files."""
    at, size, count = HEADER.size, _fstat(fd).st_size, 0
    _write_at(fd, bytes(HEADER.size), 0)  # an end before the end leaves an empty pack
    for key, name, data in files_of(folder):
        label = ("%s/%s" % (key, name)).encode()
        record = RECORD.pack(len(label), len(data)) + label + data
        if len(label) > 400 or at + len(record) > size:
            continue
        done = 0
        while done < len(record):
            done += _write_at(fd, record[done:], at + done)
        at, count = at + len(record), count + 1
    _write_at(fd, HEADER.pack(MAGIC, at - HEADER.size), 0)
    return count


def records(data):
    """(key, name, bytes) of a pack's body, as far as it is well-formed."""
    at = 0
    while at + RECORD.size <= len(data):
        label_size, size = RECORD.unpack_from(data, at)
        at += RECORD.size
        if at + label_size + size > len(data):
            return
        key, slash, name = data[at : at + label_size].decode("utf-8", "replace").partition("/")
        body = data[at + label_size : at + label_size + size]
        at += label_size + size
        if slash and is_name(key) and is_name(name):
            yield key, name, body


def is_name(text):
    return text not in ("", ".", "..") and "/" not in text and "\0" not in text


def moved(body, place):
    """A group's list with its files in `place`."""
    try:
        paths = _loads(body)["child_paths"]
        here = {name: _join(place, os.path.basename(path)) for name, path in paths.items()}
        return _dumps({"child_paths": here}).encode()
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def unpack(fd, folder):
    """Writes the files into `folder`, which is private and empty of them. Returns their number."""
    magic, length = HEADER.unpack(_read_at(fd, HEADER.size, 0).ljust(HEADER.size, b"\0"))
    if magic != MAGIC or length > _fstat(fd).st_size - HEADER.size:
        return 0
    data, count = b"", 0
    while len(data) < length:
        part = _read_at(fd, length - len(data), HEADER.size + len(data))
        if not part:
            return 0
        data += part
    for key, name, body in records(data):
        place = _join(folder, key)
        os.makedirs(place, exist_ok=True)
        if name.startswith(GROUP):
            body = moved(body, place)
        path = _join(place, name)
        if body is None or os.path.lexists(path):
            continue
        with open(path, "xb") as file:
            file.write(body)
        count += 1
    return count
