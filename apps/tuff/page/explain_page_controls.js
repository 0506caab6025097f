// Keys, search and zoom; then the page begins.

// Each view is one stop of Tab; the arrow keys move within it.
const views = ["#graph-pane", "#time-pane", "#barrier-list", "#resource-pane"];
for (const view of views) {
  const stops = [...document.querySelectorAll(`${view} [tabindex]`)];
  stops.forEach((stop, index) => stop.setAttribute("tabindex", index === 0 ? 0 : -1));
}

function moveFocus(from, key) {
  const view = from.closest(views.join(","));
  if (!view || !from.hasAttribute("tabindex")) return false;
  const forward = key === "ArrowDown" || key === "ArrowRight";
  let stops = [...view.querySelectorAll("[tabindex]")].filter((stop) => stop.checkVisibility());
  // In the graph, left and right go from box to box, up and down through the rows as well.
  if (view.id === "graph-pane" && (key === "ArrowLeft" || key === "ArrowRight"))
    stops = stops.filter((stop) => stop === from || stop.matches(".box"));
  const next = stops[stops.indexOf(from) + (forward ? 1 : -1)];
  if (!next) return true;
  from.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  const inSearch = event.target === byId("search");
  if (event.key === "Escape") { if (!inSearch) pin(null); return; }
  if (event.key === "/" && !inSearch) { byId("search").focus(); event.preventDefault(); return; }
  if (event.key.startsWith("Arrow") && moveFocus(event.target, event.key)) event.preventDefault();
  else if (event.key === "Enter" && event.target.hasAttribute("tabindex")) {
    const target = targetOf(event.target);
    if (target) pin(target);
  }
});

// --- Search ----------------------------------------------------------------------------------

function search() {
  const wanted = byId("search").value.trim().toLowerCase();
  const found = [];
  if (wanted) {
    for (const node of nodes.values())
      if (node.name.toLowerCase().includes(wanted))
        found.push(["node", node.node, node.name, node.out || node.kind]);
    plan.resources.forEach((resource, index) => {
      if (resource.used && resource.name.toLowerCase().includes(wanted))
        found.push(["resource", index, resource.name, resource.contents]);
    });
  }
  const rows = found.slice(0, 12).map((entry) => make("li", null, chip(...entry)));
  if (wanted && !found.length) rows.push(make("li", null, "no pass or resource has this name"));
  if (found.length > 12) rows.push(make("li", null, `and ${found.length - 12} more`));
  byId("results").replaceChildren(...rows);
}
byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", (event) => {
  const first = byId("results").querySelector("button");
  if (event.key === "ArrowDown" && first) { first.focus(); event.preventDefault(); }
  if (event.key === "Enter" && first) first.click();
  if (event.key === "Escape") { byId("search").value = ""; search(); }
});
byId("results").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...byId("results").querySelectorAll("button")];
  (buttons[buttons.indexOf(event.target) + step] || byId("search")).focus();
  event.preventDefault();
});

// --- Zoom ------------------------------------------------------------------------------------

const svg = document.querySelector("#graph-pane svg");
const graphWidth = Number(svg.getAttribute("width")), graphHeight = Number(svg.getAttribute("height"));
let graphZoom = 1;
function zoomGraph(zoom) {
  graphZoom = Math.min(3, Math.max(0.02, zoom));
  svg.setAttribute("width", graphWidth * graphZoom);
  svg.setAttribute("height", graphHeight * graphZoom);
}
const fitZoom = () => Math.min(1, (byId("graph-pane").clientWidth - 2) / graphWidth,
  (byId("graph-pane").clientHeight - 2) / graphHeight);
byId("graph-in").addEventListener("click", () => zoomGraph(graphZoom * 1.25));
byId("graph-out").addEventListener("click", () => zoomGraph(graphZoom / 1.25));
byId("graph-full").addEventListener("click", () => zoomGraph(1));
byId("graph-fit").addEventListener("click", () => zoomGraph(fitZoom()));

let cell = 96;
function zoomTime(width) {
  cell = Math.min(400, Math.max(2, width));
  timePane.style.setProperty("--cell", cell + "px");
}
const fitCell = () => (timePane.clientWidth - 92 - 10) / columns;
byId("time-in").addEventListener("click", () => zoomTime(cell * 1.25));
byId("time-out").addEventListener("click", () => zoomTime(cell / 1.25));
byId("time-fit").addEventListener("click", () => zoomTime(fitCell()));

const eachBatch = (open) => document.querySelectorAll("#barrier-list details")
  .forEach((details) => { details.open = open; });
byId("open-all").addEventListener("click", () => eachBatch(true));
byId("close-all").addEventListener("click", () => eachBatch(false));

// Names stay legible: large graphs scroll rather than shrink.
zoomGraph(Math.max(0.8, fitZoom()));
zoomTime(Math.min(200, Math.max(88, fitCell())));
light(null);
inspect(null);
fromFragment();
addEventListener("hashchange", fromFragment);
