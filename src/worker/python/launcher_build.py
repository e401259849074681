"""Triton's own launchers, built in the compile child so that the GPU child finds them in its cache.

A launcher is a C extension for each signature (gcc, 200 to 300 ms), in Triton before 3.8. It is Triton's own and not
one of ours because the time of a call as its user sees it contains it. They are built beside the compilations for the
other architectures; a machine without CUDA's driver has nothing to link them with, and no use for them.
"""

import threading

import compat
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

MAX_AT_ONCE, WAIT_SECONDS = 4, 30


class LauncherBuild:
    def __init__(self):
        self._launcher, self._seen, self._threads = compat.compiled_launcher(), set(), []

    def start(self, src, metadata):
        """Returns at once. Signatures differ by their types alone."""
        if self._launcher is None:
            return
        about = (src.signature, getattr(src, "constants", None), getattr(metadata, "tensordesc_meta", None))
        key = tuple(str(part) for part in about)
        if key in self._seen:
            return
        self._seen.add(key)
        if len(self._threads) >= MAX_AT_ONCE:
            self._threads.pop(0).join(WAIT_SECONDS)
        thread = threading.Thread(target=self._build, args=(src, metadata), daemon=True)
        thread.start()
        self._threads.append(thread)

    def _build(self, src, metadata):
        try:
            self._launcher(src, metadata)
        except BaseException:
            pass  # the GPU child meets the same trouble and says so

    def wait(self):
        while self._threads:
            self._threads.pop().join(WAIT_SECONDS)
