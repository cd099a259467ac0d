import { readList } from "@avow/contract/json";
import type { ChangeClass, Found } from "../changes/change.ts";
import type { TcfContent, TcfVendor } from "@avow/contract/tcf";

/** What a partner declares, and what more of it means. */
const declared: readonly [field: keyof TcfVendor, meaning: ChangeClass][] = [
  ["purposes", "new-purpose"],
  ["legIntPurposes", "new-purpose"],
  ["specialPurposes", "new-purpose"],
  ["specialFeatures", "new-purpose"],
  ["features", "new-purpose"],
  ["dataDeclaration", "more-data"],
];
const asking = new Set<ChangeClass>(["new-vendor", "new-purpose", "more-data", "new-terms"]);

/** What changed for who is asked by the layout `iab`: the partners, and what each declares. */
export function listTcfChanges(
  before: TcfContent | undefined,
  after: TcfContent | undefined,
): Found[] {
  const [from, to] = [before?.vendors ?? {}, after?.vendors ?? {}];
  const asks = before ? "again" : "first";
  const come = Object.entries(to).flatMap(([id, vendor]): Found[] => {
    const known = from[id];
    if (known)
      return listMore(known, vendor).map((kind): Found => ({
        ...toFound(id, vendor, `The partner “${vendor.name}” declares more`),
        class: kind,
        kind: "changed",
        asks,
      }));
    const found = toFound(id, vendor, `The partner “${vendor.name}” is new`);
    return [{ ...found, class: "new-vendor", kind: "new", asks }];
  });
  const gone = Object.entries(from).flatMap(([id, vendor]): Found[] => {
    if (to[id]) return [];
    const found = toFound(id, vendor, `The partner “${vendor.name}” is gone`);
    return [{ ...found, class: "removed-vendor", kind: "removed", asks: "nobody" }];
  });
  return [...come, ...gone, ...listPolicyChange(before, after)];
}

function toFound(id: string, { name }: TcfVendor, sentence: string) {
  return {
    path: `/widget/tcf/vendors/${id}`,
    item: { type: "partner", id, name },
    keys: [],
    meaning: { sentence, about: [name] },
  } as const satisfies Partial<Found>;
}

function listPolicyChange(before: TcfContent | undefined, after: TcfContent | undefined): Found[] {
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
      meaning: { sentence: "The policies of the TCF are another version", about: [] },
    },
  ];
}

function listMore(before: TcfVendor, after: TcfVendor): ChangeClass[] {
  const more = declared.flatMap(([field, meaning]) => {
    const known = new Set<unknown>(readList(before[field]));
    return readList(after[field]).some((one) => !known.has(one)) ? [meaning] : [];
  });
  return [...new Set(more)];
}

/** For people: the layout asks everybody again who has answered it, as the TCF has it. */
export function describeTcfAsksAgain(
  before: TcfContent | undefined,
  changes: readonly Pick<Found, "class">[],
): string[] {
  const count = changes.filter((change) => asking.has(change.class)).length;
  if (!before || count === 0) return [];
  const what =
    count === 1 ? "1 partner is new or declares" : `${count} partners are new or declare`;
  return [`The layout iab asks everybody again: ${what} more.`];
}
