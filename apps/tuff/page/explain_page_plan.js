// The plan that the page shows, and what follows from it. The scripts of the page are one program, in
// this order: plan, time, lists, lighting, controls.

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
const constant = plan.setup ? plan.setup.nodes : [];
constant.forEach((node) => nodes.set(node.node, { ...node, out: "once" }));
plan.culled.forEach((node) => nodes.set(node.node, { ...node, out: "culled" }));

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

const queues = ["graphics", "compute", "transfer", "host"].filter((queue) => queue === "graphics" ||
  plan.levels.some((level) => level.queue === queue));
const several = plan.submissions.length > 1;
/** What the submission waits for that begins with this level, or with the end. */
const waitsBefore = new Map();
for (const submission of plan.submissions)
  if (submission.wait_texts.length)
    waitsBefore.set(submission.levels.length ? submission.levels[0] : plan.levels.length,
      submission.wait_texts);
const releasesAfter = (level) => (plan.levels[level] && plan.levels[level].releases) || [];
