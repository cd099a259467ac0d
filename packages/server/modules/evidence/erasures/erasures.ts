import type { Scope } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
import { documentIdPattern, newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import { eraseTokenRecords } from "../../consents/erase/erasing.ts";
import type { Forget } from "../../consents/ports.ts";
import { assertReadable } from "../../consents/commitments/recorded.ts";
import { getHeadWith, toPending } from "../log/heads.ts";
import { toProver } from "../proofs/prover.ts";
import { deleteSalts, listDocumentsBefore, sumErasures } from "./erasures-store.ts";
import type { JsonObject } from "@avow/contract/json";
import type { ErasureOut, ErasureReceiptOut } from "../log/schema.ts";
import { findDocument, insertDocument } from "../log/store.ts";

/** Maximum leaves of one log entry; a larger erasure has several entries. */
const LEAVES_MAX = 4_000;
/** Maximum entries of an erasure, so that one receipt contains them all. Beyond it, entries exceed `LEAVES_MAX`. */
const PARTS_MAX = 250;
const PREFIX = "erasure/";
/** Sorts after every name with that prefix. */
const PREFIX_END = "erasure0";
const PART_PREFIX = "erasure-part/";

/** Maximum erasures that `countErased` sums. */
export const ERASURES_SUMMED_MAX = 10_000;

/** An erasure: the fields that each of its log entries has. */
export interface Erasure {
  erasureId: string;
  projectId: string;
  erasedAt: string;
  /** `request`: of a user or an API client; `retention`: the retention period ended. */
  reason: ErasureOut["reason"];
  /** The user who requested it; null for the retention schedule. */
  orderedBy: string | null;
  /** Number of erased records. */
  count: number;
}

/** Deletes salts, and collects the leaves of their commitments. */
export interface SaltEraser {
  forget: Forget;
  leaves: number[];
}

export function openSaltEraser(): SaltEraser {
  const leaves: number[] = [];
  const forget: Forget = async (tx, projectId, ids) => {
    // No spread: a token may have more records than a call may have arguments.
    for (const leaf of await deleteSalts(tx, projectId, ids)) leaves.push(leaf);
  };
  return { forget, leaves };
}

/**
 * Permanently erases a person's data: all records and states of a token, and the salts of its records. The log keeps
 * their commitments, which reveal nothing without the salts, and gets an entry about the erasure.
 * @throws Fault as `eraseTokenRecords`
 */
export async function eraseToken(
  ctx: DataCtx,
  of: {
    projectId: string;
    token: string;
    /** The user who proposed it to the caller, where a second person confirms. */
    proposedBy?: string;
  },
): Promise<Erasure> {
  const { forget, leaves } = openSaltEraser();
  const count = await eraseTokenRecords(ctx, of, forget);
  const { actor } = ctx;
  const orderedBy = actor.kind === "user" ? actor.userId : null;
  const { projectId, proposedBy } = of;
  const erasure = { projectId, reason: "request", orderedBy, count, leaves } as const;
  return commitErasure(ctx, erasure, proposedBy);
}

/** Records an erasure in the log and the audit trail, in its transaction, without personal data. */
export async function commitErasure(
  ctx: DataCtx,
  of: Pick<Erasure, "projectId" | "reason" | "orderedBy" | "count"> & { leaves: readonly number[] },
  proposedBy?: string,
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
  const data = { reason, count, ...(proposedBy === undefined ? {} : { proposedBy }) };
  await noteEvent(ctx, { name: "consent.erased", projectId, documentId: erasureId, data });
  return erasure;
}

/** The document name of a part of an erasure. The names of first parts sort by time. */
function toName(erasureId: string, part: number): string {
  return part === 1 ? `${PREFIX}${erasureId}` : `${PART_PREFIX}${erasureId}/${part}`;
}

/** A project's erasures, the newest first. Throws `Fault` (not-found, forbidden, invalid). */
export async function listErasures(
  { db, data }: Planes,
  scope: Scope,
  { projectId, limit, cursor }: { projectId: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<Erasure>> {
  await assertReadable(db, scope, projectId);
  const [id] = parseCursor(cursor, 1) ?? [];
  const before = id === undefined ? PREFIX_END : PREFIX + id;
  const rows = await listDocumentsBefore(data, { projectId, from: PREFIX, before }, limit + 1);
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
 * The receipt of an erasure: all its entries, proven in one signed tree.
 * @throws Fault not-found, forbidden; Pending until the erasure is in the log
 */
export async function getErasureReceipt(
  { db, data }: Planes,
  scope: Scope,
  { projectId, id }: { projectId: string; id: string },
): Promise<ErasureReceiptOut> {
  await assertReadable(db, scope, projectId);
  const none = new Fault("not-found", `The project has no erasure ${id}.`);
  if (!documentIdPattern.test(id)) throw none;
  const first = await findDocument(data, projectId, toName(id, 1));
  if (!first) throw none;
  const names = Array.from({ length: Number(first.document["parts"]) }, (_, at) =>
    toName(id, at + 1),
  );
  const rows = [];
  for (const name of names) rows.push(await findDocument(data, projectId, name));
  // Read after the entries, so that the tree contains all that have a leaf.
  const head = await getHeadWith(data, Math.max(...rows.map((row) => row?.leaf ?? Infinity)));
  const prove = toProver(data, head);
  const erasure = [];
  for (const row of rows) {
    if (!row?.salt || row.leaf === null) throw toPending("The erasure");
    erasure.push(await prove(row.document, { leaf: row.leaf, salt: row.salt }));
  }
  return {
    format: "avow-erasure-receipt/v1",
    origin: head.origin,
    keys: head.keys,
    erasure,
  };
}

/** Counts the last `ERASURES_SUMMED_MAX` erasures of a project, and their records. */
export async function countErased(
  db: DataDb,
  projectId: string,
): Promise<{ erasures: number; records: number }> {
  return sumErasures(db, { projectId, from: PREFIX, before: PREFIX_END }, ERASURES_SUMMED_MAX);
}
