// The site's first page: methods, methods by category, tasks. A cell is
// [judged, tasks, call, right, right by the published rules, caught, undecided, share, low, high, solved tasks].

const readCell = (c) => (c ? {judged: c[0], tasks: c[1], call: c[2], right: c[3], paper: c[4], caught: c[5], undecided: c[6], share: c[7], low: c[8], high: c[9], solved: c[10]} : null);
const methods = data.methods.map((m) => ({...m, all: readCell(m.all), cells: Object.fromEntries(Object.entries(m.cells).map(([name, c]) => [name, readCell(c)]))}));
const tasks = data.tasks.map((t) => ({...t, cells: t.cells.map(readCell)}));
const collator = new Intl.Collator("en", {numeric: true});

const whole = (v) => (v === null || v === undefined ? "–" : `${(100 * v).toFixed(v > 0 && v < 0.0995 ? 1 : 0)} %`);
const bare = (v) => (100 * v).toFixed(v > 0 && v < 0.0995 ? 1 : 0);
const range = (c) => (c && c.low !== null ? `[${bare(c.low)}, ${bare(c.high)}]` : "");
const listHref = (chosen) => `candidates.html#f=${new URLSearchParams(chosen)}`;

function buildCards() {
  const sum = (key) => methods.reduce((n, m) => n + (m.all ? m.all[key] : 0), 0);
  const solved = tasks.filter((t) => t.cells.some((c) => c && c.right > 0)).length;
  const card = (value, text) => el("div", {class: "card"}, el("b", null, value), el("span", null, text));
  byId("cards").replaceChildren(card(methods.length, methods.length === 1 ? "method" : "methods"), card(tasks.length, data.categories.length === 1 ? "tasks in one category" : `tasks in ${data.categories.length} categories`), card(data.candidates, data.steps ? `candidates, ${data.steps} of them steps on the way to an answer` : "candidates"),
    card(solved, "tasks that some method solves"), card(sum("right"), `right of ${sum("judged")} judged answers`), card(sum("caught"), "caught breaking the rules"));
}

// A table whose headers sort; `columns`: {key, title, num, value(row), cell(row)}.
function sortable(box, columns, rowsOf, sort) {
  const state = {...sort};
  const body = el("tbody");
  const heads = columns.map((c) => el("th", {scope: "col", class: [c.num ? "num" : "", c.cls || ""].join(" ").trim() || null, "data-key": c.key}, el("button", {type: "button", click: () => {
    Object.assign(state, {down: state.key === c.key ? !state.down : Boolean(c.num), key: c.key});
    fill();
  }}, c.title)));
  function fill() {
    const column = columns.find((c) => c.key === state.key);
    const order = (a, b) => { const x = column.value(a), y = column.value(b); return typeof x === "number" ? x - y : collator.compare(x, y); };
    const shown = [...rowsOf()].sort((a, b) => (state.down ? order(b, a) : order(a, b)));
    body.replaceChildren(...shown.map((row) => el("tr", null, columns.map((c) => { const cell = c.cell(row); return cell instanceof HTMLTableCellElement ? cell : el("td", {class: [c.num ? "num" : "", c.cls || ""].join(" ").trim() || null}, cell); }))));
    if (!shown.length) body.replaceChildren(nothingRow(columns.length, data.candidates));
    for (const th of heads) th.setAttribute("aria-sort", th.dataset.key !== state.key ? "none" : state.down ? "descending" : "ascending");
  }
  box.replaceChildren(el("table", null, el("thead", null, el("tr", null, heads)), body));
  fill();
  return fill;
}

const shareOf = (c) => (c && c.share !== null ? c.share : -1);

function flagOf(m) {
  if (!m.all || !m.all.judged) return el("span", {class: "soft"}, "–");
  return m.all.caught ? el("span", {class: "flag caught"}, `${m.all.caught} caught`) : el("span", {class: "flag honest"}, "none caught");
}

function buildMethods() {
  const ratio = (v) => (v === null || v === undefined ? "–" : v.toFixed(v < 10 ? 3 : 1));
  sortable(byId("methods"), [
    {key: "name", title: "method", cls: "name", value: (m) => m.name, cell: (m) => el("a", {href: listHref({method: m.name})}, m.name)},
    {key: "share", title: "right", num: true, value: (m) => shareOf(m.all), cell: (m) => [el("b", null, whole(m.all.share)), " ", el("span", {class: "soft"}, range(m.all))]},
    {key: "solved", title: "tasks solved", num: true, value: (m) => m.all.solved, cell: (m) => `${m.all.solved} of ${m.all.tasks}`},
    {key: "call", title: "call", num: true, value: (m) => m.all.call / Math.max(1, m.all.judged), cell: (m) => share(m.all.call, m.all.judged)},
    {key: "paper", title: "right by published rules", num: true, value: (m) => m.all.paper / Math.max(1, m.all.judged), cell: (m) => share(m.all.paper, m.all.judged)},
    {key: "speedup", title: "speedup", num: true, value: (m) => m.speedup ?? -1, cell: (m) => (m.timed ? `${ratio(m.speedup)} (${m.timed})` : "–")},
    {key: "caught", title: "honest?", value: (m) => m.all.caught, cell: flagOf},
    {key: "judged", title: "answers", num: true, value: (m) => m.all.judged, cell: (m) => (m.all.undecided ? `${m.all.judged} + ${m.all.undecided} undecided` : m.all.judged)},
  ], () => methods, {key: "share", down: true});
  byId("how").textContent = data.how;
}

function heat(c, inner) {
  const td = el("td", {class: "num heat"}, inner);
  if (c && c.share !== null) td.style.setProperty("--heat", String(Math.round(100 * c.share)));
  return td;
}

function buildGrid() {
  const cellOf = (m, name, chosen) => {
    const c = m.cells[name];
    if (!c) return el("td", {class: "num soft"}, "–");
    return heat(c, [el("a", {href: listHref(chosen), title: `${c.right} right of ${c.judged}, ${c.tasks} tasks`}, whole(c.share)), " ", el("small", {class: "soft"}, range(c))]);
  };
  sortable(byId("grid"), [
    {key: "category", title: "category", value: (c) => c, cell: (c) => c},
    ...methods.map((m, k) => ({key: `m${k}`, title: m.name, num: true, value: (c) => shareOf(m.cells[c]), cell: (c) => cellOf(m, c, {method: m.name, category: c})})),
  ], () => data.categories, {key: "category", down: false});
}

const filter = {query: "", category: "", solved: ""};

function tasksShown() {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  const solved = (t) => t.cells.filter((c) => c && c.right > 0).length;
  return tasks.filter((t) => words.every((word) => `${t.name} ${t.category}`.includes(word)) && (!filter.category || t.category === filter.category) &&
    (!filter.solved || (filter.solved === "none" ? solved(t) === 0 : filter.solved === "some" ? solved(t) > 0 : solved(t) === t.cells.filter(Boolean).length)));
}

function buildTasks() {
  const count = el("span", {id: "count", class: "soft", role: "status"});
  const fill = sortable(byId("tasks"), [
    {key: "name", title: "task", cls: "name", value: (t) => t.name, cell: (t) => el("a", {href: t.page}, t.name)},
    {key: "category", title: "category", value: (t) => t.category, cell: (t) => t.category},
    {key: "solved", title: "solved by", num: true, value: (t) => t.cells.filter((c) => c && c.right > 0).length, cell: (t) => `${t.cells.filter((c) => c && c.right > 0).length} of ${t.cells.filter(Boolean).length}`},
    ...methods.map((m, k) => ({key: `m${k}`, title: m.name, num: true, value: (t) => shareOf(t.cells[k]), cell: (t) => { const c = t.cells[k]; return c ? heat(c, `${c.right} / ${c.judged}`) : el("td", {class: "num soft"}, "–"); }})),
  ], tasksShown, {key: "name", down: false});
  const redo = (key) => (event) => { filter[key] = event.target.value; fill(); tell(); };
  const tell = () => { const n = tasksShown().length; count.textContent = n === tasks.length ? plural(n, "task") : `${n} of ${plural(tasks.length, "task")}`; };
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").replaceChildren(
    el("input", {type: "search", id: "search", placeholder: "Search task or category … ( / )", "aria-label": "search", autocomplete: "off", input: redo("query")}),
    el("select", {id: "filter-category", "aria-label": "filter by category", change: redo("category")}, el("option", {value: ""}, "category: all"), data.categories.map((c) => el("option", {value: c}, c))),
    el("select", {id: "filter-solved", "aria-label": "filter by who solves it", change: redo("solved")},
      [["", "solved: any"], ["none", "by no method"], ["some", "by some method"], ["all", "by every method"]].map(([value, text]) => el("option", {value}, text))), count);
  tell();
}

function drawMethods() {
  const order = [...methods].sort((a, b) => shareOf(b.all) - shareOf(a.all));
  byId("plot-methods").style.height = `${Math.max(200, 90 + 34 * order.length)}px`;
  const known = (value) => order.map((m) => (m.all && m.all.share !== null ? value(m.all) : null));
  const percents = {min: 0, suggestedMax: 10, max: order.some((m) => m.all && m.all.high > 0.5) ? 100 : undefined, ticks: {callback: (v) => `${v} %`}};
  const said = (item) => { const c = order[item.dataIndex].all; return `${whole(c.share)} ${range(c)}, ${c.right} of ${c.judged}`; };
  draw("chart-methods", {type: "bar", data: {labels: order.map((m) => m.name), datasets: [
    {label: "right", data: known((c) => 100 * c.share), backgroundColor: themeColour("correct"), barPercentage: 0.7, grouped: false, minBarLength: 2, order: 2},
    {label: "95 % interval", data: known((c) => [100 * c.low, 100 * c.high]), backgroundColor: themeColour("ink"), barThickness: 2, grouped: false, silent: true, order: 1}]},
  options: {indexAxis: "y", plugins: {legend, tooltip: {filter: (item) => item.datasetIndex === 0, callbacks: {label: said}}}, scales: {x: percents, y: {grid: {display: false}, ticks: {autoSkip: false}}},
    onClick: (event, hit) => { if (hit.length) location.href = listHref({method: order[hit[0].index].name}); }}});
}

function drawEnds() {
  const order = [...methods].sort((a, b) => shareOf(b.all) - shareOf(a.all));  // as in the chart beside it
  byId("plot-ends").style.height = `${Math.max(200, 90 + 34 * methods.length)}px`;
  const sets = Object.keys(kFamilies).map((family) => ({label: kFamilies[family], backgroundColor: themeColour(family), barPercentage: 0.8,
    data: order.map((m) => m.verdicts.reduce((n, v, k) => n + (familyOf(verdictNames[k]) === family ? v : 0), 0))})).filter((set) => set.data.some(Boolean));
  draw("chart-ends", {type: "bar", data: {labels: order.map((m) => m.name), datasets: sets},
    options: {indexAxis: "y", plugins: {legend}, scales: {x: {stacked: true, ...wholeNumbers}, y: {stacked: true, grid: {display: false}, ticks: {autoSkip: false}}}}});
}

function drawCharts() {
  forgetCharts();
  byId("charts").hidden = !data.candidates;
  if (!data.candidates) return;
  drawMethods();
  drawEnds();
}

byId("run-names").textContent = data.runs.map((run) => run.label).join(", ");
byId("facts").replaceChildren(...data.runs.map(runFacts));
buildCards();
buildMethods();
buildGrid();
buildTasks();
buildTheme();
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  byId("search").focus();
});
