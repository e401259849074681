"""Code that is not in the text."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)
    return x


import re
import marshal  # expect: exec_eval
import base64  # expect: exec_eval=warn
import pickle  # expect: exec_eval=warn
from types import FunctionType  # expect: exec_eval

exec("x = 1")  # expect: exec_eval
y = eval("1 + 1")  # expect: exec_eval
run = exec  # expect: exec_eval
run("x = 2")  # expect: exec_eval
code = compile("1", "f", "eval")  # expect: exec_eval
z = pickle.loads(b"")  # expect: exec_eval
w = __builtins__["ev" + "al"]  # expect: exec_eval, dunder_escape
w = __builtins__.eval  # expect: exec_eval, dunder_escape

exec_time = 0.5  # exec(compile(...))
pattern = re.compile("exec")


class Model:
    """model.eval() and self.compile() are one's own."""

    def eval(self):
        """exec in words."""
        return self.eval()

    def compile(self, exec):
        """A parameter of that name is not the builtin."""
        return exec(self.compile)


model = Model()
model.eval()
