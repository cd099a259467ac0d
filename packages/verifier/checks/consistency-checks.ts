import { areEqual } from "../formats/bytes.ts";
import { type ConsistencyProof, headOf } from "../formats/bundle.ts";
import type { Check, Context } from "./checks.ts";
import { type Head, verifyConsistency } from "../tree/consistency.ts";

/**
 * Checks that all trees are of one log: the bundle's, the publication's, and the saved one. Every proof in the bundle
 * is checked, because an unchecked one could be changed unnoticed.
 */
export async function checkConsistency(context: Context): Promise<Check[]> {
  const { bundle, kept } = context;
  const publication = bundle.kind === "consent" ? bundle.publication : null;
  const head = headOf(bundle).proof.checkpoint;
  const others = [
    ...(publication && publication.proof.checkpoint.source !== head.source
      ? [{ name: "publication-consistency", other: publication.proof.checkpoint }]
      : []),
    ...(kept ? [{ name: "consistency", other: kept }] : []),
  ];
  const heads = [head, ...others.map(({ other }) => other)];
  const checks: Check[] = [];
  for (const { name, other } of others) {
    const [from, to] = other.size <= head.size ? [other, head] : [head, other];
    checks.push({ name, ...(await relate(context, from, to)) });
  }
  for (const proof of [...bundle.consistency, ...context.consistency]) {
    const found = await checkProof(context, heads, proof);
    if (found && checks.every((check) => check.says !== found.says)) checks.push(found);
  }
  return checks;
}

/** Checks that `to` extends `from`. */
async function relate(
  { bundle, consistency, says }: Context,
  from: Head,
  to: Head,
): Promise<Omit<Check, "name">> {
  if (from.size === to.size) {
    const holds = areEqual(from.root, to.root);
    return { holds, says: holds ? says.same : says.inconsistentSame(from.size) };
  }
  const proof = [...bundle.consistency, ...consistency].find(
    (item) => item.from === from.size && item.to === to.size,
  );
  // Every tree extends the empty one, without a proof.
  if (!proof && from.size > 0) {
    const { projectId } = headOf(bundle).record;
    const id = typeof projectId === "string" ? projectId : "";
    return { holds: null, says: says.consistencyMissing(from.size, to.size, id) };
  }
  const holds = await verifyConsistency(from, to, proof?.path ?? []);
  const toText = holds ? says.consistent : says.inconsistent;
  return { holds, says: toText(from.size, to.size) };
}

/** The check of a proof by itself, if it is invalid or could not be checked. */
async function checkProof(
  { says }: Context,
  heads: readonly Head[],
  { from, to, path }: ConsistencyProof,
): Promise<Check | undefined> {
  const name = "consistency-proof";
  const [first, second] = [from, to].map((size) => heads.find((head) => head.size === size));
  if (!first || !second) return { name, holds: null, says: says.consistencyUnused(from, to) };
  if (await verifyConsistency(first, second, path)) return undefined;
  return { name, holds: false, says: says.inconsistent(from, to) };
}
