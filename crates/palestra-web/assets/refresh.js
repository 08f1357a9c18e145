// Keeps parts of a page up to date while something goes on: they are fetched with the page itself, as the server draws them.

const WAIT = 1000;
const LONGEST_WAIT = 15000;

/** Replaces the parts marked `data-live` for as long as one of them is also marked `data-again`. */
export function refresh() {
  let wait = WAIT;
  const goesOn = () => document.querySelector("[data-again]") !== null;
  const next = () => {
    if (goesOn()) setTimeout(look, wait);
  };
  const look = async () => {
    // A page that nobody looks at costs nothing.
    if (!document.hidden) {
      const changed = await fetched().catch(() => null);
      wait = changed ? WAIT : Math.min(1.5 * wait, LONGEST_WAIT);
    }
    next();
  };
  next();
}

/** Fetches the page, and says whether something on it has changed. */
async function fetched() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  let changed = false;
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.isEqualNode(part)) continue;
    // The forms in it have a secret of their own on every page.
    changed = true;
    if (!part.contains(document.activeElement) || !fresh.hasAttribute("data-again")) part.replaceWith(document.adoptNode(fresh));
  }
  return changed;
}
