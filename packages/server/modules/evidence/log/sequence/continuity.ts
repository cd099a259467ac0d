import type { DataTx } from "../../../../platform/db/db.ts";
import { type Continuity, type HeadRow, findHead, readContinuity } from "../store.ts";
import { rootOf } from "../tree/merkle.ts";
import { readEdge } from "./extend.ts";

/** Whether third parties know the tree: nobody contradicts, nobody answered, or it lacks entries that they have seen. */
export type TreeConfirmation =
  | { kind: "confirmed" }
  | { kind: "unknown" }
  | { kind: "contradicted"; reason: string };

/** Asks third parties about the latest tree. */
export type ConfirmTree = (head: HeadRow, signal: AbortSignal) => Promise<TreeConfirmation>;

/** The latest tree that this process saw. */
export interface KnownTree {
  size: number;
  /** In base64, as in its checkpoint. */
  root: string;
  timeline: string | null;
}

/** The log must not be signed: the database lacks entries of a tree that was signed. */
export class StoppedLogError extends Error {
  override name = "StoppedLogError";
}

/** The root in a checkpoint (C2SP tlog-checkpoint: origin, size, root). */
export function toKnownTree(head: HeadRow, timeline: string | null): KnownTree {
  return { size: head.size, root: head.checkpoint.split("\n", 3)[2] ?? "", timeline };
}

/**
 * Reads the latest tree and asserts that it extends the one that this process knows. A failover to a standby that was
 * behind, or a restored backup, may have lost its last entries: signing another tree in their place would fork the log.
 * @throws StoppedLogError if it does not, or if another node found so
 */
export async function findContinuedHead(
  tx: DataTx,
  known: KnownTree | undefined,
): Promise<{ head: HeadRow | undefined; continuity: Continuity }> {
  const head = await findHead(tx);
  const continuity = await readContinuity(tx);
  if (continuity.stoppedReason !== null) throw new StoppedLogError(continuity.stoppedReason);
  if (!known) return { head, continuity };
  const size = head?.size ?? 0;
  if (size < known.size)
    throw new StoppedLogError(`The log has ${size} entries, but had ${known.size}.`);
  if (head && (await findRoot(tx, { head, known, timeline: continuity.timeline })) !== known.root)
    throw new StoppedLogError(`The first ${known.size} entries of the log are not those it had.`);
  return { head, continuity };
}

/** The root of the known size in the latest tree; computed only after the timeline changed, since it reads tiles. */
async function findRoot(
  tx: DataTx,
  { head, known, timeline }: { head: HeadRow; known: KnownTree; timeline: string | null },
): Promise<string> {
  if (head.size === known.size) return toKnownTree(head, timeline).root;
  if (timeline === known.timeline) return known.root;
  return Buffer.from(rootOf(await readEdge(tx, known.size))).toString("base64");
}
