"""kbx doctor --models: one question to each model whose key is there, against servers that answer, refuse, break and stand
still; and, where it is there, llama.cpp's own server over both protocols.

usage: doctor_models.py FAULT_SERVER
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import server
from faults import FaultServer, check

CANARY = "sk-canary-2b9d"
# scenario -> what is found, and words of the sentence
FAULTS = {
    "ok": ("ok", "end in"),
    "bad-key": ("bad", "HTTP 401"),
    "no-money": ("bad", "HTTP 402"),
    "forbidden": ("bad", "HTTP 403"),
    "html": ("bad", "HTTP 502"),
    "always-overloaded": ("bad", "overloaded"),
    "always-cut": ("bad", "cut"),
    "silent": ("bad", "timeout"),
    "redirect": ("bad", "307"),
    "echo": ("bad", "HTTP 400"),
}


def doctor(where: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """With one key that is there; no key of a vendor."""
    clean = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    return subprocess.run([os.environ["KBX"], "doctor", "--models", *more], check=False, cwd=where, capture_output=True, text=True, env=clean | {"CANARY_KEY": CANARY})


def tables(name: str, kind: str, url: str, key: str = "") -> str:
    """A provider and its model."""
    return (
        f'[providers.{name}]\nkind = "{kind}"\nbase_url = "{url}"\nfirst_token_seconds = 2\n' + (f'key_env = "{key}"\n' if key else "")
        + f'[models.{name}]\nprovider = "{name}"\nid = "recitation"\nmax_output = 1000\n'
    )  # fmt: skip


def found(done: subprocess.CompletedProcess[str]) -> dict[str, dict]:
    """Models by name."""
    return {m["model"]: m for m in json.loads(done.stdout)}


def faults(where: Path, f: FaultServer) -> None:
    """Every scenario over both protocols; a model without its key; nothing but our own servers is asked."""
    text = tables("keyless", "openai", f.url("ok", "openai"), "NOBODY_HAS_THIS_KEY")
    for scenario in FAULTS:
        for kind in ("openai", "anthropic"):
            text += tables(f"{scenario}-{kind}", kind, f.url(f"{scenario}.{kind}", kind), "CANARY_KEY")
    (where / "kbx.toml").write_text(text)
    done = doctor(where, "--json")
    check("exit code 1: some are bad", done.returncode == 1, done)
    models = found(done)
    for scenario, (state, words) in FAULTS.items():
        for kind in ("openai", "anthropic"):
            m = models[f"{scenario}-{kind}"]
            check(f"{scenario} over {kind}: {m}", m["state"] == state and words.lower() in m["found"].lower())
    check(f"a model without its key: {models['keyless']}", models["keyless"]["state"] == "not asked" and "NOBODY_HAS_THIS_KEY" in models["keyless"]["found"])
    shipped = [m for m in models.values() if f"[providers.{m['provider']}]" not in text]
    check(f"models that ship, without a key or a server: {shipped}", shipped and all(m["state"] in ("not asked", "not running") for m in shipped))
    table = doctor(where)
    check("the table says the same", table.returncode == 1 and "✗" in table.stdout and "✓" in table.stdout, table)
    check("the key is nowhere", CANARY not in done.stdout + done.stderr + table.stdout + table.stderr)


def answers(where: Path, port: int) -> None:
    """A server that is not ours: both protocols, all well."""
    (where / "kbx.toml").write_text(tables("nobody", "openai", f"http://127.0.0.1:{server.free_port()}/v1") + tables("chat", "openai", f"http://127.0.0.1:{port}/v1") + tables("messages", "anthropic", f"http://127.0.0.1:{port}"))
    done = doctor(where, "--json")
    models = found(done)
    for name in ("chat", "messages"):
        check(f"{name}: {models[name]}", models[name]["state"] == "ok" and "tokens in" in models[name]["found"], done)
    check(f"a server that is not running is no fault: {models['nobody']}", models["nobody"]["state"] == "not running")
    check("exit code 0: none is bad", done.returncode == 0, done)


def main() -> None:
    """Our faults first: they need nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        with FaultServer(sys.argv[1]) as f:
            faults(where, f)
        print(f"{len(FAULTS)} scenarios over two protocols found as they are", flush=True)
        server.need()
        from recitation import Route, write_model

        write_model(where / "m.gguf", [Route([], "ok")])
        with server.Server(where / "m.gguf", where / "server.log") as s:
            answers(where, s.port)
    print("llama.cpp's server: both protocols answer")


if __name__ == "__main__":
    main()
