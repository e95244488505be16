// What the list of documents looks for: each way gives its columns and what the list is sorted by at first.
// A column is {head, title, values, size}: `values` are shown, `size` is what sorts, by default the values themselves.

const WAYS = {
  systems: ["two systems disagree most", bySystems],
  metrics: ["two metrics disagree most", byMetrics],
  people: ["a metric and people disagree most", byPeople],
  scores: ["scores are lowest, highest or furthest apart", byScores],
};

function waysOf(head) {
  const possible = {
    systems: head.systems.length > 1, metrics: head.facts.length > 1,
    people: Object.keys(head.documents.people).length > 0, scores: true,
  };
  return Object.entries(WAYS).filter(([way]) => possible[way]).map(([way, [told]]) => [way, told]);
}

/** The controls that a way has, as keys of the state. */
const ASKED = { systems: ["metric", "first", "second"], metrics: ["system", "metric", "other"], people: ["system", "metric", "aspect"], scores: ["metric"] };

function found(head, state) {
  const { columns, sorted } = WAYS[state.way][1](head, state);
  const { segments, lengths } = head.documents;
  const plain = [{ head: "segments", values: segments, whole: true }];
  if (lengths.some((length) => length > 0)) plain.push({ head: "characters", values: lengths, whole: true });
  return { columns: [...columns, ...plain], sorted: { column: sorted, direction: "descending" } };
}

function bySystems(head, { metric, first, second }) {
  const facts = head.facts.find((one) => one.metric === metric);
  const [a, b] = [first, second].map((system) => head.documents.scores[metric][head.systems.indexOf(system)]);
  const apart = a.map((value, n) => (value === null || b[n] === null ? null : (value - b[n]) * (facts.higher_is_better ? 1 : -1)));
  return {
    columns: [{ head: first, values: a }, { head: second, values: b },
      { head: "first better by", title: "Difference, turned so that it is positive where the first is better", values: apart, size: apart.map(absolute) }],
    sorted: 2,
  };
}

function byMetrics(head, { system, metric, other }) {
  const s = head.systems.indexOf(system);
  const two = [metric, other].map((name) => head.documents.scores[name][s]);
  const ranks = [metric, other].map((name, n) => ranked(two[n], head.facts.find((one) => one.metric === name).higher_is_better));
  return ranksApart([metric, other], two, ranks);
}

function byPeople(head, { system, metric, aspect }) {
  const s = head.systems.indexOf(system);
  const people = head.documents.people[aspect];
  const two = [head.documents.scores[metric][s], people.ratings[s]];
  const ranks = [ranked(two[0], head.facts.find((one) => one.metric === metric).higher_is_better), ranked(two[1], people.higher_is_better)];
  return ranksApart([metric, `${aspect} ${arrowOf(people)}`], two, ranks);
}

function ranksApart(heads, values, [a, b]) {
  const apart = a.map((rank, n) => (rank === null || b[n] === null ? null : rank - b[n]));
  return {
    columns: [...heads.map((head, n) => ({ head, values: values[n] })),
      { head: "ranks apart", title: "Place among all documents, from 0, the worst, to 1: of the first minus of the second", values: apart, size: apart.map(absolute) }],
    sorted: 2,
  };
}

const SHOWN_SYSTEMS = 6;

function byScores(head, { metric }) {
  const by = head.documents.scores[metric];
  const columns = head.systems.slice(0, SHOWN_SYSTEMS).map((system, s) => ({ head: system, values: by[s] }));
  if (head.systems.length < 2) return { columns, sorted: 0 };
  const spread = head.documents.ids.map((_, n) => {
    const known = by.map((scores) => scores[n]).filter((value) => value !== null);
    return known.length > 1 ? Math.max(...known) - Math.min(...known) : null;
  });
  return { columns: [...columns, { head: "furthest apart", values: spread }], sorted: columns.length };
}

function absolute(value) {
  return value === null ? null : Math.abs(value);
}

/** Each value's place among all, from 0, the worst, to 1; equals share the middle of theirs, and so do values that differ
    by rounding alone. */
function ranked(scores, higherIsBetter) {
  const values = scores.map((score) => (score === null ? null : Number(score.toPrecision(9))));
  const order = values.map((_, n) => n).filter((n) => values[n] !== null)
    .sort((a, b) => (higherIsBetter ? values[a] - values[b] : values[b] - values[a]));
  const ranks = values.map(() => null);
  for (let start = 0; start < order.length;) {
    let stop = start;
    while (stop < order.length && values[order[stop]] === values[order[start]]) stop++;
    for (let at = start; at < stop; at++) ranks[order[at]] = (start + (stop - 1 - start) / 2) / Math.max(1, order.length - 1);
    start = stop;
  }
  return ranks;
}
