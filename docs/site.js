// Tables that are wider than the page can be scrolled from the keyboard, too; the theme wraps them once it is loaded.
function reach() {
  for (const region of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset__table")) {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
  }
}
document.querySelector(".md-search")?.setAttribute("aria-label", "Search"); // the theme gives this dialog no name
window.addEventListener("load", () => setTimeout(reach, 100));
window.addEventListener("resize", reach);
