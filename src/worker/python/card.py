"""The card of a GPU child, made ready before a candidate is there: the recorder, a context, Triton's driver.

It happens while other candidates compute on the card (creating a context takes 150 to 200 ms), so nothing here launches
work but one tiny allocation.
"""

import os
import time

import compat
import torch
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

_clock = time.perf_counter


def recorder_of(fields):
    """What takes down calls, or None. It brings its own allocator, so it comes before anything of CUDA."""
    if not fields.get("device_tape"):
        return None
    import device_recorder

    return device_recorder.prepare(fields)


def first_use():
    device = torch.device("cuda", 0)
    torch.empty(1, device=device)
    torch.cuda.synchronize()
    return device


class Card:
    """`fields` are those of a `prepare` frame: gpu, device_tape, probe, cupti, arena_base."""

    def __init__(self, fields):
        self._fields, self._ready = fields, False
        self.recorder = self.driver = self.device = None
        self.seconds = {}  # of each part, for `prepared`

    def prepare(self):
        """Once. Raises where there is no CUDA that works."""
        if self._ready:
            return
        os.environ["CUDA_VISIBLE_DEVICES"] = str(int(self._fields.get("gpu", 0)))
        self.recorder = self._timed("recorder", lambda: recorder_of(self._fields))
        self._timed("cuda", torch.cuda.init)
        self.device = self._timed("context", first_use)
        self.driver = self._timed("driver", compat.cuda_driver)
        compat.set_active_driver(self.driver)
        self._ready = True

    def _timed(self, name, step):
        start = _clock()
        made = step()
        self.seconds[name] = round(_clock() - start, 4)
        return made
