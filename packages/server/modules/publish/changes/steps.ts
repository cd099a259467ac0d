import type { Vendor } from "@avow/contract/configuration";
import type { PublishedStep } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import type { ChangedItem } from "./change.ts";
import { type Comparison, compareFields, put, toItem } from "./comparing.ts";
import { findMoved, identify, matchItems } from "./matching.ts";

/** Compares a banner's steps by their names, renamed ones by their contents, and then their vendors. */
export function compareSteps(
  before: readonly PublishedStep[],
  after: readonly PublishedStep[],
  at: Comparison,
): void {
  const steps = { ...at, path: `${at.path}/steps`, earlier: `${at.earlier}/steps`, root: "steps" };
  const { pairs, added, removed, moved } = matchItems(before, after, identify, true);
  const atStep = (step: PublishedStep | undefined, from: number, to: number): Comparison =>
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

function toStepItem(step: PublishedStep | undefined, index: number): ChangedItem {
  return {
    type: "step",
    ...(step && { id: step.name }),
    name: titleOf(step) ?? String(index + 1),
  };
}

interface VendorEntry {
  vendor: Vendor;
  slug: string;
  /** Index of its step. */
  step: number;
  /** Index of its step in the later version; undefined if that step was removed. */
  stepLater: number | undefined;
  /** Title of its step. */
  within: string;
  index: number;
}

function listVendors(
  steps: readonly PublishedStep[],
  toLater: (step: number) => number | undefined,
): VendorEntry[] {
  return steps.flatMap((step, at) =>
    (step.vendors ?? []).map((vendor, index) => ({
      vendor,
      slug: vendor.name,
      step: at,
      stepLater: toLater(at),
      within: titleOf(step) ?? String(at + 1),
      index,
    })),
  );
}

/**
 * Pairs vendors within their own steps first, including renamed steps, then across the banner. A vendor in
 * a different step has moved and is not new.
 */
function compareVendors(
  before: readonly VendorEntry[],
  after: readonly VendorEntry[],
  at: Comparison,
): void {
  const near = pair(before, after, ({ slug, stepLater }) => `${stepLater ?? "removed"} ${slug}`);
  const far = pair(near.removed, near.added, ({ slug }) => slug);
  const byStep = Map.groupBy(near.pairs, ([, is]) => is.step);
  for (const pairs of byStep.values()) {
    const moved = findMoved(pairs.map(([was, is]) => [was.index, is.index]));
    for (const [was, is] of pairs) {
      const here = atVendor(was, is, at);
      if (moved.has(is.index))
        put({ kind: "moved", before: was.index + 1, after: is.index + 1 }, here);
      compareFields(was.vendor, is.vendor, here);
    }
  }
  for (const [was, is] of far.pairs) {
    const here = atVendor(was, is, at);
    put({ kind: "moved", before: was.within, after: is.within }, here);
    compareFields(was.vendor, is.vendor, here);
  }
  // `classifyOfferChanges` lists the first vendor of each slug, which is the one that people are asked for.
  const [known, offered] = [before, after].map((list) => new Set(list.map(({ slug }) => slug)));
  for (const one of far.added)
    if (one.slug === "" || known?.has(one.slug)) put({ kind: "new" }, atVendor(one, one, at));
  for (const one of far.removed)
    if (one.slug === "" || offered?.has(one.slug)) put({ kind: "removed" }, atVendor(one, one, at));
}

function pair(
  before: readonly VendorEntry[],
  after: readonly VendorEntry[],
  keyOf: (one: VendorEntry) => string,
) {
  const sides = { earlier: before, later: after };
  const { pairs, removed, added } = matchItems(
    before.map(({ vendor }) => vendor),
    after.map(({ vendor }) => vendor),
    (_, index, side) => {
      const one = sides[side][index];
      return one && keyOf(one);
    },
  );
  const pick = (list: readonly VendorEntry[], indexes: readonly number[]): VendorEntry[] =>
    indexes.flatMap((index) => list[index] ?? []);
  return {
    pairs: pairs.flatMap(([from, to]): [VendorEntry, VendorEntry][] => {
      const [was, is] = [before[from], after[to]];
      return was && is ? [[was, is]] : [];
    }),
    removed: pick(before, removed),
    added: pick(after, added),
  };
}

function atVendor(was: VendorEntry, is: VendorEntry, at: Comparison): Comparison {
  const { vendor, slug, within, index } = is;
  const name = titleOf(vendor) ?? String(index + 1);
  return {
    ...at,
    path: `${at.path}/${is.step}/vendors/${index}`,
    earlier: `${at.earlier}/${was.step}/vendors/${was.index}`,
    item: { type: "vendor", ...(slug !== "" && { id: slug }), name, within },
    owner: `${at.configuration?.identifier} ${slug}`,
    root: "",
    keys: [],
  };
}
