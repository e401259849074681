#!/usr/bin/env python3
"""src/stats against statsmodels and scipy on the same data: tests/stats/against_statsmodels.py ESTIMATE

ESTIMATE is the program of tests/stats/estimate.cpp. Prints one line a subject: how many comparisons, the largest
difference and the tolerance it had to keep. Without statsmodels and scipy (KBX_STATS_PYTHON may name a python that has
them) the test is skipped: exit code 77.
"""

import itertools
import json
import os
import subprocess
import sys
from fractions import Fraction
from math import comb

try:
    import numpy as np
    import scipy.optimize
    import scipy.special
    import scipy.stats
    import statsmodels.api as sm
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.proportion import proportion_confint
except ImportError as error:
    other = os.environ.get("KBX_STATS_PYTHON")
    if other and os.path.exists(other):
        sys.exit(subprocess.run([other, "-B", *sys.argv], env={**os.environ, "KBX_STATS_PYTHON": ""}).returncode)
    print(f"skipped: {error} (KBX_STATS_PYTHON names a python with statsmodels and scipy)")
    sys.exit(77)


class Comparison:
    """Questions for the program, each with what others say and how near it must come."""

    def __init__(self):
        self.questions, self.checks = [], []

    def ask(self, subject, question, expected, pick=lambda answer: answer, tolerance=1e-10, relative=True):
        self.questions.append(question)
        self.checks.append((subject, np.atleast_1d(np.asarray(expected, float)), pick, tolerance, relative))

    def run(self, program):
        """Prints the table; the number of subjects that failed."""
        done = subprocess.run([program], input=json.dumps(self.questions), capture_output=True, text=True, check=True)
        table = {}
        for (subject, expected, pick, tolerance, relative), answer, question in zip(
            self.checks, json.loads(done.stdout), self.questions, strict=True
        ):
            got = np.atleast_1d(np.asarray(pick(answer), float))
            scale = np.maximum(np.abs(expected), 1e-300 if relative == "pure" else 1) if relative else 1
            off = float(np.max(np.abs(got - expected) / scale)) if got.shape == expected.shape else float("inf")
            row = table.setdefault(subject, [0, 0.0, tolerance])
            row[0] += 1
            row[1] = max(row[1], off)
            if not off <= tolerance:
                print(f"DIFFERS {subject}: {str(question)[:200]}\n  expected {expected}\n  got      {got}")
        for subject, (count, worst, tolerance) in table.items():
            print(f"{'ok  ' if worst <= tolerance else 'FAIL'} {subject:44} {count:5} compared, largest difference {worst:.1e} (<= {tolerance:.0e})")
        return sum(not worst <= tolerance for _, worst, tolerance in table.values())


def data_of(design, successes, trials):
    return {"columns": design.shape[1], "design": design.ravel().tolist(), "successes": list(map(float, successes)), "trials": list(map(float, trials))}


def single_trials(design, successes, trials):
    """Rows spread out, one a trial."""
    rows = np.repeat(design, np.asarray(trials, int), axis=0)
    outcome = np.concatenate([np.r_[np.ones(int(s)), np.zeros(int(n - s))] for s, n in zip(successes, trials, strict=True)])
    return rows, outcome


def factor_design(a, b, interaction):
    """The treatment-coded design over a x b cells, as trial_table.h describes it."""
    rows = []
    for i, j in itertools.product(range(a), range(b)):
        first, second = np.eye(a)[i][1:], np.eye(b)[j][1:]
        rows.append(np.r_[1, first, second, np.outer(first, second).ravel() if interaction else []])
    return np.array(rows)


def compare_glm(c, rng):
    """Coefficients, standard errors, deviances: counts in cells and continuous covariates, each as single trials."""
    cases = [(factor_design(a, b, inter), a * b) for a, b, inter in [(2, 2, False), (3, 4, False), (3, 3, True), (15, 5, False), (15, 5, True)]]
    cases += [(np.c_[np.ones(n), rng.normal(size=(n, k)) * 10.0 ** rng.integers(-3, 4, size=k)], n) for n, k in [(60, 1), (200, 3), (400, 6)]]
    for design, rows in cases * 3:
        continuous = rows >= 60 and design.shape[1] <= 7
        trials = np.ones(rows) if continuous else rng.integers(8, 40, size=rows).astype(float)
        scale = np.where(np.std(design, axis=0) > 0, np.std(design, axis=0), 1)
        p = 1 / (1 + np.exp(-design @ (rng.normal(size=design.shape[1]) * 0.5 / scale)))
        successes = rng.binomial(trials.astype(int), p).astype(float)
        if not continuous:
            successes = np.clip(successes, 1, trials - 1)  # no cell is separated
        x, y = single_trials(design, successes, trials)
        fit = sm.GLM(y, x, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=200)
        question = {"what": "glm", **data_of(design, successes, trials)}
        c.ask("GLM coefficients (statsmodels)", question, fit.params, lambda a: a["coefficients"]["values"], 1e-8)
        c.ask("GLM standard errors (statsmodels)", question, fit.bse, lambda a: a["coefficients"]["errors"], 1e-8)
        c.ask("GLM deviance, null deviance (statsmodels)", question, [fit.deviance, fit.null_deviance], lambda a: [a["deviance"], a["null_deviance"]], 1e-8)


def compare_aliased(c, rng):
    """A column that repeats others gets no coefficient, and the fit is that without it."""
    x = np.c_[np.ones(80), rng.normal(size=(80, 2))]
    y = rng.binomial(1, 1 / (1 + np.exp(-x @ [0.2, 1, -1])))
    fit = sm.GLM(y, x, family=sm.families.Binomial()).fit(tol=1e-14)
    wide = np.c_[x[:, :2], x[:, 0] - 2 * x[:, 1], x[:, 2]]
    question = {"what": "glm", **data_of(wide, y, np.ones(80))}
    c.ask("GLM with an aliased column", question, fit.params, lambda a: [v for v in a["coefficients"]["values"] if v is not None], 1e-8)


def separated(design, y):
    """By linear programming (Konis 2007): the largest sum of (2y-1) x'b with every term >= 0 and b in a box."""
    z = (2 * y - 1)[:, None] * design
    best = scipy.optimize.linprog(-z.sum(axis=0), A_ub=-z, b_ub=np.zeros(len(z)), bounds=[(-1, 1)] * design.shape[1])
    if best.status != 0 or -best.fun < 1e-9:
        return 0
    margin = scipy.optimize.linprog(
        np.r_[np.zeros(design.shape[1]), -1], A_ub=np.c_[-z, np.ones(len(z))], b_ub=np.zeros(len(z)), bounds=[(-1, 1)] * design.shape[1] + [(0, 1)]
    )
    return 2 if -margin.fun > 1e-9 else 1


def compare_separation(c, rng):
    """Small random data, of which many are separated: none, quasi or complete as linear programming says."""
    code = {"none": 0, "quasi": 1, "complete": 2}
    for _ in range(300):
        n, k = rng.integers(4, 14), rng.integers(1, 4)
        columns = rng.integers(-2, 3, size=(n, k)).astype(float) if rng.random() < 0.7 else rng.normal(size=(n, k))
        x, y = np.c_[np.ones(n), columns], rng.integers(0, 2, size=n)
        if np.linalg.matrix_rank(x) < x.shape[1]:
            continue
        c.ask("separation (linear programming)", {"what": "glm", **data_of(x, y, np.ones(n))}, separated(x, y), lambda a: code[a["separation"]], 0)


def penalised(b, x, y):
    eta = x @ b
    p = 1 / (1 + np.exp(-eta))
    information = (x * (p * (1 - p))[:, None]).T @ x
    return np.sum(y * -np.logaddexp(0, -eta) + (1 - y) * -np.logaddexp(0, eta)) + 0.5 * np.linalg.slogdet(information)[1]


def brute_force(loss, start):
    """The minimum without derivatives, then polished."""
    near = scipy.optimize.minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-11, "fatol": 1e-14, "maxiter": 40000, "maxfev": 40000})
    return scipy.optimize.minimize(loss, near.x, method="BFGS", options={"gtol": 1e-10})


def profile_end(x, y, column, best, top, direction, fall):
    """Where the penalised profile likelihood has fallen by `fall`, by brute force."""
    others = [k for k in range(x.shape[1]) if k != column]

    def below(value):
        def loss(rest):
            b = np.empty(x.shape[1])
            b[column], b[others] = value, rest
            return -penalised(b, x, y)

        found = scipy.optimize.minimize(loss, best[others], method="BFGS", options={"gtol": 1e-9})
        return top + found.fun - fall

    far = best[column] + direction
    while below(far) < 0:
        far += direction * 2
    return scipy.optimize.brentq(below, best[column], far, xtol=1e-9)


def compare_firth(c, rng):
    """Firth's fit, separated data among them, against a brute-force maximiser of the penalised likelihood."""
    for round_ in range(12):
        n, k = int(rng.integers(12, 60)), int(rng.integers(1, 4))
        x = np.c_[np.ones(n), rng.normal(size=(n, k))]
        y = (x[:, 1] > 0).astype(float) if round_ % 3 == 0 else rng.binomial(1, 1 / (1 + np.exp(-x[:, 1]))).astype(float)
        found = brute_force(lambda b, x=x, y=y: -penalised(b, x, y), np.zeros(k + 1))
        question = {"what": "firth", **data_of(x, y, np.ones(n))}
        c.ask("Firth penalised likelihood (brute force)", question, -found.fun, lambda a: a["penalised"], 1e-10)
        c.ask("Firth coefficients (brute force)", question, found.x, lambda a: a["coefficients"]["values"], 2e-6)
        if round_ < 4:
            fall = scipy.stats.chi2.ppf(0.95, 1) / 2
            ends = [profile_end(x, y, 1, found.x, -found.fun, d, fall) for d in (-1, 1)]
            c.ask("Firth profile interval (brute force)", {**question, "interval_of": 1}, ends, lambda a: a["interval"], 1e-5)
    # One covariate with two levels: the maximum is the log odds with half a trial added to every count.
    counts = {"columns": 2, "design": [1, 0, 1, 1], "successes": [0, 7], "trials": [10, 12]}
    low, high = np.log(0.5 / 10.5), np.log(7.5 / 5.5)
    c.ask("Firth on a 2 x 2 table (closed form)", {"what": "firth", **counts}, [low, high - low], lambda a: a["coefficients"]["values"], 1e-9)


def compare_deviance(c, rng):
    """Shares and the analysis of deviance, from statsmodels' fits of the four models on single trials."""
    for categories, methods, tasks in [(3, 2, 30), (15, 5, 90), (6, 4, 40)]:
        trials, effect = [], rng.normal(size=(categories, methods))
        for task in range(tasks):
            category = task % categories
            for method in range(methods):
                for _ in range(4):
                    trials.append([category, method, task, int(rng.random() < 1 / (1 + np.exp(-effect[category, method])))])
        t = np.array(trials)
        cell = t[:, 0] * methods + t[:, 1]
        full = factor_design(categories, methods, True)
        width = {"category": np.r_[0, 1:categories], "method": np.r_[0, categories : categories + methods - 1]}
        width["both"] = np.arange(categories + methods - 1)
        width["interaction"] = np.arange(full.shape[1])
        deviance = {}
        for model, columns in width.items():
            null = (fit := sm.GLM(t[:, 3], full[cell][:, columns], family=sm.families.Binomial()).fit(tol=1e-13, maxiter=300)).null_deviance
            deviance[model] = fit.deviance

        def pick(answer, names=tuple(width)):
            return [answer["models"][m][key] for m in names for key in ("deviance", "share")]

        question = {"what": "deviance", "trials": trials}
        c.ask("deviance and share of four models", question, [v for m in width for v in (deviance[m], 1 - deviance[m] / null)], pick, 1e-8)
        steps = [(null, "category"), (null, "method"), (deviance["category"], "both"), (deviance["method"], "both"), (deviance["both"], "interaction")]
        degrees = [categories - 1, methods - 1, methods - 1, categories - 1, (categories - 1) * (methods - 1)]
        expected = [scipy.stats.chi2.sf(start - deviance[m], d) for (start, m), d in zip(steps, degrees, strict=True)]
        c.ask("p of the analysis of deviance", question, expected, lambda a: [s["p"] for s in a["steps"]], 1e-8)


def compare_intervals(c, rng):
    for n in (1, 2, 7, 30, 444, 100000):
        for s in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            for what, method in (("wilson", "wilson"), ("clopper_pearson", "beta")):
                c.ask(f"{what} interval", {"what": what, "s": s, "n": n}, proportion_confint(s, n, 0.05, method), tolerance=1e-10)
    for n in range(1, 26):
        for right in range(n + 1):
            for k in range(1, n + 1):
                exact = 1 - Fraction(comb(n - right, k), comb(n, k))
                c.ask("pass@k (exact rationals)", {"what": "pass_at_k", "n": n, "c": right, "k": k}, float(exact), tolerance=1e-12)
    for n, right, k in [(200, 3, 100), (1000, 1, 999), (1000, 500, 2), (5000, 7, 64), (10000, 9999, 1)]:
        exact = 1 - Fraction(comb(n - right, k), comb(n, k))
        c.ask("pass@k (exact rationals)", {"what": "pass_at_k", "n": n, "c": right, "k": k}, float(exact), tolerance=1e-12)
    for n in (2, 5, 40):
        values = np.exp(rng.normal(size=n))
        low, high = scipy.stats.t.interval(0.95, n - 1, np.mean(np.log(values)), scipy.stats.sem(np.log(values)))
        question = {"what": "geometric", "values": values.tolist()}
        c.ask("geometric mean", question, [scipy.stats.gmean(values), np.exp(low), np.exp(high)], lambda a: [a["value"], *a["interval"]], 1e-8)
        for p in (0.1, 0.5, 0.95):
            c.ask("quantile (numpy)", {"what": "quantile", "values": values.tolist(), "p": p}, np.quantile(values, p), lambda a: a["value"], 1e-12)
            interval = scipy.stats.quantile_test(values, p=p).confidence_interval(0.95)
            if np.all(np.isfinite(interval)):
                c.ask("quantile interval (scipy)", {"what": "quantile", "values": values.tolist(), "p": p}, interval, lambda a: a["interval"], 0)
    for n in (20, 60):
        values = rng.gamma(2, size=n)
        fixed = np.random.default_rng(5)
        done = scipy.stats.bootstrap((values,), np.mean, n_resamples=999, method="BCa", rng=fixed)
        jackknife = [(values.sum() - v) / (n - 1) for v in values]
        question = {"what": "bootstrap", "value": values.mean(), "replicates": done.bootstrap_distribution.tolist(), "jackknife": jackknife}
        c.ask("BCa interval (scipy)", question, done.confidence_interval, lambda a: a["bca"], 1e-9)
        c.ask("percentile interval (numpy)", question, np.quantile(done.bootstrap_distribution, [0.025, 0.975]), lambda a: a["percentile"], 1e-12)


def compare_tests(c, rng):
    for gained, lost in itertools.product((0, 1, 3, 8, 40, 200), repeat=2):
        c.ask("McNemar exact", {"what": "mcnemar", "gained": gained, "lost": lost}, mcnemar([[0, gained], [lost, 0]], exact=True).pvalue, tolerance=1e-12)
    for n in list(range(3, 13)) + [25, 50]:
        d = rng.normal(size=n) + 0.3
        c.ask("Wilcoxon exact (scipy)", {"what": "wilcoxon", "differences": d.tolist()}, scipy.stats.wilcoxon(d, method="exact").pvalue, lambda a: a["p"], 1e-12)
    for n in (4, 7, 10, 12):  # ties: all signs, one by one
        d = rng.integers(-4, 5, size=n).astype(float)
        kept = d[d != 0]
        ranks = scipy.stats.rankdata(np.abs(kept))
        sums = np.array([np.dot(ranks, signs) for signs in itertools.product((0, 1), repeat=len(kept))])
        smaller = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
        p = min(1, 2 * np.mean(sums <= smaller + 1e-9))
        c.ask("Wilcoxon with ties (all signs)", {"what": "wilcoxon", "differences": d.tolist()}, p, lambda a: a["p"], 1e-12)
    for n in (60, 300):
        d = rng.integers(-6, 9, size=n).astype(float)
        expected = scipy.stats.wilcoxon(d, method="approx", correction=False).pvalue
        c.ask("Wilcoxon normal, ties (scipy)", {"what": "wilcoxon", "differences": d.tolist()}, expected, lambda a: a["p"], 1e-9)
    for n in (6, 20, 100):
        for step in (0, 1):
            a = rng.normal(size=n)
            b = a + rng.normal(size=n)
            if step:
                a, b = np.round(a), np.round(b)
            question = {"what": "correlation", "a": a.tolist(), "b": b.tolist()}
            expected = [scipy.stats.spearmanr(a, b).statistic, scipy.stats.kendalltau(a, b).statistic]
            c.ask("Spearman and Kendall (scipy)", question, expected, lambda r: [r["spearman"]["value"], r["kendall"]["value"]], 1e-10)


def compare_special(c):
    for degrees in (1, 2, 4, 14, 56, 1000):
        for x in (1e-6, 0.5, 1, degrees * 0.7, degrees, degrees * 1.5, degrees + 60, 4 * degrees + 100):
            question = {"what": "chi_square_tail", "x": x, "degrees": degrees}
            c.ask("chi-square tail, relative", question, scipy.stats.chi2.sf(x, degrees), tolerance=1e-11, relative="pure")
    for a, b in itertools.product((0.5, 1, 3.5, 40, 5000), repeat=2):
        for x in (0.001, 0.2, 0.5, 0.9):
            c.ask("incomplete beta", {"what": "beta", "a": a, "b": b, "x": x}, scipy.special.betainc(a, b, x), tolerance=1e-11)
        for p in (0.025, 0.5, 0.975):
            c.ask("beta quantile", {"what": "beta_quantile", "a": a, "b": b, "p": p}, scipy.stats.beta.ppf(p, a, b), tolerance=1e-10)
    for p in (1e-12, 0.001, 0.025, 0.4, 0.5, 0.7, 0.975, 0.9999):
        c.ask("normal quantile", {"what": "normal_quantile", "p": p}, scipy.stats.norm.ppf(p), tolerance=1e-12)
    for degrees in (1, 2, 5, 30, 400):
        c.ask("t quantile", {"what": "t_quantile", "coverage": 0.95, "degrees": degrees}, scipy.stats.t.ppf(0.975, degrees), tolerance=1e-9)


def main():
    rng = np.random.default_rng(20260)
    c = Comparison()
    compare_glm(c, rng)
    compare_aliased(c, rng)
    compare_separation(c, rng)
    compare_firth(c, rng)
    compare_deviance(c, rng)
    compare_intervals(c, rng)
    compare_tests(c, rng)
    compare_special(c)
    failed = c.run(sys.argv[1])
    print(f"{len(c.checks)} comparisons; {failed} subjects differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
