// Times: the overview's table and roofline plots, and one candidate's sizes. Drawn as SVG, which takes its colours from
// the style sheet; every number in a drawing stands in a table, too.

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  node.append(...children.flat(Infinity).filter((child) => child !== null));
  return node;
}

const kTimesShown = 60;
const absent = (v) => v === null || v === undefined;
const ratio = (v) => (absent(v) ? "–" : v < 9.9995 ? v.toFixed(3) : v < 99.95 ? v.toFixed(1) : v.toFixed(0));
const interval = (low, high) => (absent(low) || absent(high) ? "–" : `[${ratio(low)}, ${ratio(high)}]`);
const percent = (v) => (absent(v) ? "–" : `${(100 * v).toFixed(v < 0.0995 ? 1 : 0)} %`);
const micros = (us) => (absent(us) ? "–" : us < 1000 ? `${Number(us.toPrecision(3))} µs` : `${Number((us / 1000).toPrecision(3))} ms`);

function scaled(value, unit) {
  const steps = ["", "k", "M", "G", "T", "P"];
  let k = 0;
  while (value >= 1000 && k + 1 < steps.length) { value /= 1000; k++; }
  return `${Number(value.toPrecision(3))} ${steps[k]}${unit}`;
}

function readTimes(fields) {
  if (!fields) return null;
  const [gpu, speedup, low, high, host, iou, mfu, marks, problem, sizes] = fields;
  return {gpu, speedup, low, high, host, iou, mfu, marks, problem,
    sizes: sizes.map(([name, us, eager, moved, flops, unit, sizeIou, sizeMfu]) => ({name, us, eager, moved, flops, unit, iou: sizeIou, mfu: sizeMfu}))};
}

// The least and the largest of all ratios, and 1: one scale for all bars of a table.
function barScale(items) {
  const values = items.flatMap((t) => [t.low, t.speedup, t.high]).filter((v) => v > 0).concat(1).map(Math.log);
  const from = Math.min(...values), to = Math.max(...values), span = Math.max(to - from, 0.1);
  return (v) => 6 + (108 * (Math.log(v) - from)) / span;
}

function intervalBar(at, {speedup, low, high}) {
  if (absent(speedup)) return "";
  const side = low > 1 ? "faster" : high > 0 && high < 1 ? "slower" : "even";
  return svg("svg", {class: `bar-plot ${side}`, viewBox: "0 0 120 16", width: 120, height: 16, role: "img", "aria-label": `speedup ${ratio(speedup)}, interval ${interval(low, high)}`},
    svg("line", {class: "one", x1: at(1), x2: at(1), y1: 0, y2: 16}),
    absent(low) || absent(high) ? null : svg("line", {class: "span", x1: at(low), x2: at(high), y1: 8, y2: 8}),
    svg("circle", {cx: at(speedup), cy: 8, r: 3.2}));
}

const number = (title) => ({title, num: true});

function timesTable(timed) {
  const at = barScale(timed.map((row) => row.times));
  const build = (shown) => scroll(table(
    [{title: "task"}, {title: "candidate", cls: "name"}, number("speedup"), {title: "95 % interval", cls: "num"}, {title: "eager = 1 (log scale)"}, number("host"), number("IOU"), number("MFU"), {title: "marks", cls: "text"}],
    shown.map((row) => { const t = row.times;
      return [row.task, el("a", {href: hrefOf(row)}, row.candidate || "(unnamed)"), ratio(t.speedup), interval(t.low, t.high), intervalBar(at, t), ratio(t.host), percent(t.iou), percent(t.mfu),
        [t.problem ? `no time: ${t.problem}` : "", t.marks].filter(Boolean).join("; ")]; })));
  const box = el("div", {id: "times-table"}, build(timed.slice(0, kTimesShown)));
  if (timed.length <= kTimesShown) return box;
  const more = el("button", {type: "button", id: "times-all", click: () => { box.replaceChildren(build(timed)); }}, `show all ${timed.length}`);
  box.append(el("p", null, more));
  return box;
}

function timesSentences(t) {
  const fast = t.fast.map(([p, n]) => `fast_${p}: ${share(n, t.judged)}`).join(", ");
  return el("ul", {id: "times-sums"}, [
    `${t.timed} of ${t.correct} correct candidates timed, of ${t.judged} judged.`,
    absent(t.speedup) ? null : `Speedup over eager, geometric mean over ${plural(t.tasks, "task")}: ${ratio(t.speedup)}.`,
    `Correct and faster than p, of all judged: ${fast}.`,
    `Slower than eager: ${share(t.slower, t.timed)} of those timed. Beyond doubt (interval without 1): ${t.surelyFaster} faster, ${t.surelySlower} slower.`,
  ].filter(Boolean).map((text) => el("li", null, text)));
}

const kUnitTones = {f64: "t3", f32: "t0", tf32: "t5", f16: "t1", bf16: "t2", f8: "t4", i8: "t6"};

// Points of one card: a size with bytes, operations and a time.
function rooflinePoints(timed) {
  return timed.flatMap((row) => row.times.sizes.filter((s) => s.moved > 0 && s.flops > 0 && s.us > 0)
    .map((s) => ({row, ...s, x: s.flops / s.moved, y: s.flops / (s.us * 1e-6)})));
}

function rooflineAxes(points, card, units) {
  const peaks = units.map((u) => card.units[u]).filter(Boolean);
  const xs = points.map((p) => p.x).concat(peaks.map((peak) => peak / card.bandwidth)), ys = points.map((p) => p.y).concat(peaks);
  const whole = (values, pad) => [Math.floor(Math.log10(Math.min(...values)) - pad), Math.ceil(Math.log10(Math.max(...values)) + pad)];
  const [x0, x1] = whole(xs, 0.15), [y0, y1] = whole(ys, 0.1);
  const box = {left: 74, right: 706, top: 14, bottom: 372};
  return {x0, x1, y0, y1, box,
    x: (v) => box.left + ((Math.log10(v) - x0) / (x1 - x0)) * (box.right - box.left),
    y: (v) => box.bottom - ((Math.log10(v) - y0) / (y1 - y0)) * (box.bottom - box.top)};
}

function rooflineGrid(a) {
  const parts = [];
  for (let k = a.x0; k <= a.x1; k++) parts.push(svg("line", {class: "grid", x1: a.x(10 ** k), x2: a.x(10 ** k), y1: a.box.top, y2: a.box.bottom}),
    svg("text", {class: "tick", x: a.x(10 ** k), y: a.box.bottom + 17, "text-anchor": "middle"}, k < 0 ? (10 ** k).toFixed(-k) : scaled(10 ** k, "")));
  for (let k = a.y0; k <= a.y1; k++) parts.push(svg("line", {class: "grid", x1: a.box.left, x2: a.box.right, y1: a.y(10 ** k), y2: a.y(10 ** k)}),
    svg("text", {class: "tick", x: a.box.left - 7, y: a.y(10 ** k) + 4, "text-anchor": "end"}, scaled(10 ** k, "")));
  parts.push(svg("text", {class: "tick", x: (a.box.left + a.box.right) / 2, y: a.box.bottom + 38, "text-anchor": "middle"}, "operations per byte that must move"),
    svg("text", {class: "tick", x: 14, y: (a.box.top + a.box.bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(a.box.top + a.box.bottom) / 2})`}, "operations a second"));
  return parts;
}

// The memory's slope up to the highest roof in use, and one flat roof a unit.
function rooflineRoofs(a, card, units) {
  const roofs = units.filter((u) => card.units[u]).map((u) => ({u, peak: card.units[u], ridge: card.units[u] / card.bandwidth}));
  const top = Math.max(...roofs.map((r) => r.peak), 0) || 10 ** a.y1;
  const fromX = Math.max(10 ** a.x0, 10 ** a.y0 / card.bandwidth), toX = Math.min(top / card.bandwidth, 10 ** a.x1);
  const slope = svg("line", {class: "roof", x1: a.x(fromX), y1: a.y(fromX * card.bandwidth), x2: a.x(toX), y2: a.y(toX * card.bandwidth)}, svg("title", null, `memory, ${scaled(card.bandwidth, "B/s")}`));
  const middle = Math.sqrt(fromX * toX);
  const label = svg("text", {class: "tick", x: a.x(middle) + 10, y: a.y(middle * card.bandwidth) + 14}, `memory ${scaled(card.bandwidth, "B/s")}`);
  return [slope, label, roofs.map(({u, peak, ridge}) => [
    svg("line", {class: `roof unit ${kUnitTones[u]}`, x1: a.x(Math.max(ridge, 10 ** a.x0)), x2: a.box.right, y1: a.y(peak), y2: a.y(peak)}, svg("title", null, `${u}, ${scaled(peak, "/s")}`)),
    svg("text", {class: "tick", x: a.box.right, y: a.y(peak) - 4, "text-anchor": "end"}, `${u} ${scaled(peak, "/s")}`)])];
}

const pointName = (p) => `${p.row.task}, ${p.name}, ${p.row.candidate}: ${micros(p.us)}, ${scaled(p.y, "/s")}, IOU ${percent(p.iou)}, MFU ${percent(p.mfu)}`;

function roofline(name, card, timed) {
  const points = rooflinePoints(timed), left = timed.reduce((sum, row) => sum + row.times.sizes.length, 0) - points.length;
  if (!points.length || !card.bandwidth) return null;
  const units = Object.keys(kUnitTones).filter((u) => points.some((p) => p.unit === u));
  const a = rooflineAxes(points, card, units);
  const told = el("p", {class: "soft told", role: "status"}, "Point at a dot for its name; the table below holds the same.");
  const dots = points.map((p) => {
    const dot = svg("circle", {class: `dot ${kUnitTones[p.unit] || "t6"}`, cx: a.x(p.x), cy: a.y(p.y), r: 4}, svg("title", null, pointName(p)));
    dot.addEventListener("pointerenter", () => { told.textContent = pointName(p); });
    dot.addEventListener("click", () => { location.hash = hrefOf(p.row); });
    return dot;
  });
  const drawing = svg("svg", {class: "roofline", viewBox: "0 0 720 420", role: "img", "aria-label": `Roofline of ${name}: ${points.length} sizes; the table below holds the numbers`},
    rooflineGrid(a), rooflineRoofs(a, card, units), dots);
  const rows = points.map((p) => [p.row.task, p.name, el("a", {href: hrefOf(p.row)}, p.row.candidate || "(unnamed)"), micros(p.us), short(p.x), scaled(p.y, "/s"), p.unit, percent(p.iou), percent(p.mfu)]);
  return el("figure", {class: "roofline-of"}, el("figcaption", null, `Roofline, ${name}`), drawing,
    el("ul", {class: "legend"}, units.map((u) => el("li", {class: kUnitTones[u]}, u))), told,
    el("p", {class: "soft"}, `Roofs: ${card.origin}, ${card.source}.`, left > 0 ? ` ${plural(left, "size")} without operations or bytes in the task's formulas ${left === 1 ? "is" : "are"} not drawn.` : ""),
    el("details", null, el("summary", null, "The same as a table"), scroll(table(
      [{title: "task"}, {title: "size"}, {title: "candidate", cls: "name"}, number("device time"), number("operations / byte"), number("reached"), {title: "unit"}, number("IOU"), number("MFU")], rows))));
}

function buildTimes() {
  const box = byId("times");
  box.hidden = !data.times;
  if (!data.times) return;
  const timed = rows.filter((row) => row.inSuite && row.times).sort((a, b) => (b.times.speedup ?? -1) - (a.times.speedup ?? -1) || a.ordinal - b.ordinal);
  const plots = Object.entries(data.times.cards).map(([name, card]) => roofline(name, card, timed.filter((row) => row.times.gpu === name)));
  box.replaceChildren(...[el("h2", {id: "h-times"}, "Time against eager"), timesSentences(data.times), timesTable(timed), el("div", {class: "rooflines"}, plots)].filter(Boolean));
}

const peaksWords = (peaks, what) => (peaks ? `${what}: ${peaks.name}, ${scaled(peaks.bandwidth || 0, "B/s")} (${peaks.origin}: ${peaks.source}).` : null);

// One candidate's own sizes.
function timesSection(detail) {
  const t = detail.times;
  if (!t) return null;
  const sizes = t.sizes.map(([name, problem, by, us, eager, speedup, low, high, host, eagerHost, iou, mfu, iouReached, mfuReached, bound, limit, launchBound, notes]) =>
    ({name, problem, by, us, eager, speedup, low, high, host, eagerHost, iou, mfu, iouReached, mfuReached, bound, limit, launchBound, notes}));
  const at = barScale(sizes.filter((s) => !s.problem).concat(t));
  const reached = t.reached ? [number("IOU reached"), number("MFU reached")] : [];
  const columns = [{title: "size", cls: "name"}, number("candidate"), number("eager"), number("speedup"), {title: "95 % interval", cls: "num"}, {title: "eager = 1"}, number("host"), number("eager host"),
    number("IOU"), number("MFU"), ...reached, number("at least"), {title: "timed by"}];
  const noteRow = (s) => (s.notes.length ? [el("tr", {class: "why"}, el("td", {colspan: columns.length}, s.notes.join("; ")))] : []);
  const body = sizes.flatMap((s) => [s.problem
    ? el("tr", {class: "untimed"}, el("td", {class: "name"}, s.name), el("td", {class: "text", colspan: columns.length - 1}, `no time: ${s.problem}`))
    : [s.name, micros(s.us), micros(s.eager), ratio(s.speedup), interval(s.low, s.high), intervalBar(at, s), micros(s.host), micros(s.eagerHost), percent(s.iou), percent(s.mfu),
      ...(t.reached ? [percent(s.iouReached), percent(s.mfuReached)] : []), s.bound ? `${micros(s.bound)} (${s.limit})` : "–", s.launchBound ? `${s.by}, launch-bound` : s.by], ...noteRow(s)]);
  const mean = el("tr", {class: "total"}, ["all", "", "", ratio(t.speedup), interval(t.low, t.high), intervalBar(at, t), absent(t.host) ? "–" : `× ${ratio(t.host)}`, "", percent(t.iou), percent(t.mfu),
    ...(t.reached ? [percent(t.iouReached), percent(t.mfuReached)] : []), "", ""].map((cell, k) => el("td", {class: k && k !== 5 ? "num" : null}, cell)));
  return section("Time against eager", el("p", {class: "soft"}, `Device time on ${t.gpu}, board ${t.board}, driver ${t.driver}; host: one call as a user sees it.`),
    el("div", {id: "sizes"}, scroll(table(columns, sizes.length > 1 ? [...body, mean] : body))),
    el("p", {class: "soft"}, [peaksWords(t.peaks, "Shares of"), peaksWords(t.reached, " Reached: shares of")].filter(Boolean).join("")));
}
