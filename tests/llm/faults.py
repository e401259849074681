"""Our fault server as a program, and kbx runs against it: no model's server is needed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

PRICE = "price = { in = 2.0, out = 1000.0 }"
TASKS = "relu,abs,cos,log"


class FaultServer:
    """with FaultServer(program) as f: f.url("ok", "openai")"""

    def __init__(self, program: str):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def __enter__(self) -> FaultServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait(10)

    def url(self, scenario: str, protocol: str) -> str:
        """Where a scenario is played."""
        return f"http://127.0.0.1:{self.port}/{scenario}" + ("/v1" if protocol == "openai" else "")


def place(folder: Path, server: FaultServer, scenario: str, protocol: str = "openai", price: str = PRICE, more: str = "") -> Path:
    """A folder whose kbx.toml knows one model that plays the scenario, and a method that draws 12 samples a task."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kbx.toml").write_text(
        f'[providers.f]\nkind = "{protocol}"\nbase_url = "{server.url(scenario, protocol)}"\nconcurrency = 4\n{more}\n'
        f'[models.m]\nprovider = "f"\nid = "m"\nmax_output = 4000\ncontext = 100000\n{price}\n'
        '[methods.draws]\nlike = "claude"\nmodel = "m"\nn = 12\nasks_again = 0\nmax_tokens = 50\n'
    )
    return folder


def kbx(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs it there."""
    return subprocess.run([os.environ["KBX"], *words], check=False, cwd=where, capture_output=True, text=True)


def draws(where: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The method over four tasks: 48 calls."""
    return kbx(where, "run", "draws", "--tasks", TASKS, "--run", "run", "--device", "cpu", "--jobs", "1", "--seed", "7", *more)


def check(what: str, holds: object, done: subprocess.CompletedProcess[str] | None = None) -> None:
    """One line says what does not hold, and what kbx said."""
    if not holds:
        raise AssertionError(what + (f"\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}" if done else ""))
