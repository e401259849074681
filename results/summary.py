"""Sums of a results folder's times.csv: tasks, share slower than eager with Wilson's interval, geometric mean over tasks with the
normal interval on the logarithms (fit for a hundred tasks and more). Usage: summary.py times.csv"""

import csv
import math
import sys
from collections import defaultdict

Z = 1.959963984540054


def wilson(k, n):
    """The ends of the 95 % interval of k of n."""
    p = k / n
    half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / 4 / n / n)
    middle = (p + Z * Z / 2 / n) / (1 + Z * Z / n)
    return middle - half, middle + half


def main():
    sizes = defaultdict(list)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["speedup"]:
                sizes[row["task"]].append(math.log(float(row["speedup"])))
    tasks = [sum(logs) / len(logs) for logs in sizes.values()]
    n, slower, mean = len(tasks), sum(t < 0 for t in tasks), sum(tasks) / len(tasks)
    error = math.sqrt(sum((t - mean) ** 2 for t in tasks) / (n - 1) / n)
    low, high = wilson(slower, n)
    print(f"{n} tasks timed; slower than eager {slower}: {100 * slower / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}]")
    print(f"speedup over eager, geometric mean: {math.exp(mean):.2f}x [{math.exp(mean - Z * error):.2f}, {math.exp(mean + Z * error):.2f}]")


if __name__ == "__main__":
    main()
