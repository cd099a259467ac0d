import { type ConsentForm, type FormProcessor, toDuration } from "@avow/widget/headless";
import { type VNode, h } from "vue";
import { toLink } from "../look/message.ts";

type Fact = VNode | string | undefined | false;

/** The information required before a consent (GDPR, article 13): the purpose, and the rest in details. */
export function toFacts({ configuration, language, say }: ConsentForm): VNode[] {
  const { purpose, processors = [], personalDataTypes = [], storageDuration } = configuration;
  const { automatedDecisions, consentWithdraw } = configuration;
  const details = [
    toFact(say("processors"), toList(processors.map(toProcessor))),
    toFact(say("personalDataTypes"), toList(personalDataTypes.filter(Boolean))),
    toFact(
      say("storageDuration"),
      storageDuration !== undefined && toDuration(storageDuration, "month", language),
    ),
    automatedDecisions
      ? [
          ...toFact(say("automatedDecisions"), configuration.automatedDecisionsDetails),
          ...toFact(say("automatedDecisionsContact"), configuration.automatedDecisionsContact),
        ]
      : [],
    toFact(say("consentWithdraw"), consentWithdraw),
  ].flat();
  return [
    ...(purpose ? [h("dl", toFact(say("purpose"), purpose))] : []),
    ...(details[0] ? [h("details", [h("summary", say("details")), h("dl", details)])] : []),
  ];
}

function toFact(name: string, value: Fact): VNode[] {
  return value ? [h("dt", name), h("dd", [value])] : [];
}

function toList(items: readonly (VNode | string)[]): Fact {
  if (!items[0]) return undefined;
  return h(
    "ul",
    { role: "list" },
    items.map((item) => h("li", [item])),
  );
}

function toProcessor({ name, role, shortDescription, website }: FormProcessor): VNode {
  return h("div", [
    h("p", [name, role].filter(Boolean).join(" – ")),
    shortDescription ? h("p", { class: "avow-soft" }, shortDescription) : null,
    website
      ? h("p", { class: "avow-soft" }, [toLink(website, website.replace(/^https?:\/\//i, ""))])
      : null,
  ]);
}
