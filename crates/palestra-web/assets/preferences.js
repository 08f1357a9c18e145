// The form for what a person has chosen for this browser: speed of motion, numbers of cells, sounds.

/** @import { Settings } from "./settings.js" */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

import { onSetting, setSetting, setting } from "./settings.js";

const fields = /** @type {Field[]} */ ([...document.querySelectorAll("[data-setting]")]);

/** @param {Field} field */
const nameOf = (field) => /** @type {keyof Settings} */ (field.dataset.setting);

/** @param {Field} field @returns {field is HTMLInputElement} */
const isSwitch = (field) => field.type === "checkbox";

function draw() {
  for (const field of fields) {
    const value = setting(nameOf(field));
    if (isSwitch(field)) field.checked = value === true;
    else field.value = String(value);
  }
}

for (const field of fields) {
  // A value that no setting has is not kept.
  const chosen = () => /** @type {Settings[keyof Settings]} */ (isSwitch(field) ? field.checked : field.value);
  field.addEventListener("change", () => setSetting(nameOf(field), chosen()));
}
onSetting(draw);
draw();
