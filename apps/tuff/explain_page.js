"use strict";
(() => {
  const plan = JSON.parse(document.getElementById("plan").textContent);
  const byId = (id) => document.getElementById(id);

  // Texts only ever go in as text nodes: names may hold anything.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== undefined && value !== null) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function bytes(count) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (count >= 1024 && unit + 1 < units.length) { count /= 1024; ++unit; }
    return (unit === 0 ? String(count) : count.toFixed(2)) + " " + units[unit];
  }
  const counted = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");

  // --- The plan, turned round: who uses what -------------------------------------------------

  const nodes = new Map();
  plan.levels.forEach((level, index) =>
    level.nodes.forEach((node) => nodes.set(node.node, { ...node, level: index })));
  plan.culled.forEach((node) => nodes.set(node.node, { ...node, culled: true }));

  const uses = plan.resources.map(() => ({ readers: [], writers: [] }));
  for (const node of nodes.values())
    for (const access of node.accesses) {
      if (access.resource === undefined) continue;
      const use = uses[access.resource];
      if (access.reads) use.readers.push({ node, access });
      if (access.writes) use.writers.push({ node, access });
    }

  /** First and last level of a resource's life; by its uses where it has no transient memory. */
  function life(index) {
    const resource = plan.resources[index];
    if (resource.levels) return resource.levels;
    const levels = [...uses[index].readers, ...uses[index].writers]
      .map((use) => use.node.level).filter((level) => level !== undefined);
    return levels.length ? [Math.min(...levels), Math.max(...levels)] : null;
  }
  const levelName = (level) => (level >= plan.levels.length ? "end" : String(level));
  function lifeText(index) {
    const levels = life(index);
    if (!levels) return "never used";
    return levels[0] === levels[1] ? "level " + levelName(levels[0])
      : "levels " + levelName(levels[0]) + " to " + levelName(levels[1]);
  }

  // --- Queues: what waits for what -------------------------------------------------------------

  const queues = ["main", "compute", "transfer"].filter((queue) => queue === "main" ||
    plan.levels.some((level) => level.queue === queue));
  const several = plan.submissions.length > 1;
  /** What the submission waits for that begins with this level, or with the end. */
  const waitsBefore = new Map();
  for (const submission of plan.submissions)
    if (submission.wait_texts.length)
      waitsBefore.set(submission.levels.length ? submission.levels[0] : plan.levels.length,
        submission.wait_texts);
  const splitsBefore = (level) =>
    plan.split_barriers.filter((split) => split.wait_before === level);
  const releasesAfter = (level) => (plan.levels[level] && plan.levels[level].releases) || [];

  // --- Sections --------------------------------------------------------------------------------

  const s = plan.statistics;
  byId("facts").textContent = [
    s.nodes === 1 ? "1 pass" : `${s.nodes} passes`, counted(s.levels, "level"),
    counted(s.image_barriers, "image barrier"), counted(s.memory_barriers, "memory barrier"),
    s.split_barriers ? counted(s.split_barriers, "split barrier") : "",
    several ? counted(plan.submissions.length, "submission") : "",
    bytes(s.transient_bytes) + " of transient memory", plan.options, plan.device,
  ].filter(Boolean).join(" \u00b7 ");

  for (const kind of ["compute", "raster", "transfer", "custom"])
    byId("legend").append(make("span", { class: kind }, make("i"), kind));

  const columns = plan.levels.length + 1; // one for the end
  const placed = (from, span, attributes) =>
    ({ ...attributes, style: `--from:${from};--span:${span};` + (attributes.style || "") });

  function track(label, height, kind, ...children) {
    const field = make("div", { class: "field", style: `height:${height}px` }, ...children);
    return make("div", { class: "track " + kind }, make("div", { class: "label" }, ...label), field);
  }

  function barrierCount(batch) {
    return (batch.images ? batch.images.length : 0) + (batch.memory ? 1 : 0);
  }

  function headTrack() {
    const cells = [];
    for (let level = 0; level < columns; ++level) {
      const batch = level < plan.levels.length ? plan.levels[level].barriers : plan.epilogue;
      const count = splitsBefore(level).reduce((sum, split) => sum + barrierCount(split),
        barrierCount(batch));
      cells.push(make("div", placed(level, 1, {}), levelName(level), count === 0 ? null
        : make("button", { class: "badge", "data-level": level, tabindex: -1,
            title: counted(count, "barrier") + " before this: show" }, String(count))));
    }
    return track(["level"], 22, "head", ...cells);
  }

  /** The end of a path tells most. */
  const tail = (name) => (name.length > 24 ? "\u2026" + name.slice(-23) : name);

  function passTrack(queue) {
    const own = plan.levels.map((level) => (level.queue === queue ? level.nodes : []));
    const most = Math.max(1, ...own.map((level) => level.length));
    const pitch = most <= 14 ? 20 : Math.max(6, Math.floor(280 / most));
    const slots = [];
    own.forEach((level, index) => level.forEach((node, row) =>
      slots.push(make("button", placed(index, 1, { class: "slot " + node.kind,
        "data-node": node.node, tabindex: -1, title: node.name + "\n" + node.work,
        style: `top:${row * pitch + 2}px;height:${pitch - 2}px;line-height:${pitch - 2}px` }),
        pitch >= 14 ? tail(node.name) : ""))));
    for (const [level, texts] of waitsBefore) {
      const waiting = level < plan.levels.length ? plan.levels[level].queue : "main";
      if (waiting === queue)
        slots.push(make("button", placed(level, 1, { class: "wait", "data-level": level,
          tabindex: -1, title: "waits for " + texts.join(" and ") })));
    }
    return track([make("b", null, queue + " queue"), make("span", null, "passes")],
      most * pitch + 4, "passes", ...slots);
  }

  const allocated = plan.resources.map((resource, index) => ({ resource, index }))
    .filter(({ resource }) => resource.levels);

  function liveTrack() {
    const live = new Array(columns).fill(0);
    for (const { resource } of allocated)
      for (let level = resource.levels[0]; level <= resource.levels[1] && level < columns; ++level)
        live[level] += resource.size;
    const peak = Math.max(...live);
    const bars = live.map((value, level) => make("div", placed(level, 1, {
      class: "live" + (value === peak ? " peak" : ""), title: bytes(value) + " live",
      style: `height:${peak ? (44 * value) / peak : 0}px` })));
    return track([make("b", null, "live bytes"), make("span", null, "peak " + bytes(peak))], 48,
      "living", ...bars);
  }

  /** Heights of bytes in a block: to scale, but no stretch between two borders under 4 pixels. */
  function heights(block, scale) {
    const borders = new Set([0, plan.blocks[block]]);
    for (const { resource } of allocated)
      if (resource.block === block) borders.add(resource.offset).add(resource.offset + resource.size);
    const sorted = [...borders].sort((a, b) => a - b);
    const least = sorted.length > 100 ? 2 : sorted.length > 40 ? 4 : 8;
    const at = new Map([[0, 0]]);
    for (let i = 1; i < sorted.length; ++i)
      at.set(sorted[i], at.get(sorted[i - 1]) + Math.max(least, (sorted[i] - sorted[i - 1]) * scale));
    return at;
  }

  function blockTrack(block) {
    const at = heights(block, 260 / Math.max(...plan.blocks));
    const height = Math.max(34, at.get(plan.blocks[block]));
    const rectangles = allocated.filter(({ resource }) => resource.block === block)
      .sort((a, b) => a.resource.levels[0] - b.resource.levels[0] || b.resource.offset - a.resource.offset)
      .map(({ resource, index }) => {
        const low = at.get(resource.offset), high = at.get(resource.offset + resource.size);
        return make("button", placed(resource.levels[0],
          Math.min(resource.levels[1], columns - 1) - resource.levels[0] + 1, {
            class: "memory", "data-resource": index, tabindex: -1,
            title: `${resource.name}\n${resource.contents}, ${bytes(resource.size)} at offset ` +
              `${resource.offset}\n${lifeText(index)}` +
              (resource.object_text ? "\n" + resource.object_text : ""),
            style: `bottom:${low}px;height:${high - low}px;line-height:${Math.min(18, high - low)}px` }),
          high - low >= 13 ? resource.name : "");
      });
    return track([make("span", null, bytes(plan.blocks[block])), make("b", null, "block " + block),
      make("span", null, "0")], height, "block", ...rectangles);
  }

  const timePane = byId("time-pane");
  timePane.style.setProperty("--levels", columns);
  timePane.append(headTrack(), ...queues.map(passTrack));
  if (allocated.length) timePane.append(liveTrack(), ...plan.blocks.map((_, i) => blockTrack(i)));

  function totals() {
    const most = Math.max(s.unaliased_bytes, 1);
    for (const [name, value, remark] of [
      ["each on its own", s.unaliased_bytes, "without sharing"],
      ["allocated", s.transient_bytes, "in " + counted(plan.blocks.length, "block")],
      ["peak", s.peak_live_bytes, "live at once: no packing can go below"]])
      byId("totals").append(make("span", null, name),
        make("div", { style: `width:${(100 * value) / most}%` }),
        make("span", null, bytes(value) + ", " + remark));
  }
  totals();

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
    const splits = splitsBefore(level);
    const releases = releasesAfter(level);
    const reasons = [...images.map((barrier) => barrier.reason),
      ...(batch.memory ? batch.memory.reasons : [])].filter(Boolean);
    const what = [images.length ? counted(images.length, "image barrier") : "",
      batch.memory ? "1 memory barrier" : "",
      splits.length ? counted(splits.length, "split barrier") : "",
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
    for (const split of splits)
      details.append(make("div", { class: "barrier" }, make("span", { class: "pill" }, "event"),
        "set after level " + split.set_after), ...(split.images || []).map(imageBarrier),
        ...memoryBarrier(split.memory));
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
    if (barrierCount(batch) || waitsBefore.has(level) || splitsBefore(level).length ||
        releasesAfter(level).length) byId("barrier-list").append(batchDetails(batch, level));
  });
  if (!byId("barrier-list").children.length) byId("barrier-list").append("No barrier is needed.");

  for (const node of plan.culled)
    byId("culled-list").append(make("p", null,
      make("button", { class: "chip " + node.kind, "data-node": node.node }, make("b", null, node.name),
        " ", make("small", null, node.why))));
  if (!plan.culled.length) byId("culled-list").append(make("p", { class: "hint" },
    "None: the result of every pass is needed."));

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

  // --- Lighting --------------------------------------------------------------------------------

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
        node.culled ? "culled" : `${access.access}, level ${node.level}`));
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
        "the focus with Tab and the arrow keys, to see what it touches in all views. Click or " +
        "Enter keeps it lit, Escape lets go."));
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
        ["runs in", node.culled ? "" : "level " + node.level],
        ["queue", node.culled || !several ? "" : plan.levels[node.level].queue],
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
          found.push(["node", node.node, node.name, node.culled ? "culled" : node.kind]);
      plan.resources.forEach((resource, index) => {
        if (resource.used && resource.name.toLowerCase().includes(wanted))
          found.push(["resource", index, resource.name, resource.contents]);
      });
    }
    const rows = found.slice(0, 12).map((entry) => make("li", null, chip(...entry)));
    if (wanted && !found.length) rows.push(make("li", null, "nothing has such a name"));
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
})();
