// Pairs as lines between two columns of words: the stronger, the thicker.

const FLOW = { row: 22, width: 560, column: 180, size: 13 };

function drawFlow(pairing) {
  const { row, width, column } = FLOW;
  const counts = ["candidate", "reference"].map((side) => pairing.sides[side].length);
  const height = Math.max(...counts, 1) * row + row;
  const y = (side, token) => row * (token + 1.5) + ((Math.max(...counts) - pairing.sides[side].length) * row) / 2;
  const lines = pairing.pairs.map((pair, n) => flowLine(pair, n, y("candidate", pair.from), y("reference", pair.to)));
  const words = ["candidate", "reference"].flatMap((side) => flowWords(pairing, side, (token) => y(side, token)));
  const heads = [["candidate", column, "end"], ["reference", width - column, "start"]].map(([side, x, anchor]) =>
    svg("text", { x, y: row * 0.7, "text-anchor": anchor, class: `head ${side}` }, pairing.names[side]));
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${counted(pairing.pairs.length, "pair")} between ${counts[0]} and ${counts[1]} tokens; arrow keys step through them` },
  lines, words, heads);
  return scrolling("Alignment as a flow", steppable(drawing, lines));
}

function flowLine(pair, n, from, to) {
  const [left, right] = [FLOW.column + 8, FLOW.width - FLOW.column - 8];
  const middle = (left + right) / 2;
  return svg("path", { d: `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}`, class: "flow",
    "stroke-width": (0.6 + 4.4 * pair.strength).toFixed(2), "data-keys": `pair-${n}`, "data-told": pair.told });
}

function flowWords(pairing, side, y) {
  const left = side === "candidate";
  return pairing.sides[side].map((_, token) => svg("text", {
    x: left ? FLOW.column : FLOW.width - FLOW.column, y: y(token) + 4, "text-anchor": left ? "end" : "start",
    "data-keys": pairing.keys(side, token), "data-told": pairing.told(side, token),
  }, clipped(pairing.word(side, token), 24)));
}
