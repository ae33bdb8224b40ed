// document.ts: what a document does beside being read: light or dark as the live page has it, and a word where a link
// names an entry that is not there.
const KEY = "limpet-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden
  }
}

function setTheme(theme: string, keep: boolean): void {
  document.documentElement.dataset.theme = theme;
  if (!keep) return;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it holds for this visit.
  }
}

const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = (): string => stored() ?? (system.matches ? "dark" : "light");
setTheme(chosen(), false);
system.addEventListener("change", () => setTheme(chosen(), false));
document.getElementById("theme")?.addEventListener("click", () => {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", true);
});

/** The entry of an anchor; alerts write names in lower case, people as they are. */
function entryOf(anchor: string): HTMLElement | null {
  return document.getElementById(anchor) ?? document.getElementById(anchor.toLowerCase());
}

function followAnchor(): void {
  const missing = document.getElementById("missing");
  let anchor = location.hash.slice(1);
  try {
    anchor = decodeURIComponent(anchor);
  } catch {
    // As it is, then.
  }
  const entry = anchor === "" ? null : entryOf(anchor);
  if (missing) {
    missing.hidden = anchor === "" || entry !== null;
    missing.textContent = missing.hidden
      ? ""
      : `There is no entry “${anchor.slice(0, 80)}” here. This is the whole page.`;
  }
  if (entry) entry.scrollIntoView();
  else if (anchor !== "") window.scrollTo(0, 0);
}

window.addEventListener("hashchange", followAnchor);
followAnchor();
// On a phone the contents would fill the first screen.
if (matchMedia("(max-width: 900px)").matches) document.querySelector("details")?.removeAttribute("open");
