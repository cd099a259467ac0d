import type { Operation } from "rfc6902";
import { type Addition, additions, listAdditions } from "../consents/agreed.ts";
import { toOffers } from "../consents/offers.ts";
import type { AgreedOffer } from "../consents/substances.ts";
import { diffBodies } from "../vault/diff.ts";
import { type Content, lists, toSources } from "./content.ts";

/** What kind of change one is; `additions` ask for more than before. */
export const changeClasses = [
  "new-configuration",
  "removed-configuration",
  "new-vendor",
  "removed-vendor",
  ...additions,
  "new-controller",
  "wording",
  "settings",
  "design",
] as const;
export type ChangeClass = (typeof changeClasses)[number];

/** One change from one version to another. */
export interface Change {
  class: ChangeClass;
  /** Where, as a JSON pointer into the later version; of what was removed, into the earlier one. */
  path: string;
  message: string;
  /** What the message names, in its order, and what is said of it where that may differ. */
  about: string[];
}

const CHANGES_MAX = 500;

/** What changed from one content to another, when and by which job aside. */
export interface Changes {
  /** What asks for more first; at most 500. */
  changes: Change[];
  /** As RFC 6902, at most 500. */
  operations: Operation[];
  /** There are more of either. */
  truncated: boolean;
}

/** What says when, as which version, by which job, and with which widget: no change of the project. */
const imprint = new Set(["publishedAt", "version", "jobId", "widget"]);

/** What changed from `before` to `after`, and `more`, classed by what it means for who has answered. */
export function listChanges(
  before: Content | undefined,
  after: Content,
  more: readonly Change[] = [],
): Changes {
  const [from, to] = [before ?? emptied(after), after].map(withoutImprint);
  const operations = diffBodies(from, to);
  const weighed = [...listOfferChanges(before, after), ...listSafeguardChanges(before, after)];
  const changes = [
    ...weighed,
    ...more,
    ...operations.flatMap((operation) => toPlainChange(operation, weighed)),
  ].toSorted((a, b) => changeClasses.indexOf(a.class) - changeClasses.indexOf(b.class));
  return {
    changes: changes.slice(0, CHANGES_MAX),
    operations: operations.slice(0, CHANGES_MAX),
    truncated: Math.max(changes.length, operations.length) > CHANGES_MAX,
  };
}

function withoutImprint(content: Content): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !imprint.has(name)));
}

/** A content without a configuration, to compare the first one with. */
function emptied(content: Content): Content {
  return { ...content, cookies: [], processings: [], contracts: [], contractsV2: [] };
}

function listOfferChanges(before: Content | undefined, after: Content): Change[] {
  const earlier = offersOf(before);
  const later = offersOf(after);
  const come = [...later.values()].flatMap(({ offer, path }): Change[] => {
    const known = earlier.get(keyOf(offer));
    if (!known) return [toCome(offer, path)];
    return listAdditions(known.offer.agreed, offer.agreed).map((addition) => ({
      class: addition,
      path,
      message: `“${offer.name}” ${meanings[addition]}.`,
      about: [offer.name],
    }));
  });
  const gone = [...earlier.values()]
    .filter(({ offer }) => !later.has(keyOf(offer)))
    .map(({ offer, path }): Change => {
      const what = offer.item === "" ? "removed-configuration" : "removed-vendor";
      return { class: what, path, message: `“${offer.name}” is gone.`, about: [offer.name] };
    });
  return [...come, ...gone];
}

const meanings: Record<Addition, string> = {
  "new-purpose": "is for another purpose",
  "new-recipient": "goes to somebody else",
  "more-data": "takes more personal data",
  "longer-storage": "is kept longer",
  "fewer-safeguards": "decides by itself, without a person",
  "new-terms": "is another document",
};

function toCome(offer: AgreedOffer, path: string): Change {
  const about = [offer.name];
  if (offer.item !== "")
    return { class: "new-vendor", path, message: `The vendor “${offer.name}” is new.`, about };
  const isPurpose = offer.collection === "processings";
  return {
    class: isPurpose ? "new-purpose" : "new-configuration",
    path,
    message: isPurpose ? `The purpose of “${offer.name}” is new.` : `“${offer.name}” is new.`,
    about,
  };
}

function keyOf({ identifier, item }: { identifier: string; item: string }): string {
  return `${identifier} ${item}`;
}

/** What a content offers, with the place of its configuration. */
function offersOf(content: Content | undefined) {
  const offers = new Map<string, { offer: AgreedOffer; path: string }>();
  if (!content) return offers;
  const paths = new Map(
    (Object.keys(lists) as (keyof typeof lists)[]).flatMap((list) =>
      content[list].map(({ identifier }, at) => [identifier, `/${list}/${at}`] as const),
    ),
  );
  for (const offer of toOffers(toSources(content)))
    offers.set(keyOf(offer), { offer, path: paths.get(offer.identifier) ?? "" });
  return offers;
}

/** What protected people and is gone, beside what they agree to. */
function listSafeguardChanges(before: Content | undefined, after: Content): Change[] {
  if (!before) return [];
  const earlier = safeguardsOf(before);
  return [...safeguardsOf(after)].flatMap(([key, { isKept, path, message, about }]): Change[] =>
    earlier.get(key)?.isKept === true && !isKept
      ? [{ class: "fewer-safeguards", path, message, about }]
      : [],
  );
}

type Safeguard = { isKept: boolean; path: string; message: string; about: string[] };

function safeguardsOf(content: Content): Map<string, Safeguard> {
  const found = new Map<string, Safeguard>();
  const texts = { consentWithdraw: "how the consent is withdrawn" };
  content.processings.forEach((box, at) => {
    for (const [field, what] of Object.entries(texts)) {
      const message = `It is no longer said ${what}.`;
      const isKept = typeof box[field] === "string" && box[field] !== "";
      found.set(`${box.identifier} ${field}`, {
        isKept,
        path: `/processings/${at}/${field}`,
        message,
        about: [],
      });
    }
  });
  for (const { offer, path } of offersOf(content).values()) {
    const message = `“${offer.name}” is always on and no longer asked for.`;
    const about = [offer.name, "required"];
    found.set(`${keyOf(offer)} asked`, { isKept: !offer.required, path, message, about });
  }
  const officer = content.client["DPO"];
  const hasOfficer =
    typeof officer === "object" && officer !== null && Object.keys(officer).length > 0;
  const message = "It is no longer said who is responsible for the data.";
  found.set("DPO", { isKept: hasOfficer, path: "/client/DPO", message, about: [] });
  return found;
}

/** What is of one class whatever changes in it. */
const whole: readonly [path: string, kind: ChangeClass][] = [
  ["/client/DPO", "new-controller"],
  ["/dpo", "new-controller"],
  ["/client/", "design"],
];
/** What is agreed to is weighed; so are vendors that come and go. */
const weighedField =
  /\/(purpose|type|googleConsentMode|processors|domain|personalDataTypes|storageDuration|automatedDecisions|file|required|consentWithdraw)(\/|$)/;
const wholePattern =
  /^\/(cookies|processings|contracts|contractsV2)\/\d+(\/steps\/\d+\/vendors\/\d+)?$/;

/** What is not weighed, or was and asks for no more: words, design, or another setting. */
function toPlainChange(
  { op, path, ...operation }: Operation,
  weighed: readonly Change[],
): Change[] {
  const configuration = path.split("/", 3).join("/");
  const isTold = weighed.some((change) => `${change.path}/`.startsWith(`${configuration}/`));
  if (wholePattern.test(path) || (isTold && weighedField.test(path))) return [];
  const verb = { add: "is new", remove: "is gone" }[op as string] ?? "is another";
  const isWords = "value" in operation && typeof operation.value === "string";
  const plain = isWords ? "wording" : "settings";
  const kind = whole.find(([start]) => path.startsWith(start))?.[1] ?? plain;
  const name = path.split("/").at(-1) ?? "";
  return [{ class: kind, path, message: `“${name}” ${verb}.`, about: [name, op] }];
}
