// Light, dark, or as the machine has it. drawCharts() is the page's.

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
