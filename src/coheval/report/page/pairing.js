// Tokens of two texts and the pairs between them, however a metric found them, in one form for marks, flow and heat.

/** Spans of both sides, pairs {from, to, strength, told}, and by token how much it lacks, from 0 to 1. */
class Pairing {
  constructor(texts, ours, theirs, pairs, lacks, other = "reference") {
    this.sides = { candidate: ours, reference: theirs };
    this.names = { candidate: "candidate", reference: other };
    this.texts = texts;
    this.pairs = pairs;
    this.lacks = lacks;
  }

  word(side, token) {
    const [start, stop] = this.sides[side][token];
    return stop > start ? this.texts[side].slice(start, stop).replace(/\s+/g, " ") : "(frame)";
  }

  /** The pairs that a token is in. */
  ofToken(side, token) {
    this.byToken ??= { candidate: grouped(this.pairs, "from"), reference: grouped(this.pairs, "to") };
    return this.byToken[side].get(token) ?? [];
  }

  keys(side, token) {
    return this.ofToken(side, token).map((n) => `pair-${n}`).join(" ");
  }

  told(side, token) {
    const pairs = this.ofToken(side, token).map((n) => this.pairs[n]).sort((a, b) => b.strength - a.strength);
    return pairs.slice(0, 3).map((pair) => pair.told).join("; ") || `“${this.word(side, token)}” has no partner`;
  }

  marks(side) {
    return this.sides[side].flatMap((span, token) => span[1] > span[0] ? [{
      span, key: this.keys(side, token), told: this.told(side, token), look: "token", level: this.lacks[side][token] ?? 0,
    }] : []);
  }
}

function grouped(pairs, end) {
  const found = new Map();
  pairs.forEach((pair, n) => {
    if (!found.has(pair[end])) found.set(pair[end], []);
    found.get(pair[end]).push(n);
  });
  return found;
}

function pairWords(texts, ours, theirs, from, to) {
  const word = (text, span) => span[1] > span[0] ? `“${text.slice(...span)}”` : "(frame)";
  return `${word(texts.candidate, ours[from])} → ${word(texts.reference, theirs[to])}`;
}

/** MoverScore: what is moved where, at which cost; the surplus is charged beside. Older runs do not say it. */
function pairingOfTransport(evidence, texts) {
  const { candidate, reference, moves, surplus = { mass: 0, cost: 0 } } = evidence;
  const total = moves.reduce((sum, { mass, cost }) => sum + mass * cost, surplus.mass * surplus.cost) || 1;
  const largest = Math.max(...moves.map((move) => move.mass), 1e-12);
  const pairs = moves.map(({ from, to, mass, cost }) => ({
    from, to, strength: mass / largest,
    told: `${pairWords(texts, candidate, reference, from, to)}: moves ${percent(mass)} at a distance of ${short(cost)}, `
      + `${percent(mass * cost / total)} of the whole`,
  }));
  const paid = (end, count) => relative(sums(moves, end, count, ({ mass, cost }) => mass * cost));
  return new Pairing(texts, candidate, reference, pairs,
    { candidate: paid("from", candidate.length), reference: paid("to", reference.length) });
}

/** BERTScore: each token's nearest on the other side. */
function pairingOfMatches(evidence, texts) {
  const { candidate, reference, precision, recall } = evidence;
  const pair = (from, to, similarity, whose) => ({ from, to, strength: Math.max(0, similarity),
    told: `${pairWords(texts, candidate, reference, from, to)}: cosine ${short(similarity)}, nearest for the ${whose}` });
  const pairs = [
    ...precision.map((match) => pair(match.from, match.to, match.similarity, "candidate")),
    ...recall.map((match) => pair(match.to, match.from, match.similarity, "reference")),
  ];
  const lacking = (matches, count) => sums(matches, "from", count, (match) => Math.min(1, Math.max(0, 1 - match.similarity)));
  return new Pairing(texts, candidate, reference, pairs,
    { candidate: lacking(precision, candidate.length), reference: lacking(recall, reference.length) });
}

/** A learned score: nearest tokens, and how much each counts; beside the source where no reference is read. */
function pairingOfEstimate(evidence, texts) {
  const other = evidence.source ? "source" : "reference";
  const beside = { candidate: texts.candidate, reference: texts[other] };
  const [ours, theirs] = [evidence.candidate, evidence[other]];
  const [candidate, reference] = [ours, theirs].map((tokens) => tokens.map((token) => token.span));
  const told = (from, to, token, whose) => ({ from, to, strength: Math.max(0, token.similarity),
    told: `${pairWords(beside, candidate, reference, from, to)}: cosine ${short(token.similarity)}, counts ${percent(token.weight)} of the ${whose}` });
  const pairs = [
    ...ours.map((token, n) => told(n, token.match, token, "candidate")),
    ...theirs.map((token, n) => told(token.match, n, token, other)),
  ];
  const lacking = (tokens) => relative(tokens.map((token) => token.weight * Math.max(0, 1 - token.similarity)));
  return new Pairing(beside, candidate, reference, pairs, { candidate: lacking(ours), reference: lacking(theirs) }, other);
}

/** METEOR: words aligned to words. */
function pairingOfAlignment(evidence, texts) {
  const { candidate_spans: candidate, reference_spans: reference } = evidence;
  const pairs = evidence.pairs.map(([from, to, how]) => ({ from, to, strength: 1,
    told: `${pairWords(texts, candidate, reference, from, to)}: ${how}` }));
  const free = (place, count) => {
    const used = new Set(evidence.pairs.map((pair) => pair[place]));
    return Array.from({ length: count }, (_, n) => (used.has(n) ? 0 : 1));
  };
  return new Pairing(texts, candidate, reference, pairs,
    { candidate: free(0, candidate.length), reference: free(1, reference.length) });
}

function sums(rows, end, count, value) {
  const found = new Array(count).fill(0);
  for (const row of rows) found[row[end]] += value(row);
  return found;
}

function relative(values) {
  const largest = Math.max(...values, 1e-12);
  return values.map((value) => value / largest);
}

const PAIRED = {
  transport: [pairingOfTransport, "The stronger a word's colour, the more of the distance it pays."],
  matches: [pairingOfMatches, "The stronger a word's colour, the less anything on the other side is like it."],
  estimate: [pairingOfEstimate, "The stronger a word's colour, the more it counts without a match."],
  alignment: [pairingOfAlignment, "Coloured words are aligned to nothing."],
};

function viewPairs(evidence, texts) {
  if (evidence.kind === "estimate" && !evidence.candidate) return {}; // a published checkpoint: only its vectors are known
  const [pair, legend] = PAIRED[evidence.kind];
  const pairing = pair(evidence, texts);
  return {
    candidate: pairing.marks("candidate"),
    [pairing.names.reference]: pairing.marks("reference"),
    legend: `${legend} Point at a word to see its partners.`,
    below: () => (pairing.pairs.length ? drawAlignment(pairing) : [el("p", { class: "drawing muted" }, "Alignment: none.")]),
  };
}

function drawAlignment(pairing) {
  const ways = { "a flow": drawFlow, "a heat map": drawHeat, "a table": drawPairs };
  return Object.entries(ways).map(([way, draw]) => unfolding(`Alignment as ${way}`, () => draw(pairing), { class: "drawing" }));
}

function drawPairs(pairing) {
  const most = 200;
  const rows = pairing.pairs.slice().sort((a, b) => b.strength - a.strength).slice(0, most)
    .map(({ from, to, told }) => [pairing.word("candidate", from), pairing.word("reference", to), told.split(": ").at(-1)]);
  const left = pairing.pairs.length - rows.length;
  return scrolling("Pairs of words",
    plainTable(left > 0 ? `The strongest ${most} pairs; ${counted(left, "weaker one")} not listed` : "All pairs, the strongest first",
      ["candidate", pairing.names.reference, "what"], rows));
}
