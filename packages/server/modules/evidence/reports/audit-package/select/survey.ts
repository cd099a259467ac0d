import { setTimeout as delay } from "node:timers/promises";
import type { DataDb } from "../../../../../platform/db/db.ts";
import { listShownTo } from "../../../../consents/records/selected.ts";
import { type EvidenceApp, type Prover, openProver } from "../../../proofs/prover.ts";
import { findLogSize } from "../../../log/placed.ts";
import { listUnsequenced } from "../../../log/store.ts";

/** A consent is in the log about a second after it was collected; one of an import may take longer. */
const WAIT_MS_MAX = 5_000;
const POLL_MS = 200;

/** Facts about the consents of an audit package, needed before its first byte is written. */
export interface Survey {
  /** All proofs are in its tree. */
  prover: Prover;
  /** Consents without a proof, since they are not in the log yet. */
  pending: ReadonlySet<string>;
  /** The published versions that were shown, and which of their configurations were answered. */
  shown: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Waits up to five seconds for the log, and fixes the tree of all proofs. */
export async function surveyConsents(
  app: EvidenceApp,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
  signal: AbortSignal,
): Promise<Survey> {
  const pending = new Set(await awaitPlaced(app.data, { projectId, ids }, signal));
  const shown = await findShown(app.data, projectId, ids);
  // Opened after the leaves were read, so that its tree contains them.
  const prover = await openProver(app);
  return { prover, pending, shown };
}

async function awaitPlaced(
  db: DataDb,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
  signal: AbortSignal,
): Promise<string[]> {
  const deadline = performance.now() + WAIT_MS_MAX;
  const filter = async (some: readonly string[]) =>
    listUnsequenced(db, { projectId, size: await findLogSize(db) }, some);
  let missing = await filter(ids);
  while (missing.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS, undefined, { signal });
    missing = await filter(missing);
  }
  return missing;
}

async function findShown(
  db: DataDb,
  projectId: string,
  ids: readonly string[],
): Promise<Map<number, Set<string>>> {
  const shown = new Map<number, Set<string>>();
  for (const { version, identifier } of await listShownTo(db, projectId, ids)) {
    if (version === null) continue;
    let identifiers = shown.get(version);
    if (!identifiers) shown.set(version, (identifiers = new Set()));
    identifiers.add(identifier);
  }
  return shown;
}
