// Pairs as a map: a row for each word of the candidate, a column for each of the reference, a stronger colour where more is paired.

const HEAT = { cell: 18, left: 130, top: 110 };

function drawHeat(pairing) {
  const { cell, left, top } = HEAT;
  const [rows, columns] = [pairing.sides.candidate.length, pairing.sides.reference.length];
  const [width, height] = [left + columns * cell + 60, top + rows * cell + 10];
  const cells = pairing.pairs.map((pair, n) => heatCell(pair, n));
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Heat map, ${rows} by ${columns} tokens; arrow keys step through the pairs` },
  svg("rect", { x: left, y: top, width: columns * cell, height: rows * cell, class: "frame" }),
  cells, heatRows(pairing), heatColumns(pairing));
  return scrolling("Alignment as a heat map", steppable(drawing, cells));
}

function heatCell(pair, n) {
  const { cell, left, top } = HEAT;
  return svg("rect", { x: left + pair.to * cell, y: top + pair.from * cell, width: cell, height: cell, class: "cell",
    "fill-opacity": (0.12 + 0.88 * pair.strength).toFixed(3), "data-keys": `pair-${n}`, "data-told": pair.told });
}

function heatRows(pairing) {
  return pairing.sides.candidate.map((_, token) => svg("text", { x: HEAT.left - 6,
    y: HEAT.top + (token + 0.72) * HEAT.cell, "text-anchor": "end", "data-keys": pairing.keys("candidate", token),
    "data-told": pairing.told("candidate", token) }, clipped(pairing.word("candidate", token), 17)));
}

function heatColumns(pairing) {
  return pairing.sides.reference.map((_, token) => {
    const [x, y] = [HEAT.left + (token + 0.72) * HEAT.cell, HEAT.top - 6];
    return svg("text", { x, y, transform: `rotate(-60 ${x} ${y})`, "data-keys": pairing.keys("reference", token),
      "data-told": pairing.told("reference", token) }, clipped(pairing.word("reference", token), 17));
  });
}
