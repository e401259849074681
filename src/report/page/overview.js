// The first screen: the runs' facts, the figures, the tables by category and by verdict.

function buildCards() {
  const all = data.all;
  const differ = rows.filter((row) => row.inSuite && row.exe !== row.paperExe).length;
  const card = (value, text, title) => el("div", {class: "card", title}, el("b", null, value), el("span", null, text));
  const percent = (n) => (all.candidates ? `${((100 * n) / all.candidates).toFixed(1)} %` : "–");
  byId("cards").replaceChildren(
    card(data.candidates, data.notInSuite ? `candidates, ${data.notInSuite} of tasks outside the suite` : "candidates"),
    card(percent(all.call), `call accuracy (${all.call} of ${all.candidates})`, "compiled, imported and returned from the task's first case"),
    card(percent(all.exe), `correct (${all.exe} of ${all.candidates})`, meaningOf.correct),
    card(percent(all.paperExe), `correct by the published rules (${all.paperExe})`, "the published comparison with eager PyTorch"),
    ...data.passAt.filter(([k]) => k > 1 || data.passAt.length > 1).map(([k, p]) => card(p.toFixed(3), `pass@${k}, mean over tasks`)),
    card(differ, "candidates on which the two disagree"),
    card(`${seconds(data.median)} s`, `a candidate, median; ${seconds(data.p90)} s p90`),
    card(all.verdicts[verdictNames.indexOf("harness_error")], "harness errors", meaningOf.harness_error));
}

function buildTables() {
  const link = (name, chosen) => el("a", {href: "#", click: (e) => { e.preventDefault(); showOnly(chosen); }}, name);
  const counts = (c) => [c.candidates, share(c.call, c.candidates), share(c.exe, c.candidates), share(c.paperCall, c.candidates), share(c.paperExe, c.candidates)];
  const number = (title) => ({title, num: true});
  const categoryRows = Object.entries(data.categories).map(([name, c]) => [link(name, {category: name}), ...counts(c)]);
  const total = el("tr", {class: "total"}, ["all", ...counts(data.all)].map((cell, k) => el("td", {class: k ? "num" : null}, cell)));
  byId("categories").replaceChildren(table(
    [{title: "category"}, number("candidates"), number("call"), number("correct"), number("paper call"), number("paper correct")], [...categoryRows, total]));
  const verdictRows = verdictNames.map((name, k) => [name, data.all.verdicts[k], data.paper[k]]).filter(([, a, b]) => a || b).reverse();
  byId("verdicts").replaceChildren(table([{title: "verdict"}, number("kbx"), number("paper"), {title: "meaning", cls: "text"}],
    verdictRows.map(([name, kbx, paper]) => [
      el("a", {href: "#", click: (e) => { e.preventDefault(); showOnly({verdict: name}); }}, pill(name)), kbx, paper, el("span", {class: "soft"}, meaningOf[name])])));
}

function buildOverview() {
  const names = data.runs.map((run) => run.label).join(", ");
  document.title = `kbx report: ${names}`;
  byId("run-names").textContent = names;
  byId("facts").replaceChildren(...data.runs.map(runFacts));
  buildCards();
  buildTables();
}
