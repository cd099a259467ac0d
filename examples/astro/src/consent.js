import { connectPage, createBrowserConsent } from "@avow/widget/browser";

const options = JSON.parse(document.getElementById("consent-options").textContent);
const consent = createBrowserConsent(options);
const dialog = document.getElementById("consent");
const settings = document.getElementById("consent-settings");
const inputs = [...dialog.querySelectorAll("input:enabled")];
let shown = consent.getState().view;

connectPage(consent);
consent.subscribe(show);
settings.addEventListener("click", () => void consent.show());
dialog.addEventListener("cancel", () => consent.close());
dialog.addEventListener("click", ({ target }) => {
  const { answer, save } = target.dataset;
  if (answer !== undefined) consent.answer(JSON.parse(answer)).catch(reportError);
  else if (save !== undefined)
    consent
      .answer(Object.fromEntries(inputs.map(({ name, checked }) => [name, checked])))
      .catch(reportError);
  else if (target.matches("button")) consent.close();
});

/** Follows the state: the banner leaves the focus where it is, all choices block the page. */
function show() {
  const { vendors, view } = consent.getState();
  for (const gate of document.querySelectorAll("[data-gate]")) openGate(gate, vendors);
  if (view === shown) return;
  shown = view;
  dialog.close();
  settings.hidden = view === "banner";
  if (view === "banner") dialog.open = true;
  if (view !== "preferences") return;
  for (const input of inputs) input.checked = vendors[input.name] === true;
  dialog.showModal();
}

/** Shows the content of a gate whose vendor may run. */
function openGate(gate, vendors) {
  const template = gate.querySelector(":scope > template");
  if (template && vendors[gate.dataset.gate])
    gate.replaceChildren(document.importNode(template.content, true));
}
