import type { Scope } from "../../../kernel/actor.ts";
import type { Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { uuidPattern } from "../../../kernel/ids.ts";
import { assertProject, findReadable } from "../../consents/commitments/recorded.ts";
import { proveConsistency } from "../log/tree/paths.ts";
import { getHeadWith, toPending } from "../log/heads.ts";
import { type EvidenceApp, openProver, openTiles } from "./prover.ts";
import { findPublication } from "../log/sequence/publications.ts";
import type { ConsistencyOut, ProofBundleOut } from "../log/schema.ts";
import { listQueuedProjects, listSalts } from "../log/store.ts";

/** A user with their rights, or a visitor with their token. */
export interface Caller {
  scope: Scope;
  token: string | undefined;
}

/**
 * The proof bundle of a consent: its record, salt and inclusion proof, and the same of the published version that was
 * shown. Records are read as they are now: if one was tampered with, its proof does not verify.
 * @throws Fault not-found for an id that the caller may not read; Pending until the consent is in the log
 */
export async function getProofBundle(
  app: EvidenceApp,
  consentId: string,
  caller: Caller,
): Promise<ProofBundleOut> {
  const none = new Fault("not-found", "The consent does not exist, or you may not read it.");
  if (!uuidPattern.test(consentId)) throw none;
  const salts = await listSalts(app.data, consentId);
  const projectIds = salts.map((row) => row.project_id);
  const row = await findReadable(app, { projectIds, id: consentId }, caller);
  const place = salts.find((one) => one.project_id === row?.project_id);
  if (!row || !place) {
    const queuedIn = await listQueuedProjects(app.data, consentId);
    if (!(await findReadable(app, { projectIds: queuedIn, id: consentId }, caller))) throw none;
    throw toPending("The consent");
  }
  const { project_id: projectId, version } = row;
  const shown = version === null ? place : await findPublication(app.data, { projectId, version });
  // The prover throws if the publication is not sequenced yet.
  const prover = await openProver(app, Math.max(place.leaf, shown?.leaf ?? Infinity));
  // A bucket assigns leaves before the tree has them.
  if (place.leaf >= prover.head.size) throw toPending("The consent");
  return prover.prove(row, place).catch(async (error: unknown) => {
    // The facts of the record may have been erased with it, after it was read.
    if (!(await findReadable(app, { projectIds, id: consentId }, caller))) throw none;
    throw error;
  });
}

/**
 * Proves that the tree of `to` leaves extends the tree of `from` leaves. One log has the commitments of every
 * project.
 * @throws Fault not-found if the project does not exist; invalid for sizes that the log has not reached; Pending before
 * the first tree
 */
export async function getConsistency(
  { db, data }: Planes,
  query: { projectId: string; from: number; to?: number | undefined },
): Promise<ConsistencyOut> {
  await assertProject(db, query.projectId);
  const head = await getHeadWith(data, Infinity);
  const { from, to = head.size } = query;
  if (to > head.size || from > to) {
    const message = `must be at most ${to > head.size ? head.size : to}`;
    const path = to > head.size ? "?to" : "?from";
    throw new Fault("invalid", `${path} ${message}.`, { faults: [{ path, message }] });
  }
  const proof = await proveConsistency({ size: to, readTile: openTiles(data) }, from);
  return {
    origin: head.origin,
    from,
    to,
    proof,
    checkpoint: head.checkpoint,
  };
}
