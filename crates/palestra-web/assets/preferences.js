// The form for what a person has chosen for this browser: speed of motion, numbers of cells, sounds.

import { onSetting, setSetting, setting } from "./settings.js";

const fields = [...document.querySelectorAll("[data-setting]")];
const isSwitch = (field) => field.type === "checkbox";

function draw() {
  for (const field of fields) {
    const value = setting(field.dataset.setting);
    if (isSwitch(field)) field.checked = value;
    else field.value = value;
  }
}

for (const field of fields) {
  field.addEventListener("change", () => setSetting(field.dataset.setting, isSwitch(field) ? field.checked : field.value));
}
onSetting(draw);
draw();
