"""kbx runs against the reciting server, and what is in their databases."""

from __future__ import annotations

import json
import os
import sqlite3
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


def rows(run: Path, sql: str) -> list[tuple]:
    """A query on a run."""
    db = sqlite3.connect(f"file:{run / 'run.db'}?mode=ro", uri=True)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def verdicts(run: Path) -> list[tuple]:
    """The verdict table: every candidate with its code."""
    return rows(run, "SELECT candidate, task, sample, verdict, paper, source_hash FROM result ORDER BY candidate")


def answers(run: Path) -> list[tuple]:
    """The final answers."""
    return rows(run, "SELECT task, candidate, code, why, samples FROM answer AS a WHERE seq = (SELECT max(seq) FROM answer AS o WHERE o.task = a.task) ORDER BY task")


def prompts(run: Path) -> list[tuple]:
    """Every question by its place: the request's hash and the prompt's."""
    return rows(run, "SELECT task, role, round, slot, attempt, key, request, prompt FROM call WHERE replied ORDER BY task, role, round, slot, attempt, seq")


def ledger(run: Path) -> list[tuple]:
    """Every call that was paid for, stopped ones too: what came, what it cost, how long it took."""
    columns = "task, role, round, slot, attempt, key, result, tokens_in, cached, cache_write, tokens_out, reasoning, estimated, usd, seconds"
    return rows(run, f"SELECT {columns} FROM call ORDER BY task, seq")


def seen(run: Path) -> list[tuple]:
    """The order in which each task's loop saw calls and verdicts."""
    return rows(run, "SELECT task, what FROM (SELECT task, seq, key AS what FROM call UNION SELECT task, seq, candidate || ' ' || code FROM evaluation) ORDER BY task, seq")


def memories(run: Path) -> list[tuple]:
    """What each slot held at the end of each round."""
    columns = "task, round, slot, candidate, code, strategy, reflection, judge_score"
    return rows(run, f"SELECT {columns} FROM memory AS m WHERE seq = (SELECT max(seq) FROM memory AS o WHERE o.task = m.task AND o.round = m.round AND o.slot = m.slot) ORDER BY task, round, slot")


def spent(run: Path) -> tuple:
    """The ledger's sums over answered calls."""
    return rows(run, "SELECT count(*), sum(tokens_in), sum(tokens_out), round(sum(usd), 9) FROM call WHERE replied")[0]
