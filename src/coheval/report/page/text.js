// Characters as the data count them: Unicode code points, where JavaScript counts UTF-16 units.

class Characters {
  constructor(text) {
    this.text = text;
    this.offsets = /[\ud800-\udbff]/.test(text) ? offsetsOf(text) : null; // null where both count alike
  }

  get length() {
    return this.offsets ? this.offsets.length - 1 : this.text.length;
  }

  slice(start, stop) {
    if (!this.offsets) return this.text.slice(start, stop);
    const last = this.offsets.length - 1;
    return this.text.slice(this.offsets[Math.min(start, last)], this.offsets[Math.min(stop, last)]);
  }
}

function offsetsOf(text) {
  const offsets = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  offsets.push(offset);
  return offsets;
}

/** The parts of [start, stop) between which the marks over them change, each with these marks. */
function pieces(start, stop, marks) {
  const over = marks.filter((mark) => mark.span[0] < stop && mark.span[1] > start);
  const cuts = new Set([start, stop]);
  for (const { span } of over) {
    cuts.add(Math.max(span[0], start));
    cuts.add(Math.min(span[1], stop));
  }
  const edges = [...cuts].sort((a, b) => a - b);
  const waiting = over.sort((a, b) => a.span[0] - b.span[0]);
  let open = [];
  let next = 0;
  return edges.slice(0, -1).map((from, n) => {
    while (next < waiting.length && waiting[next].span[0] <= from) open.push(waiting[next++]);
    open = open.filter((mark) => mark.span[1] > from);
    return { from, to: edges[n + 1], marks: open.slice() };
  });
}

/** A text in one line, at most so long. */
function clipped(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}
