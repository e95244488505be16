// The document browser: what to look for, filters, search, and the list.

const FILTERS = {
  all: ["all documents", () => () => true],
  undefined: ["with an undefined score", (head) => {
    const lacking = head.documents.lacking.map((numbers) => new Set(numbers));
    return (n) => Object.values(head.documents.scores).some((by) => by.some((scores, s) => scores[n] === null && !lacking[s].has(n)));
  }],
  rated: ["rated by people", (head) => (n) => Object.values(head.documents.people).some(({ ratings }) => ratings.some((own) => own[n] !== null))],
  explained: ["explained", (head) => {
    const explained = new Set(head.explained);
    return (n) => explained.has(n);
  }],
  several: ["of several segments", (head) => (n) => head.documents.segments[n] > 1],
};

class Browser {
  constructor(head, documents, open) {
    this.head = head;
    this.documents = documents;
    this.hits = null; // numbers that the search found; null: no search
    this.endSearch = () => {};
    this.state = firstState(head);
    this.list = new ListView({ label: "Documents; Enter opens the one that is marked", open });
    this.status = el("p", { class: "muted", role: "status" });
    this.asked = el("div", { class: "controls" });
    this.root = el("section", { id: "documents" }, el("h2", {}, "Documents"), this.#find(), this.asked, this.#filter(), this.status, this.list.root);
    this.#look();
  }

  #find() {
    return el("div", { class: "controls" }, choice("Find documents where", waysOf(this.head), this.state.way, (way) => { this.state.way = way; this.#look(); }));
  }

  #filter() {
    const search = el("input", { type: "search", placeholder: "ids and texts", oninput: () => this.#search(search.value) });
    const { explained, explained_note: some, documents: { people } } = this.head;
    const possible = { rated: Object.keys(people).length > 0, explained: some && explained.length > 0 };
    const filters = Object.entries(FILTERS).filter(([key]) => possible[key] ?? true);
    return el("div", { class: "controls" },
      choice("Show", filters.map(([key, [told]]) => [key, told]), "all", (filter) => { this.state.filter = filter; this.#show(); this.list.toTop(); }),
      el("label", { class: "field" }, el("span", {}, "Search"), search));
  }

  /** Another way to look, or another metric or system: other columns, sorted anew. */
  #look() {
    const { facts, systems, documents } = this.head;
    const metrics = facts.map(({ metric }) => metric);
    const options = { metric: ["Metric", metrics], other: ["Other metric", metrics], first: ["First system", systems],
      second: ["Second system", systems], system: ["System", systems], aspect: ["Aspect", Object.keys(documents.people)] };
    this.asked.replaceChildren(...ASKED[this.state.way].filter((key) => options[key][1].length > 1).map((key) =>
      choice(options[key][0], options[key][1].map((value) => [value, value]), this.state[key], (value) => { this.state[key] = value; this.#columns(); })));
    this.#columns();
  }

  #columns() {
    const { columns, sorted } = found(this.head, this.state);
    this.columns = columns;
    this.sorted = sorted;
    this.#show();
    this.list.toTop();
  }

  #show() {
    const allowed = FILTERS[this.state.filter][1](this.head);
    const numbers = this.head.documents.ids.map((_, n) => n).filter((n) => allowed(n) && (!this.hits || this.hits.has(n)));
    const { column, direction } = this.sorted;
    const values = column < 0 ? this.head.documents.ids : this.columns[column].size ?? this.columns[column].values;
    const order = inOrder(numbers, (n) => values[n], direction);
    this.list.show({ order, name: (n) => this.head.documents.ids[n], columns: this.columns, sorted: this.sorted, sort: (n) => this.#sort(n) });
    this.#tell(order.length);
  }

  #sort(column) {
    const same = this.sorted.column === column;
    const first = column < 0 ? "ascending" : "descending";
    const direction = same ? { ascending: "descending", descending: "ascending" }[this.sorted.direction] : first;
    this.sorted = { column, direction };
    this.#show();
    this.list.toTop();
    this.list.head.children[column + 1].firstChild.focus();
  }

  #search(query) {
    this.endSearch();
    this.searching = Boolean(query.trim());
    if (!this.searching) {
      this.hits = null;
      this.#show();
      return;
    }
    this.endSearch = searchDocuments(this.documents, query, (hits, done) => {
      this.hits = hits;
      this.searching = !done;
      this.#show();
    });
  }

  #tell(count) {
    const all = this.head.documents.ids.length;
    const told = [`${count.toLocaleString("en")} of ${counted(all, "document")}${this.searching ? ", searching texts…" : ""}.`];
    if (count > LISTED) told.push(`The list ends after the first ${LISTED.toLocaleString("en")}; a filter, a search or another order shows others.`);
    if (this.head.explained_note) told.push(`${this.head.explained_note}.`);
    this.status.replaceChildren(...withCode(told.join(" ")));
  }
}

function firstState(head) {
  const metrics = head.facts.map(({ metric }) => metric);
  return { way: waysOf(head)[0][0], filter: "all", metric: metrics[0], other: metrics[1] ?? metrics[0], first: head.systems[0],
    second: head.systems[1] ?? head.systems[0], system: head.systems[0], aspect: Object.keys(head.documents.people)[0] };
}
