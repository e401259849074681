"""A candidate's exception -> the ERROR object of docs/wire.md. The exception object is hostile: its __str__ may raise
or lie, its class may be anything; nothing here trusts it further than a string of bounded length.
"""

import linecache  # noqa: F401  (imported early: tracebacks of torch use it)
import opcode
import re

import compat
import wire
from ir_host import Unsupported
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file


class NotJudged(BaseException):
    """This machine cannot run it; the candidate is not to blame. Not an Exception, so that no `except` hides it."""


class KernelTimeout(BaseException):
    """A launch used up its time on the machine."""


class EntryMissing(Exception):
    """The source defines no such callable."""


def gpu_refuses(error):
    """Marks what device_tensor.py raises where a GPU would: kind_of makes it `strict_device`."""
    error._kbx_device = True
    return error


_RAISE = opcode.opmap["RAISE_VARARGS"]
_COMPILE_ERRORS = compat.compile_errors()
_MEMORY_ACCESS = re.compile(r"CUDA error: (an illegal memory access|misaligned address|invalid address space)", re.I)
_MEMORY = re.compile(
    r"can't allocate memory|not enough memory|out of memory|Cannot allocate memory|std::bad_alloc|"
    r"Unable to allocate|Invalid buffer size|too large|mmap.*failed",
    re.I,
)
# What torch says when only the CPU lacks an operator. Integer types fail on a GPU too: the candidate's fault.
_NO_CPU_KERNEL = re.compile(
    r"not implemented for '(Half|BFloat16|Float8\w*|Complex\w*)'|is not implemented on the CPU|"
    r"not implemented on CPU|Could not run 'aten::\w+|only (be )?(implemented|supported|available) (on|for) "
    r"CUDA|PyTorch without CUDA|not compiled with CUDA|No CUDA GPUs|Found no NVIDIA driver",
    re.I,
)


def safe_text(value, limit=wire.MAX_MESSAGE_BYTES):
    try:
        text = str(value)
        if type(text) is not str:
            text = str.__str__(text)
    except BaseException:  # its __str__ raised, or called exit
        text = "(the exception's text cannot be read)"
    text = text.encode("utf-8", "replace").decode("utf-8", "replace")
    return text if len(text) <= limit else text[: limit // 2] + " ... " + text[-limit // 2 :]


def type_name(value):
    try:
        name = type.__dict__["__name__"].__get__(type(value))
        return str(name)[:200]
    except BaseException:
        return "object"


def base_names(error):
    """Names of the classes that the exception's own is derived from, nearest first; `object` is none of them."""
    try:
        bases = type.__dict__["__mro__"].__get__(type(error))[1:17]
        return [str(type.__dict__["__name__"].__get__(base))[:100] for base in bases if base is not object]
    except BaseException:
        return []


def _chain(error):
    """The exception and its causes, outermost first."""
    found = []
    while error is not None and len(found) < 16 and all(error is not other for other in found):
        found.append(error)
        error = BaseException.__cause__.__get__(error) or BaseException.__context__.__get__(error)
    return found


def frames_of(error, path):
    """[(line, function)] of the candidate's frames, outermost first."""
    found, trace = [], BaseException.__traceback__.__get__(error)
    while trace is not None and len(found) < 4096:
        code = trace.tb_frame.f_code
        if code.co_filename == path:
            found.append((trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return found


def raw_trace(error):
    """Every frame of an exception as text, without the traceback module (a candidate may have spoiled what it uses)."""
    parts, trace = [], BaseException.__traceback__.__get__(error)
    while trace is not None and len(parts) < 64:
        parts.append(
            "  %s:%d %s\n" % (trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name)
        )
        trace = trace.tb_next
    return "".join(parts) + "%s: %s\n" % (type_name(error), safe_text(error, 1000))


def compile_line(error, lines):
    """Line in the candidate of a CompilationError: it counts from the first line of its function."""
    source, node = getattr(error, "src", None), getattr(error, "node", None)
    number = getattr(node, "lineno", 0)
    if not isinstance(source, str) or not isinstance(number, int) or not number:
        return 0
    first = source.split("\n", 1)[0].strip()
    for index, line in enumerate(lines):
        if line.strip() == first:
            return index + number
    return 0


def _raised_by(error, path):
    """Whether a `raise` of the candidate's own text made it: its words are then no fact about this machine. What torch or the
    worker raises has its last frame there, or (in C++) ends at a call."""
    trace = BaseException.__traceback__.__get__(error)
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    own = code.co_filename == path or code.co_filename.startswith("<")
    return own and 0 <= trace.tb_lasti < len(code.co_code) and code.co_code[trace.tb_lasti] == _RAISE


def kind_of(error, loading, path=""):
    """The ERROR kind of the innermost cause that says something."""
    chain = _chain(error)
    said = _raised_by(error, path)
    if isinstance(error, (NotJudged, Unsupported)):
        return "runtime_error" if said else "not_judged"
    if isinstance(error, KernelTimeout):
        return "timeout"
    if isinstance(error, EntryMissing):
        return "entry_missing"
    if isinstance(error, (SystemExit, KeyboardInterrupt, GeneratorExit)):
        return "runtime_error"
    if any(getattr(cause, "_kbx_device", False) is True for cause in chain):
        return "strict_device"
    for cause in chain:
        if isinstance(cause, _COMPILE_ERRORS) or getattr(cause, "_kbx_compile", False) is True:
            return "compile_error"
    if isinstance(error, MemoryError) or isinstance(error, RuntimeError) and _MEMORY.search(safe_text(error)):
        return "out_of_memory"
    if isinstance(error, RuntimeError) and _MEMORY_ACCESS.search(safe_text(error)):
        return "illegal_memory_access"
    lacking = isinstance(error, (NotImplementedError, RuntimeError, AssertionError)) and _NO_CPU_KERNEL.search(
        safe_text(error)
    )
    if lacking and not said:
        return "not_judged"
    if loading:
        return "syntax_error" if isinstance(error, SyntaxError) else "import_error"
    return "runtime_error"


def describe(error, path, lines, loading=False):
    """The ERROR object."""
    try:
        kind = kind_of(error, loading, path)
    except BaseException:
        kind = "runtime_error"
    message, line, trace = safe_text(error), 0, ""
    if isinstance(error, SystemExit):
        message = "the candidate called exit(%s)" % message
    try:
        frames = frames_of(error, path)
        if frames:
            line = frames[-1][0]
        for cause in _chain(error):
            line = compile_line(cause, lines) or line
        if isinstance(error, SyntaxError) and getattr(error, "filename", None) == path:
            line = int(error.lineno or 0)
        shown = frames if len(frames) <= 24 else frames[:12] + [(0, "...")] + frames[-12:]
        parts = [
            "  line %d, in %s\n    %s\n" % (number, name, lines[number - 1].strip() if 0 < number <= len(lines) else "")
            for number, name in shown
        ]
        trace = safe_text("".join(parts), wire.MAX_TRACE_BYTES - 1024) + type_name(error) + ": " + message[:512]
    except BaseException:
        trace = trace or "(the traceback cannot be read)"
    return {
        "kind": kind,
        "type": type_name(error),
        "bases": base_names(error),
        "message": message,
        "traceback": trace,
        "line": line,
    }
