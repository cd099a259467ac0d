import type { Vendor } from "@avow/contract/configuration";
import type { PublishedStep } from "@avow/contract/published";
import { titleOf } from "@avow/contract/titles";
import type { ChangedItem } from "./change.ts";
import { type Comparing, compareFields, put, toItem } from "./comparing.ts";
import { findMoved, identify, matchItems } from "./matching.ts";

/** A banner's steps by their names, a step that is called otherwise by what is in it; then their vendors. */
export function compareSteps(
  before: readonly PublishedStep[],
  after: readonly PublishedStep[],
  at: Comparing,
): void {
  const steps = { ...at, path: `${at.path}/steps`, earlier: `${at.earlier}/steps`, root: "steps" };
  const { pairs, added, removed, moved } = matchItems(before, after, identify, true);
  const atStep = (step: PublishedStep | undefined, from: number, to: number): Comparing =>
    toItem(steps, toStepItem(step, Math.max(from, to)), [from, to]);
  for (const [from, to] of pairs) {
    const here = atStep(after[to], from, to);
    if (moved.has(to)) put({ kind: "moved", before: from + 1, after: to + 1 }, here);
    compareFields(before[from], after[to], here, ["vendors"]);
  }
  for (const to of added) put({ kind: "new" }, atStep(after[to], to, to));
  for (const from of removed) put({ kind: "removed" }, atStep(before[from], from, from));
  const later = new Map(pairs);
  compareVendors(
    listVendors(before, (step) => later.get(step)),
    listVendors(after, (step) => step),
    steps,
  );
}

function toStepItem(step: PublishedStep | undefined, place: number): ChangedItem {
  return {
    type: "step",
    ...(step && { id: step.name }),
    name: titleOf(step) ?? String(place + 1),
  };
}

/** A vendor where it stands. */
interface Placed {
  vendor: Vendor;
  slug: string;
  /** Its step's place, and in the later version; undefined where that is gone. */
  step: number;
  stepLater: number | undefined;
  within: string;
  place: number;
}

function listVendors(
  steps: readonly PublishedStep[],
  toLater: (step: number) => number | undefined,
): Placed[] {
  return steps.flatMap((step, at) =>
    (step.vendors ?? []).map((vendor, place) => ({
      vendor,
      slug: vendor.name,
      step: at,
      stepLater: toLater(at),
      within: titleOf(step) ?? String(at + 1),
      place,
    })),
  );
}

/**
 * Vendors in their own steps first, whatever these are called now, then wherever else in the banner:
 * who stands in another step than before has moved, and is nobody new.
 */
function compareVendors(before: readonly Placed[], after: readonly Placed[], at: Comparing): void {
  const near = pair(before, after, ({ slug, stepLater }) => `${stepLater ?? "gone"} ${slug}`);
  const far = pair(near.removed, near.added, ({ slug }) => slug);
  const places = Map.groupBy(near.pairs, ([, is]) => is.step);
  for (const pairs of places.values()) {
    const moved = findMoved(pairs.map(([was, is]) => [was.place, is.place]));
    for (const [was, is] of pairs) {
      const here = atVendor(was, is, at);
      if (moved.has(is.place))
        put({ kind: "moved", before: was.place + 1, after: is.place + 1 }, here);
      compareFields(was.vendor, is.vendor, here);
    }
  }
  for (const [was, is] of far.pairs) {
    const here = atVendor(was, is, at);
    put({ kind: "moved", before: was.within, after: is.within }, here);
    compareFields(was.vendor, is.vendor, here);
  }
  // Of who is asked for, the first of a slug, it is told what that means (`listOfferChanges`).
  const [known, asked] = [before, after].map((list) => new Set(list.map(({ slug }) => slug)));
  for (const one of far.added)
    if (one.slug === "" || known?.has(one.slug)) put({ kind: "new" }, atVendor(one, one, at));
  for (const one of far.removed)
    if (one.slug === "" || asked?.has(one.slug)) put({ kind: "removed" }, atVendor(one, one, at));
}

function pair(before: readonly Placed[], after: readonly Placed[], keyOf: (one: Placed) => string) {
  const sides = { earlier: before, later: after };
  const { pairs, removed, added } = matchItems(
    before.map(({ vendor }) => vendor),
    after.map(({ vendor }) => vendor),
    (_, place, side) => {
      const one = sides[side][place];
      return one && keyOf(one);
    },
  );
  const pick = (list: readonly Placed[], places: readonly number[]): Placed[] =>
    places.flatMap((place) => list[place] ?? []);
  return {
    pairs: pairs.flatMap(([from, to]): [Placed, Placed][] => {
      const [was, is] = [before[from], after[to]];
      return was && is ? [[was, is]] : [];
    }),
    removed: pick(before, removed),
    added: pick(after, added),
  };
}

function atVendor(was: Placed, is: Placed, at: Comparing): Comparing {
  const { vendor, slug, within, place } = is;
  const name = titleOf(vendor) ?? String(place + 1);
  return {
    ...at,
    path: `${at.path}/${is.step}/vendors/${place}`,
    earlier: `${at.earlier}/${was.step}/vendors/${was.place}`,
    item: { type: "vendor", ...(slug !== "" && { id: slug }), name, within },
    owner: `${at.configuration?.identifier} ${slug}`,
    root: "",
    keys: [],
  };
}
