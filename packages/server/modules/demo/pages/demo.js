import { history, readBack, remember, forget } from "./records.js";

const { words: wordsJson, asked: askedJson, main, on } = document.body.dataset;
const words = JSON.parse(wordsJson);
const asked = JSON.parse(askedJson);
const { lang } = document.documentElement;
const STATUS_MS = 8_000;
/** A consent is in the log and has a proof about a second after it was collected. */
const LOGGED_MS = 2_000;
/** Interval at which the page looks for answers that the widget sends once it is back online. */
const CATCH_UP_MS = 1_000;
const CATCH_UPS = 10;

const byId = (id) => document.getElementById(id);
let statusTimer;
let reading = Promise.resolve();
/** The latest record of each configuration, by identifier. */
let consents = new Map();

paint();
show();
const listen = (name, listener) => document.addEventListener(`avow:${name}`, listener);
listen("ready", () => void refresh());
listen("saved", () => void refresh(true));
listen("boxAnswered", () => void refresh(true));
listen("kept", () => showStatus(words.kept));
listen("error", ({ detail }) => fail(say("failed", { reason: detail.error?.message ?? "?" })));
// The widget may be ready already.
window.avow?.ready.then(
  () => refresh(),
  () => undefined,
);
addEventListener("online", () => void catchUp());
byId("forget").addEventListener("click", () => {
  forget();
  location.reload();
});
byId("order").addEventListener("submit", (event) => {
  // The widget delays a form until the answers of its consent forms are saved.
  if (event.defaultPrevented) return;
  event.preventDefault();
  void refresh().then(() => showStatus(words.ordered));
});
byId("news")?.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  void signUp();
});

/** A text of the page; `{name}` stands for a value. */
function say(key, values) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Shows a message for a while; "On record" has the same information permanently. */
function showStatus(text) {
  clearTimeout(statusTimer);
  byId("fault").hidden = true;
  byId("status").textContent = text;
  statusTimer = setTimeout(() => {
    byId("status").textContent = "";
  }, STATUS_MS);
}

function fail(text) {
  showStatus("");
  byId("fault").textContent = text;
  byId("fault").hidden = false;
}

/** Reads the latest records of the visitor; true if there is a new one. Reads run in sequence, so that messages appear in order. */
function refresh(isAnswer = false) {
  const read = () => readAll(isAnswer);
  reading = reading.then(read, read);
  return reading;
}

async function readAll(isAnswer) {
  const { token } = window.avow ?? {};
  if (!token) return false;
  try {
    consents = await readBack(asked, token);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    fail(words.unreachable);
    return false;
  }
  const fresh = remember([...consents.values()]);
  show();
  if (isAnswer && fresh[0]) showStatus(say("recorded", { title: titleOf(fresh[0]) }));
  if (fresh.length > 0) setTimeout(show, LOGGED_MS);
  return fresh.length > 0;
}

/** Signs up only visitors who have consented. */
async function signUp() {
  await refresh();
  const box = asked.find(({ collection, isShown }) => collection === "processings" && isShown);
  showStatus(consents.get(box?.identifier)?.accept ? words.subscribed : words.notSubscribed);
}

async function catchUp() {
  for (let left = CATCH_UPS; left > 0 && !(await refresh(true)); left -= 1)
    await new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS));
}

function show() {
  const [latest] = history();
  byId("token").textContent = latest?.token ?? words.noToken;
  byId("forget").hidden = !latest;
  const listed = asked.filter(({ isShown, identifier }) => isShown || consents.has(identifier));
  byId("records").replaceChildren(...listed.map(toRecord));
  byId("history").hidden = !latest;
  byId("history").querySelector("summary").textContent = say("history", {
    count: history().length,
  });
  byId("history")
    .querySelector("ol")
    .replaceChildren(...history().map(toLine));
}

function toRecord(one) {
  const consent = consents.get(one.identifier);
  const parts = [
    element("p", { class: "what" }, one.title),
    element("p", { class: "state" }, toState(consent)),
  ];
  if (consent) {
    const answers = Object.entries(consent.preferences.vendors ?? {});
    const chips = answers.map(([name, accept]) =>
      element(
        "li",
        { "data-accept": String(accept) },
        `${accept ? "✓" : "✕"} ${one.vendors[name] ?? name}`,
      ),
    );
    if (chips.length > 0) parts.push(element("ul", { class: "chips" }, ...chips));
    parts.push(toCircumstances(consent), toProofs(consent));
  }
  const status = consent ? (consent.accept ? "accepted" : "refused") : "none";
  return element("li", { "data-status": status, "data-identifier": one.identifier }, ...parts);
}

function toCircumstances(consent) {
  return element(
    "p",
    { class: "when" },
    toTime(consent.createdAt),
    ` · ${say("version", { version: consent.version ?? "–" })} · `,
    element("span", { class: "grade", title: words.gradeHint }, consent.grade),
  );
}

/** Links to the proof, once it exists. */
function toProofs(consent) {
  if (Date.now() - consent.seenAt < LOGGED_MS)
    return element("p", { class: "when" }, words.placing);
  const { proof } = consent.links;
  const link = (href, text) =>
    element("a", { href, target: "_blank", "aria-label": `${text}: ${titleOf(consent)}` }, text);
  return element(
    "p",
    { class: "when links" },
    link(proof, `${words.proof} (JSON)`),
    link(`${proof}&format=pdf`, words.proofPdf),
  );
}

function toLine(consent) {
  return element(
    "li",
    {},
    toTime(consent.createdAt),
    ` ${titleOf(consent)}: ${toState(consent)} `,
    element("code", { title: consent.consentId }, `…${consent.consentId.slice(-8)}`),
  );
}

function toState(consent) {
  if (!consent) return words.stateNone;
  return consent.accept ? words.stateAccepted : words.stateRefused;
}

function titleOf({ identifier }) {
  return asked.find((one) => one.identifier === identifier)?.title ?? identifier;
}

/** A time in the browser's variant of the page's language. */
function toTime(text) {
  const locale = navigator.languages.find((one) => one.split("-")[0] === lang) ?? lang;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  return element("time", { datetime: text }, format.format(new Date(text)));
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Applies the project's main colour and a readable colour on it, as the widget does. */
function paint() {
  const { style } = document.documentElement;
  if (main) style.setProperty("--main", main);
  if (on) style.setProperty("--on-main", on);
}
