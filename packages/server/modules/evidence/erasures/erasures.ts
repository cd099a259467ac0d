import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { documentIdPattern, newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import { eraseTokenRecords } from "../../consents/erase/erasing.ts";
import type { Forget } from "../../consents/ports.ts";
import { assertReadable } from "../../consents/commitments/recorded.ts";
import { getHeadWith, toWaitingFault } from "../log/heads.ts";
import { toProver } from "../proofs/prover.ts";
import { deleteSalts, listDocumentsBefore, sumErasures } from "./erasures-store.ts";
import type { JsonObject } from "@avow/contract/json";
import type { ErasureOut, ErasureReceiptOut } from "../log/schema.ts";
import { findDocument, insertDocument } from "../log/store.ts";

/** One entry of the log names so many leaves; an erasure of more has several. */
const LEAVES_MAX = 4_000;
/** … but no more than this: then they are longer, so that one receipt has them all. */
const PARTS_MAX = 250;
const PREFIX = "erasure/";
/** What comes after every name with that prefix, and that of further parts. */
const PREFIX_END = "erasure0";
const PART_PREFIX = "erasure-part/";

/** Erasures that are summed up at most. */
export const ERASURES_SUMMED_MAX = 10_000;

/** An erasure, as every one of its entries in the log tells it. */
export interface Erasure {
  erasureId: string;
  projectId: string;
  erasedAt: string;
  /** Somebody asked for it, or the time for which proofs are kept was over. */
  reason: ErasureOut["reason"];
  /** The user who did; null where it was the schedule. */
  orderedBy: string | null;
  /** Records that were erased. */
  count: number;
}

/** An erasure under way: what takes salts away, and remembers where the leaves stand. */
export interface Salts {
  forget: Forget;
  leaves: number[];
}

export function openSalts(): Salts {
  const leaves: number[] = [];
  const forget: Forget = async (tx, projectId, ids) => {
    // No spread: a token may have more records than a call has arguments.
    for (const leaf of await deleteSalts(tx, projectId, ids)) leaves.push(leaf);
  };
  return { forget, leaves };
}

/**
 * Erases a person's data for good: all that is kept of a token, and what its records were salted with.
 * What the log committed to stays, and tells nothing any more; the log is told of the erasure.
 * @throws Fault as `eraseTokenRecords`
 */
export async function eraseToken(
  ctx: Ctx,
  of: { projectId: string; token: string },
): Promise<Erasure> {
  const { forget, leaves } = openSalts();
  const count = await eraseTokenRecords(ctx, of, forget);
  const { actor } = ctx;
  const orderedBy = actor.kind === "user" ? actor.userId : null;
  const { projectId } = of;
  return commitErasure(ctx, { projectId, reason: "request", orderedBy, count, leaves });
}

/** Tells the log, and the audit trail, of an erasure, in its transaction; nothing of who was erased. */
export async function commitErasure(
  ctx: Ctx,
  of: Pick<Erasure, "projectId" | "reason" | "orderedBy" | "count"> & { leaves: readonly number[] },
): Promise<Erasure> {
  const { projectId, reason, orderedBy, count } = of;
  const erasureId = newDocumentId(ctx.now);
  const erasedAt = ctx.now.toISOString();
  const erasure: Erasure = { erasureId, projectId, erasedAt, reason, orderedBy, count };
  const leaves = of.leaves.toSorted((a, b) => a - b);
  const size = Math.max(LEAVES_MAX, Math.ceil(leaves.length / PARTS_MAX));
  const parts = Math.max(1, Math.ceil(leaves.length / size));
  for (let part = 1; part <= parts; part += 1) {
    const own = leaves.slice((part - 1) * size, part * size);
    const document = { type: "erasure", v: 1, ...erasure, part, parts, leaves: own };
    await insertDocument(ctx.tx, { projectId, name: toName(erasureId, part), document });
  }
  const data = { reason, count };
  await recordEvent(ctx, { name: "consent.erased", projectId, documentId: erasureId, data });
  return erasure;
}

/** What a part of an erasure is called in its project: the first ones of all stand in the order of time. */
function toName(erasureId: string, part: number): string {
  return part === 1 ? `${PREFIX}${erasureId}` : `${PART_PREFIX}${erasureId}/${part}`;
}

/** A project's erasures, the newest first. Throws `Fault` (not-found, forbidden, invalid). */
export async function listErasures(
  db: Db,
  scope: Scope,
  { projectId, limit, cursor }: { projectId: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<Erasure>> {
  await assertReadable(db, scope, projectId);
  const [id] = parseCursor(cursor, 1) ?? [];
  const before = id === undefined ? PREFIX_END : PREFIX + id;
  const rows = await listDocumentsBefore(db, { projectId, from: PREFIX, before }, limit + 1);
  return toCursorPage(rows.map(toErasure), limit, {
    keyOf: ({ erasureId }) => [erasureId],
    toItem: (erasure) => erasure,
  });
}

function toErasure({ document }: { document: JsonObject }): Erasure {
  const { erasureId, projectId, erasedAt, reason, orderedBy, count } = document as JsonObject &
    Erasure;
  return { erasureId, projectId, erasedAt, reason, orderedBy, count };
}

/**
 * The receipt of an erasure: all its entries, with their places in one signed tree.
 * @throws Fault not-found, forbidden; busy while it waits for the log
 */
export async function getErasureReceipt(
  db: Db,
  scope: Scope,
  { projectId, id }: { projectId: string; id: string },
): Promise<ErasureReceiptOut> {
  await assertReadable(db, scope, projectId);
  const none = new Fault("not-found", `The project has no erasure ${id}.`);
  if (!documentIdPattern.test(id)) throw none;
  const first = await findDocument(db, projectId, toName(id, 1));
  if (!first) throw none;
  const names = Array.from({ length: Number(first.document["parts"]) }, (_, at) =>
    toName(id, at + 1),
  );
  const rows = [];
  for (const name of names) rows.push(await findDocument(db, projectId, name));
  // After the entries: the tree has all that have their places.
  const head = await getHeadWith(db, Math.max(...rows.map((row) => row?.leaf ?? Infinity)));
  const prove = toProver(db, head);
  const erasure = [];
  for (const row of rows) {
    if (!row?.salt || row.leaf === null) throw toWaitingFault("The erasure");
    erasure.push(await prove(row.document, { leaf: row.leaf, salt: row.salt }));
  }
  return {
    format: "avow-erasure-receipt/v1",
    origin: head.origin,
    keys: head.keys,
    erasure,
  };
}

/** How many erasures there were in a project, of how many records: the last `ERASURES_SUMMED_MAX` of them. */
export async function countErased(
  db: Db,
  projectId: string,
): Promise<{ erasures: number; records: number }> {
  return sumErasures(db, { projectId, from: PREFIX, before: PREFIX_END }, ERASURES_SUMMED_MAX);
}
