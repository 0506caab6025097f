// All views highlight what is pointed at, and the panel beside them describes it.

const elements = { resource: new Map(), node: new Map() };
for (const kind of ["resource", "node"])
  for (const element of document.querySelectorAll(`[data-${kind}]`)) {
    const id = Number(element.dataset[kind]);
    if (!elements[kind].has(id)) elements[kind].set(id, []);
    elements[kind].get(id).push(element);
  }

let lit = [];
let pinned = null;
let shown = null;

function mark(kind, id, name) {
  for (const element of elements[kind].get(id) || []) {
    element.classList.add(name);
    lit.push([element, name]);
  }
}

function markLife(index) {
  const levels = life(index);
  if (!levels) return;
  for (const field of timePane.querySelectorAll(".passes .field, .living .field")) {
    const span = Math.min(levels[1], columns - 1) - levels[0] + 1;
    field.prepend(make("div", placed(levels[0], span, { class: "life" })));
  }
}

function chip(kind, id, text, remark) {
  return make("button", { class: "chip " + (kind === "node" ? nodes.get(id).kind : ""),
    "data-go": kind, "data-id": id }, text, " ", make("small", null, remark));
}

function useList(title, name, list) {
  if (!list.length) return [];
  const chips = new Map(); // a pass may sample one resource through two bindings
  for (const { node, access } of list)
    chips.set(node.node + access.access, chip("node", node.node, node.name,
      node.out || `${access.access}, level ${node.level}`));
  return [make("h4", { class: name }, title), ...chips.values()];
}

function facts(pairs) {
  return make("dl", null, ...pairs.filter(([, value]) => value !== "" && value !== undefined)
    .flatMap(([name, value]) => [make("dt", null, name), make("dd", null, value)]));
}

function inspect(target) {
  const panel = byId("inspector");
  if (!target) {
    panel.replaceChildren(make("p", { class: "help" }, "Point at a pass or a resource, or move " +
      "the focus with Tab and the arrow keys: all views show what it touches. Click or Enter " +
      "keeps it highlighted, Escape releases it."));
    return;
  }
  if (target.kind === "resource") {
    const resource = plan.resources[target.id];
    panel.replaceChildren(make("h3", null, resource.name),
      facts([["contents", resource.contents], ["lifetime", resource.lifetime],
        ["lives", lifeText(target.id)],
        ["memory", resource.size === undefined ? ""
          : `${bytes(resource.size)} in block ${resource.block} at ${resource.offset}`],
        ["object", resource.object_text],
        ["output", plan.outputs.filter((output) => output.resource === target.id)
          .map((output) => output.name).join(", ")]]),
      ...useList("Written by", "writers", uses[target.id].writers),
      ...useList("Read by", "readers", uses[target.id].readers));
    return;
  }
  const node = nodes.get(target.id);
  const touched = (title, name, wanted) => {
    const list = node.accesses.filter(wanted);
    return list.length === 0 ? [] : [make("h4", { class: name }, title), ...list.map((access) =>
      chip("resource", access.resource, plan.resources[access.resource].name,
        [access.access, access.range, access.layout].filter(Boolean).join(", ")))];
  };
  panel.replaceChildren(make("h3", null, node.name),
    facts([["kind", node.kind], ["work", node.work],
      ["runs", node.out === "once" ? "once, before the first execution" : ""],
      ["runs in", node.out ? "" : "level " + node.level],
      ["queue", node.out || !several ? "" : plan.levels[node.level].queue],
      ["culled", node.why]]),
    ...touched("Writes", "writers", (access) => access.writes),
    ...touched("Reads", "readers", (access) => access.reads));
}

function light(target) {
  if (target && shown && target.kind === shown.kind && target.id === shown.id) return;
  for (const [element, name] of lit) element.classList.remove(name);
  lit = [];
  timePane.querySelectorAll(".life").forEach((element) => element.remove());
  document.body.classList.toggle("lighting", Boolean(target));
  shown = target;
  inspect(target);
  if (!target) return;
  mark(target.kind, target.id, "lit");
  if (target.kind === "resource") {
    uses[target.id].readers.forEach(({ node }) => mark("node", node.node, "reader"));
    uses[target.id].writers.forEach(({ node }) => mark("node", node.node, "writer"));
    markLife(target.id);
  } else {
    for (const access of nodes.get(target.id).accesses)
      if (access.resource !== undefined) mark("resource", access.resource, "lit");
  }
}

function center(pane, element) {
  const outer = pane.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  pane.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  pane.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}

/** Brings what is lit into sight within each view. */
function reveal() {
  const graph = byId("graph-pane");
  const box = graph.querySelector(".box.writer, .box.lit") || graph.querySelector(".port.lit");
  if (box) center(graph, box);
  const slot = timePane.querySelector(".memory.lit, .slot.lit, .slot.writer");
  if (slot) center(timePane, slot);
}

function nameOf(target) {
  return target.kind === "resource" ? plan.resources[target.id].name : nodes.get(target.id).name;
}

function pin(target) {
  pinned = target;
  light(target);
  const fragment = target
    ? `#${target.kind === "node" ? "pass" : "resource"}=${encodeURIComponent(nameOf(target))}` : "#";
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

function fromFragment() {
  const match = /^#(resource|pass)=(.*)$/.exec(location.hash);
  if (!match) return;
  let name;
  try { name = decodeURIComponent(match[2]); } catch { return; }
  let id = -1;
  if (match[1] === "resource") id = plan.resources.findIndex((resource) => resource.name === name);
  else for (const node of nodes.values()) if (node.name === name) id = node.node;
  if (id < 0) return;
  pin({ kind: match[1] === "pass" ? "node" : "resource", id });
  reveal();
}

function targetOf(element) {
  const found = element instanceof Element && element.closest("[data-resource],[data-node]");
  if (!found) return null;
  return found.dataset.resource !== undefined
    ? { kind: "resource", id: Number(found.dataset.resource) }
    : { kind: "node", id: Number(found.dataset.node) };
}

document.addEventListener("pointerover", (event) => {
  if (!event.target.closest("aside")) light(targetOf(event.target) || pinned);
});
document.addEventListener("focusin", (event) => {
  const target = targetOf(event.target);
  if (target) light(target);
});

function openBatch(level) {
  const details = document.querySelector(`details[data-batch="${level}"]`);
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "center" });
  details.querySelector("summary").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const go = event.target.closest("[data-go]");
  const badge = event.target.closest("[data-level]");
  if (badge) return openBatch(Number(badge.dataset.level));
  if (go) {
    pin({ kind: go.dataset.go, id: Number(go.dataset.id) });
    reveal();
    return;
  }
  const target = targetOf(event.target);
  if (target) pin(target);
  else if (event.target.closest(".pane")) pin(null);
});
