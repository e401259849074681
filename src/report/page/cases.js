// A candidate's cases: what was called, what the judge said, every metric by kbx and by the published rules side by side.

const kShownMetrics = [["max_abs", "max abs"], ["max_rel", "max rel"], ["max_ulp", "max ulp"], ["cosine", "cosine"], ["l1_rel", "L1 rel"], ["rmse", "RMSE"]];
const metricAt = Object.fromEntries(data.metrics.map((name, k) => [name, k]));
const metric = (judgement, name) => judgement.metrics[metricAt[name]] ?? 0;

const readJudgement = ([verdict, metrics, decided = "", explanation = ""]) => ({verdict: verdictNames[verdict], metrics, decided, explanation});

// What the columns do not say: values that are not finite, and the explanation.
function caseRemark(side, judgement) {
  const odd = ["nan_got", "nan_want", "inf_got", "inf_want", "nan_position_mismatches", "inf_position_mismatches"]
    .filter((name) => metric(judgement, name)).map((name) => `${name.replace(/_/g, " ")} ${metric(judgement, name)}`).join(", ");
  const text = [judgement.explanation, judgement.verdict === "correct" ? "" : odd].filter(Boolean).join("; ");
  return text ? el("div", null, el("b", null, `${side}: `), text) : null;
}

function caseRows([name, phase, path, kind, kbxFields, paperFields]) {
  const kbx = readJudgement(kbxFields), paper = readJudgement(paperFields);
  const wrong = (j) => (metric(j, "count") ? `${metric(j, "mismatches")} / ${metric(j, "count")}` : "–");
  const shown = (j, key) => (key === "cosine" ? metric(j, key) : short(metric(j, key)));  // all digits: the interesting ones are behind 0.999
  const pairs = kShownMetrics.flatMap(([key]) => [el("td", {class: "num first"}, shown(kbx, key)), el("td", {class: "num paper"}, shown(paper, key))]);
  const why = [caseRemark("kbx", kbx), caseRemark("paper", paper)].filter(Boolean);
  const row = el("tr", {class: why.length ? "has-why" : null}, el("td", {class: "name"}, name), el("td", null, phase), el("td", null, path), el("td", null, kind),
    el("td", {class: "first"}, pill(kbx.verdict)), el("td", null, pill(paper.verdict)),
    el("td", {class: "num first"}, wrong(kbx)), el("td", {class: "num paper"}, wrong(paper)), pairs);
  row.dataset.failed = kbx.verdict !== "correct" || paper.verdict !== "correct" ? "1" : "0";
  if (!why.length) return [row];
  const remarkRow = el("tr", {class: "why"}, el("td", {colspan: 8 + 2 * kShownMetrics.length}, why));
  remarkRow.dataset.failed = row.dataset.failed;
  return [row, remarkRow];
}

function judgementsSection(detail) {
  if (!detail.judgements.length) return null;
  const pair = (title) => el("th", {scope: "colgroup", colspan: 2, class: "first"}, title);
  const sub = () => [el("th", {scope: "col", class: "num first"}, "kbx"), el("th", {scope: "col", class: "num"}, "paper")];
  const head = el("thead", null,
    el("tr", null, ["case", "inputs", "output", "oracle"].map((t) => el("th", {rowspan: 2, scope: "col"}, t)), pair("verdict"), pair("wrong elements"), kShownMetrics.map(([, title]) => pair(title))),
    el("tr", null, el("th", {scope: "col", class: "first"}, "kbx"), el("th", {scope: "col"}, "paper"), sub(), kShownMetrics.map(sub)));
  const body = el("tbody", null, detail.judgements.flatMap(caseRows));
  const failed = [...body.children].filter((tr) => tr.dataset.failed === "1").length;
  const toggle = el("input", {type: "checkbox", id: "only-failed", change: (e) => {
    for (const tr of body.children) tr.hidden = e.target.checked && tr.dataset.failed === "0";
  }});
  const switcher = failed && failed < body.children.length ? el("p", null, el("label", null, toggle, " only cases that are not correct")) : null;
  return section(`Cases (${plural(detail.judgements.length, "output")} judged)`, switcher, scroll(el("table", {class: "cases"}, head, body)));
}

function callsSection(detail) {
  const failed = detail.cases.filter((c) => !c[2] || !c[3] || c[4]);
  if (!detail.cases.length) return null;
  const total = detail.cases.reduce((sum, c) => sum + c[5], 0);
  const launches = detail.cases.reduce((sum, c) => sum + c[6], 0);
  const rows = detail.cases.map(([name, phase, answered, ok, error, secs, count]) => [name, phase, answered ? (ok ? "returned" : "raised") : "no answer", count, seconds(secs), error]);
  const calls = scroll(table([{title: "case", cls: "name"}, {title: "inputs"}, {title: "outcome"}, {title: "launches", num: true}, {title: "seconds", num: true}, {title: "error", cls: "text"}], rows));
  return el("section", null, el("h2", null, "Calls"),
    el("details", {open: failed.length > 0 && failed.length < 12}, el("summary", null, `${plural(detail.cases.length, "call")}, ${failed.length} without a result, ${plural(launches, "launch", "launches")}, ${seconds(total)} s`), calls));
}
