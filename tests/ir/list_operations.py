"""The operations that the installed Triton's dialects register, against docs/ir-operations.md.

python list_operations.py            prints their names, one a line
python list_operations.py --check    fails if a name is not in the document, or (with KBX_WORKER_LIB) a libdevice
                                     symbol neither compiles nor stands among those that the document excepts

The names are found in the library's bytes and asked for one by one: the parser says of each whether it is registered.
"""
import ctypes
import os
import pathlib
import re
import sys
import tempfile

import triton
from triton._C import libtriton
from triton._C.libtriton import ir

DIALECTS = ("tt", "arith", "math", "scf", "cf", "ub", "builtin")
DOCUMENT = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "ir-operations.md"


def candidates():
    """Every text in the library that could be the name of an operation."""
    data = pathlib.Path(libtriton.__file__).read_bytes()
    pattern = rb"(?:%s)\.[a-z_0-9]+(?:\.[a-z_0-9]+)*" % "|".join(DIALECTS).encode()
    return sorted({name.decode() for name in re.findall(pattern, data)})


def complaint(path, context):
    """What the parser writes to the error stream about a file."""
    saved = os.dup(2)
    with tempfile.TemporaryFile() as out:
        os.dup2(out.fileno(), 2)
        try:
            ir.parse_mlir_module(path, context)
        except Exception:
            pass
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        out.seek(0)
        return out.read().decode(errors="replace")


def registered():
    """The names that the parser knows."""
    context = ir.context()
    ir.load_dialects(context)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "one.mlir")
        for name in candidates():
            pathlib.Path(path).write_text('"%s"() : () -> ()\n' % name)
            said = complaint(path, context)
            if "unregistered" not in said and "Dialect" not in said:
                found.append(name)
    return found


def documented():
    """The operations of the document's table."""
    return set(re.findall(r"^\| `([a-z_0-9.]+)` \|", DOCUMENT.read_text(), re.M))


KERNEL = """"builtin.module"() ({
"tt.func"() <{function_type = () -> (), sym_name = "k", sym_visibility = "public"}> ({
^bb0(%s):
%%r = "tt.extern_elementwise"(%s) <{symbol = "%s"}> : () -> %s
"tt.return"() : () -> ()
}) : () -> ()
}) : () -> ()
"""
TYPES = {"fp32": "f32", "fp64": "f64", "int32": "i32", "uint32": "i32", "int64": "i64", "uint64": "i64"}


def libdevice():
    """{(symbol, types of the operands, type of the result)} of the CUDA library that Triton ships."""
    text = (pathlib.Path(triton.__file__).parent / "language/extra/cuda/libdevice.py").read_text()
    pattern = r'\(((?:core\.dtype\("\w+"\),?\s*)+)\):\s*\(\s*"(__nv_\w+)",\s*core\.dtype\("(\w+)"\)\)'
    calls = re.findall(pattern, text)
    return {(name, tuple(TYPES[t] for t in re.findall(r'"(\w+)"', types)), TYPES[out]) for types, name, out in calls}


def refused_symbols(path):
    """The libdevice symbols for which the machine does not compile a kernel."""
    lib = ctypes.CDLL(path)
    lib.kbx_ir_compile.restype = ctypes.c_void_p
    lib.kbx_ir_compile.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint64]
    refused = set()
    for name, types, out in libdevice():
        arguments = ", ".join("%%a%d: %s" % pair for pair in enumerate(types))
        text = KERNEL % (arguments, ", ".join("%%a%d" % k for k in range(len(types))), name, out)
        if not lib.kbx_ir_compile(text.encode(), len(text), None, 0):
            refused.add(name)
    return refused


def check_libdevice(path):
    """A text for each way in which the document and the machine differ."""
    if len(libdevice()) < 300:
        return ["only %d libdevice symbols found: the search itself is broken" % len(libdevice())]
    section = DOCUMENT.read_text().split("## libdevice")[1].split("##")[0]
    excepted = set("__nv_" + name for name in re.findall(r"`(r?norm4df?|rcp64h)`", section))
    refused = refused_symbols(path)
    if refused == excepted:
        return []
    return ["libdevice: the machine refuses %s, the document excepts %s" % (sorted(refused), sorted(excepted))]


def main():
    names = registered()
    if "--check" not in sys.argv:
        print("\n".join(names))
        return 0
    if len(names) < 100:
        print("only %d names found: the search itself is broken" % len(names))
        return 1
    missing = [name for name in names if name not in documented()]
    print("%d operations registered, %d not in %s: %s" % (len(names), len(missing), DOCUMENT.name, " ".join(missing)))
    library = os.environ.get("KBX_WORKER_LIB")
    trouble = check_libdevice(library) if library else []
    print("\n".join(trouble) if trouble else "libdevice: %s" % ("as documented" if library else "not looked at"))
    return 1 if missing or trouble else 0


if __name__ == "__main__":
    sys.exit(main())
