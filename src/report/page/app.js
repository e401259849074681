// What ties the page together: the address (#c=<candidate>), the theme, the keys.

const kThemes = ["auto", "dark", "light"];

// Storage may be forbidden for a local file; the theme is then kept for this visit alone.
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem("kbx-theme");
    localStorage.setItem("kbx-theme", value);
  } catch (error) { /* not kept */ }
  return null;
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  drawCharts();
}

function buildTheme() {
  let theme = kThemes.includes(stored()) ? stored() : "auto";
  byId("theme").addEventListener("click", () => {
    theme = kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length];
    stored(theme);
    setTheme(theme);
  });
  setTheme(theme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
  addEventListener("beforeprint", drawCharts);
  addEventListener("afterprint", drawCharts);
}

let listScroll = 0;

function candidateInAddress() {
  if (!location.hash.startsWith("#c=")) return null;
  try {
    return rowOfId.get(decodeURIComponent(location.hash.slice(3))) || null;
  } catch (error) {
    return null;  // not percent-encoded text
  }
}

function route() {
  if (location.hash === "#main") return;
  const row = candidateInAddress();
  const overview = byId("overview");
  if (row) {
    if (!overview.hidden) listScroll = scrollY;
    showCandidate(row);
  }
  overview.hidden = row !== null;
  byId("candidate").hidden = row === null;
  scrollTo(0, row ? 0 : listScroll);
  if (row) byId("main").focus({preventScroll: true});
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .code, pre")) return;
  const inCandidate = !byId("candidate").hidden;
  const press = (id) => { const button = byId(id); if (button) button.click(); };
  if (event.key === "/" && !inCandidate) { event.preventDefault(); byId("search").focus(); }
  else if (event.key === "Escape" && inCandidate) location.hash = "";
  else if (event.key === "j" || event.key === "ArrowRight") press(inCandidate ? "next" : "page-next");
  else if (event.key === "k" || event.key === "ArrowLeft") press(inCandidate ? "previous" : "page-back");
}

buildOverview();
buildTimes();
buildList();
buildTheme();
addEventListener("hashchange", route);
addEventListener("keydown", onKey);
route();
