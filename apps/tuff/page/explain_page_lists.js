// The lists below: barriers, passes that run once, culled ones, resources.

const scope = (part) => part.stages + " / " + part.access;

function reasonLine(reason) {
  return [make("span", { class: "pill" }, reason.hazard), reason.text];
}

function imageBarrier(barrier) {
  const layouts = barrier.from === barrier.to ? "stays " + barrier.to
    : barrier.from + " \u2192 " + barrier.to;
  const owners = barrier.from_queue
    ? `, from the ${barrier.from_queue} queue to the ${barrier.to_queue} queue` : "";
  return make("div", { class: "barrier", "data-resource": barrier.resource, tabindex: -1 },
    ...(barrier.reason ? reasonLine(barrier.reason) : []),
    make("small", null, "image ", make("b", null, barrier.image),
      barrier.range ? " (" + barrier.range + ")" : "", ": layout " + layouts + owners),
    make("small", null, scope(barrier.before) + " \u2192 " + scope(barrier.after)));
}

function batchDetails(batch, level) {
  const images = batch.images || [];
  const waits = waitsBefore.get(level) || [];
  const releases = releasesAfter(level);
  const reasons = [...images.map((barrier) => barrier.reason),
    ...(batch.memory ? batch.memory.reasons : [])].filter(Boolean);
  const what = [images.length ? counted(images.length, "image barrier") : "",
    batch.memory ? "1 memory barrier" : "",
    releases.length ? counted(releases.length, "barrier") + " after it" : "",
    waits.length ? "waits for " + waits.join(" and ") : ""].filter(Boolean).join(", ");
  const why = reasons.length === 0 ? ""
    : reasons[0].text + (reasons.length > 1 ? `, and ${reasons.length - 1} more` : "");
  const title = level < plan.levels.length ? "Before level " + level : "At the end";
  const details = make("details", { "data-batch": level },
    make("summary", null, make("b", null, title), ": " + what,
      make("span", { class: "why" }, why)),
    ...waits.map((text) => make("div", { class: "barrier" },
      make("span", { class: "pill" }, "semaphore"), "waits for " + text)),
    ...images.map(imageBarrier), ...memoryBarrier(batch.memory));
  if (releases.length)
    details.append(make("div", { class: "barrier" }, make("span", { class: "pill" }, "after"),
      "once the passes of the level are done"), ...releases.map(imageBarrier));
  return details;
}

function memoryBarrier(memory) {
  if (!memory) return [];
  return [make("div", { class: "barrier" }, make("span", { class: "pill" }, "memory barrier"),
    make("small", null, scope(memory.before) + " \u2192 " + scope(memory.after))),
  ...memory.reasons.map((reason) => make("div", { class: "barrier",
    "data-resource": reason.resource, tabindex: -1 }, ...reasonLine(reason)))];
}

const batches = [...plan.levels.map((level) => level.barriers), plan.epilogue];
batches.forEach((batch, level) => {
  if (barrierCount(batch) || waitsBefore.has(level) || releasesAfter(level).length)
    byId("barrier-list").append(batchDetails(batch, level));
});
if (!byId("barrier-list").children.length) byId("barrier-list").append("No barrier is needed.");

const leftOut = (node, remark) => make("p", null,
  make("button", { class: "chip " + node.kind, "data-node": node.node }, make("b", null, node.name),
    " ", make("small", null, remark)));

byId("once").hidden = byId("once-link").hidden = !plan.setup;
if (plan.setup) {
  byId("once-list").append(...constant.map((node) => leftOut(node, node.work)),
    make("p", { class: "hint" }, `They depend on nothing that changes. Their results take ${
      bytes(plan.setup.kept_bytes)} of memory that is never shared, and ${
      bytes(plan.setup.transient_bytes)} while the passes run.`));
}

for (const node of plan.culled) byId("culled-list").append(leftOut(node, node.why));
if (!plan.culled.length) byId("culled-list").append(make("p", { class: "hint" },
  "None: every pass is needed."));

function resourceTable() {
  const head = ["resource", "lifetime", "contents", "size", "life", "written", "read"];
  const rows = plan.resources.map((resource, index) => ({ resource, index }))
    .filter(({ resource }) => resource.used)
    .map(({ resource, index }) => make("tr", { "data-resource": index, tabindex: -1 },
      make("td", null, resource.name), make("td", null, resource.lifetime),
      make("td", null, resource.contents),
      make("td", { class: "number" }, resource.size === undefined ? "" : bytes(resource.size)),
      make("td", null, lifeText(index)),
      make("td", { class: "number" }, String(uses[index].writers.length)),
      make("td", { class: "number" }, String(uses[index].readers.length))));
  const number = new Set(["size", "written", "read"]);
  return make("table", null, make("thead", null, make("tr", null, ...head.map((title) =>
    make("th", { class: number.has(title) ? "number" : null }, title)))),
    make("tbody", null, ...rows));
}
byId("resource-pane").append(resourceTable());
