// A table whose columns sort: each head is a button, `aria-sort` says what holds.

/** Columns are {head, title, value(row), cell(row), first: "ascending" | "descending", number}. */
function sortableTable({ caption, columns, rows, sorted = null }) {
  if (!rows.length) return el("p", { class: "muted" }, `${caption}: none.`);
  const body = el("tbody");
  const heads = columns.map((column, n) => el("th", { scope: "col", class: column.number ? "number" : null },
    el("button", { type: "button", class: "sort", title: column.title ?? null, onclick: () => turn(n) }, column.head,
      el("span", { class: "arrow", "aria-hidden": "true" }))));
  let now = sorted ?? { column: -1, direction: null };
  const turn = (n) => {
    const first = columns[n].first ?? "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    now = { column: n, direction: now.column === n && now.direction === first ? other : first };
    fill();
  };
  const fill = () => {
    heads.forEach((head, n) => {
      const here = n === now.column;
      if (here) head.setAttribute("aria-sort", now.direction);
      else head.removeAttribute("aria-sort");
      head.querySelector(".arrow").textContent = here ? (now.direction === "ascending" ? " ▲" : " ▼") : "";
    });
    const order = now.column < 0 ? rows : inOrder(rows, columns[now.column].value, now.direction);
    body.replaceChildren(...order.map((row) => el("tr", {}, columns.map((column, n) =>
      el(n ? "td" : "th", { scope: n ? null : "row", class: column.number ? "number" : null }, column.cell(row))))));
  };
  fill();
  return scrolling(caption, el("table", {}, el("caption", {}, caption, el("span", { class: "on-screen" }, "; choose a head to sort")),
    el("thead", {}, el("tr", {}, heads)), body));
}

/** A metric's name, which may be long, with places where a line may end. */
function breakable(name) {
  return name.split(/(?<=[(,=])/).flatMap((part, n) => (n ? [el("wbr"), part] : [part]));
}

/** Sorted anew; what has no value comes last whatever the direction, equals stay in their order. */
function inOrder(rows, value, direction) {
  const turned = direction === "descending" ? -1 : 1;
  const keyed = rows.map((row) => [row, value(row)]);
  const lacks = (found) => found === null || found === undefined;
  keyed.sort(([, a], [, b]) => {
    if (lacks(a) || lacks(b)) return lacks(a) - lacks(b);
    return turned * (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);
  });
  return keyed.map(([row]) => row);
}
