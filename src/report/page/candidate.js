// The page of one candidate.

const readFinding = ([layer, rule, severity, message, line, column]) => ({layer, rule, severity, message, line, column});

function headline(row, detail) {
  const paper = row.paper === row.verdict ? "The published rules say the same." : null;
  return el("div", {class: `headline f-${familyOf(row.verdict)}`},
    el("p", {class: "big"}, pill(row.verdict)), el("p", {class: "soft"}, meaningOf[row.verdict]),
    detail.explanation ? el("p", {id: "explanation"}, detail.explanation) : null,
    el("p", null, paper ? el("span", {class: "soft"}, paper) : ["By the published rules: ", pill(row.paper)]),
    detail.flags.length ? el("p", null, detail.flags.map((flag) => el("span", {class: "flag"}, flag))) : null);
}

function candidateFacts(row, detail) {
  const yes = (b) => (b ? "yes" : "no");
  const facts = [["task", data.site && row.page ? el("a", {href: row.page}, row.task) : row.task], ["category", row.category || "not in the suite"], ["method", row.method], ["sample", row.sample], ["device", detail.device], ["call", yes(row.call)], ["correct", yes(row.exe)],
    ["paper call", yes(row.paperCall)], ["paper correct", yes(row.paperExe)], ["seconds", seconds(row.seconds)], ["taken from the reply", detail.how], ["started", detail.started],
    ["seed", detail.seed], ["kbx", detail.engine], ["task version", detail.taskVersion.slice(0, 12)], ["source", detail.sourceHash.slice(0, 12)]];
  return el("dl", {class: "facts"}, facts.filter(([, value]) => value !== "").map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value))));
}

function findingsSection(findings, lines) {
  if (!findings.length) return null;
  const line = (f) => (f.line > 0 && f.line <= lines ? el("a", {href: `#L${f.line}`, click: (e) => { e.preventDefault(); showLine(f.line); }}, f.line) : f.line || "");
  const rows = findings.map((f) => [f.severity, f.layer, f.rule, line(f), f.message]);
  const many = findings.length > 12;
  const content = scroll(table([{title: "severity"}, {title: "layer"}, {title: "rule"}, {title: "line", num: true}, {title: "message", cls: "text"}], rows));
  return section(`Findings (${findings.length})`, many ? el("details", null, el("summary", null, "show all"), content) : content);
}

function resourcesSection(detail) {
  if (!detail.compiled.length) return null;
  const number = (title) => ({title, num: true});
  const rows = detail.compiled.map(([kernel, arch, ok, registers, stack, stores, loads, shared, warps, stages, secs, error]) => ok
    ? [kernel, `sm_${arch}`, registers, bytes(stack), bytes(stores + loads), bytes(shared), warps, stages, seconds(secs)]
    : el("tr", null, el("td", {class: "name"}, kernel), el("td", null, `sm_${arch}`), el("td", {colspan: 7, class: "text"}, error ? `refused: ${error}` : "refused")));
  return section("Resources per architecture", scroll(table(
    [{title: "kernel", cls: "name"}, {title: "target"}, number("registers"), number("stack"), number("spills"), number("shared memory"), number("warps"), number("stages"), number("compile s")], rows)));
}

const factor = (part, whole) => (whole > 0 ? `×${(part / whole).toFixed(2)}` : "–");
const perByte = (flops, moved) => (moved > 0 ? short(flops / moved) : "–");

function launchesSection(detail) {
  if (!detail.launches.length) return null;
  const kMost = 200;
  const number = (title) => ({title, num: true});
  const compulsory = detail.hardware ? detail.hardware.compulsory : 0;
  const rows = detail.launches.slice(0, kMost).map(([kernel, grid, secs, load, store, flops, reaches, atomic = 0, distinct = 0]) =>
    [kernel, grid.join(" × "), bytes(load), bytes(store), bytes(atomic), bytes(distinct), factor(load + store + atomic, compulsory), short(flops), perByte(flops, distinct), seconds(secs), reaches ? "yes" : "no"]);
  const more = detail.launches.length > kMost ? el("p", {class: "soft"}, `… and ${detail.launches.length - kMost} more`) : null;
  const which = detail.hardware && detail.hardware.case ? `case ${detail.hardware.case}` : "one case";
  return section(`Launches of ${which} (${detail.launches.length})`, scroll(table(
    [{title: "kernel", cls: "name"}, {title: "grid"}, number("loaded"), number("stored"), number("atomics"), number("distinct"), number("traffic"), number("flops"), number("flops / byte"),
      number("seconds on the machine"), {title: "reaches the output"}], rows)), more);
}

// Bounds from datasheets, never times.
function hardwareSection(detail) {
  const facts = detail.hardware;
  if (!facts) return null;
  const time = (s) => (s > 0 ? `${short(s * 1e6)} µs` : "–");
  const sums = facts.compulsory > 0
    ? `${bytes(facts.compulsory)} must move; ${bytes(facts.accessed)} are accessed (${factor(facts.accessed, facts.compulsory)}), ${bytes(facts.distinct)} of it distinct (${factor(facts.distinct, facts.compulsory)}).`
    : `${bytes(facts.accessed)} are accessed, ${bytes(facts.distinct)} of it distinct.`;
  const rows = facts.gpus.map(([gpu, arch, least, limit, any, source]) => el("tr", {title: source}, el("td", {class: "name"}, gpu), el("td", null, `sm_${arch}`), el("td", {class: "num"}, time(least)),
    el("td", null, limit === "memory" ? "memory" : `${limit} peak`), el("td", {class: "num"}, time(any))));
  const content = scroll(table([{title: "GPU", cls: "name"}, {title: "target"}, {title: "these kernels: at least", num: true}, {title: "because of"}, {title: "any kernel: at least", num: true}], rows));
  return section("Lower bounds by datasheet", el("p", {class: "soft"}, `${sums} Bounds, not times: most launches are slower.`), el("details", null, el("summary", null, "all GPUs"), content));
}

function libraryOpsSection(detail) {
  const ops = Object.entries(detail.ops).sort((a, b) => b[1] - a[1]);
  return ops.length ? section("Library operators", scroll(table([{title: "operator", cls: "name"}, {title: "calls", num: true}], ops))) : null;
}

function stagesSection(detail) {
  const stages = Object.entries(detail.stages).filter(([, s]) => typeof s === "number" && s > 0).sort((a, b) => b[1] - a[1]);
  const total = stages.reduce((sum, [, s]) => sum + s, 0);
  if (!total) return null;
  const bar = el("div", {class: "stages", "aria-hidden": "true"}, stages.map(([, s], k) => {
    const part = el("i", {class: `t${k % 7}`});
    part.style.width = `${(100 * s) / total}%`;
    return part;
  }));
  return section("Time per stage", bar, el("ul", {class: "legend"}, stages.map(([name, s], k) => el("li", {class: `t${k % 7}`}, `${name} ${seconds(s)} s`))));
}

function navigation(row) {
  const at = list.shown.indexOf(row);
  const step = (to, text, id) => el("button", {type: "button", id, disabled: at < 0 || !list.shown[to], click: () => { location.hash = hrefOf(list.shown[to]); }}, text);
  return el("nav", {class: "bar", "aria-label": "candidates"}, el("a", {href: "#", id: "back"}, "← all candidates"), el("span", {class: "grow"}),
    at < 0 ? null : el("span", {class: "soft"}, `${at + 1} of ${list.shown.length}`), step(at - 1, "‹ previous", "previous"), step(at + 1, "next ›", "next"));
}

function showCandidate(row) {
  const page = byId("candidate");
  const detail = detailOf(row);
  if (!detail) {
    const reading = detail === undefined;
    page.replaceChildren(navigation(row), el("h1", null, row.candidate || "(unnamed)"), el("p", {class: "note"}, reading ? "Still being read …" : "The details of this candidate are not here. Was the data folder copied with the page?"));
    if (reading && data.packs) fetchPack(packOf(row), route);
    else if (reading) document.addEventListener("DOMContentLoaded", route, {once: true});
    return;
  }
  const findings = detail.findings.map(readFinding);
  const source = sourceOf(row, detail);
  page.replaceChildren(...[navigation(row), el("h1", null, row.candidate || "(unnamed)"), candidateFacts(row, detail), headline(row, detail),
    detail.traceback ? section("Traceback", el("pre", {tabindex: 0}, detail.traceback)) : null,
    timesSection(detail), section("Source", source ? sourceView(source, findings) : el("p", {class: "soft"}, "no code")),
    findingsSection(findings, source.split(/\r\n?|\n/).length), judgementsSection(detail), callsSection(detail),
    detail.output ? section("Printed output", el("pre", {tabindex: 0}, detail.output)) : null,
    resourcesSection(detail), launchesSection(detail), hardwareSection(detail), libraryOpsSection(detail), stagesSection(detail)].filter(Boolean));
}
