// Light or dark: as the system has it, unless the button was pressed.

const THEME = "coheval-theme";

function themeButton() {
  const button = el("button", { type: "button", class: "theme", onclick: () => setTheme(isDark() ? "light" : "dark") });
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.setAttribute("title", "Change between light and dark");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  button.addEventListener("click", name);
  restoreTheme();
  name();
  return button;
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(THEME, theme);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // a browser may forbid to remember; then it holds for this visit
  }
}

function restoreTheme() {
  try {
    const theme = localStorage.getItem(THEME);
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
