// The page: files are dropped or chosen, a key is pasted, and what holds is told.
import { BUNDLE_BYTES_MAX, parseConsistency } from "../formats/bundle.ts";
import { fromUtf8 } from "../formats/bytes.ts";
import { toHeading } from "../checks/checks.ts";
import { parseCheckpoint } from "../formats/checkpoint.ts";
import { FormatError } from "../formats/errors.ts";
import { parseVerifierKeys } from "../formats/verifier-key.ts";
import { type Language, type Trust, languages, verifyBundle } from "../verify.ts";
import { showReport, toLine } from "./view.ts";

interface Given {
  name: string;
  bytes: Uint8Array;
}

const state: { language: Language; bundles: Given[]; runs: number } = {
  language: navigator.language.startsWith("fr") ? "fr" : "en",
  bundles: [],
  runs: 0,
};

function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new TypeError(`The page has no ${selector}.`);
}

const inputs = {
  files: find("#files", HTMLInputElement),
  keys: find("#keys", HTMLTextAreaElement),
  checkpoint: find("#checkpoint", HTMLInputElement),
  consistency: find("#consistency", HTMLInputElement),
};
const again = find("#again", HTMLButtonElement);
const status = find("#status", HTMLElement);
const results = find("#results", HTMLElement);

/** A file that is too large is not read further than that shows. */
async function readFile(file: File): Promise<Given> {
  const part = await file.slice(0, BUNDLE_BYTES_MAX + 1).arrayBuffer();
  return { name: file.name, bytes: new Uint8Array(part) };
}

async function addBundles(files: FileList | undefined): Promise<void> {
  state.bundles.push(...(await Promise.all(Array.from(files ?? [], readFile))));
  inputs.files.value = "";
  await refresh();
}

/** Reads what one field holds; says under it what is wrong, and answers undefined then. */
async function readField<T>(
  name: keyof typeof inputs,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const fault = find(`#${name}-fault`, HTMLElement);
  try {
    const value = await read();
    fault.textContent = "";
    inputs[name].removeAttribute("aria-invalid");
    return value;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    fault.textContent = error.say(languages[state.language].faults);
    inputs[name].setAttribute("aria-invalid", "true");
    return undefined;
  }
}

async function readTexts(input: HTMLInputElement): Promise<string[]> {
  const files = await Promise.all(Array.from(input.files ?? [], readFile));
  return files.map(({ bytes }) => fromUtf8(bytes));
}

/** What the fields hold; undefined while one of them cannot be read. */
async function readTrust(): Promise<Trust | undefined> {
  const trustedKeys = await readField("keys", () => parseVerifierKeys(inputs.keys.value));
  const checkpoint = await readField("checkpoint", async () => {
    const [text] = await readTexts(inputs.checkpoint);
    return text === undefined ? undefined : parseCheckpoint(text).source;
  });
  const consistency = await readField("consistency", async () =>
    (await readTexts(inputs.consistency)).map(parseConsistency),
  );
  const isFaulty = document.querySelector("[aria-invalid]") !== null;
  if (isFaulty || !trustedKeys) return undefined;
  return { trustedKeys, checkpoint, consistency, language: state.language };
}

/** Checks everything anew with what is given now, and shows it. */
async function refresh(): Promise<void> {
  state.runs += 1;
  const run = state.runs;
  const words = languages[state.language];
  const trust = await readTrust();
  const shown: HTMLElement[] = [];
  const told: string[] = [];
  for (const { name, bytes } of state.bundles) {
    if (!trust) break;
    const report = await verifyBundle(bytes, trust);
    shown.push(showReport(name, report, words));
    told.push(`${toLine(name)}: ${toHeading(report, words)}`);
  }
  // Somebody may have given more meanwhile: the last run shows.
  if (run !== state.runs) return;
  results.replaceChildren(...shown);
  // Read aloud only where it says what is to be seen below.
  status.classList.toggle("hidden", told.length > 0);
  status.textContent = told.join("\n") || (trust ? words.page.nothing : words.page.mend);
  again.hidden = state.bundles.length === 0;
}

/** Puts the page's own words in a language. */
function translate(): void {
  const texts: Readonly<Record<string, string>> = languages[state.language].page;
  document.documentElement.lang = state.language;
  document.title = `${texts["title"]} · Avow`;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]"))
    element.textContent = texts[element.dataset["text"] ?? ""] ?? "";
  for (const element of document.querySelectorAll<HTMLElement>("[data-label]"))
    element.setAttribute("aria-label", texts[element.dataset["label"] ?? ""] ?? "");
  for (const button of document.querySelectorAll<HTMLButtonElement>(".languages button"))
    button.setAttribute("aria-pressed", String(button.value === state.language));
}

/** What goes wrong beyond a bundle, such as a browser without Ed25519, is told and not swallowed. */
function attempt(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    const words = languages[state.language];
    results.replaceChildren();
    status.classList.remove("hidden");
    status.textContent = error instanceof FormatError ? error.say(words.faults) : String(error);
  });
}

function listen(): void {
  find("form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  inputs.files.addEventListener("change", () =>
    attempt(() => addBundles(inputs.files.files ?? undefined)),
  );
  for (const input of [inputs.keys, inputs.checkpoint, inputs.consistency])
    input.addEventListener("input", () => attempt(refresh));
  for (const button of document.querySelectorAll<HTMLButtonElement>(".languages button"))
    button.addEventListener("click", () => {
      state.language = button.value === "fr" ? "fr" : "en";
      translate();
      attempt(refresh);
    });
  again.addEventListener("click", () => {
    state.bundles = [];
    find("form", HTMLFormElement).reset();
    inputs.files.focus();
    attempt(refresh);
  });
  // The whole window takes files, so that a near miss does not open one instead of the page.
  for (const name of ["dragover", "dragleave", "drop"] as const)
    addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("is-over", name === "dragover");
      if (name === "drop") attempt(() => addBundles(event.dataTransfer?.files));
    });
}

translate();
listen();
attempt(refresh);
