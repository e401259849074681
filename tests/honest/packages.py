"""Triton kernels of published packages, judged as candidates: none may be charged.

Usage: packages.py KBX [kbx eval options]. Installs the packages (`pip install --no-deps`) into a temporary folder, takes
kernels out of their files by name and puts a wrapper from tests/honest/packages/ behind them, which gives them the
task's entry. Nothing of the packages is kept, and nothing of theirs but the kernels runs. Exits with 77 where pip
cannot reach an index. The first lines of a wrapper:

    # task: softmax
    # kernels: liger_kernel/ops/softmax.py: _softmax_single_block_forward_kernel, ...
    # constants: names = expressions that the kernels need, separated by semicolons (optional)
"""

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from run import charge, header, judge

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["liger-kernel==0.8.5", "fla-core==0.6.0"]
SKIPPED = 77


def install(folder):
    """None if it worked, else what pip says."""
    python = os.environ.get("KBX_PYTHON", sys.executable)
    for interpreter in (python, "python3"):
        command = [interpreter, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, *PACKAGES]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240)
        if done.returncode == 0:
            return None
    return done.stdout.strip()[-300:]


def take(path, names):
    """The source of these functions of a file, decorators included; names that the file lacks raise KeyError."""
    lines = path.read_text().splitlines()
    found = {}
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            first = min([node.lineno] + [d.lineno for d in node.decorator_list])
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return [found[name] for name in names]


def candidate(wrapper, installed):
    """A complete candidate: imports, constants, the package's kernels, the wrapper."""
    facts = header(wrapper)
    file, names = facts["kernels"].split(": ")
    parts = ["# task: " + facts["task"], "import torch\nimport triton\nimport triton.language as tl"]
    parts += [line.strip() for line in facts.get("constants", "").split(";")]
    parts += take(installed / file, [name.strip() for name in names.split(",")])
    return "\n\n\n".join(parts + [wrapper.read_text()])


def main():
    kbx, options = sys.argv[1], sys.argv[2:]
    wrappers = sorted((HERE / "packages").glob("*.py"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        trouble = install(str(folder / "installed"))
        if trouble is not None:
            print("skipped: pip could not install %s: %s" % (", ".join(PACKAGES), trouble))
            return SKIPPED
        made = []
        for wrapper in wrappers:
            made.append(folder / "made" / wrapper.name)
            made[-1].parent.mkdir(exist_ok=True)
            made[-1].write_text(candidate(wrapper, folder / "installed"))
        got = judge(kbx, made, folder / "made", options)
        failed = 0
        for path in made:
            line = got.get(path.name)
            why = charge(line)
            failed += bool(why)
            print("%s %-34s %-16s %5.1f s  %s" % (
                "FAIL" if why else "ok  ", path.stem, header(path)["task"], line["seconds"] if line else 0, why))
            if why:
                print(json.dumps(line["findings"])[:400] if line else "")
    print("%d passed, %d failed" % (len(made) - failed, failed))
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
