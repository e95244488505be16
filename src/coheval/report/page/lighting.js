// What belongs together lights up together: elements that share a key, wherever in an explanation they stand. What is
// pointed at is told in words, in a line that screen readers follow.

/** Makes `root` light up and tell; returns the line of words. Elements have `data-keys` and `data-told`. */
function lightUp(root) {
  const line = el("output", { class: "readout", "aria-live": "polite" });
  let lit = [];
  const show = (event) => {
    const node = event.target.closest?.("[data-keys], [data-told]");
    if (!node || !root.contains(node)) return;
    lit.forEach((one) => one.classList.remove("lit"));
    lit = sharing(root, node);
    lit.forEach((one) => one.classList.add("lit"));
    if (node.dataset.told) line.textContent = node.dataset.told;
  };
  const clear = () => {
    lit.forEach((one) => one.classList.remove("lit"));
    lit = [];
  };
  const moved = movement();
  root.addEventListener("pointerover", (event) => moved(event) && (event.target.closest?.("[data-keys]") ? show(event) : clear()));
  root.addEventListener("focusin", show);
  root.addEventListener("pointerleave", (event) => moved(event) && clear());
  root.addEventListener("told", show);
  return line;
}

/** Tells whether the pointer moved: where the page scrolls below a resting one, the keyboard's choice stays lit. */
function movement() {
  let place = "";
  return (event) => place !== (place = `${event.screenX} ${event.screenY}`);
}

function sharing(root, node) {
  const keys = (node.dataset.keys ?? "").split(" ").filter(Boolean);
  return keys.flatMap((key) => [...root.querySelectorAll(`[data-keys~="${CSS.escape(key)}"]`)]);
}

/** Lets the arrow keys step through the parts of a drawing, which is one stop of the keyboard. */
function steppable(drawing, parts) {
  let at = -1;
  drawing.setAttribute("tabindex", "0");
  drawing.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !parts.length) return;
    event.preventDefault();
    at = (at + step + parts.length) % parts.length;
    parts[at].dispatchEvent(new CustomEvent("told", { bubbles: true }));
    parts[at].scrollIntoView?.({ block: "nearest", inline: "nearest" });
  });
  return drawing;
}
