import type { Processor } from "@avow/contract/configuration";
import type { BoxContext } from "./box.ts";
import { languageOf } from "./frame.ts";
import { toDuration } from "../texts/language.ts";
import { type Child, element } from "../banner/dom.ts";
import { toLink } from "../banner/html.ts";
import type { Box } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** The information required before a consent (GDPR 13): the purpose, and the rest in details. */
export function toFacts({ box, say }: BoxContext): Node[] {
  const purpose = toFact(say("purpose"), box.purpose);
  const details = [
    toFact(say("processors"), toList((box.processors ?? []).map(toProcessor))),
    toFact(say("personalDataTypes"), toList((box.personalDataTypes ?? []).filter(Boolean))),
    toFact(
      say("storageDuration"),
      box.storageDuration !== undefined &&
        toDuration(box.storageDuration, "month", languageOf(box)),
    ),
    ...toAutomated(box, say),
    toFact(say("consentWithdraw"), box.consentWithdraw),
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

function toProcessor({ name, role, shortDescription, website }: Processor): Node {
  return element(
    "div",
    {},
    element("p", {}, [name, role].filter(Boolean).join(" – ")),
    shortDescription && element("p", { class: "soft" }, shortDescription),
    website &&
      element("p", { class: "soft" }, toLink(website, website.replace(/^https?:\/\//i, ""))),
  );
}

/** Automated decisions, with their contact and their logic (GDPR 13(2)(f)). */
function toAutomated(box: Box, say: Say): Node[] {
  if (!box.automatedDecisions) return [];
  return [
    ...toFact(say("automatedDecisions"), box.automatedDecisionsDetails),
    ...toFact(say("automatedDecisionsContact"), box.automatedDecisionsContact),
  ];
}
