import type { Change, ChangeClass } from "./changes.ts";
import type { TcfContent, TcfVendor } from "./tcf-schema.ts";

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
): Change[] {
  const [from, to] = [before?.vendors ?? {}, after?.vendors ?? {}];
  const come = Object.entries(to).flatMap(([id, vendor]): Change[] => {
    const path = `/widget/tcf/vendors/${id}`;
    const known = from[id];
    const message = `The partner “${vendor.name}” is new.`;
    const about = [vendor.name];
    if (!known) return [{ class: "new-vendor", path, message, about }];
    return listMore(known, vendor).map((kind) => ({
      class: kind,
      path,
      message: `The partner “${vendor.name}” declares more.`,
      about,
    }));
  });
  const gone = Object.entries(from).flatMap(([id, { name }]): Change[] => {
    const path = `/widget/tcf/vendors/${id}`;
    return to[id]
      ? []
      : [
          {
            class: "removed-vendor",
            path,
            message: `The partner “${name}” is gone.`,
            about: [name],
          },
        ];
  });
  const isOtherPolicy = before && after && before.tcfPolicyVersion !== after.tcfPolicyVersion;
  const path = "/widget/tcf/tcfPolicyVersion";
  const message = "The policies of the TCF are another version.";
  return [
    ...come,
    ...gone,
    ...(isOtherPolicy ? [{ class: "new-terms", path, message, about: [] } satisfies Change] : []),
  ];
}

function listMore(before: TcfVendor, after: TcfVendor): ChangeClass[] {
  const more = declared.flatMap(([field, meaning]) => {
    const known = new Set<unknown>(listOf(before[field]));
    return listOf(after[field]).some((one) => !known.has(one)) ? [meaning] : [];
  });
  return [...new Set(more)];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** For people: the layout asks everybody again who has answered it, as the TCF has it. */
export function sayTcfAsksAgain(
  before: TcfContent | undefined,
  changes: readonly Change[],
): string[] {
  const count = changes.filter((change) => asking.has(change.class)).length;
  if (!before || count === 0) return [];
  const what =
    count === 1 ? "1 partner is new or declares" : `${count} partners are new or declare`;
  return [`The layout iab asks everybody again: ${what} more.`];
}
