import { type Scope, toActorName } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import { REMOVAL_QUEUE, type Removal } from "./storage/contents.ts";
import {
  deleteAsset,
  findPublicAsset,
  insertAsset,
  isOwnAsset,
  listPublicAssets,
  lockContent,
  lockOwnAsset,
  lockUser,
  sumUserBytes,
} from "./storage/store.ts";
import type { AssetRow } from "./storage/store.ts";
import type { Candidate } from "./storage/candidates.ts";

/** The part of the store that other modules may use. */
export { type AssetRow, listPublicAssets } from "./storage/store.ts";

/** A document that uses an asset. */
export interface Use {
  id: string;
  /** The document's title. */
  label: string;
  resource: string;
  /** Undefined unless it belongs to a project. */
  projectId: string | undefined;
}

/**
 * Finds the documents that name an asset and that the scope may see; injected, since documents belong to the vault. Other
 * documents do not count: otherwise any user could block the deletion of someone else's file by naming its id.
 */
export type FindUses = (db: Db | Tx, scope: Scope, assetId: string) => Promise<Use[]>;

/** Any user's asset. @throws Fault not-found */
export async function getAsset(db: Db | Tx, id: string): Promise<AssetRow> {
  const asset = await findPublicAsset(db, id);
  if (!asset) throw toMissing(id);
  return asset;
}

/**
 * The documents that name an asset owned by the scope, and that it may see; at most 20.
 * @throws Fault not-found
 */
export async function listUses(
  { db, findUses }: { db: Db; findUses: FindUses },
  scope: Scope,
  id: string,
): Promise<Use[]> {
  if (!(await isOwnAsset(db, scope, id))) throw toMissing(id);
  return findUses(db, scope, id);
}

/**
 * Limits the storage of one user, since anyone may be able to sign up.
 * @throws Fault impossible when `bytes` more exceed the limit
 */
export async function assertUserLimit(
  db: Db | Tx,
  { user, bytes, bytesMax }: { user: string; bytes: number; bytesMax: number },
): Promise<void> {
  const stored = await sumUserBytes(db, user);
  if (stored < bytesMax && stored + bytes <= bytesMax) return;
  throw new Fault(
    "impossible",
    `Your files would exceed the limit of ${bytesMax} bytes; ${stored} are in use. Delete files that nothing uses.`,
  );
}

/**
 * Creates an asset of each file, owned by the caller; their contents are already locked and in storage. Records an event
 * for each.
 * @throws Fault impossible when the caller exceeds the limit
 */
export async function createAssets(
  ctx: Ctx,
  { userBytesMax: bytesMax }: { userBytesMax: number },
  files: readonly Candidate[],
): Promise<{ asset: AssetRow; file: Candidate }[]> {
  const user = toActorName(ctx.actor);
  const bytes = files.reduce((sum, { inspected }) => sum + inspected.size, 0);
  await lockUser(ctx.tx, user);
  await assertUserLimit(ctx.tx, { user, bytes, bytesMax });
  const made = files.map((file) => ({ asset: toRow(ctx, file), file }));
  for (const { asset } of made) {
    await insertAsset(ctx.tx, asset);
    const { id, sha256, type, size } = asset;
    await recordEvent(ctx, {
      name: "asset.created",
      documentId: id,
      data: { sha256, type, size },
    });
  }
  return made;
}

function toRow(ctx: Ctx, { name, reportedType, inspected }: Candidate): AssetRow {
  return {
    id: newDocumentId(ctx.now),
    sha256: inspected.sha256,
    original_name: name,
    type: inspected.type,
    reported_type: reportedType,
    size: inspected.size,
    width: inspected.width ?? null,
    height: inspected.height ?? null,
    pages: inspected.pages ?? null,
    dominant_color: inspected.dominantColor ?? null,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
  };
}

/**
 * Deletes an asset of the caller; a job removes its content from storage unless another asset has it. Published copies stay,
 * under the project's own addresses.
 * @throws Fault not-found; conflict, naming the documents that use it
 */
export async function removeAsset(
  ctx: Ctx,
  app: { jobs: Pick<Jobs, "sendJob">; findUses: FindUses },
  id: string,
): Promise<null> {
  const asset = await lockOwnAsset(ctx.tx, ctx.scope, id);
  if (!asset) throw toMissing(id);
  assertUnused(await app.findUses(ctx.tx, ctx.scope, id));
  await deleteAsset(ctx.tx, id);
  const { sha256, type } = asset;
  const data: Removal = { sha256, type };
  await app.jobs.sendJob(ctx.tx, { queue: REMOVAL_QUEUE, data });
  await recordEvent(ctx, { name: "asset.deleted", documentId: id, data: { ...data } });
  return null;
}

/** Copies files to another user, whose contents stay the same. Returns the ids of the copies by those of the files. */
export async function copyAssets(
  ctx: Ctx,
  ids: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, string>> {
  const files = await listPublicAssets(ctx.tx, ids);
  const copies = new Map<string, string>();
  const ordered = files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  // Locked before they are read again, so that a removal of the content does not take it away.
  for (const { sha256 } of ordered) await lockContent(ctx.tx, sha256);
  for (const file of await listPublicAssets(ctx.tx, ids)) {
    const id = newDocumentId(ctx.now);
    await insertAsset(ctx.tx, { ...file, id, created_at: ctx.now, created_by: userId });
    await recordEvent(ctx, {
      name: "asset.created",
      documentId: id,
      data: { sha256: file.sha256, type: file.type, size: file.size },
    });
    copies.set(file.id, id);
  }
  return copies;
}

function assertUnused(uses: readonly Use[]): void {
  if (uses.length === 0) return;
  const named = uses.map(({ resource, label, id }) => `${label} (${resource}/${id})`);
  throw new Fault("conflict", `The file is used by ${named.join(", ")}. Remove it there first.`);
}

function toMissing(id: string): Fault {
  return new Fault("not-found", `There is no asset ${id.slice(0, 24)} that you may see.`);
}
