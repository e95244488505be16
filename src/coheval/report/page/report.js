// The report: its sections, and what the address says is open.

const head = await unpack("head");
const documents = new Documents(head);
const browser = new Browser(head, documents, (number) => go(number));
const single = new DocumentView(head, documents, { go, beside: (number, step) => browser.list.beside(number, step) });

function go(number, system = null) {
  const place = new URLSearchParams({ document: number });
  if (system !== null) place.set("system", head.systems.indexOf(system));
  const before = location.hash;
  location.hash = place.toString();
  if (location.hash === before) openAddressed(true); // no change tells of it
}

/** The address has numbers, not names, which may be anything. */
function openAddressed(focus) {
  const place = new URLSearchParams(location.hash.slice(1));
  if (!place.has("document")) return;
  const number = Number(place.get("document"));
  if (!Number.isInteger(number) || number < 0 || number >= head.documents.ids.length) return;
  browser.list.activate(number);
  single.show(number, head.systems[place.get("system") ?? NaN] ?? null, { focus });
}

function drawReport() {
  const sections = [drawOverview(head)];
  if (head.agreement) sections.push(drawAgreement(head, head.documents, go));
  sections.push(browser.root, single.root, drawReproducibility(head));
  const links = sections.map((section) => el("a", { href: `#${section.id}`, onclick: (event) => {
    event.preventDefault(); // the address says which document is open
    section.scrollIntoView();
    section.querySelector("h2").setAttribute("tabindex", "-1");
    section.querySelector("h2").focus({ preventScroll: true });
  } }, section.querySelector("h2").textContent));
  document.getElementById("app").replaceChildren(
    el("header", { class: "top" }, el("h1", {}, head.title), el("p", { class: "muted" }, reportTold()), el("nav", { "aria-label": "Sections" }, links, themeButton())),
    el("main", {}, sections));
}

function reportTold() {
  const made = head.created ? `, ${head.created}` : "";
  return `${counted(head.systems.length, "system")}, ${counted(head.facts.length, "metric")}, ${counted(head.documents.ids.length, "document")}; coheval ${head.coheval}${made}`;
}

drawReport();
onPaper(() => [listedForPaper(browser.list), unfoldedForPaper(), dividedForPaper()]);
openAddressed(false);
addEventListener("hashchange", () => openAddressed(true));
