import { contractCard, cookiesCard, processingCard } from "./forms.js";
import { element } from "./html.js";
import {
  fetchConfiguration,
  findConsent,
  findToken,
  forgetToken,
  noteDisplay,
  sendConsent,
  ServiceFault,
} from "./service.js";
import { setPageLanguage, textOf } from "./strings.js";

const SAID_FOR_MS = 8_000;
const languageKey = "avow-demo-language";
const byId = (id) => document.getElementById(id);
const cards = { cookies: cookiesCard, processings: processingCard, contracts: contractCard };

/** What is shown: the published file, the chosen cookie configuration, the visitor's records. */
const shown = { file: undefined, cookies: undefined, consents: new Map(), saying: undefined };

// Until there is a configuration to choose by, the browser's language is the best guess.
setPageLanguage(localStorage.getItem(languageKey) || navigator.language);
byId("status").textContent = textOf("loading");
await attempt(async () => {
  shown.file = await fetchConfiguration();
  shown.cookies = chooseCookies(shown.file.cookies);
  paint(shown.file.client?.colors?.main);
  await readBack();
  showAll();
  say(findToken() ? textOf("welcomeBack") : "");
});
byId("forget").addEventListener("click", () => {
  forgetToken();
  shown.consents.clear();
  showAll();
  say(textOf("forgotten"));
  byId("ask").focus();
});

/** Runs `work`; what goes wrong is told in plain words. */
async function attempt(work) {
  byId("fault").hidden = true;
  try {
    await work();
  } catch (error) {
    say("");
    byId("fault").textContent =
      error instanceof ServiceFault ? error.message : textOf("pageFailed");
    byId("fault").hidden = false;
    if (!(error instanceof ServiceFault)) reportError(error);
  }
}

/** Tells what happened; it goes after a while, since "On record" says the same for good. */
function say(text) {
  clearTimeout(shown.saying);
  byId("status").textContent = text;
  shown.saying = setTimeout(() => {
    byId("status").textContent = "";
  }, SAID_FOR_MS);
}

/** The one chosen before, the first in one of the browser's languages, or the default one. */
function chooseCookies(all) {
  const wanted = [localStorage.getItem(languageKey), ...navigator.languages];
  const found = wanted
    .filter(Boolean)
    .map((one) =>
      all.find(({ language }) => language && one.split("-")[0] === language.split("-")[0]),
    )
    .find(Boolean);
  return found ?? all.find(({ isDefault }) => isDefault) ?? all[0];
}

function listAsked() {
  const { file, cookies } = shown;
  const of = (collection) => (file[collection] ?? []).map((one) => [collection, one]);
  return [...(cookies ? [["cookies", cookies]] : []), ...of("processings"), ...of("contracts")];
}

async function readBack() {
  const found = await Promise.all(
    listAsked().map(async ([collection, { identifier }]) => [
      identifier,
      await findConsent(collection, identifier),
    ]),
  );
  shown.consents = new Map(found);
}

async function answer(collection, configuration, given) {
  await attempt(async () => {
    const before = shown.consents.get(configuration.identifier);
    const url = location.origin + location.pathname;
    const language = configuration.language ?? document.documentElement.lang;
    await sendConsent(collection, configuration.identifier, { ...given, language, url });
    await readBack();
    showAll();
    const after = shown.consents.get(configuration.identifier);
    const verb = after?.accept ? "accepted" : before?.accept ? "withdrawn" : "refused";
    say(textOf("recorded", { title: titleOf(configuration), verb: textOf(verb) }));
  });
}

function showAll() {
  noteDisplay(shown.file);
  setPageLanguage(shown.cookies?.language);
  const focused = document.activeElement?.closest(".card")?.dataset.kind;
  const value = document.activeElement?.value;
  showLanguages();
  byId("ask").replaceChildren(
    ...listAsked().map(([collection, configuration]) =>
      cards[collection](configuration, shown.consents.get(configuration.identifier), (given) =>
        answer(collection, configuration, given),
      ),
    ),
  );
  // The buttons are new ones: whoever came by keyboard goes on where they were.
  byId("ask").querySelector(`[data-kind="${focused}"] button[value="${value}"]`)?.focus();
  byId("token").textContent = findToken() ?? textOf("noToken");
  byId("forget").hidden = findToken() === undefined;
  byId("records").replaceChildren(...listAsked().map(([, one]) => recordItem(one)));
}

function showLanguages() {
  const choose = (cookies) =>
    attempt(async () => {
      shown.cookies = cookies;
      localStorage.setItem(languageKey, cookies.language ?? "");
      await readBack();
      showAll();
      byId("language").querySelector("[aria-pressed=true]")?.focus();
      say(textOf("notice", { title: titleOf(cookies) }));
    });
  byId("language").replaceChildren(
    ...shown.file.cookies.map((cookies) =>
      element(
        "button",
        {
          type: "button",
          lang: cookies.language,
          title: cookies.title,
          "aria-pressed": String(cookies === shown.cookies),
          onclick: () => choose(cookies),
        },
        nameLanguage(cookies.language) ?? cookies.name ?? "",
      ),
    ),
  );
}

/** A language by its own name. */
function nameLanguage(language) {
  if (!language) return undefined;
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
}

function recordItem(configuration) {
  const consent = shown.consents.get(configuration.identifier);
  const status = consent ? (consent.accept ? "accepted" : "refused") : "never-asked";
  const words = {
    accepted: "stateAccepted",
    refused: "stateRefused",
    "never-asked": "stateNeverAsked",
  };
  const answers = consent?.preferences?.vendors ?? {};
  const vendors = listVendors().filter(({ name }) => Object.hasOwn(answers, name));
  return element(
    "li",
    { "data-status": status, "data-identifier": configuration.identifier },
    element("p", { class: "what" }, titleOf(configuration)),
    element("p", { class: "state" }, textOf(words[status])),
    vendors.length > 0
      ? element(
          "ul",
          { class: "chips" },
          vendors.map(({ name, title = name }) =>
            element(
              "li",
              { "data-accept": String(answers[name]) },
              `${answers[name] ? "✓" : "✕"} ${title}`,
            ),
          ),
        )
      : "",
    consent
      ? element(
          "p",
          { class: "when" },
          element("time", { datetime: consent.createdAt }, toTime(consent.createdAt)),
          ` · ${textOf("version", { version: consent.version ?? "–" })} · `,
          element("code", { title: consent.consentId }, `…${consent.consentId.slice(-8)}`),
        )
      : "",
  );
}

function titleOf({ title, name, identifier }) {
  return title ?? name ?? identifier;
}

function listVendors() {
  return (shown.cookies?.steps ?? []).flatMap((step) => step.vendors ?? []);
}

/** The browser's own way of writing dates in the page's language, if it has one. */
function toDateLocale() {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one.split("-")[0] === lang) ?? lang;
}

function toTime(text) {
  return new Intl.DateTimeFormat(toDateLocale(), {
    dateStyle: "medium",
    timeStyle: "medium",
  }).format(new Date(text));
}

/** The project's main colour, with black or white on it, whichever reads better (WCAG 2.2, 1.4.3). */
function paint(color) {
  if (!/^#[0-9a-f]{6}$/i.test(color ?? "")) return;
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const { style } = document.documentElement;
  style.setProperty("--main", color);
  style.setProperty("--on-main", luminance > 0.179 ? "#000" : "#fff");
}
