import type { ErasureReceipt, ProvenRecord } from "../formats/bundle.ts";
import type { Check, Context } from "./checks.ts";
import type { Json, JsonObject } from "../formats/json.ts";
import { isIncluded } from "./record-checks.ts";

const RECORD_VERSION = 1;
/** Fields that are the same in all entries of an erasure. */
const shared = ["erasureId", "projectId", "erasedAt", "reason", "orderedBy", "count", "parts"];

/** Checks that the entries belong to one erasure and are complete, and that the log contains them unchanged. */
export async function checkErasure(
  { says }: Context,
  { erasure }: ErasureReceipt,
): Promise<Check[]> {
  const [first] = erasure;
  const isOneTree = erasure.every(
    ({ proof }) => proof.checkpoint.source === first.proof.checkpoint.source,
  );
  const checks: Check[] = [{ name: "record", ...toErasure(erasure, says) }];
  for (const entry of erasure) {
    const { index, checkpoint } = entry.proof;
    const holds = await isIncluded(entry);
    const text = holds ? says.included(index, checkpoint.size) : says.notIncluded(index);
    checks.push({ name: "inclusion", holds, says: text });
  }
  if (!isOneTree) checks.push({ name: "tree", holds: false, says: says.erasureTrees });
  return checks;
}

/** The entries of an erasure as one record, with the leaves of all entries. */
export function toErasureRecord({ erasure }: ErasureReceipt): JsonObject {
  const [first] = erasure;
  return { ...first.record, leaves: erasure.flatMap(({ record }) => toLeaves(record) ?? []) };
}

function toErasure(erasure: ErasureReceipt["erasure"], says: Context["says"]): Omit<Check, "name"> {
  const [{ record: first }] = erasure;
  if (erasure.some(({ record }) => record["type"] !== "erasure"))
    return { holds: false, says: says.erasureType };
  if (erasure.some(({ record }) => record["v"] !== RECORD_VERSION))
    return { holds: false, says: says.recordVersion };
  const { projectId, count } = first;
  for (const name of ["erasureId", "projectId", "erasedAt"])
    if (textOf(first[name]) === "") return { holds: false, says: says.recordId(name) };
  const isWhole =
    first["parts"] === erasure.length &&
    erasure.every(({ record }, at) => record["part"] === at + 1 && hasSameFields(record, first));
  if (!isWhole) return { holds: false, says: says.erasureParts };
  const leaves = countLeaves(erasure);
  if (!isCount(count) || leaves === undefined || leaves > count)
    return { holds: false, says: says.erasureLeaves };
  return { holds: true, says: says.erasure(count, textOf(projectId), leaves) };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function hasSameFields(a: JsonObject, b: JsonObject): boolean {
  return shared.every((name) => {
    const [one, other] = [a[name], b[name]];
    return (one === null || typeof one !== "object") && one === other;
  });
}

/** The number of leaves; undefined unless they are ascending and before the entries. */
function countLeaves(erasure: readonly ProvenRecord[]): number | undefined {
  let count = 0;
  let last = -1;
  for (const { record, proof } of erasure) {
    const leaves = toLeaves(record);
    if (!leaves) return undefined;
    for (const leaf of leaves) {
      if (leaf <= last || leaf >= proof.index) return undefined;
      last = leaf;
    }
    count += leaves.length;
  }
  return count;
}

function toLeaves({ leaves }: JsonObject): number[] | undefined {
  if (!Array.isArray(leaves)) return undefined;
  const numbers = (leaves as readonly Json[]).filter(isCount);
  return numbers.length === leaves.length ? numbers : undefined;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
