import { LRUCache } from "lru-cache";
import type { DataDb, Planes } from "../../../platform/db/db.ts";
import type { RecordedRow } from "../../consents/commitments/recorded.ts";
import type { Facts } from "../log/sequence/facts.ts";
import { type Head, getHeadWith, toPending } from "../log/heads.ts";
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

export interface EvidenceApp extends Planes {
  facts: Facts;
}

/** The leaf and the salt of a commitment. */
export interface CommittedLeaf {
  leaf: number;
  salt: Buffer;
}

/** Cache sizes: consecutive proofs mostly need the same tiles and publications. */
const TILE_BYTES_MAX = 4 * 1024 * 1024;
const PUBLICATION_CHARS_MAX = 8 * 1024 * 1024;

/** Proves any number of consents in one signed tree, in bounded memory. */
export interface Prover {
  head: Head;
  /** The record that the log commits to, as the database has it now. */
  readRecord: (row: RecordedRow) => Promise<RecordedConsent>;
  /**
   * The proof bundle of a consent: its record, salt and inclusion proof, and the same of the published version that
   * was shown. The leaf has to be in the tree.
   * @throws Pending if the version is not in the tree yet
   */
  prove: (row: RecordedRow, place: CommittedLeaf) => Promise<ProofBundleOut>;
}

/**
 * Opens a prover for the newest cosigned tree if it has the leaves up to `last`, else for the latest tree.
 * @throws Pending before the first tree
 */
export async function openProver(
  { db, data, facts }: EvidenceApp,
  last = Number.POSITIVE_INFINITY,
): Promise<Prover> {
  const head = await getHeadWith(data, last);
  const readRecord: Prover["readRecord"] = async (row) =>
    JSON.parse(toConsentText(row, await facts.factsOf(data, row))) as RecordedConsent;
  const proveRecord = toProver(data, head);
  const publications = new LRUCache<string, NonNullable<ProofBundleOut["publication"]>>({
    maxSize: PUBLICATION_CHARS_MAX,
    sizeCalculation: ({ content }) => content.length + 1,
  });
  const provePublication = async (projectId: string, version: number) => {
    const key = `${projectId} ${version}`;
    const known = publications.get(key);
    if (known) return known;
    const row = await findPublication(data, { projectId, version });
    const content = await findPublishedContent(db, { projectId, version });
    if (!row?.salt || row.leaf === null || row.leaf >= head.size || content === undefined)
      throw toPending("The published version");
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

/** A document of the log with its inclusion proof. */
interface ProvenDocument<R> {
  record: R;
  /** 32 bytes in base64. */
  salt: string;
  /** A C2SP tlog-proof. */
  proof: string;
}

/** Returns a function that proves documents in the tree of `head`. */
export function toProver(
  db: DataDb,
  head: Head,
): <R extends JsonObject>(record: R, place: CommittedLeaf) => Promise<ProvenDocument<R>> {
  const tree = { size: head.size, readTile: openTiles(db) };
  return async (record, { leaf, salt }) => ({
    record,
    salt: salt.toString("base64"),
    proof: toProofText(leaf, await proveInclusion(tree, leaf), head.checkpoint),
  });
}

/** Reads tiles through a cache. */
export function openTiles(db: DataDb): ReadTile {
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

/** A C2SP tlog-proof. */
function toProofText(leaf: number, path: readonly string[], checkpoint: string): string {
  const hashes = path.map((hash) => `${hash}\n`).join("");
  return `c2sp.org/tlog-proof@v1\nindex ${leaf}\n${hashes}\n${checkpoint}`;
}
