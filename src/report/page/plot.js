// Drawing with Chart.js, for the report and the site. Drawn again when the theme changes: a canvas does not inherit colours.
// A chart is reached by Tab and read by the arrow keys; what it points at is said as text, too.

const drawn = [];

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const kSteps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};

// Every value that is not empty, in the order in which a reader goes through them.
function pointsOf(chart) {
  const points = [];
  for (let index = 0; index < chart.data.labels.length; index++)
    chart.data.datasets.forEach((set, datasetIndex) => {
      if (chart.isDatasetVisible(datasetIndex) && !set.silent && set.data[index]) points.push({datasetIndex, index});
    });
  return points;
}

function chartKey(chart, event) {
  const points = pointsOf(chart);
  if (!points.length) return;
  if (event.key === "Enter" && chart.keyAt !== undefined) chart.options.onClick?.(event, [points[chart.keyAt]]);
  if (!kSteps[event.key] && event.key !== "Home" && event.key !== "End") return;
  event.preventDefault();
  event.stopPropagation();
  const last = points.length - 1, now = chart.keyAt;
  chart.keyAt = event.key === "Home" || now === undefined ? 0 : event.key === "End" ? last : Math.min(last, Math.max(0, now + kSteps[event.key]));
  const point = points[chart.keyAt], {x, y} = chart.getDatasetMeta(point.datasetIndex).data[point.index];
  chart.setActiveElements([point]);
  chart.tooltip.setActiveElements([point], {x, y});
  chart.update();
  const words = [...(chart.tooltip.title || []), ...(chart.tooltip.body || []).flatMap((part) => part.lines)].join(": ");
  chart.canvas.parentElement.querySelector(".said").textContent = words;
}

function draw(id, config) {
  const ink = themeColour("soft"), line = themeColour("line");
  Chart.defaults.color = ink;
  Chart.defaults.borderColor = line;
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  config.options = {animation: false, responsive: true, maintainAspectRatio: false, ...config.options};
  const canvas = byId(id), chart = new Chart(canvas, config);
  drawn.push(chart);
  canvas.tabIndex = 0;
  canvas.onkeydown = (event) => chartKey(chart, event);
  if (!canvas.parentElement.querySelector(".said")) canvas.parentElement.append(el("p", {class: "said unseen", role: "status"}));
}

const wholeNumbers = {ticks: {precision: 0}, beginAtZero: true};
const legend = {position: "bottom", labels: {boxWidth: 12, boxHeight: 12}};

function forgetCharts() {
  for (const chart of drawn.splice(0)) chart.destroy();
}
