// Discourse trees of both texts beside each other: units as rows, relations to their left. A filled node has a
// counterpart in the other text, an empty one has none.

const TREE = { row: 30, step: 26, left: 12, text: 420, characters: 60 };

function viewTrees(evidence, texts) {
  const both = ["candidate", "reference"].map((side) => [side, evidence[side]]);
  return {
    candidate: unitMarks(evidence.candidate),
    reference: unitMarks(evidence.reference),
    legend: "┊ marks where a discourse unit begins. Filled nodes (●) have a counterpart in the other text, empty ones (○) have none.",
    below: () => [
      el("div", { class: "drawing twin" }, both.map(([side, tree]) => drawTree(tree, texts[side], side))),
      ...both.map(([side, tree]) => unfolding(`All subtrees of the ${side} that are compared`, () => subtreeTable(tree, side), { class: "drawing" })),
    ],
  };
}

function unitMarks({ edus }) {
  return edus.map((span, n) => ({ span, look: "unit", before: n ? "┊" : null, told: `discourse unit ${n + 1}` }));
}

function drawTree(tree, text, side) {
  const nodes = placedNodes(tree, side);
  const depth = Math.max(0, ...nodes.map((node) => node.depth + 1));
  const width = TREE.left + depth * TREE.step + TREE.text;
  const height = Math.max(1, tree.edus.length) * TREE.row;
  const start = TREE.left + depth * TREE.step;
  const groups = nodes.map((node) => drawNode(node, start));
  const units = tree.edus.map((span, n) => drawUnit(text.slice(...span), n, start));
  const matched = nodes.filter((node) => node.matched).length;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${side}: ${counted(nodes.length, "relation")}, ${matched} with a counterpart; arrow keys step through them` },
  units, groups);
  return el("section", { class: side }, el("h4", {}, `Tree of the ${side}: ${matched} of ${counted(nodes.length, "relation")} with a counterpart`),
    scrolling(`Tree of the ${side}`, steppable(drawing, groups)));
}

/** Nodes with their places: parents come first in the data, so children are found behind them. */
function placedNodes({ edus, nodes, subtrees }, side) {
  const bySpan = groupedBySpan(subtrees);
  const placed = new Map();
  const rows = nodes.map(([first, split, stop, nuclearity, relation]) => ({ first, split, stop, nuclearity, relation }));
  rows.forEach((node) => placed.set(`${node.first}-${node.stop}`, node));
  rows.forEach((node) => {
    node.depth ??= 0;
    node.children = [[node.first, node.split], [node.split, node.stop]].map(([from, to]) => placed.get(`${from}-${to}`) ?? { unit: from });
    node.children.forEach((child) => child.unit === undefined && (child.depth = node.depth + 1));
    const found = bySpan.get([edus[node.first][0], edus[node.stop - 1][1]].join()) ?? [];
    node.matched = found.length > 0 && found.every((one) => one.partner !== null);
    node.share = found.reduce((sum, one) => sum + one.share, 0);
    node.keys = found.filter((one) => one.partner !== null).map((one) => `subtree-${side === "candidate" ? one.partner : one.n}`);
  });
  for (const node of rows.slice().reverse()) node.y = mean(node.children.map((child) => child.y ?? (child.unit + 0.5) * TREE.row));
  return rows;
}

function groupedBySpan(subtrees) {
  const found = new Map();
  subtrees.forEach((one, n) => {
    const key = one.span.join();
    if (!found.has(key)) found.set(key, []);
    found.get(key).push({ ...one, n });
  });
  return found;
}

function drawNode(node, textStart) {
  const x = TREE.left + node.depth * TREE.step;
  const ends = node.children.map((child) => child.y ?? (child.unit + 0.5) * TREE.row);
  const branches = node.children.map((child, n) => {
    const nucleus = node.nuclearity[n] === "N";
    const to = child.unit === undefined ? TREE.left + child.depth * TREE.step : textStart - 6;
    return svg("path", { d: `M${x} ${ends[n]}H${to}`, class: nucleus ? "nucleus" : "satellite" });
  });
  const label = clipped(node.relation, 26);
  const told = `${node.relation}, ${nuclearityTold(node.nuclearity)}: units ${node.first + 1}–${node.split} and ${node.split + 1}–${node.stop}; `
    + `${node.matched ? `has a counterpart, ${percent(node.share)} of what is in common` : "has no counterpart"}`;
  return svg("g", { class: node.matched ? "node matched" : "node", "data-keys": node.keys.join(" "), "data-told": told },
    svg("title", {}, told), svg("path", { d: `M${x} ${ends[0]}V${ends[1]}`, class: "trunk" }), branches,
    svg("circle", { cx: x, cy: node.split * TREE.row, r: 4.5 }),
    svg("text", { x: x + 9, y: node.split * TREE.row + 4, class: "relation" }, label));
}

function nuclearityTold(nuclearity) {
  return { NN: "two nuclei", NS: "the first is the nucleus", SN: "the second is the nucleus" }[nuclearity];
}

function drawUnit(text, n, x) {
  return svg("g", {}, svg("title", {}, clipped(text, 300)),
    svg("text", { x, y: (n + 0.5) * TREE.row + 4 }, `${n + 1} ${clipped(text, TREE.characters)}`));
}

function subtreeTable({ subtrees }, side) {
  const most = 200;
  const rows = subtrees.slice().sort((a, b) => b.share - a.share).slice(0, most)
    .map(({ production, partner, share }) => [production, partner === null ? "none" : "yes", percent(share)]);
  const left = subtrees.length - rows.length;
  return scrolling(`Subtrees of the ${side}`, plainTable(
    left > 0 ? `The ${most} that count most; ${counted(left, "other")} not listed` : "The ones that count most first",
    ["subtree", "counterpart", "share"], rows));
}
