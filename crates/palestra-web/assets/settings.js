// What a person has chosen for this browser: the speed of motion, sound, coordinates. Kept where scripts can keep things;
// a browser that keeps nothing has the defaults.

const DEFAULTS = { speed: "normal", sound: false, coordinates: false };
const SPEEDS = ["off", "slow", "normal", "fast"];
const PREFIX = "palestra.";

const isValid = {
  speed: (value) => SPEEDS.includes(value),
  sound: (value) => typeof value === "boolean",
  coordinates: (value) => typeof value === "boolean",
};

const kept = { ...DEFAULTS };
const changes = new EventTarget();

/** @param {keyof typeof DEFAULTS} name */
function load(name, text) {
  try {
    const value = JSON.parse(text ?? "null");
    kept[name] = isValid[name](value) ? value : DEFAULTS[name];
  } catch {
    kept[name] = DEFAULTS[name];
  }
}

for (const name of Object.keys(DEFAULTS)) {
  let text = null;
  try {
    text = localStorage.getItem(PREFIX + name);
  } catch {
    // Storage may be forbidden.
  }
  load(name, text);
}

/** A setting: "speed", "sound" or "coordinates". */
export const setting = (name) => kept[name];

/** Changes a setting, here and in the other windows of this browser. */
export function setSetting(name, value) {
  if (!isValid[name]?.(value) || kept[name] === value) return;
  kept[name] = value;
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Then it counts as long as the page is open.
  }
  changes.dispatchEvent(new CustomEvent("change", { detail: name }));
}

/** Calls a function with the name of each setting that changes; the answer ends it. */
export function onSetting(listener) {
  const heard = (event) => listener(event.detail);
  changes.addEventListener("change", heard);
  return () => changes.removeEventListener("change", heard);
}

window.addEventListener("storage", ({ key, newValue }) => {
  const name = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : "";
  if (!(name in DEFAULTS)) return;
  load(name, newValue);
  changes.dispatchEvent(new CustomEvent("change", { detail: name }));
});
