// What a person has chosen for this browser: the speed of motion, sound, coordinates, the engine. Kept where scripts can keep things;
// a browser that keeps nothing has the defaults.

/** @import { Speed } from "./drawing" */
/** @typedef {{ speed: Speed, sound: boolean, coordinates: boolean, engine: boolean }} Settings */

/** @type {Settings} */
const DEFAULTS = { speed: "normal", sound: false, coordinates: false, engine: true };
/** @type {unknown[]} */
const SPEEDS = ["off", "slow", "normal", "fast"];
const PREFIX = "palestra.";

/** @type {Record<keyof Settings, (value: unknown) => boolean>} */
const isValid = {
  speed: (value) => SPEEDS.includes(value),
  sound: (value) => typeof value === "boolean",
  coordinates: (value) => typeof value === "boolean",
  engine: (value) => typeof value === "boolean",
};

/** @type {Record<keyof Settings, any>} */
const kept = { ...DEFAULTS };
const names = /** @type {(keyof Settings)[]} */ (Object.keys(DEFAULTS));
const changes = new EventTarget();

/** @param {keyof Settings} name @param {string | null} text */
function load(name, text) {
  try {
    const value = JSON.parse(text ?? "null");
    kept[name] = isValid[name](value) ? value : DEFAULTS[name];
  } catch {
    kept[name] = DEFAULTS[name];
  }
}

for (const name of names) {
  let text = null;
  try {
    text = localStorage.getItem(PREFIX + name);
  } catch {
    // Storage may be forbidden.
  }
  load(name, text);
}

/**
 * A setting: "speed", "sound", "coordinates" or "engine".
 * @template {keyof Settings} Name
 * @param {Name} name
 * @returns {Settings[Name]}
 */
export const setting = (name) => kept[name];

/**
 * Changes a setting, here and in the other windows of this browser.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
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

/**
 * Calls a function with the name of each setting that changes; the answer ends it.
 * @param {(name: keyof Settings) => void} listener
 */
export function onSetting(listener) {
  const heard = (/** @type {Event} */ event) => listener(/** @type {CustomEvent<keyof Settings>} */ (event).detail);
  changes.addEventListener("change", heard);
  return () => changes.removeEventListener("change", heard);
}

window.addEventListener("storage", ({ key, newValue }) => {
  const name = names.find((one) => PREFIX + one === key);
  if (!name) return;
  load(name, newValue);
  changes.dispatchEvent(new CustomEvent("change", { detail: name }));
});
