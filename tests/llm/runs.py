"""kbx runs against the reciting server."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from recitation import write_model
from routes import TASKS, standard

PRESETS = ["claude", "ds_coder", "autotriton", "geak", "kernelagent"]


def place(folder: Path, port: int, count: int) -> Path:
    """A folder with a kbx.toml that knows the server under both protocols."""
    folder.mkdir(parents=True, exist_ok=True)
    price = "price = { in = 1.0, out = 4.0 }\nmax_output = 30000\ncontext = 32000\n"
    (folder / "kbx.toml").write_text(
        f'[providers.here]\ndialect = "llamacpp"\nbase_url = "http://127.0.0.1:{port}/v1"\nconcurrency = 4\n'
        f'[providers.here_messages]\nkind = "anthropic"\nbase_url = "http://127.0.0.1:{port}"\nconcurrency = 4\n'
        f'[models.recitation]\nprovider = "here"\nid = "recitation"\n{price}'
        f'[models.recitation-messages]\nprovider = "here_messages"\nid = "recitation"\n{price}'
    )
    return folder


def model_file(folder: Path, count: int = len(TASKS)) -> Path:
    """The GGUF for the first `count` tasks."""
    path = folder / "recitation.gguf"
    write_model(path, standard(count))
    return path


def command(method: str, count: int, run: Path, *more: str, model: str = "recitation") -> list[str]:
    """kbx run, judged without a GPU and from one seed."""
    tasks = ",".join(TASKS[:count])
    return [os.environ["KBX"], "run", method, "--model", model, "--tasks", tasks, "--run", str(run), "--seed", "7", "--device", "cpu", "--jobs", "2", *more]


def kbx(where: Path, words: list[str], check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs it in a folder with a kbx.toml; prints what it said when it failed."""
    done = subprocess.run(words, check=False, cwd=where, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def ends(done: subprocess.CompletedProcess[str]) -> tuple[dict[str, dict], dict]:
    """--json: tasks by name, and the summary."""
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {r["task"]: r for r in rows[:-1]}, rows[-1]["summary"]
