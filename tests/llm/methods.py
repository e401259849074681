"""The five presets against llama.cpp's server with a reciting model: every loop comes to its known end; a replay of each
cassette is byte-equal. Protocols and loops are proven here, no model's skill.

usage: methods.py [--tasks N] [--figures]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import server
from routes import TASKS
from run_rows import answers, ledger, memories, prompts, seen, verdicts
from runs import PRESETS, command, ends, kbx, model_file, place

ROUNDS_OF_GEAK = 3


def expect(what: str, is_: object, should: object) -> None:
    """One line says what differs."""
    if is_ != should:
        raise AssertionError(f"{what}: {is_!r}, expected {should!r}")


def check_single(run: Path, tasks: dict[str, dict], count: int) -> None:
    """One call a task; every fourth answer is wrong."""
    for k, path in enumerate(TASKS[:count]):
        end = tasks[path.split("/")[1]]
        expect(f"{path}: calls", end["calls"], 1)
        expect(f"{path}: right", end["verdict"] == "correct", k % 4 != 3)
    expect("candidates", len(verdicts(run)), count)


def check_geak(run: Path, tasks: dict[str, dict], count: int) -> None:
    """Round 0 fails, round 1 is mended after the reflection, round 2 is the optimiser's."""
    expect("right answers", sum(t["verdict"] == "correct" for t in tasks.values()), count)
    by_id = {row[0]: row for row in verdicts(run)}
    for path in TASKS[:count]:
        task = path.split("/")[1]
        for slot in range(4):
            expect(f"{task} round 0", by_id[f"{task}/0/{slot}/0"][3] != "correct", True)
            expect(f"{task} round 1", by_id[f"{task}/1/{slot}/0"][3], "correct")
    rounds = [(m[0], m[1]) for m in memories(run) if m[6]]
    expect("rounds with reflections", len(set(rounds)), ROUNDS_OF_GEAK * count)
    scored = [m for m in memories(run) if m[7] is not None]
    expect("slots with the judge's score", len(scored) > 0, True)


def check_kernelagent(run: Path, tasks: dict[str, dict], count: int) -> None:
    """The second worker's refinement wins and nobody else is right."""
    expect("right answers", sum(t["verdict"] == "correct" for t in tasks.values()), count)
    for path in TASKS[:count]:
        task = path.split("/")[1]
        right = [row[0] for row in verdicts(run) if row[1] == task and row[3] == "correct"]
        expect(f"{task}: winners", len(right), 1)
        expect(f"{task}: the answer", tasks[task]["candidate"], right[0])


CHECKS = {"geak": check_geak, "kernelagent": check_kernelagent}


def replay(where: Path, method: str, count: int, model: str) -> None:
    """The same models at a port where nobody listens: nothing can be asked, and everything is equal."""
    run, again, tape = where / method, where / f"{method}-replayed", where / f"{method}-tape"
    (where / "kbx.toml").rename(where / "kbx.toml.off")
    place(where, server.free_port(), count)
    kbx(where, command(method, count, again, "--quiet", "--cassette", str(tape), "--cassette-mode", "replay", model=model))
    (where / "kbx.toml.off").replace(where / "kbx.toml")
    for what in (answers, verdicts, memories, prompts, ledger, seen):
        expect(f"{method}: {what.__name__} of the replay", what(again), what(run))


def run_preset(where: Path, method: str, count: int, model: str, figures: bool, replayed: bool) -> None:
    """One recorded run, its end, and its replay without a server's answer."""
    run, tape = where / method, where / f"{method}-tape"
    words = command(method, count, run, "--json", "--cassette", str(tape), "--cassette-mode", "record", model=model)
    done = kbx(where, words)
    tasks, summary = ends(done)
    expect("tasks that ended", len(tasks), count)
    CHECKS.get(method, check_single)(run, tasks, count)
    if replayed:
        replay(where, method, count, model)
    print(f"{method} ({model}): {summary['correct']} of {summary['tasks']} correct, {summary['calls']} calls, {summary['tokens_in']} tokens in, {summary['tokens_out']} out, {summary['seconds']:.0f} s{'; replay equal' * replayed}", flush=True)
    if figures:
        print(kbx(where, command(method, count, run, "--resume", model=model)).stdout, flush=True)


def main() -> None:
    """All presets; every second one over the Messages protocol."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--tasks", type=int, default=2)
    p.add_argument("--only", nargs="*", default=PRESETS)
    p.add_argument("--figures", action="store_true", help="print each run's summary table")
    p.add_argument("--no-replay", action="store_true", help="the runs alone")
    p.add_argument("--keep", type=Path, help="a folder for the runs")
    a = p.parse_args()
    server.need()
    with tempfile.TemporaryDirectory() as scratch:
        where = a.keep or Path(scratch)
        where.mkdir(parents=True, exist_ok=True)
        with server.Server(model_file(where, a.tasks), where / "server.log") as s:
            place(where, s.port, a.tasks)
            for k, method in enumerate(PRESETS):
                if method in a.only:
                    run_preset(where, method, a.tasks, "recitation" if k % 2 else "recitation-messages", a.figures, not a.no_replay)


if __name__ == "__main__":
    main()
