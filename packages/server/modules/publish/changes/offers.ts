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
import type { ChangedItem, Found, Spot } from "./change.ts";
import { titleOf } from "@avow/contract/titles";
import { type Leaf, toChangedConfiguration } from "./comparing.ts";

/** What is weighed, and which plain changes it tells of, which are not told once more. */
export interface Weighed {
  changes: Found[];
  told: ReadonlySet<Leaf>;
}

/** What the changes from one content to another mean for who has answered, and for whom it protected. */
export function weighChanges(
  before: Content | undefined,
  after: Content,
  leaves: readonly Leaf[],
): Weighed {
  const told = new Set<Leaf>();
  const byOwner = Map.groupBy(leaves, ({ owner }) => owner);
  const [earlier, later] = [offersOf(before), offersOf(after)];
  const come = [...later].flatMap(([key, { offer, spot }]): Found[] => {
    const known = earlier.get(key);
    if (!known) return [toCome(offer, spot)];
    const own = (byOwner.get(key) ?? []).filter((leaf) => !told.has(leaf));
    return [
      ...listAdditions(known.offer.agreed, offer.agreed).map((addition): Found => {
        const why = findWhy(addition, own, offer.item !== "");
        for (const leaf of why) told.add(leaf);
        // What is always on, or was, is asked of nobody.
        const asks = known.offer.required || offer.required ? "nobody" : "again";
        return { ...toAddition(addition, offer, { spot, why }), asks };
      }),
      ...listLost(known.offer, offer, { spot, own, told }),
    ];
  });
  const gone = [...earlier].flatMap(([key, { offer, spot }]): Found[] => {
    if (later.has(key)) return [];
    const kind = offer.item === "" ? "removed-configuration" : "removed-vendor";
    const meaning = { sentence: `“${offer.name}” is gone`, about: [offer.name] };
    return [{ ...spot, class: kind, kind: "removed", asks: "nobody", keys: [], meaning }];
  });
  const safeguards = before ? listSafeguards(before, after, { leaves, told }) : [];
  return { changes: [...come, ...gone, ...safeguards], told };
}

const meanings: Record<Addition, string> = {
  "new-purpose": "is for another purpose",
  "new-recipient": "goes to somebody else",
  "more-data": "takes more personal data",
  "longer-storage": "is kept longer",
  "fewer-safeguards": "decides by itself, without a person",
  "new-terms": "is another document",
};
/** In which fields each can be, the one that decides first. */
const deciding: Record<Addition, readonly string[]> = {
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
  { spot, why }: { spot: Spot; why: readonly Leaf[] },
): Omit<Found, "asks"> {
  const meaning = { sentence: `“${name}” ${meanings[addition]}`, about: [name] };
  const common = { ...spot, class: addition, kind: "changed", meaning } as const;
  const [first] = why;
  if (!first) return { ...common, keys: [] };
  const names = why.flatMap(({ item }) => item?.name ?? []);
  // Recipients are items of their own: those who are new.
  if (first.root === "processors" && first.keys.length === 0)
    return { ...common, keys: ["processors"], before: [], after: names };
  const keys = first.root === "processors" ? ["processors", ...first.keys] : first.keys;
  return { ...common, keys, before: first.before, after: first.after };
}

/** The plain changes that an addition is made of. */
function findWhy(addition: Addition, own: readonly Leaf[], isVendor: boolean): Leaf[] {
  for (const root of deciding[addition]) {
    const leaves = own.filter((leaf) => leaf.root === root && leaf.kind !== "moved");
    if (root !== "processors") {
      // Who a vendor is, is another only where it was said before.
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

function toCome(offer: AgreedOffer, spot: Spot): Found {
  const { name, item, collection } = offer;
  const common = { ...spot, kind: "new", asks: "first", keys: [] } as const;
  const about = [name];
  if (item !== "")
    return {
      ...common,
      class: "new-vendor",
      // What is always on is not asked for.
      asks: offer.required ? "nobody" : "first",
      meaning: { sentence: `The vendor “${name}” is new`, about },
    };
  const isPurpose = collection === "processings";
  return {
    ...common,
    class: isPurpose ? "new-purpose" : "new-configuration",
    // A banner asks for its vendors alone.
    asks: collection === "cookies" ? "nobody" : "first",
    meaning: {
      sentence: isPurpose ? `The purpose of “${name}” is new` : `“${name}” is new`,
      about,
    },
  };
}

interface Losing {
  spot: Spot;
  own: readonly Leaf[];
  told: Set<Leaf>;
}

/** What was asked for and is always on now. */
function listLost(was: AgreedOffer, is: AgreedOffer, { spot, own, told }: Losing): Found[] {
  if (was.required || !is.required) return [];
  const leaf = own.find(({ keys }) => keys[0] === "required");
  if (leaf) told.add(leaf);
  const { name } = is;
  const sentence = `“${name}” is always on and no longer asked for`;
  return [
    {
      ...spot,
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

/** What told people how to withdraw, or who is responsible, and is gone. */
function listSafeguards(
  before: Content,
  after: Content,
  { leaves, told }: { leaves: readonly Leaf[]; told: Set<Leaf> },
): Found[] {
  const withdrawals = leaves.filter(
    ({ root, kind, configuration, item }) =>
      root === "consentWithdraw" &&
      kind === "removed" &&
      configuration?.collection === "processings" &&
      !item,
  );
  for (const leaf of withdrawals) told.add(leaf);
  const lost = withdrawals.map((leaf): Found => {
    const meaning = { sentence: "It is no longer said how the consent is withdrawn", about: [] };
    return { ...leaf, class: "fewer-safeguards", meaning };
  });
  if (!hasOfficer(before) || hasOfficer(after)) return lost;
  const sentence = "It is no longer said who is responsible for the data";
  const common = { kind: "removed", asks: "nobody", keys: [] } as const;
  const meaning = { sentence, about: [] };
  return [...lost, { ...common, class: "fewer-safeguards", path: "/client/DPO", meaning }];
}

function hasOfficer({ client }: Content): boolean {
  return Object.keys(client.DPO).length > 0;
}

/** What a content offers, with where it is told; by the configuration's identifier and the vendor's slug. */
function offersOf(content: Content | undefined) {
  const offers = new Map<string, { offer: AgreedOffer; spot: Spot }>();
  if (!content) return offers;
  const spots = new Map<string, Spot>();
  for (const list of listNames)
    content[list].forEach((body: Configuration, at: number) => {
      const configuration = toChangedConfiguration(list, body);
      const spot = { configuration, path: `/${list}/${at}` };
      spots.set(`${body.identifier} `, spot);
      for (const [slug, item] of listVendorItems(stepsOf(body)))
        spots.set(`${body.identifier} ${slug}`, { ...spot, item });
    });
  for (const offer of toOffers(toSources(content))) {
    const key = `${offer.identifier} ${offer.item}`;
    offers.set(key, { offer, spot: spots.get(key) ?? { path: "" } });
  }
  return offers;
}

/** Each vendor by its slug, the first of each, as it is told of. */
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
