"""LaTeX of kbx analyze in a LaTeX: tables and figures of made-up runs, hostile texts among them.

Usage: latex_test.py KBX. Exit code 77 without pdflatex (Debian: texlive-latex-recommended, texlive-pictures).
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from made_runs import KBX, make_run

DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[landscape,margin=5mm]{geometry}
\usepackage{booktabs,longtable,textcomp,tikz}
\begin{document}
\input{tables.tex}
\end{document}
"""


def main():
    """The exit code."""
    program = shutil.which("pdflatex")
    if not program:
        print("SKIP: there is no pdflatex (Debian: texlive-latex-recommended, texlive-pictures); no LaTeX was compiled")
        return 77
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        for kind in ("timed", "hostile"):
            make_run(base / kind, kind)
        subprocess.run([KBX, "analyze", base / "timed", base / "hostile", "--format", "latex", "-o", base / "tables.tex"], check=True)
        (base / "paper.tex").write_text(DOCUMENT)
        done = subprocess.run([program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=base, capture_output=True, check=False)
        if done.returncode or not (base / "paper.pdf").exists():
            print("FAIL", done.stdout.decode("latin-1")[-2000:])
            return 1
    return 0


sys.exit(main())
