import { element, toNodes, toWebAddress } from "./html.js";

const language = (of) => (of.language ? { lang: of.language } : {});

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
      (welcome ? rest : steps).map((step) => stepFields(step, { strings, chosen })),
      element(
        "div",
        { class: "actions" },
        button("refuse", strings.refuseAll ?? "Refuse all"),
        button("accept", strings.acceptAll ?? "Accept all"),
        button("save", strings.save ?? "Save my choices", "outline"),
        consent?.accept
          ? button("withdraw", strings.withdraw ?? "Withdraw my consent", "quiet")
          : "",
      ),
    ),
  );
}

function stepFields(step, { strings, chosen }) {
  return element(
    "fieldset",
    {},
    element("legend", {}, step.title ?? step.name),
    step.subTitle ? element("p", { class: "sub-title" }, step.subTitle) : "",
    element("div", { class: "message" }, toNodes(step.message)),
    element(
      "ul",
      { class: "vendors" },
      (step.vendors ?? []).map((vendor) => vendorItem(vendor, { strings, chosen })),
    ),
  );
}

function vendorItem(vendor, { strings, chosen }) {
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
        policy ? link(policy, strings.policy ?? "Privacy policy", vendor.title ?? vendor.name) : "",
      ),
    ),
    vendor.required
      ? element("output", { id, class: "always" }, strings.alwaysOn ?? "Always on")
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
  const facts = [
    ["Purpose", configuration.purpose],
    ["Personal data", (configuration.personalDataTypes ?? []).join(", ")],
    ["Who handles it", people.join(" ")],
    ["Kept for", months === undefined ? undefined : `${months} months`],
    ["Automated decisions", configuration.automatedDecisionsDetails],
    ["Changing your mind", configuration.consentWithdraw],
  ].filter(([, fact]) => fact);
  return card(
    configuration,
    { top: configuration.subTitle, title: configuration.title, kind: "processings" },
    element("div", { class: "message" }, toNodes(configuration.message)),
    element(
      "details",
      {},
      element("summary", {}, "What is done with my data"),
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
  const box = element("input", {
    id,
    type: "checkbox",
    name: configuration.name ?? "contract",
    checked: consent?.accept === true,
    autocomplete: "off",
    required: configuration.idRequired === true,
  });
  const hint = element(
    "p",
    { class: "hint", id: `${id}-hint`, hidden: true },
    "Tick the box first.",
  );
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
      file ? element("p", {}, link(file, "Read the document", configuration.title)) : [],
      answerButtons(configuration, consent),
    ),
  );
}

/** The configuration's own buttons, alike in weight: to refuse is as easy as to accept. */
function answerButtons({ buttons = [] }, consent) {
  const text = (value) => buttons.find((one) => one.value === value)?.text;
  return element(
    "div",
    { class: "actions" },
    button("refuse", text(false) ?? "Refuse"),
    button("accept", text(true) ?? "Accept"),
    consent?.accept ? button("withdraw", "Withdraw my consent", "quiet") : "",
  );
}

function link(href, text, about) {
  return element(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer", "aria-label": `${text}: ${about}` },
    text,
  );
}
