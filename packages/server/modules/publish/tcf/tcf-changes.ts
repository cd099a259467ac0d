import { readList } from "@avow/contract/json";
import type { ChangeClass, DetectedChange } from "../changes/change.ts";
import type { GoogleProvider, TcfContent, TcfVendor } from "@avow/contract/tcf";
import { toRestrictedVendors } from "@avow/contract/tcf-restrictions";

/** Declarations of a partner, with the class of an addition to each. */
const declarations: readonly [field: keyof TcfVendor, meaning: ChangeClass][] = [
  ["purposes", "new-purpose"],
  ["legIntPurposes", "new-purpose"],
  ["specialPurposes", "new-purpose"],
  ["specialFeatures", "new-purpose"],
  ["features", "new-purpose"],
  ["dataDeclaration", "more-data"],
];
const classesThatAsk = new Set<ChangeClass>([
  "new-vendor",
  "new-purpose",
  "more-data",
  "new-terms",
]);

/** Changes of the partners in the layout `iab`, and of their declarations. */
export function listTcfChanges(
  before: TcfContent | undefined,
  after: TcfContent | undefined,
): DetectedChange[] {
  const from = before ? toRestrictedVendors(before) : {};
  const to = after ? toRestrictedVendors(after) : {};
  const asks = before ? "again" : "first";
  const added = Object.entries(to).flatMap(([id, vendor]): DetectedChange[] => {
    const known = from[id];
    if (known)
      return listMore(known, vendor).map((kind): DetectedChange => ({
        ...toFound(id, vendor, `The partner “${vendor.name}” declares more`),
        class: kind,
        kind: "changed",
        asks,
      }));
    const found = toFound(id, vendor, `The partner “${vendor.name}” is new`);
    return [{ ...found, class: "new-vendor", kind: "new", asks }];
  });
  const removed = Object.entries(from).flatMap(([id, vendor]): DetectedChange[] => {
    if (to[id]) return [];
    const found = toFound(id, vendor, `The partner “${vendor.name}” was removed`);
    return [{ ...found, class: "removed-vendor", kind: "removed", asks: "nobody" }];
  });
  return [
    ...added,
    ...removed,
    ...listProviderChanges(before, after),
    ...listPolicyChange(before, after),
  ];
}

/** Changes of Google's providers, which declare nothing. */
function listProviderChanges(
  before: TcfContent | undefined,
  after: TcfContent | undefined,
): DetectedChange[] {
  const { googleProviders: from = [] } = before ?? {};
  const { googleProviders: to = [] } = after ?? {};
  return [
    ...to
      .filter((one) => !isIn(from, one))
      .map((one): DetectedChange => ({
        ...toProvider(one, `The partner “${one.name}” is new`),
        class: "new-vendor",
        kind: "new",
        asks: before ? "again" : "first",
      })),
    ...from
      .filter((one) => !isIn(to, one))
      .map((one): DetectedChange => ({
        ...toProvider(one, `The partner “${one.name}” was removed`),
        class: "removed-vendor",
        kind: "removed",
        asks: "nobody",
      })),
  ];
}

function isIn(all: readonly GoogleProvider[], { id }: GoogleProvider): boolean {
  return all.some((one) => one.id === id);
}

function toProvider(provider: GoogleProvider, sentence: string) {
  const id = String(provider.id);
  return { ...toFound(id, provider, sentence), path: `/widget/tcf/googleProviders/${id}` };
}

function toFound(id: string, { name }: Pick<TcfVendor, "name">, sentence: string) {
  return {
    path: `/widget/tcf/vendors/${id}`,
    item: { type: "partner", id, name },
    keys: [],
    meaning: { sentence, about: [name] },
  } as const satisfies Partial<DetectedChange>;
}

function listPolicyChange(
  before: TcfContent | undefined,
  after: TcfContent | undefined,
): DetectedChange[] {
  if (!before || !after || before.tcfPolicyVersion === after.tcfPolicyVersion) return [];
  return [
    {
      class: "new-terms",
      kind: "changed",
      asks: "again",
      path: "/widget/tcf/tcfPolicyVersion",
      keys: ["tcfPolicyVersion"],
      before: before.tcfPolicyVersion,
      after: after.tcfPolicyVersion,
      meaning: { sentence: "The version of the TCF policies changed", about: [] },
    },
  ];
}

function listMore(before: TcfVendor, after: TcfVendor): ChangeClass[] {
  const more = declarations.flatMap(([field, meaning]) => {
    const known = new Set<unknown>(readList(before[field]));
    return readList(after[field]).some((one) => !known.has(one)) ? [meaning] : [];
  });
  return [...new Set(more)];
}

/** As the TCF requires, the layout asks everybody again who has answered it. */
export function describeTcfAsksAgain(
  before: TcfContent | undefined,
  changes: readonly Pick<DetectedChange, "class">[],
): string[] {
  const count = changes.filter((change) => classesThatAsk.has(change.class)).length;
  if (!before || count === 0) return [];
  const what =
    count === 1 ? "1 partner is new or declares" : `${count} partners are new or declare`;
  return [`The layout iab asks everybody again: ${what} more.`];
}
