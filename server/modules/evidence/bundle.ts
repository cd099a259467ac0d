import type { Scope } from "../../platform/actor.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { uuidPattern } from "../../platform/ids.ts";
import { type RecordedRow, assertProject, findReadable } from "../consents/recorded.ts";
import type { Facts } from "./facts.ts";
import { type ReadTile, proveConsistency, proveInclusion } from "./paths.ts";
import { publicationName } from "./publications.ts";
import { type Committed, toConsentText } from "./record.ts";
import type { ConsistencyOut, ProofBundleOut } from "./schema.ts";
import { type HeadRow, findContent, findDocument, findHead, listSalts } from "./store.ts";
import { readTile } from "./tiles.ts";

export interface EvidenceApp {
  db: Db;
  facts: Facts;
}

/** A few seconds after a consent it is in the log. */
export const LOG_RETRY_SECONDS = 2;
const environment = "production";

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
  if (!row || !place) throw none;
  const head = await getHead(app.db);
  const text = await toText(app, row).catch(async (error: unknown) => {
    // What it is told with may have been erased with it, after it was read.
    if (!(await findReadable(app.db, { projectIds, id: consentId }, caller))) throw none;
    throw error;
  });
  const prove = toProver(app.db, head);
  return {
    format: "avow-proof-bundle/v1",
    origin: head.origin,
    keys: head.keys,
    consent: await prove(JSON.parse(text) as Committed, place),
    publication: row.version === null ? null : await toPublication(app.db, prove, row),
  };
}

async function toText({ db, facts }: EvidenceApp, row: RecordedRow): Promise<string> {
  return toConsentText(row, await facts.factsOf(db, row));
}

type Prove = (
  record: Committed,
  place: { leaf: number; salt: Buffer },
) => Promise<ProofBundleOut["consent"]>;

/** Proves that documents stand where they do in the tree of `head`. */
export function toProver(db: Db, head: HeadRow): Prove {
  const tree = { size: head.size, readTile: toTileReader(db) };
  return async (record, { leaf, salt }) => ({
    record,
    salt: salt.toString("base64"),
    proof: toProofText(leaf, await proveInclusion(tree, leaf), head.checkpoint),
  });
}

async function toPublication(
  db: Db,
  prove: Prove,
  { project_id: projectId, version }: { project_id: string; version: number | null },
): Promise<ProofBundleOut["publication"]> {
  if (version === null) return null;
  const row = await findDocument(db, projectId, publicationName(environment, version));
  const content = await findContent(db, { projectId, environment, version });
  if (!row?.salt || row.leaf === null || content === undefined)
    throw new Fault("busy", "The published version waits for its place in the log.", {
      retryAfterSeconds: LOG_RETRY_SECONDS,
    });
  return { ...(await prove(row.document, { leaf: row.leaf, salt: row.salt })), content };
}

/** A proof as text (C2SP tlog-proof). */
function toProofText(leaf: number, path: readonly Buffer[], checkpoint: string): string {
  const hashes = path.map((hash) => `${hash.toString("base64")}\n`).join("");
  return `c2sp.org/tlog-proof@v1\nindex ${leaf}\n${hashes}\n${checkpoint}`;
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
  const head = await getHead(db);
  const { from, to = head.size } = asked;
  if (to > head.size || from > to) {
    const message = `has to be at most ${to > head.size ? head.size : to}`;
    const path = to > head.size ? "?to" : "?from";
    throw new Fault("invalid", `${path} ${message}.`, { faults: [{ path, message }] });
  }
  const path = await proveConsistency({ size: to, readTile: toTileReader(db) }, from);
  return {
    origin: head.origin,
    from,
    to,
    proof: path.map((hash) => hash.toString("base64")),
    checkpoint: head.checkpoint,
  };
}

/** The tree that was signed last. Throws `Fault` (busy) before the first. */
export async function getHead(db: Db): Promise<HeadRow> {
  const head = await findHead(db);
  if (head) return head;
  throw new Fault("busy", "The log has no tree yet.", { retryAfterSeconds: LOG_RETRY_SECONDS });
}

/** Reads tiles, each once. */
function toTileReader(db: Db): ReadTile {
  const known = new Map<string, Promise<Buffer>>();
  return ({ level, index, width }) => {
    const name = `${level}/${index}/${width}`;
    let tile = known.get(name);
    if (!tile) known.set(name, (tile = readTile(db, { level, index, width })));
    return tile;
  };
}
