import type { Scope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { uuidPattern } from "../../../kernel/ids.ts";
import { assertProject, findReadable } from "../../consents/commitments/recorded.ts";
import { proveConsistency } from "../log/tree/paths.ts";
import { getHeadWith, toWaitingFault } from "../log/heads.ts";
import { type EvidenceApp, openProver, openTiles } from "./prover.ts";
import { findPublication } from "../log/sequence/publications.ts";
import type { ConsistencyOut, ProofBundleOut } from "../log/schema.ts";
import { listQueuedProjects, listSalts } from "../log/store.ts";

/**
 * The proof of a consent: its record and salt, its place in the signed tree, and the published version
 * that was shown with its own. What was changed since is told as it is now: then it proves nothing.
 * @throws Fault not-found for an id that the caller may not see; busy while it waits for the log
 */
export async function getProofBundle(
  app: EvidenceApp,
  consentId: string,
  caller: { scope: Scope; token: string | undefined },
): Promise<ProofBundleOut> {
  const none = new Fault("not-found", "There is no such consent that you may see.");
  if (!uuidPattern.test(consentId)) throw none;
  const salts = await listSalts(app.db, consentId);
  const projectIds = salts.map((row) => row.project_id);
  const row = await findReadable(app.db, { projectIds, id: consentId }, caller);
  const place = salts.find((one) => one.project_id === row?.project_id);
  if (!row || !place) {
    const toldOf = await listQueuedProjects(app.db, consentId);
    if (!(await findReadable(app.db, { projectIds: toldOf, id: consentId }, caller))) throw none;
    throw toWaitingFault("The consent");
  }
  const { project_id: projectId, version } = row;
  const shown = version === null ? place : await findPublication(app.db, { projectId, version });
  // A publication that waits for its own place is told by the prover.
  const prover = await openProver(app, Math.max(place.leaf, shown?.leaf ?? Infinity));
  return prover.prove(row, place).catch(async (error: unknown) => {
    // What it is told with may have been erased with it, after it was read.
    if (!(await findReadable(app.db, { projectIds, id: consentId }, caller))) throw none;
    throw error;
  });
}

/**
 * Proves that nothing that the tree of `from` leaves held was changed in that of `to` leaves: of the
 * one log that the commitments of every project are in.
 * @throws Fault not-found without the project; invalid for sizes that the log has not reached
 */
export async function getConsistency(
  db: Db,
  asked: { projectId: string; from: number; to?: number | undefined },
): Promise<ConsistencyOut> {
  await assertProject(db, asked.projectId);
  const head = await getHeadWith(db, Infinity);
  const { from, to = head.size } = asked;
  if (to > head.size || from > to) {
    const message = `has to be at most ${to > head.size ? head.size : to}`;
    const path = to > head.size ? "?to" : "?from";
    throw new Fault("invalid", `${path} ${message}.`, { faults: [{ path, message }] });
  }
  const proof = await proveConsistency({ size: to, readTile: openTiles(db) }, from);
  return {
    origin: head.origin,
    from,
    to,
    proof,
    checkpoint: head.checkpoint,
  };
}
