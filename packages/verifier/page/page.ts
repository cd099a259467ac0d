// The page: bundles are dropped or selected, a key is pasted, and the results are shown.
import { BUNDLE_BYTES_MAX, parseConsistency } from "../formats/bundle.ts";
import { fromUtf8 } from "../formats/bytes.ts";
import { toHeading } from "../checks/checks.ts";
import { parseCheckpoint } from "../formats/checkpoint.ts";
import { FormatError } from "../formats/errors.ts";
import { parseVerifierKeys } from "../formats/verifier-key.ts";
import { type Language, type Trust, languages, verifyBundle } from "../verify.ts";
import { showReport, toLine } from "./view.ts";

interface InputFile {
  name: string;
  bytes: Uint8Array;
}

const state: { language: Language; bundles: InputFile[]; runs: number } = {
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

/** Reads one byte more than the maximum, which is enough to reject a larger file. */
async function readFile(file: File): Promise<InputFile> {
  const part = await file.slice(0, BUNDLE_BYTES_MAX + 1).arrayBuffer();
  return { name: file.name, bytes: new Uint8Array(part) };
}

async function addBundles(files: FileList | undefined): Promise<void> {
  state.bundles.push(...(await Promise.all(Array.from(files ?? [], readFile))));
  inputs.files.value = "";
  await refresh();
}

/** Parses one field; on an error shows the message under it and returns undefined. */
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
    fault.textContent = error.say(languages[state.language].errors);
    inputs[name].setAttribute("aria-invalid", "true");
    return undefined;
  }
}

async function readTexts(input: HTMLInputElement): Promise<string[]> {
  const files = await Promise.all(Array.from(input.files ?? [], readFile));
  return files.map(({ bytes }) => fromUtf8(bytes));
}

/** The content of all fields; undefined while one of them is invalid. */
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

/** Checks all bundles again with the current fields, and shows the results. */
async function refresh(): Promise<void> {
  state.runs += 1;
  const run = state.runs;
  const words = languages[state.language];
  const trust = await readTrust();
  const shown: HTMLElement[] = [];
  const summaries: string[] = [];
  for (const { name, bytes } of state.bundles) {
    if (!trust) break;
    const report = await verifyBundle(bytes, trust);
    shown.push(showReport(name, report, words));
    summaries.push(`${toLine(name)}: ${toHeading(report, words)}`);
  }
  // Input may have changed during the checks. Only the last run is shown.
  if (run !== state.runs) return;
  results.replaceChildren(...shown);
  // With results it is for screen readers only, since the results show the same.
  status.classList.toggle("hidden", summaries.length > 0);
  status.textContent = summaries.join("\n") || (trust ? words.page.nothing : words.page.fix);
  again.hidden = state.bundles.length === 0;
}

/** Sets the texts of the page in the current language. */
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

/** Runs work and shows errors that are not of a bundle, such as a browser without Ed25519. */
function attempt(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    const words = languages[state.language];
    results.replaceChildren();
    status.classList.remove("hidden");
    status.textContent = error instanceof FormatError ? error.say(words.errors) : String(error);
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
  // The whole window accepts files, so that a file dropped beside the form does not replace the page.
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
