import type { Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { Fault } from "../../platform/errors.ts";
import type { AssetsApp } from "./app.ts";
import type { Candidate, UploadedFile } from "./storage/candidates.ts";
import { REMOVAL_QUEUE, putContent } from "./storage/contents.ts";
import type { Upload } from "./storage/spool.ts";
import { lockContent } from "./storage/store.ts";

/** Files of one upload that are inspected concurrently, so that a few users cannot fill the queue. */
const AT_ONCE = 2;

/**
 * Inspects every file.
 * @throws Fault unsupported-type, impossible, busy: if one is rejected, none is accepted
 */
export async function inspectFiles(
  app: Pick<AssetsApp, "pictures">,
  { user, upload }: { user: string; upload: Upload },
  files: readonly UploadedFile[],
): Promise<Candidate[]> {
  const client = { kind: "owner", keys: [user] } as const;
  const look = async ({ name, reportedType, path }: UploadedFile): Promise<Candidate> => {
    const out = upload.newPath();
    const task = { kind: "inspect", path, out } as const;
    const inspected = await app.pictures.run(task, client).catch((error: unknown) => {
      throw files.length > 1 ? toNamed(error, name) : error;
    });
    return { name, reportedType, path: inspected.isRewritten ? out : path, inspected };
  };
  const candidates: Candidate[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const looks = files.slice(at, at + AT_ONCE).map(look);
    // Waits for all, so that none still writes when the upload's files are removed.
    await Promise.allSettled(looks);
    candidates.push(...(await Promise.all(looks)));
  }
  return candidates;
}

/** Adds the name of the rejected file, if there are several. */
function toNamed(error: unknown, name: string): unknown {
  if (!(error instanceof Fault) || error.kind === "busy") return error;
  return new Fault(error.kind, `${name.slice(0, 100)}: ${error.message}`, { cause: error.cause });
}

/**
 * Stores the contents of files. `undo` enqueues a job that removes the contents without an asset, so that it also works
 * while the storage fails.
 */
export async function storeContents(
  app: Pick<AssetsApp, "db" | "jobs" | "objects">,
  files: readonly Candidate[],
): Promise<{ undo: () => Promise<void> }> {
  const undo = (): Promise<void> =>
    inTransaction(app.db, async (tx) => {
      for (const { inspected } of files) {
        const { sha256, type } = inspected;
        await app.jobs.sendJob(tx, { queue: REMOVAL_QUEUE, data: { sha256, type } });
      }
    });
  try {
    for (const file of files) await putContent(app.objects, toContent(file));
  } catch (error) {
    await undo();
    throw error;
  }
  return { undo };
}

/** Locks contents in storage until the transaction ends, and stores those again that were removed in the meantime. */
export async function lockContents(
  tx: Tx,
  app: Pick<AssetsApp, "objects">,
  files: readonly Candidate[],
): Promise<void> {
  const hashes = new Set(files.map(({ inspected }) => inspected.sha256));
  for (const sha256 of [...hashes].toSorted()) await lockContent(tx, sha256);
  for (const file of files) await putContent(app.objects, toContent(file));
}

function toContent({ path, inspected }: Candidate) {
  const { sha256, type, size } = inspected;
  return { path, sha256, type, size };
}
