"""A candidate's source -> a module. It is written to a file first: Triton reads kernels with inspect.getsource, and
tracebacks and IR locations then name candidate.py."""

import builtins
import functools
import os
import sys
import types

from errors import EntryMissing
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file


class Source:
    def __init__(self, text, folder, name="candidate"):
        self.name, self.text = name, text
        self.path = os.path.join(folder, name + ".py")
        self.lines = text.split("\n")
        self.module = None

    def load(self):
        """What executes the module, and then raises whatever the source raises. Raises what compiling it does."""
        with open(self.path, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(self.text)
        code = compile(self.text, self.path, "exec", dont_inherit=True)
        module = types.ModuleType(self.name)
        module.__file__ = self.path
        module.__loader__ = None
        module.__builtins__ = vars(builtins)  # else exec() gives it those of the worker
        sys.modules[self.name] = module
        self.module = module
        return functools.partial(exec, code, module.__dict__)

    def entry(self, name):
        """The callable of that name. A dotted name walks attributes."""
        value = self.module
        for part in name.split("."):
            value = getattr(value, part, None)
        if value is None or not callable(value):
            raise EntryMissing("no callable named %r is defined" % name)
        return value

    def first_entry(self, names):
        for name in names:
            try:
                return self.entry(name)
            except EntryMissing:
                continue
        raise EntryMissing("none of these callables is defined: %s" % ", ".join(names))
