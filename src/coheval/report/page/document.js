// One document: every system's scores of it, and one system's text explained.

class DocumentView {
  constructor(head, documents, { go, beside }) {
    Object.assign(this, { head, documents, go, beside });
    this.metric = head.facts[0].metric;
    this.title = el("h2", { tabindex: "-1" }, "One document");
    this.body = el("div", {}, el("p", { class: "muted" }, "Choose a document in the list."));
    this.root = el("section", { id: "document" }, this.title, this.body);
  }

  async show(number, system, { focus }) {
    const asked = this.asked = {};
    const chosen = system ?? this.#firstSystem(number);
    const explanation = this.head.texts ? await this.documents.explanation(number, chosen) : null;
    if (this.asked !== asked) return; // another one was chosen meanwhile
    this.title.textContent = `Document ${this.head.documents.ids[number]}`;
    this.body.replaceChildren(this.#steps(number, chosen), this.#scores(number, chosen), this.#explained(explanation, chosen));
    if (focus) {
      this.title.focus({ preventScroll: true });
      this.root.scrollIntoView({ block: "start" });
    }
  }

  /** The first one with a score, or else the first that has the document at all. */
  #firstSystem(number) {
    const { scores, lacking } = this.head.documents;
    return this.head.systems.find((_, s) => Object.values(scores).some((by) => by[s][number] !== null))
      ?? this.head.systems.find((_, s) => !lacking[s].includes(number));
  }

  #steps(number, system) {
    const step = (label, by) => {
      const other = this.beside(number, by);
      return el("button", { type: "button", disabled: other === undefined, onclick: () => this.go(other, system) }, label);
    };
    return el("div", { class: "controls" }, step("← Previous in the list", -1), step("Next in the list →", 1),
      this.head.systems.length > 1 && choice("System", this.head.systems.map((name) => [name, name]), system, (name) => this.go(number, name)));
  }

  #scores(number, system) {
    if (this.head.systems.length < 2 && !Object.keys(this.head.documents.people).length) return "";
    const { scores, people } = this.head.documents;
    const heads = [...this.head.facts.map((facts) => `${facts.metric} ${arrowOf(facts)}`), ...Object.entries(people).map(([aspect, own]) => `people: ${aspect} ${arrowOf(own)}`)];
    const columns = [...this.head.facts.map(({ metric }) => scores[metric]), ...Object.values(people).map(({ ratings }) => ratings)];
    const rows = this.head.systems.map((name, s) => el("tr", { class: name === system ? "chosen" : null },
      el("th", { scope: "row" }, name), columns.map((by) => el("td", { class: "number" }, precise(by[s][number])))));
    return unfolding("All systems' scores of this document", () => scrolling("All systems' scores", el("table", {},
      el("thead", {}, el("tr", {}, ["system", ...heads].map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows))));
  }

  #explained(explanation, system) {
    if (!this.head.texts) return el("p", { class: "lack" }, "The texts could not be had when the report was made; its notes say why.");
    if (!explanation) return el("p", { class: "lack" }, `${system} has no such document.`);
    return drawExplanation(explanation, this.head.facts, { chosen: this.metric, onChoose: (metric) => { this.metric = metric; } });
  }
}
