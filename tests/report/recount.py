"""Counts the tables of `kbx analyze` once more, from the databases of the runs alone, and compares cell by cell.

Usage: recount.py KBX RUN... | --make PROGRAM    Runs of kbx eval and kbx run whose methods are their own facts or names; or the run
that PROGRAM writes into a folder. Prints how many cells were
compared and every one that differs; exit code 1 if one does.
"""

import json
import math
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

Z = 1.959963984540054
NO_PROGRAM = {"no_code", "syntax_error", "import_error", "entry_missing"}
FORBIDDEN = {"constraint_violation", "sandbox_violation"}
RUN = {"runtime_error", "illegal_memory_access", "crashed", "timeout", "out_of_memory"}
UNDECIDED = {"harness_error", "not_judged"}


def wilson(k, n):
    """Share and the ends of Wilson's interval."""
    p = k / n
    middle, half = (p + Z * Z / 2 / n) / (1 + Z * Z / n), Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / 4 / n / n)
    return p, max(0.0, middle - half), min(1.0, middle + half)


def read(folder):
    """Results, efforts and answers of one run, as lists of dicts."""
    db = sqlite3.connect(f"file:{folder / 'run.db'}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    facts = {name: json.loads(value) for name, value in db.execute("SELECT name, value FROM run")}
    method = facts.get("method") or facts.get("generation", {}).get("method")
    rows = [dict(r) for r in db.execute("SELECT * FROM result WHERE category != '' ORDER BY ordinal")]
    parts = facts.get("merged", [])
    for row in rows:
        of = next((p for p in parts if p["first"] <= row["ordinal"] < p["first"] + p["count"]), {"facts": {}, "run": folder.name})
        row["method"] = method or of["facts"].get("method") or row["candidate"].rpartition(":")[0].rpartition("/")[2].rpartition(".")[0] or of["run"]
        parts_of_id = row["candidate"][len(row["task"]) + 1 :].split("/") if row["candidate"].startswith(row["task"] + "/") else []
        row["round"] = int(parts_of_id[0]) if len(parts_of_id) == 3 and all(p.isdigit() for p in parts_of_id) else None
        row["judged"], row["correct"] = row["verdict"] not in UNDECIDED, row["verdict"] == "correct"
        timing = (json.loads(row["record"]).get("timing") or {}) if row["correct"] else {}
        row["speedup"], row["gpu"] = timing.get("speedup"), timing.get("gpu")
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    spent, answers = [], {}
    if "call" in tables:
        spent = [dict(r) for r in db.execute("SELECT seq, task, 1 AS call, tokens_in + tokens_out AS tokens, usd, seconds, 0 AS gpu, '' AS candidate FROM call "
                                             "UNION ALL SELECT seq, task, 0, 0, 0, seconds, gpu_seconds, candidate FROM evaluation ORDER BY 1")]  # fmt: skip
        answers = {r["task"]: json.loads(r["samples"]) or [r["candidate"]] for r in db.execute("SELECT * FROM answer ORDER BY seq")}
    counted = {c for samples in answers.values() for c in samples}
    for row in rows:
        row["counts"] = not spent or row["candidate"] in counted
    return {"method": method or folder.name, "rows": rows, "spent": spent, "answers": answers, "generated": bool(spent)}


class Tables:
    """What kbx printed, and how much of it was found equal."""

    def __init__(self, kbx, runs):
        done = subprocess.run([kbx, "analyze", *map(str, runs), "--format", "json"], capture_output=True, text=True, check=True)
        self.tables = {t["id"]: t for t in json.loads(done.stdout)["tables"]}
        self.compared, self.wrong = 0, []

    def check(self, table, match, **cells):
        """The row that has these texts: its cells by column; a tuple is (value, low, high)."""
        def text(cell):
            return str(cell["value"] if isinstance(cell, dict) else cell)
        rows = [r for r in self.tables[table]["rows"] if all(text(r[k]) == str(v) for k, v in match.items())]
        for column, expected in cells.items():
            self.compared += 1
            found = rows[0][column] if len(rows) == 1 else f"{len(rows)} such rows"
            if isinstance(expected, tuple):
                equal = isinstance(found, dict) and all(found.get(k) is not None and math.isclose(found[k], v, rel_tol=1e-9, abs_tol=1e-9) for k, v in zip(("value", "low", "high"), expected))
            elif isinstance(expected, float):
                equal = isinstance(found, dict) and found.get("value") is not None and math.isclose(found["value"], expected, rel_tol=1e-9, abs_tol=1e-12)
            else:
                equal = text(found) == str(expected)
            if not equal:
                self.wrong.append(f"{table} {match} {column}: {found}, counted again {expected}")

    def rows(self, table):
        return len(self.tables[table]["rows"])


def failure_class(verdict):
    for name, members in (("no program", NO_PROGRAM), ("forbidden", FORBIDDEN), ("compile", {"compile_error"}), ("run", RUN)):
        if verdict in members:
            return name
    return "semantic"


def stages(t, rows):
    """call, correct and the published rules', by method and by category; classes of failures."""
    for by in ("method", "category"):
        groups = defaultdict(list)
        for row in rows:
            groups[row[by]].append(row)
        if len(groups) > 1:
            groups["all"] = rows
        for name, members in groups.items():
            judged = [r for r in members if r["judged"]]
            paper = [r for r in members if r["paper"] not in UNDECIDED]
            if not judged:
                continue
            t.check(f"stages_by_{by}", {by: name}, judged=len(judged), call=wilson(sum(r["call_ok"] for r in judged), len(judged)), correct=wilson(sum(r["correct"] for r in judged), len(judged)),
                    paper_correct=wilson(sum(r["paper"] == "correct" for r in paper), len(paper)))  # fmt: skip
    failed = [r["verdict"] for r in rows if r["judged"] and not r["correct"]]
    for name, n in Counter(map(failure_class, failed)).items():
        t.check("failures", {"class": name, "verdict": "all"}, candidates=n, share=wilson(n, len(failed)))
    for verdict, n in Counter(failed).items():
        t.check("failures", {"verdict": verdict, "kind": ""}, candidates=n)


def rounds(t, runs):
    """Rounds and what became of each task from one to the next."""
    methods = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in (row for run in runs for row in run["rows"] if row["round"] is not None):
        methods[row["method"]][row["task"]][row["round"]].append(row)
    for method, tasks in methods.items():
        last = max(r for of in tasks.values() for r in of)
        if last == 0:
            continue
        for k in range(last + 1):
            now = [row for of in tasks.values() for row in of.get(k, []) if row["judged"]]
            so_far = [[row for r, members in of.items() if r <= k for row in members] for of in tasks.values()]
            t.check("rounds", {"method": method, "round": k}, candidates=len(now), tasks=len(tasks), call=wilson(sum(r["call_ok"] for r in now), len(now)),
                    correct=wilson(sum(r["correct"] for r in now), len(now)), correct_so_far=wilson(sum(any(r["correct"] for r in m) for m in so_far), len(tasks)),
                    call_so_far=wilson(sum(any(r["call_ok"] for r in m) for m in so_far), len(tasks)))  # fmt: skip
            best = [max(speeds) for of in tasks.values() if (speeds := [r["speedup"] for r in of.get(k, []) if r["speedup"]])]
            if len(best) > 1:
                t.check("rounds", {"method": method, "round": k}, speedup=math.exp(sum(map(math.log, best)) / len(best)))
        for k in range(last):
            ends = Counter((any(r["correct"] for r in of[k]), any(r["correct"] for r in of[k + 1])) for of in tasks.values() if k in of and k + 1 in of)
            t.check("transitions", {"method": method, "rounds": f"{k} to {k + 1}"}, rescued=ends[False, True], persistent=ends[True, True], regressed=ends[True, False], failing=ends[False, False],
                    untried=len(tasks) - sum(ends.values()))  # fmt: skip
            n, few = ends[False, True] + ends[True, False], min(ends[False, True], ends[True, False])
            if n:
                p = min(Fraction(1), 2 * Fraction(sum(math.comb(n, i) for i in range(few + 1)), 2**n))
                t.check("transitions", {"method": method, "rounds": f"{k} to {k + 1}"}, p=float(p))


def cost(t, runs):
    """Calls, tokens, dollars and seconds a solved task; tasks solved within a budget."""
    methods = defaultdict(list)
    for run in runs:
        correct = {row["candidate"] for row in run["rows"] if row["correct"]}
        tasks = defaultdict(lambda: {"calls": 0, "tokens": 0, "usd": 0.0, "model": 0.0, "eval": 0.0, "first": None})
        for s in run["spent"]:
            e = tasks[s["task"]]
            e["calls"] += s["call"]
            e["tokens"] += s["tokens"]
            e["usd"] += s["usd"] or 0
            e["model" if s["call"] else "eval"] += s["seconds"]
            if s["candidate"] in correct and e["first"] is None:
                e["first"] = e["tokens"]
        for task, e in tasks.items():
            e["solved"] = any(c in correct for c in run["answers"].get(task, []))
            methods[run["method"]].append(e)
    for method, tasks in methods.items():
        solved, total = sum(e["solved"] for e in tasks), {k: sum(e[k] for e in tasks) for k in ("calls", "tokens", "usd", "model", "eval")}
        t.check("cost", {"method": method}, tasks=len(tasks), solved=wilson(solved, len(tasks)), calls=total["calls"], tokens=total["tokens"])
        if solved and len(tasks) > 2:
            t.check("cost", {"method": method}, calls_per_solved=total["calls"] / solved, tokens_per_solved=total["tokens"] / solved, model_seconds=total["model"] / solved, eval_seconds=total["eval"] / solved)
        for column in t.tables["equal_budget"]["columns"][2:]:
            budget = float(column["key"].removeprefix("tokens_"))
            within = sum(e["first"] is not None and e["first"] <= budget for e in tasks)
            t.check("equal_budget", {"method": method}, **{column["key"]: wilson(within, len(tasks))})


def pass_at(t, runs):
    """Unbiased pass@k in exact fractions."""
    methods = defaultdict(lambda: defaultdict(list))
    for row in (row for run in runs for row in run["rows"] if row["counts"] and row["judged"]):
        methods[row["method"]][row["task"]].append(row["correct"])
    for method, tasks in methods.items():
        for row in t.tables["pass_at_k"]["rows"]:
            k = int(row["k"]["value"] if isinstance(row["k"], dict) else row["k"])
            enough = [of for of in tasks.values() if len(of) >= k]
            if row["method"] != method or len(enough) < 3:
                continue
            exact = sum(1 - Fraction(math.comb(len(of) - sum(of), k), math.comb(len(of), k)) for of in enough) / len(enough)
            t.check("pass_at_k", {"method": method, "k": k}, tasks=len(enough), left_out=len(tasks) - len(enough), **{"pass": float(exact)})


def architectures(t, runs):
    """Kernels that compiled, by architecture; kernels that run on some and not on others."""
    limit = {80: 163, 86: 99, 89: 99, 90: 227, 100: 227, 120: 99}
    by_arch, unportable, kernels = defaultdict(Counter), 0, 0
    for row in (row for run in runs for row in run["rows"]):
        of = defaultdict(lambda: defaultdict(list))
        for c in json.loads(row["record"]).get("compiled", []):
            of[c["kernel"]][c["arch"]].append(c)
        for archs in of.values():
            kernels += 1
            fine = set()
            for arch, rows in archs.items():
                large = any((c.get("shared") or 0) > limit[arch] * 1024 for c in rows)
                compiled = all(c["ok"] or (c.get("shared") or 0) > limit[arch] * 1024 for c in rows)
                by_arch[arch].update(kernels=1, compiled=compiled, large=compiled and large)
                if compiled and not large:
                    fine.add(arch)
            unportable += 0 < len(fine) < len(archs)
    for arch, n in by_arch.items():
        t.check("architectures", {"arch": f"sm_{arch}"}, kernels=n["kernels"], compiled=wilson(n["compiled"], n["kernels"]))
        if n["compiled"]:
            t.check("architectures", {"arch": f"sm_{arch}"}, too_much_shared=wilson(n["large"], n["compiled"]))
    t.compared += 1
    if t.rows("unportable") != min(unportable, 200):
        t.wrong.append(f"unportable: {t.rows('unportable')} rows, counted again {unportable} of {kernels} kernels")


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def gpus(t, runs):
    """Speed of correct kernels by card; the same kernels on two cards; tasks won."""
    cards, kernels, won = defaultdict(lambda: defaultdict(list)), defaultdict(dict), defaultdict(Counter)
    timed = [row for run in runs for row in run["rows"] if row["speedup"] and row["counts"]]
    for row in timed:
        cards[row["gpu"]][row["task"]].append(row["speedup"])
        kernels[row["candidate"], row["source_hash"]][row["gpu"]] = row["speedup"]
    for card, tasks in cards.items():
        speeds = [s for of in tasks.values() for s in of]
        t.check("speed", {"gpu": card, "group": "all"}, kernels=len(speeds), tasks=len(tasks), slower=wilson(sum(s < 1 for s in speeds), len(speeds)))
        if len(tasks) > 1:
            t.check("speed", {"gpu": card, "group": "all"}, speedup=geometric([geometric(of) for of in tasks.values()]))
        for task in tasks:
            best = {}
            for row in (r for r in timed if (r["gpu"], r["task"]) == (card, task)):
                best[row["method"]] = max(best.get(row["method"], 0), row["speedup"])
            if len(best) > 1:
                won[card][max(best, key=best.get)] += 1
        for method, n in won[card].items():
            t.check("winners", {"gpu": card, "method": method}, won=n, tasks=sum(won[card].values()))
    for row in t.tables["across_gpus"]["rows"]:
        ratios = [max(of[row["a"]], of[row["b"]]) / min(of[row["a"]], of[row["b"]]) for of in kernels.values() if row["a"] in of and row["b"] in of]
        t.check("across_gpus", {"a": row["a"], "b": row["b"]}, kernels=len(ratios), largest=max(ratios))


def recount(kbx, folders):
    """Compares the tables of all these runs together."""
    runs = [read(folder) for folder in folders]
    t = Tables(kbx, folders)
    answered = [row for run in runs for row in run["rows"] if row["counts"]]
    for run in runs:  # a task without an answer counts as no_code
        known = {row["candidate"]: row for row in run["rows"]}
        category = {row["task"]: row["category"] for row in run["rows"]}
        for task, samples in run["answers"].items():
            for missing in (c for c in samples if c not in known):
                answered.append({"candidate": missing, "task": task, "category": category.get(task, "unknown"), "method": run["method"], "verdict": "no_code", "paper": "no_code", "call_ok": 0, "judged": True, "correct": False})  # fmt: skip
    stages(t, answered)
    rounds(t, runs)
    if any(run["spent"] for run in runs):
        cost(t, runs)
    pass_at(t, runs)
    gpus(t, runs)
    architectures(t, runs)
    print("\n".join(t.wrong))
    print(f"{t.compared} cells of {len(folders)} runs counted again, {len(t.wrong)} differ")
    return 1 if t.wrong or not t.compared else 0


def main():
    kbx, words = sys.argv[1], sys.argv[2:]
    if words[0] != "--make":
        return recount(kbx, [Path(f) for f in words])
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([words[1], f"{scratch}/run"], check=True)
        return recount(kbx, [Path(scratch) / "run"])


if __name__ == "__main__":
    sys.exit(main())
