// Opens the log for `avow log` on the service's machine, by the service's settings and from its database.
import { pino } from "pino";
import type { OwnLog } from "@avow/cli/own-log";
import type { ReadableLog } from "@avow/cli/readable-log";
import { openAddress } from "@avow/postgres/address";
import { loadConfig } from "../config/config.ts";
import { openArchive } from "../modules/consents/archive/open.ts";
import { findWitnessedHead } from "../modules/evidence/log/heads.ts";
import {
  type Rotation,
  addLogKey,
  dropLogKeys,
  readLogKeys,
} from "../modules/evidence/log/keys.ts";
import { findHead, findLogOrigin } from "../modules/evidence/log/origin.ts";
import { findLogKeys } from "../modules/evidence/log/sequence/key-entries.ts";
import { readTile } from "../modules/evidence/log/tiles.ts";
import { ENTRIES_LEVEL } from "../modules/evidence/log/tree/tile-path.ts";
import { auditRecords } from "../modules/evidence/proofs/audit.ts";
import type { DataDb } from "../platform/db/db.ts";
import { openDataPlane } from "../platform/db/buckets/open.ts";
import { openPlanes, toPlaneUrls } from "../platform/db/open.ts";
import { codeOf } from "../platform/errors.ts";

/** Opens the log of a service, which may be running. */
export async function openOwnLog(): Promise<OwnLog> {
  const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
  const { config, secrets } = loadConfig();
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await openAddress({ ...config, ...secrets, log }));
  const urls = toPlaneUrls(address.url, secrets.consentsDatabaseUrl);
  const pool = { poolMax: 2, queueMax: 1_000, log };
  const { db, data: home } = opened.use(openPlanes({ ...urls, ...pool }));
  const archiving = { config: config.archive.objects, now: () => new Date(), log };
  const { attach } = opened.use(await openArchive(archiving));
  const buckets = opened.use(await openDataPlane({ home, dataUrl: urls.dataUrl, ...pool, attach }));
  const { data } = buckets.home;
  const { publicUrl } = config.http;
  const origin = await findLogOrigin(data, { ...config.evidence, publicUrl }).catch(toPlainError);
  const place = { dataDir: config.dataDir, origin, keys: secrets.logKeys };
  const listSigners = async () => (await findHead(data))?.keys ?? [];
  const owned = opened.move();
  return {
    // Unknown with DATABASE_URL: the service may run on another machine.
    isStopped: address.isOwn,
    openReadable: () => openReadable(data),
    async listKeys() {
      const keys = await readLogKeys(place);
      const signers = await listSigners();
      const announced = new Set(
        (await findLogKeys(data))?.announced.map(({ record }) => record["key"]),
      );
      return keys.map(({ verifier }) => ({
        verifier,
        isSigning: signers.includes(verifier),
        isAnnounced: announced.has(verifier),
      }));
    },
    listSigners,
    addKey: async () => toVerifiers(await addLogKey(place)),
    dropOldKeys: async () => toVerifiers(await dropLogKeys(place)),
    auditRecords: (options) => auditRecords({ db, buckets, ...options }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openReadable(db: DataDb): Promise<ReadableLog | undefined> {
  const head = await findHead(db);
  if (!head) return undefined;
  return {
    name: head.origin,
    // Checkpoints signed during the check are left to the next one.
    async readCheckpoint(isWitnessed) {
      if (!isWitnessed) return head.checkpoint;
      const witnessed = await findWitnessedHead(db);
      if (witnessed) return witnessed.checkpoint;
      throw new Error("There is no tree of the log that a witness cosigned.");
    },
    readKeys: async () => JSON.stringify(await findLogKeys(db)),
    read: ({ level, index, width }) =>
      readTile(db, { level: level === "entries" ? ENTRIES_LEVEL : level, index, width }),
  };
}

function toVerifiers({ keys, dropped, setting }: Rotation) {
  return {
    keys: keys.map(({ verifier }) => verifier),
    dropped: dropped.map(({ verifier }) => verifier),
    setting,
  };
}

function toPlainError(error: unknown): never {
  const code = codeOf(error);
  if (code === "42P01" || code === "42703")
    throw new Error(
      "The database is not that of this version. Start the service once, then try again.",
      { cause: error },
    );
  throw error;
}
