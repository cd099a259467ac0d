import { areEqual } from "../formats/bytes.ts";
import { type ConsistencyProof, headOf } from "../formats/bundle.ts";
import type { Check, Context } from "./checks.ts";
import { type Head, verifyConsistency } from "../tree/consistency.ts";

/**
 * That all trees at hand are of one log: the bundle's, the publication's, and the one that was kept.
 * Every proof in the bundle is looked at, since what nobody looks at could be changed by anybody.
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

/** Whether the one tree begins with the other. */
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
  // Every tree begins with the empty one, and there is nothing to prove it by.
  if (!proof && from.size > 0) {
    const { projectId } = headOf(bundle).record;
    const id = typeof projectId === "string" ? projectId : "";
    return { holds: null, says: says.consistencyMissing(from.size, to.size, id) };
  }
  const holds = await verifyConsistency(from, to, proof?.path ?? []);
  const say = holds ? says.consistent : says.inconsistent;
  return { holds, says: say(from.size, to.size) };
}

/** What is to be told of a proof by itself: that it is wrong, or that it was of no use. */
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
