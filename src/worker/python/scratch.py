"""The zygote's temporary folder. It is locked while the zygote lives, so that the next one finds and removes what a killed
one left behind."""

import fcntl
import os
import shutil
import tempfile

PREFIX = "kbx-zygote-"
NEW = ".kbx-new-"  # not yet locked: nobody else's to remove


def make():
    """The folder; from here on `tempfile` makes its files there. Raises OSError."""
    base = tempfile.gettempdir()
    sweep(base)
    new = tempfile.mkdtemp(prefix=NEW, dir=base)
    lock(new)  # open as long as this process: nothing closes it
    os.chmod(new, 0o711)  # children that are nobody pass through
    place = os.path.join(base, PREFIX + os.path.basename(new)[len(NEW) :])
    os.rename(new, place)
    tempfile.tempdir = place
    return place


def child_folder():
    """Where the private file system of a child is mounted."""
    return tempfile.mkdtemp(prefix="child-")


def lock(folder):
    """A descriptor that holds it, or None where another process does."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return fd
    except OSError:
        os.close(fd)
        return None


def sweep(base):
    """Removes the folders of zygotes that are no more; only this user's."""
    with os.scandir(base) as entries:
        found = [e.path for e in entries if e.name.startswith(PREFIX) and e.is_dir(follow_symlinks=False)]
    for path in found:
        try:
            if os.lstat(path).st_uid != os.getuid():
                continue
            fd = lock(path)
        except OSError:
            continue
        if fd is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(fd)
