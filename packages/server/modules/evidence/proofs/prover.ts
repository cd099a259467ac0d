import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import type { RecordedRow } from "../../consents/commitments/recorded.ts";
import type { Facts } from "../log/sequence/facts.ts";
import { type Head, getHeadWith, toWaitingFault } from "../log/heads.ts";
import { type ReadTile, proveInclusion } from "../log/tree/paths.ts";
import { findPublication, findPublishedContent } from "../log/sequence/publications.ts";
import {
  type RecordedConsent,
  type RecordedPublication,
  toConsentText,
} from "@avow/contract/record";
import type { JsonObject } from "@avow/contract/json";
import type { ProofBundleOut } from "../log/schema.ts";
import { readTile } from "../log/tiles.ts";

export interface EvidenceApp {
  db: Db;
  facts: Facts;
}

/** Where a document stands in the log, and what its commitment was salted with. */
export interface Place {
  leaf: number;
  salt: Buffer;
}

/** Of a long row of proofs: what lies near each other is asked for together. */
const TILE_BYTES_MAX = 4 * 1024 * 1024;
const PUBLICATION_CHARS_MAX = 8 * 1024 * 1024;

/** Proves consents under one signed tree: as many as are asked for, in bounded memory. */
export interface Prover {
  head: Head;
  /** The record as it was committed to; what was changed since is told as it is now. */
  readRecord: (row: RecordedRow) => Promise<RecordedConsent>;
  /**
   * The proof of a consent: its record and salt, its place in the tree, and the published version that
   * was shown with its own. The place has to be in the tree.
   * @throws Fault busy while the version waits for its own place
   */
  prove: (row: RecordedRow, place: Place) => Promise<ProofBundleOut>;
}

/**
 * Opens a prover under the tree that witnesses cosigned last, where it has the leaves up to `last`, else
 * under the one that was signed last.
 * @throws Fault busy before the first tree
 */
export async function openProver(
  { db, facts }: EvidenceApp,
  last = Number.POSITIVE_INFINITY,
): Promise<Prover> {
  const head = await getHeadWith(db, last);
  const readRecord: Prover["readRecord"] = async (row) =>
    JSON.parse(toConsentText(row, await facts.factsOf(db, row))) as RecordedConsent;
  const proveRecord = toProver(db, head);
  const publications = new LRUCache<string, NonNullable<ProofBundleOut["publication"]>>({
    maxSize: PUBLICATION_CHARS_MAX,
    sizeCalculation: ({ content }) => content.length + 1,
  });
  const provePublication = async (projectId: string, version: number) => {
    const key = `${projectId} ${version}`;
    const known = publications.get(key);
    if (known) return known;
    const row = await findPublication(db, { projectId, version });
    const content = await findPublishedContent(db, { projectId, version });
    if (!row?.salt || row.leaf === null || row.leaf >= head.size || content === undefined)
      throw toWaitingFault("The published version");
    const place = { leaf: row.leaf, salt: row.salt };
    const document = row.document as RecordedPublication;
    const proven = { ...(await proveRecord(document, place)), content };
    publications.set(key, proven);
    return proven;
  };
  return {
    head,
    readRecord,
    prove: async (row, place) => ({
      format: "avow-proof-bundle/v1",
      origin: head.origin,
      keys: head.keys,
      consent: await proveRecord(await readRecord(row), place),
      publication:
        row.version === null ? null : await provePublication(row.project_id, row.version),
    }),
  };
}

/** A document of the log with what proves its place. */
interface Proved<R> {
  record: R;
  /** 32 bytes in base64. */
  salt: string;
  /** A C2SP tlog-proof. */
  proof: string;
}

/** Proves that documents stand where they do in the tree of `head`. */
export function toProver(
  db: Db,
  head: Head,
): <R extends JsonObject>(record: R, place: Place) => Promise<Proved<R>> {
  const tree = { size: head.size, readTile: openTiles(db) };
  return async (record, { leaf, salt }) => ({
    record,
    salt: salt.toString("base64"),
    proof: toProofText(leaf, await proveInclusion(tree, leaf), head.checkpoint),
  });
}

/** Reads tiles, and remembers those that were asked for last. */
export function openTiles(db: Db): ReadTile {
  const known = new LRUCache<string, Buffer>({
    maxSize: TILE_BYTES_MAX,
    sizeCalculation: (tile) => tile.length + 1,
  });
  return async ({ level, index, width }) => {
    const name = `${level}/${index}/${width}`;
    const found = known.get(name);
    if (found) return found;
    const tile = await readTile(db, { level, index, width });
    known.set(name, tile);
    return tile;
  };
}

/** A proof as text (C2SP tlog-proof). */
function toProofText(leaf: number, path: readonly string[], checkpoint: string): string {
  const hashes = path.map((hash) => `${hash}\n`).join("");
  return `c2sp.org/tlog-proof@v1\nindex ${leaf}\n${hashes}\n${checkpoint}`;
}
