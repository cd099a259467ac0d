import { isDeepStrictEqual } from "node:util";
import { type Operation, type Pointer, createPatch } from "rfc6902";

/**
 * Lists the changes from one body to another as RFC 6902 operations. Common items at both ends of arrays are
 * skipped, and the rest is compared index by index. This takes linear time, whereas the shortest result would
 * take the product of the lengths, which any user's documents could make expensive.
 */
export function diffBodies(before: unknown, after: unknown): Operation[] {
  return createPatch(before, after, (input: unknown, output: unknown, at: Pointer) =>
    Array.isArray(input) && Array.isArray(output) ? diffArrays(input, output, at) : undefined,
  );
}

function diffArrays(before: unknown[], after: unknown[], at: Pointer): Operation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end)))
    end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const common = Math.min(removed.length, added.length);
  const pathOf = (index: number) => at.add(String(index)).toString();
  const changed = added.slice(0, common).flatMap((value, index) =>
    diffBodies(removed[index], value).map((operation) => ({
      ...operation,
      path: pathOf(start + index) + operation.path,
    })),
  );
  const removals = removed
    .slice(common)
    .map(() => ({ op: "remove", path: pathOf(start + common) }) as const);
  const additions = added
    .slice(common)
    .map((value, index) => ({ op: "add", path: pathOf(start + common + index), value }) as const);
  return [...changed, ...removals, ...additions];
}
