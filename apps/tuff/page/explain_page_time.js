// The facts on top, and the timeline of passes and memory.

const s = plan.statistics;
byId("facts").textContent = [
  s.nodes === 1 ? "1 pass" : `${s.nodes} passes`, counted(s.levels, "level"),
  counted(s.image_barriers, "image barrier"), counted(s.memory_barriers, "memory barrier"),
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
    const count = barrierCount(batch);
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
    const waiting = level < plan.levels.length ? plan.levels[level].queue : "graphics";
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
