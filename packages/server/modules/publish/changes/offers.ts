import { type Addition, listAdditions } from "../../consents/offers/agreement.ts";
import { toOffers } from "../../consents/offers/offers.ts";
import type { AgreedOffer } from "../../consents/offers/questions.ts";
import {
  type Configuration,
  type Content,
  type PublishedStep,
  listNames,
  stepsOf,
} from "@avow/contract/published";
import { toSources } from "../content/content.ts";
import type { ChangeLocation, ChangedItem, DetectedChange } from "./change.ts";
import { titleOf } from "@avow/contract/labels";
import { type Leaf, toChangedConfiguration } from "./comparing.ts";

export interface OfferChanges {
  changes: DetectedChange[];
  /** Changes of fields that `changes` include, so that they are not listed twice. */
  covered: ReadonlySet<Leaf>;
}

/** Classifies the changes of offers by their meaning for people who have answered, and finds lost safeguards. */
export function classifyOfferChanges(
  before: Content | undefined,
  after: Content,
  leaves: readonly Leaf[],
): OfferChanges {
  const covered = new Set<Leaf>();
  const byOwner = Map.groupBy(leaves, ({ owner }) => owner);
  const [earlier, later] = [offersOf(before), offersOf(after)];
  const added = [...later].flatMap(([key, { offer, location }]): DetectedChange[] => {
    const known = earlier.get(key);
    if (!known) return [toAdded(offer, location)];
    const own = (byOwner.get(key) ?? []).filter((leaf) => !covered.has(leaf));
    return [
      ...listAdditions(known.offer.agreed, offer.agreed).map((addition): DetectedChange => {
        const causes = findCauses(addition, own, offer.item !== "");
        for (const leaf of causes) covered.add(leaf);
        // An offer that is or was always on asks nobody.
        const asks = known.offer.required || offer.required ? "nobody" : "again";
        return { ...toAddition(addition, offer, { location, causes }), asks };
      }),
      ...listNewlyRequired(known.offer, offer, { location, own, covered }),
    ];
  });
  const removed = [...earlier].flatMap(([key, { offer, location }]): DetectedChange[] => {
    if (later.has(key)) return [];
    const kind = offer.item === "" ? "removed-configuration" : "removed-vendor";
    const meaning = { sentence: `“${offer.name}” was removed`, about: [offer.name] };
    return [{ ...location, class: kind, kind: "removed", asks: "nobody", keys: [], meaning }];
  });
  const safeguards = before ? listLostSafeguards(before, after, { leaves, covered }) : [];
  return { changes: [...added, ...removed, ...safeguards], covered };
}

const meanings: Record<Addition, string> = {
  "new-purpose": "has a different purpose",
  "new-recipient": "has a new recipient",
  "more-data": "collects more personal data",
  "longer-storage": "is stored longer",
  "fewer-safeguards": "has fewer safeguards (automated decisions or recipients’ countries)",
  "new-terms": "has a different document",
};
/** The fields that can cause each addition, in order of precedence. */
const causingFields: Record<Addition, readonly string[]> = {
  "new-purpose": ["purpose", "type", "googleConsentMode"],
  "new-recipient": ["domain", "policyUrl", "title", "processors"],
  "more-data": ["personalDataTypes"],
  "longer-storage": ["storageDuration"],
  "fewer-safeguards": ["automatedDecisions", "processors"],
  "new-terms": ["file"],
};

function toAddition(
  addition: Addition,
  { name }: AgreedOffer,
  { location, causes }: { location: ChangeLocation; causes: readonly Leaf[] },
): Omit<DetectedChange, "asks"> {
  const meaning = { sentence: `“${name}” ${meanings[addition]}`, about: [name] };
  const common = { ...location, class: addition, kind: "changed", meaning } as const;
  const [first] = causes;
  if (!first) return { ...common, keys: [] };
  const names = causes.flatMap(({ item }) => item?.name ?? []);
  // Recipients are separate items: list the new ones.
  if (first.root === "processors" && first.keys.length === 0)
    return { ...common, keys: ["processors"], before: [], after: names };
  const keys = first.root === "processors" ? ["processors", ...first.keys] : first.keys;
  return { ...common, keys, before: first.before, after: first.after };
}

/** The changes of fields that cause an addition. */
function findCauses(addition: Addition, own: readonly Leaf[], isVendor: boolean): Leaf[] {
  for (const root of causingFields[addition]) {
    const leaves = own.filter((leaf) => leaf.root === root && leaf.kind !== "moved");
    if (root !== "processors") {
      // A vendor's identity differs only if the field had a value before.
      const found = leaves.filter(
        ({ kind }) => !(isVendor && addition === "new-recipient") || kind === "changed",
      );
      if (found.length > 0) return found.slice(0, 1);
      continue;
    }
    const fields = leaves.filter(({ keys }) => keys.length > 0);
    if (addition === "fewer-safeguards")
      return fields.filter(({ keys }) => keys[0] === "country").slice(0, 1);
    const fresh = leaves.filter(({ kind, keys }) => kind === "new" && keys.length === 0);
    if (fresh.length > 0) return fresh;
    return fields.filter(({ keys }) => /^(name|website)$/.test(keys[0] ?? "")).slice(0, 1);
  }
  return [];
}

function toAdded(offer: AgreedOffer, location: ChangeLocation): DetectedChange {
  const { name, item, collection } = offer;
  const common = { ...location, kind: "new", asks: "first", keys: [] } as const;
  const about = [name];
  if (item !== "")
    return {
      ...common,
      class: "new-vendor",
      // Vendors that are always on ask nobody.
      asks: offer.required ? "nobody" : "first",
      meaning: { sentence: `The vendor “${name}” is new`, about },
    };
  const isPurpose = collection === "processings";
  return {
    ...common,
    class: isPurpose ? "new-purpose" : "new-configuration",
    // A banner itself asks nothing, only its vendors do.
    asks: collection === "cookies" ? "nobody" : "first",
    meaning: {
      sentence: isPurpose ? `The purpose of “${name}” is new` : `“${name}” is new`,
      about,
    },
  };
}

interface OfferContext {
  location: ChangeLocation;
  own: readonly Leaf[];
  covered: Set<Leaf>;
}

/** Reports an offer that required an answer and is always on now. */
function listNewlyRequired(
  was: AgreedOffer,
  is: AgreedOffer,
  { location, own, covered }: OfferContext,
): DetectedChange[] {
  if (was.required || !is.required) return [];
  const leaf = own.find(({ keys }) => keys[0] === "required");
  if (leaf) covered.add(leaf);
  const { name } = is;
  const sentence = `“${name}” is always on and no longer asked for`;
  return [
    {
      ...location,
      class: "fewer-safeguards",
      kind: "changed",
      asks: "nobody",
      keys: ["required"],
      before: leaf?.before,
      after: true,
      meaning: { sentence, about: [name, "required"] },
    },
  ];
}

/** Lost information on how to withdraw, or on who is responsible. */
function listLostSafeguards(
  before: Content,
  after: Content,
  { leaves, covered }: { leaves: readonly Leaf[]; covered: Set<Leaf> },
): DetectedChange[] {
  const withdrawals = leaves.filter(
    ({ root, kind, configuration, item }) =>
      root === "consentWithdraw" &&
      kind === "removed" &&
      configuration?.collection === "processings" &&
      !item,
  );
  for (const leaf of withdrawals) covered.add(leaf);
  const lost = withdrawals.map((leaf): DetectedChange => {
    const meaning = {
      sentence: "The explanation of how to withdraw consent was removed",
      about: [],
    };
    return { ...leaf, class: "fewer-safeguards", meaning };
  });
  if (!hasOfficer(before) || hasOfficer(after)) return lost;
  const sentence = "The organization responsible for the data is no longer named";
  const common = { kind: "removed", asks: "nobody", keys: [] } as const;
  const meaning = { sentence, about: [] };
  return [...lost, { ...common, class: "fewer-safeguards", path: "/client/DPO", meaning }];
}

function hasOfficer({ client }: Content): boolean {
  return Object.keys(client.DPO).length > 0;
}

/** The offers of a content with their locations, by the configuration's identifier and the vendor's slug. */
function offersOf(content: Content | undefined) {
  const offers = new Map<string, { offer: AgreedOffer; location: ChangeLocation }>();
  if (!content) return offers;
  const locations = new Map<string, ChangeLocation>();
  for (const list of listNames)
    content[list].forEach((body: Configuration, at: number) => {
      const configuration = toChangedConfiguration(list, body);
      const location = { configuration, path: `/${list}/${at}` };
      locations.set(`${body.identifier} `, location);
      for (const [slug, item] of listVendorItems(stepsOf(body)))
        locations.set(`${body.identifier} ${slug}`, { ...location, item });
    });
  for (const offer of toOffers(toSources(content))) {
    const key = `${offer.identifier} ${offer.item}`;
    offers.set(key, { offer, location: locations.get(key) ?? { path: "" } });
  }
  return offers;
}

/** The first vendor of each slug, as an item. */
function listVendorItems(steps: readonly PublishedStep[]): Map<string, ChangedItem> {
  const items = new Map<string, ChangedItem>();
  steps.forEach((step, at) => {
    for (const vendor of step.vendors ?? []) {
      const { name } = vendor;
      if (items.has(name)) continue;
      const within = titleOf(step) ?? String(at + 1);
      items.set(name, { type: "vendor", id: name, name: titleOf(vendor) ?? name, within });
    }
  });
  return items;
}
