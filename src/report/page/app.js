// What ties the page together: the address (#c=<candidate>), the keys.

let listScroll = 0;

function candidateInAddress() {
  if (!location.hash.startsWith("#c=")) return null;
  try {
    return rowOfId.get(decodeURIComponent(location.hash.slice(3))) || null;
  } catch (error) {
    return null;  // not percent-encoded text
  }
}

// "#f=method=claude&task=softmax": the list, narrowed, as the leaderboard links to it.
function filterInAddress() {
  if (!location.hash.startsWith("#f=")) return false;
  const wanted = Object.fromEntries(new URLSearchParams(location.hash.slice(3)));
  showOnly(Object.fromEntries(kSelects.filter((key) => wanted[key]).map((key) => [key, wanted[key]])));
  return true;
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
  if (!row && filterInAddress()) return;
  scrollTo(0, row ? 0 : listScroll);
  if (row) byId("main").focus({preventScroll: true});
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, canvas, .code, pre")) return;
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
