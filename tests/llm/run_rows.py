"""What is in the database of a run of kbx run."""

from __future__ import annotations

import sqlite3
from pathlib import Path


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
