"""kbx run keeps its budgets against a server that uses the most it may: money, tokens, calls, calls a task and time; and a
greater budget goes on where the smaller one ended.

usage: budgets.py FAULT_SERVER
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from faults import FaultServer, check, draws, place
from run_rows import rows

CALLS = 48


def spent(run: Path) -> tuple[int, int, float]:
    """Calls, tokens and money by the run's own rows."""
    return rows(run, "SELECT count(*), coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(usd), 0) FROM call")[0]


# Of 48 calls that use all they may (about 3,000 bytes of question, 50 tokens of reply: $0.056) some fit.
BOUNDS = {"usd": (1.0, 2), "tokens": (60000, 1), "calls": (7, 0), "per-task": (3, 0)}


def kept(top: Path, server: FaultServer, scenario: str, protocol: str, bound: str, most: float = 0) -> Path:
    """Some calls fit and not all; what they used together is no more than the bound."""
    most, column = most or BOUNDS[bound][0], BOUNDS[bound][1]
    name = f"{scenario}-{protocol}-{bound}"
    where = place(top / name, server, scenario, protocol)
    done = draws(where, "--budget", f"{bound}={most}")
    ledger = spent(where / "run")
    check(f"{name}: some calls and not all, not {ledger}", 0 < ledger[0] < CALLS, done)
    if bound == "per-task":
        most_of_a_task = max(n for (n,) in rows(where / "run", "SELECT count(*) FROM call GROUP BY task"))
        check(f"{name}: {most_of_a_task} calls of a task, permitted {most}", most_of_a_task == most, done)
    else:
        check(f"{name}: {ledger[column]} overshoots {most}", ledger[column] <= most, done)
    if bound == "calls":
        check(f"{name}: as many calls as permitted", ledger[0] == most, done)
    check(f"{name}: exit code", done.returncode == 0, done)
    check(f"{name}: tasks that were cut short say so", rows(where / "run", "SELECT count(*) FROM answer WHERE cut_short = 1")[0][0] > 0, done)
    print(f"{name}={most}: {ledger[0]} calls, {ledger[1]} tokens, ${ledger[2]:.4f}", flush=True)
    return where


def rest(where: Path) -> None:
    """With more it goes on, and nothing is asked twice."""
    done = draws(where, "--budget", "calls=1000", "--resume")
    check("the rest", done.returncode == 0 and spent(where / "run")[0] == CALLS, done)
    keys = rows(where / "run", "SELECT count(DISTINCT key) FROM call")[0][0]
    check(f"{keys} different calls", keys == CALLS, done)


def wall(top: Path, server: FaultServer) -> None:
    """Every call takes two seconds: after one second none begins, and what is in flight is taken."""
    where = place(top / "wall", server, "slow")
    done = draws(where, "--budget", "wall=1")
    calls = spent(where / "run")[0]
    check(f"wall: {calls} calls", 0 < calls < CALLS and done.returncode == 0, done)
    check("wall: said", "budget is used up" in done.stderr, done)
    check("wall: what was in flight was taken", rows(where / "run", "SELECT count(*) FROM call WHERE NOT replied")[0][0] == 0, done)


def refused(top: Path, server: FaultServer) -> None:
    """Budgets that mean nothing are errors of usage, and nothing is asked or written."""
    where = place(top / "refused", server, "ok")
    for budget, word in (("usd=5,usd=6", "usd is given twice"), ("calls=0.5", "above zero"), ("eur=5", "no budget of eur"), ("usd=x", "NAME=NUMBER")):
        done = draws(where, "--budget", budget)
        check(f"--budget {budget}", done.returncode == 2 and word in done.stderr, done)
    twice = draws(where, "--budget", "calls=5", "--budget", "calls=6")
    check("two flags", twice.returncode == 2 and "calls is given twice" in twice.stderr, twice)
    place(where, server, "ok", price="")
    done = draws(where, "--budget", "usd=5")
    check("money without prices", done.returncode == 2 and "needs prices" in done.stderr, done)
    check("nothing was written", not (where / "run").exists())


def main() -> None:
    """Servers that use all they may, and one that uses little; both protocols."""
    with tempfile.TemporaryDirectory() as scratch, FaultServer(sys.argv[1]) as server:
        top = Path(scratch)
        for bound in BOUNDS:
            where = kept(top, server, "greedy", "openai", bound)
        rest(where)
        kept(top, server, "greedy", "anthropic", "usd")
        kept(top, server, "ok", "openai", "usd", 0.2)  # each sets $0.056 aside and costs $0.007
        wall(top, server)
        refused(top, server)
    print("no budget was overshot; greater ones went on; senseless ones were refused")


if __name__ == "__main__":
    main()
