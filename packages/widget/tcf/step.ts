import { element } from "../banner/dom.ts";
import { toSwitch } from "../center/switch.ts";
import type { TcfStack, TcfTerm } from "@avow/contract/tcf";
import { type List, groupPurposes, listPurposes } from "./list.ts";
import { toPartners } from "./partners.ts";
import { type TcfView, sayWith, toObjection, toggle } from "./shown.ts";

/**
 * The choices of the layout `iab`: purposes, special features, special purposes and features without a choice, and vendors.
 * A legitimate interest applies until the visitor objects (TCF), and no switch may be on by default (GDPR, recital 32): so
 * its switch is the objection, which is off.
 */
export function toChoices(shown: TcfView): Node[] {
  const { list, draft, say } = shown;
  const { texts } = list;
  const features = Object.values(texts.specialFeatures);
  const fixed = [...Object.values(texts.specialPurposes), ...Object.values(texts.features)];
  return [
    element("h3", {}, say("tcfPurposes")),
    toPurposes(shown),
    features.length > 0 && element("h3", {}, say("tcfSpecialFeatures")),
    features.length > 0 &&
      toTerms(
        features.map((term) =>
          toItem(shown, term, [
            toSwitch(term.name, draft.specialFeatures.has(term.id), (isOn) =>
              toggle(draft.specialFeatures, term.id, isOn),
            ).label,
          ]),
        ),
      ),
    fixed.length > 0 && element("h3", {}, say("tcfFixed")),
    fixed.length > 0 && toTerms(fixed.map((term) => toItem(shown, term, [toName(term)]))),
    element("h3", {}, sayWith(say, "tcfPartners", { count: list.partners })),
    toPartners(shown),
  ].filter((part) => part !== false);
}

function toPurposes(shown: TcfView): Node {
  const { list, draft, say } = shown;
  const { consents, interests } = list;
  const terms = listPurposes(list);
  const isEvery = (): boolean => [...consents].every((id) => draft.purposes.has(id));
  const switches = terms
    .filter(({ id }) => consents.has(id))
    .map(({ id, name }) => {
      const made = toSwitch(name, draft.purposes.has(id), (isOn) => {
        toggle(draft.purposes, id, isOn);
        all.input.checked = isEvery();
      });
      return { id, ...made };
    });
  const all = toSwitch(say("tcfAllPurposes"), consents.size > 0 && isEvery(), (isOn) => {
    for (const { id, input } of switches) {
      toggle(draft.purposes, id, isOn);
      input.checked = isOn;
    }
  });
  const toPurpose = (term: TcfTerm): Node =>
    toItem(shown, term, [
      switches.find(({ id }) => id === term.id)?.label ?? toName(term),
      element(
        "p",
        { class: "soft" },
        sayWith(say, "tcfCount", { count: list.counts.get(term.id) ?? 0 }),
      ),
      interests.has(term.id) && toObjection(shown, term.name, draft.objectedPurposes, term.id),
    ]);
  const items = groupPurposes(list).flatMap(({ stack, purposes }) => [
    ...(stack ? [toStack(list, stack)] : []),
    ...purposes.map(toPurpose),
  ]);
  return toTerms(switches.length > 1 ? [element("li", {}, all.label), ...items] : items);
}

/** The heading of the purposes of a stack. */
function toStack({ language }: List, { name, description }: TcfStack): Node {
  return element(
    "li",
    { class: "stack", lang: language, dir: "auto" },
    element("h4", {}, name.trim()),
    element("p", { class: "soft" }, description.trim()),
  );
}

function toTerms(items: Node[]): Node {
  return element("ul", { class: "vendors", role: "list" }, ...items);
}

function toItem({ list, say }: TcfView, term: TcfTerm, parts: (Node | false)[]): Node {
  const { name, description, illustrations = [] } = term;
  return element(
    "li",
    {},
    ...parts,
    element(
      "details",
      { class: "soft" },
      element("summary", { "aria-label": `${say("details")}: ${name}` }, say("details")),
      element(
        "div",
        { lang: list.language, dir: "auto" },
        element("p", {}, description.trim()),
        ...illustrations.map((text) => element("p", { class: "example" }, text.trim())),
      ),
    ),
  );
}

function toName({ name }: TcfTerm): Node {
  return element("p", { class: "label" }, element("span", {}, name));
}
