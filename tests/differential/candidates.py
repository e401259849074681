"""Candidates of files in the public form and the suite's witnesses, and the calls to make of each."""

import inspect
import json
import os
import pathlib
import re

import inputs

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SUITE = pathlib.Path(os.environ.get("KBX_SUITE") or SOURCE / "suite")
SHARED = pathlib.Path(os.environ.get("KBX_SHARED") or SOURCE.parent / "shared")


def tasks():
    """{name or alias or published name: Task}"""
    found = {}
    for path in sorted(SUITE.glob("*/*/task.toml")):
        task = inputs.Task(path)
        for name in [path.parent.name, *task.names]:
            found.setdefault(name, task)
    return found


def code_of(reply, entry):
    """The longest fenced python block that defines the entry, else the text as it stands."""
    blocks = re.findall(r"```(?:python|triton)?[^\n]*\n(.*?)```", reply, re.S)
    defining = [b for b in blocks if re.search(r"def\s+%s\s*\(" % re.escape(entry), b)]
    return max(defining or blocks or [reply], key=len)


def listed():
    """[{id, name, entry, code}]: witnesses, then the public candidates."""
    known, found = tasks(), []
    for path in sorted(SUITE.glob("*/*/witness.py")):
        task = known[path.parent.name]
        found.append(
            {
                "id": "witness/" + path.parent.name,
                "name": path.parent.name,
                "entry": task.names[0],
                "code": path.read_text(),
            }
        )
    data = SHARED / "data"
    files = [data / "llm_kernels_public.jsonl", *sorted((data / "predictions").glob("*.jsonl"))]
    for path in files:
        if not path.exists():
            continue
        label = {"llm_kernels_public": "public"}.get(path.stem, path.stem.split("-")[0])
        for index, line in enumerate(path.read_text().splitlines()):
            row = json.loads(line)
            name = pathlib.Path(row["file"]).stem
            entry = row.get("entry") or (known[name].names[0] if name in known else name)
            found.append(
                {
                    "id": "%s/%03d-%s" % (label, index, name),
                    "name": name,
                    "entry": entry,
                    "code": code_of(row["predict"], entry),
                }
            )
    return found


def entry_of(module, candidate, task):
    for name in [candidate["entry"], candidate["name"], *(task.names if task else [])]:
        if callable(getattr(module, name, None)):
            return getattr(module, name)
    return None


def calls(candidate, function, task, device):
    """(name, function that makes args and kwargs)"""
    if task is not None:
        yield from task.calls(device)
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    for setting in inputs.SETTINGS:
        yield setting, lambda setting=setting: inputs.guessed(signature, setting, device)
