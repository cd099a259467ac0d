import { element, toNodes, toWebAddress } from "./html.js";
import { textOf } from "./strings.js";

const language = (of) => (of.language ? { lang: of.language } : {});

/** The page's own words in the language of a configuration. */
const sayIn =
  (of) =>
  (key, values = {}) =>
    textOf(key, values, of.language);

/** One card: a titled section whose form answers by `onAnswer(answer)`. */
function card(configuration, { top, title, kind }, ...content) {
  const id = `title-${configuration.identifier}`;
  return element(
    "section",
    { class: "card", "aria-labelledby": id, "data-kind": kind, ...language(configuration) },
    top ? element("p", { class: "top-title" }, top) : "",
    element("h2", { id }, title ?? ""),
    ...content,
  );
}

function form(onSend, ...content) {
  const made = element("form", {
    novalidate: true,
    async onsubmit(event) {
      event.preventDefault();
      // A second press while the first is on its way would be a second record.
      if (made.hasAttribute("aria-busy")) return;
      made.setAttribute("aria-busy", "true");
      await onSend(event.submitter?.value, made);
      made.removeAttribute("aria-busy");
    },
  });
  made.append(...content.flat());
  return made;
}

const button = (value, text, look) =>
  element("button", { type: "submit", value, class: look ?? false }, text);

/** Asks for cookies: every step, a switch for each vendor, none on before it was chosen. */
export function cookiesCard(configuration, consent, onAnswer) {
  const { strings = {}, steps = [] } = configuration;
  const say = sayIn(configuration);
  const chosen = consent?.preferences?.vendors ?? {};
  const [first, ...rest] = steps;
  const welcome = first?.layout === "welcome" ? first : undefined;
  const answer = (action, made) => {
    const boxes = [...made.elements].filter((box) => box.type === "checkbox");
    for (const box of boxes) if (action !== "save") box.checked = action === "accept";
    const vendors = Object.fromEntries(boxes.map((box) => [box.name, box.checked]));
    const { identifier, name } = configuration;
    const config = { identifier, name: name ?? "", language: configuration.language ?? "" };
    const accept = boxes.some((box) => box.checked);
    return onAnswer({ accept, preferences: { vendors, config } });
  };
  return card(
    configuration,
    { top: welcome?.topTitle, title: welcome?.title ?? configuration.title, kind: "cookies" },
    element("div", { class: "message" }, toNodes(welcome?.message)),
    form(
      answer,
      (welcome ? rest : steps).map((step) => stepFields(step, { strings, chosen, say })),
      element(
        "div",
        { class: "actions" },
        button("refuse", strings.refuseAll ?? say("refuseAll")),
        button("accept", strings.acceptAll ?? say("acceptAll")),
        button("save", strings.save ?? say("save"), "outline"),
        consent?.accept ? button("withdraw", strings.withdraw ?? say("withdraw"), "quiet") : "",
      ),
    ),
  );
}

function stepFields(step, given) {
  return element(
    "fieldset",
    {},
    element("legend", {}, step.title ?? step.name),
    step.subTitle ? element("p", { class: "sub-title" }, step.subTitle) : "",
    element("div", { class: "message" }, toNodes(step.message)),
    element(
      "ul",
      { class: "vendors" },
      (step.vendors ?? []).map((vendor) => vendorItem(vendor, given)),
    ),
  );
}

function vendorItem(vendor, { strings, chosen, say }) {
  const id = `vendor-${vendor.name}`;
  const policy = toWebAddress(vendor.policyUrl);
  return element(
    "li",
    {},
    element(
      "div",
      { class: "vendor" },
      element("label", { for: id }, vendor.title ?? vendor.name),
      element(
        "p",
        { id: `${id}-what` },
        vendor.shortDescription ?? "",
        " ",
        element("span", { class: "detail" }, vendor.longDescription ?? ""),
      ),
      element(
        "p",
        { class: "source" },
        vendor.domain ?? "",
        policy ? link(policy, strings.policy ?? say("policy"), vendor.title ?? vendor.name) : "",
      ),
    ),
    vendor.required
      ? element("output", { id, class: "always" }, strings.alwaysOn ?? say("alwaysOn"))
      : element("input", {
          id,
          type: "checkbox",
          role: "switch",
          name: vendor.name,
          checked: chosen[vendor.name] === true,
          autocomplete: "off",
          "aria-describedby": `${id}-what`,
        }),
  );
}

/** Asks for the processing of personal data, with all that the law wants to be said. */
export function processingCard(configuration, consent, onAnswer) {
  const people = (configuration.processors ?? []).map(({ name, role, shortDescription }) =>
    [name, role && ` (${role.toLowerCase()})`, shortDescription && `: ${shortDescription}`].join(
      "",
    ),
  );
  const months = configuration.storageDuration;
  const say = sayIn(configuration);
  const facts = [
    [say("purpose"), configuration.purpose],
    [say("personalData"), (configuration.personalDataTypes ?? []).join(", ")],
    [say("people"), people.join(" ")],
    [say("keptFor"), months === undefined ? undefined : say("months", { months })],
    [say("automated"), configuration.automatedDecisionsDetails],
    [say("changing"), configuration.consentWithdraw],
  ].filter(([, fact]) => fact);
  return card(
    configuration,
    { top: configuration.subTitle, title: configuration.title, kind: "processings" },
    element("div", { class: "message" }, toNodes(configuration.message)),
    element(
      "details",
      {},
      element("summary", {}, say("done")),
      element(
        "dl",
        {},
        facts.map(([name, fact]) => [element("dt", {}, name), element("dd", {}, fact)]),
      ),
    ),
    form(
      (action) => onAnswer({ accept: action === "accept", language: configuration.language }),
      configuration.accept ? element("p", { class: "sentence" }, configuration.accept) : [],
      answerButtons(configuration, consent),
    ),
  );
}

/** Asks for the approval of a document: a box to tick, never ticked before it was. */
export function contractCard(configuration, consent, onAnswer) {
  const id = `box-${configuration.identifier}`;
  const file = toWebAddress(configuration.file);
  const say = sayIn(configuration);
  const box = element("input", {
    id,
    type: "checkbox",
    name: configuration.name ?? "contract",
    checked: consent?.accept === true,
    autocomplete: "off",
    required: configuration.idRequired === true,
  });
  const hint = element("p", { class: "hint", id: `${id}-hint`, hidden: true }, say("tick"));
  const send = (action) => {
    const accept = action === "accept";
    hint.hidden = !accept || box.checked;
    box.setAttribute("aria-invalid", String(!hint.hidden));
    if (hint.hidden) return onAnswer({ accept, language: configuration.language });
    box.focus();
    return undefined;
  };
  box.setAttribute("aria-describedby", hint.id);
  return card(
    configuration,
    { top: configuration.subTitle, title: configuration.title, kind: "contracts" },
    form(
      send,
      element(
        "div",
        { class: "approval" },
        box,
        element("label", { for: id, class: "message" }, toNodes(configuration.message)),
      ),
      hint,
      file ? element("p", {}, link(file, say("read"), configuration.title)) : [],
      answerButtons(configuration, consent),
    ),
  );
}

/** The configuration's own buttons, alike in weight: to refuse is as easy as to accept. */
function answerButtons(configuration, consent) {
  const { buttons = [] } = configuration;
  const say = sayIn(configuration);
  const text = (value) => buttons.find((one) => one.value === value)?.text;
  return element(
    "div",
    { class: "actions" },
    button("refuse", text(false) ?? say("refuse")),
    button("accept", text(true) ?? say("accept")),
    consent?.accept ? button("withdraw", say("withdraw"), "quiet") : "",
  );
}

function link(href, text, about) {
  return element(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer", "aria-label": `${text}: ${about}` },
    text,
  );
}
