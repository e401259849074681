// The candidates table: filter, sort, pages. Only the rows of one page are in the document, so ten thousand candidates
// cost as much as fifty: most of the time of a sort is the browser's layout of the rows shown.

const kColumns = [
  {key: "candidate", title: "candidate"}, {key: "task", title: "task"}, {key: "category", title: "category"},
  {key: "verdict", title: "verdict"}, {key: "paper", title: "paper"}, {key: "seconds", title: "seconds", num: true},
  {key: "why", title: "why", cls: "text"},
];
if (data.times) kColumns.splice(5, 0, {key: "speedup", title: "speedup", num: true});
if (data.runs.length > 1) kColumns.unshift({key: "run", title: "run"});
if (data.site && data.site.methods.length > 1) kColumns.unshift({key: "method", title: "method"});
const kSelects = ["verdict", "paper", "category", "task"].concat(data.runs.length > 1 ? ["run"] : [], data.site ? ["method"] : []);

const list = {query: "", chosen: {}, differ: false, sort: "", down: false, page: 0, size: 50, shown: rows};
const collator = new Intl.Collator("en", {numeric: true});
const verdictOrder = new Map(verdictNames.map((name, k) => [name, k]));

// Texts are put in order once, before anybody asks if there is time; then a sort compares numbers.
const places = new Map();
function placesOf(key) {
  if (!places.has(key)) places.set(key, new Map([...new Set(rows.map((row) => row[key]))].sort(collator.compare).map((text, k) => [text, k])));
  return places.get(key);
}
const whenIdle = globalThis.requestIdleCallback || ((work) => setTimeout(work, 300));

function comparison(key) {
  if (key === "seconds") return (a, b) => a.seconds - b.seconds;
  if (key === "speedup") return (a, b) => (a.speedup ?? -1) - (b.speedup ?? -1);
  if (key === "verdict" || key === "paper") {
    const rank = (row) => (verdictOrder.has(row[key]) ? verdictOrder.get(row[key]) : verdictOrder.size);
    return (a, b) => rank(a) - rank(b);
  }
  const place = placesOf(key);
  return (a, b) => place.get(a[key]) - place.get(b[key]);
}

function applyFilters() {
  const words = list.query.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.entries(list.chosen).filter(([, value]) => value !== "");
  list.shown = rows.filter((row) =>
    chosen.every(([key, value]) => row[key] === value) && (!list.differ || row.exe !== row.paperExe) && words.every((word) => row.haystack.includes(word)));
  if (list.sort) {
    const compare = comparison(list.sort);
    list.shown.sort((a, b) => (list.down ? compare(b, a) : compare(a, b)) || a.ordinal - b.ordinal);
  }
  list.page = Math.min(list.page, Math.max(0, Math.ceil(list.shown.length / list.size) - 1));
}

function rowElement(row) {
  const cells = kColumns.map((c) => {
    if (c.key === "candidate") return el("td", {title: row.candidate}, el("a", {href: hrefOf(row)}, row.candidate || "(unnamed)"));
    if (c.key === "verdict" || c.key === "paper") return el("td", null, pill(row[c.key]));
    if (c.key === "seconds") return el("td", {class: "num"}, seconds(row.seconds));
    if (c.key === "speedup") return el("td", {class: "num", title: row.times ? interval(row.times.low, row.times.high) : null}, row.times ? ratio(row.speedup) : "");
    return el("td", {class: c.cls, title: row[c.key]}, row[c.key]);
  });
  const open = (event) => { if (!event.target.closest("a") && String(getSelection()) === "") location.hash = hrefOf(row); };
  return el("tr", {click: open}, cells);
}

function drawRows() {
  const from = list.page * list.size;
  const body = byId("candidates").querySelector("tbody");
  body.replaceChildren(...list.shown.slice(from, from + list.size).map(rowElement));
  if (!list.shown.length) body.replaceChildren(nothingRow(kColumns.length, rows.length));
  for (const th of byId("candidates").querySelectorAll("th"))
    th.setAttribute("aria-sort", th.dataset.key !== list.sort ? "none" : list.down ? "descending" : "ascending");
  const pages = Math.max(1, Math.ceil(list.shown.length / list.size));
  const go = (page) => () => { list.page = page; drawRows(); byId("h-candidates").scrollIntoView(); };
  const sizes = el("select", {"aria-label": "rows a page", change: (e) => { list.size = Number(e.target.value); list.page = 0; drawRows(); }},
    [50, 100, 500, 2000].map((n) => el("option", {value: n, selected: n === list.size}, `${n} a page`)));
  byId("pages").replaceChildren(
    el("button", {type: "button", id: "page-first", disabled: list.page === 0, click: go(0)}, "« first"),
    el("button", {type: "button", id: "page-back", disabled: list.page === 0, click: go(list.page - 1)}, "‹ back"),
    el("span", {id: "page-at"}, `page ${list.page + 1} of ${pages}`),
    el("button", {type: "button", id: "page-next", disabled: list.page + 1 >= pages, click: go(list.page + 1)}, "next ›"),
    el("button", {type: "button", id: "page-last", disabled: list.page + 1 >= pages, click: go(pages - 1)}, "last »"),
    sizes);
  byId("count").textContent = list.shown.length === rows.length ? plural(rows.length, "candidate") : `${list.shown.length} of ${plural(rows.length, "candidate")}`;
}

function updateList() {
  applyFilters();
  drawRows();
}

// Sets filters from outside (a click in a chart or table) and brings the list into view.
function showOnly(chosen) {
  list.chosen = {...chosen};
  list.query = "";
  list.differ = false;
  list.page = 0;
  buildFilters();
  updateList();
  byId("h-candidates").scrollIntoView({behavior: "smooth"});
}

function optionsOf(key) {
  const counts = new Map();
  for (const row of rows) counts.set(row[key], (counts.get(row[key]) || 0) + 1);
  const names = [...counts.keys()].filter((name) => name !== "");
  if (key === "verdict" || key === "paper") names.sort((a, b) => (verdictOrder.get(b) ?? -1) - (verdictOrder.get(a) ?? -1));
  else names.sort(collator.compare);
  return names.map((name) => el("option", {value: name, selected: list.chosen[key] === name}, `${name} (${counts.get(name)})`));
}

function buildFilters() {
  const changed = (set) => (event) => { set(event.target); list.page = 0; updateList(); };
  const search = el("input", {type: "search", id: "search", placeholder: "Search candidate, task, rule, explanation … ( / )", "aria-label": "search", autocomplete: "off",
    input: changed((box) => { list.query = box.value; })});
  search.value = list.query;
  const selects = kSelects.map((key) => el("select", {id: `filter-${key}`, "aria-label": `filter by ${key}`, change: changed((box) => { list.chosen[key] = box.value; })},
    el("option", {value: ""}, key === "paper" ? "paper verdict: all" : `${key}: all`), optionsOf(key)));
  const differ = el("input", {type: "checkbox", id: "differ", checked: list.differ, change: changed((box) => { list.differ = box.checked; })});
  byId("filters").replaceChildren(search, ...selects,
    el("label", null, differ, "kbx and paper disagree"),
    el("button", {type: "button", id: "reset", click: () => showOnly({})}, "Reset"),
    el("span", {id: "count", class: "soft", role: "status"}));
}

function buildList() {
  const sortBy = (key) => () => {
    if (list.sort === key && list.down) Object.assign(list, {sort: "", down: false});
    else Object.assign(list, {down: list.sort === key, sort: key});
    list.page = 0;
    updateList();
  };
  const head = kColumns.map((c) => el("th", {scope: "col", class: c.num ? "num" : null, "data-key": c.key}, el("button", {type: "button", click: sortBy(c.key)}, c.title)));
  byId("candidates").replaceChildren(el("table", null, el("thead", null, el("tr", null, head)), el("tbody")));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  buildFilters();
  updateList();
  for (const c of kColumns) if (!c.num && c.key !== "verdict" && c.key !== "paper") whenIdle(() => placesOf(c.key));
}
