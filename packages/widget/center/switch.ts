import { element } from "../banner/dom.ts";

export interface Switch {
  label: HTMLElement;
  input: HTMLInputElement;
}

/** A switch with its label. */
export function toSwitch(text: string, isOn: boolean, onSet: (isOn: boolean) => void): Switch {
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    onchange: () => onSet(input.checked),
  });
  input.checked = isOn;
  return { input, label: element("label", { class: "label" }, element("span", {}, text), input) };
}
