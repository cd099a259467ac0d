import type { Asked } from "./asked.ts";
import { languageOf } from "./frame.ts";
import { listOf } from "./given.ts";
import { toMonths } from "./language.ts";
import { type Child, element, textOf } from "../dom.ts";
import { toLink } from "../html.ts";
import type { Fields } from "../site.ts";
import type { Say } from "../words.ts";

/** What the law asks to be told before a consent (GDPR 13): the purpose at once, the rest one click away. */
export function toFacts({ box, say }: Asked): Node[] {
  const purpose = toFact(say("purpose"), textOf(box["purpose"]));
  const details = [
    toFact(say("processors"), toList(listOf(box["processors"]).map(toProcessor))),
    toFact(say("personalDataTypes"), toList(textsOf(box["personalDataTypes"]))),
    toFact(say("storageDuration"), toDuration(box["storageDuration"], languageOf(box))),
    ...toAutomated(box, say),
    toFact(say("consentWithdraw"), textOf(box["consentWithdraw"])),
  ].flat();
  return [
    ...(purpose.length > 0 ? [element("dl", {}, ...purpose)] : []),
    ...(details.length > 0
      ? [
          element(
            "details",
            {},
            element("summary", {}, say("details")),
            element("dl", {}, ...details),
          ),
        ]
      : []),
  ];
}

function toFact(name: string, what: Child): Node[] {
  return what ? [element("dt", {}, name), element("dd", {}, what)] : [];
}

function toList(items: readonly (string | Node)[]): Child {
  return (
    items.length > 0 &&
    element("ul", { role: "list" }, ...items.map((item) => element("li", {}, item)))
  );
}

function toProcessor({ name, role, shortDescription, website }: Fields): Node {
  const [title, what, about, address] = [name, role, shortDescription, website].map(textOf);
  return element(
    "div",
    {},
    element("p", {}, [title, what].filter(Boolean).join(" – ")),
    about !== undefined && element("p", { class: "soft" }, about),
    address !== undefined &&
      element("p", { class: "soft" }, toLink(address, address.replace(/^https?:\/\//i, ""))),
  );
}

/** Decisions that nobody takes, with who answers for them and how they come about (GDPR 13(2)(f)). */
function toAutomated(box: Fields, say: Say): Node[] {
  if (box["automatedDecisions"] !== true) return [];
  return [
    ...toFact(say("automatedDecisions"), textOf(box["automatedDecisionsDetails"])),
    ...toFact(say("automatedDecisionsContact"), textOf(box["automatedDecisionsContact"])),
  ];
}

function toDuration(months: unknown, language: string): Child {
  return typeof months === "number" && toMonths(months, language);
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => textOf(one) !== undefined) : [];
}
